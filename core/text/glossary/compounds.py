"""German compounds as other words for their parts, and parts as other words for them (pure).

Keys of terms are cut at six letters, so "Leasing" finds no "Autoleasing", and "Kündigungsfrist" no
"Frist", whatever they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.text.glossary.german import INSEPARABLE, SEPARABLE, compound_parts
from core.text.terms import Term, content_keys, fold, terms

_SHORTEST = 5
"""Letters of a word that is looked for in longer ones: shorter ones stand in too many by chance."""
_SHORTEST_REST = 3
_ENDING = re.compile(r"(?<=....)(?:ern|en|er|es|e|n|s)$")
_NOUN = re.compile(r"\b[^\W\d_a-zß-ÿ][^\W\d_]+")
_PREFIXES = frozenset(map(fold, SEPARABLE))
_DERIVED = "|".join(sorted({*_PREFIXES, *INSEPARABLE}))

OtherWords = tuple[tuple[str, tuple[str, ...]], ...]


def parts_of_compounds(question: str) -> OtherWords:
    """Return for each compound of a question the words that it is made of, as one phrase.

    >>> parts_of_compounds("wie lang ist die Kündigungsfrist")
    (('Kündigungsfrist', ('kundigung frist',)),)
    """
    found = ((term.form, compound_parts(term.form)) for term in _asked(question))
    return tuple(
        (form, (" ".join(parts),))
        for form, parts in found
        if parts and _PREFIXES.isdisjoint(parts) and len(content_keys(" ".join(parts))) > 1
    )


def compounds_in(question: str, texts: Iterable[str]) -> OtherWords:
    """Return for each word of a question the compounds in texts that end in it.

    >>> compounds_in("welche Schlüssel gibt es", ["Ein Kellerschlüssel und ein Schlüsselbund."])
    (('Schlüssel', ('Kellerschlüssel',)),)
    """
    nouns = {noun: fold(noun) for text in texts for noun in _NOUN.findall(text)}
    found: list[tuple[str, tuple[str, ...]]] = []
    for term in _asked(question):
        stem = _ENDING.sub("", fold(term.form))
        if len(fold(term.form)) < _SHORTEST:
            continue
        ends = re.compile(
            rf"(?!(?:{_DERIVED}){stem}).{{{_SHORTEST_REST},}}{stem}(?:ern|en|er|es|e|n|s)?"
        )
        if there := tuple(noun for noun, plain in nouns.items() if ends.fullmatch(plain)):
            found.append((term.form, there))
    return tuple(found)


def _asked(question: str) -> list[Term]:
    return [term for term in terms(question) if term.kind in ("word", "name")]
