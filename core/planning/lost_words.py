"""What a rewritten query lost of the person's own words (pure).

A rewrite may put a question better, and it may drop the one word that matters. Quoted phrases,
numbers, names, identifiers and long words are what a search cannot do without.
"""

from __future__ import annotations

import re

from core.text.terms import content_keys, fold, terms

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,200})[\"”“»]")
_IDENTIFIER = re.compile(r"(?=\S*[A-Za-z])(?=\S*[\d_./:@-])[\w][\w./:@-]*\w|\b\w*[a-z][A-Z]\w*")
_LONG = 8
"""Letters from which a word is taken for a rare one: short words are mostly common ones."""


def lost_words(question: str, rewrite: str) -> tuple[str, ...]:
    """The phrases, numbers, names and rare words of `question` that `rewrite` does not have.

    >>> lost_words('What does "at most once" cost in v2.1?', "price of at-most-once delivery")
    ('"at most once"', 'v2.1')
    >>> lost_words("And how tall is it?", "How tall is the Eiffel Tower?")
    ()
    """
    folded = " ".join(fold(word) for word in rewrite.split())
    found: dict[str, None] = {}
    phrases = [phrase.strip() for phrase in _QUOTED.findall(question)]
    for phrase in phrases:
        if " ".join(fold(word) for word in phrase.split()) not in folded:
            found[f'"{phrase}"'] = None
    rest = _QUOTED.sub(" ", question)
    for identifier in _IDENTIFIER.findall(rest):
        if fold(identifier) not in folded:
            found[identifier] = None
    there = set(content_keys(rewrite))
    for term in terms(_IDENTIFIER.sub(" ", rest)):
        special = term.kind in ("name", "number") or len(term.form) >= _LONG
        if term.kind != "stop" and special and term.key not in there:
            found[term.form] = None
    return tuple(found)
