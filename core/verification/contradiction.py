"""Whether a statement and a passage contradict each other: a "not", or an opposite (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.terms import Term, content_keys, fold, folded_words, terms
from core.text.word_lists import NEGATIONS, OPPOSITES

_NEGATIONS = folded_words(*NEGATIONS)
_CONTRACTED = re.compile(r"n['\u2019]t$", re.I)
_CJK_NOT = re.compile(r"[不没沒無无非未]")


def negation_differs(words: str, best: Sequence[str]) -> bool:
    """Whether one of the two denies a word that the other states, in the sentences that match."""
    ours = denied(words)
    theirs = [(denied(sentence), set(content_keys(sentence))) for sentence in best]
    for key in ours:
        there = [denying for denying, keys in theirs if key in keys]
        if there and not any(key in denying for denying in there):
            return True
    in_ours = set(content_keys(words))
    if theirs and any(key in in_ours and key not in ours for key in theirs[0][0]):
        return True
    if not (_CJK_NOT.search(words) or any(map(_CJK_NOT.search, best[:1]))):
        return False
    return (len(_CJK_NOT.findall(words)) - len(_CJK_NOT.findall(best[0]))) % 2 == 1


def denied(sentence: str) -> set[str]:
    """The content word that each negation is about: the next one, or at the end the last one."""
    keys: set[str] = set()
    found = terms(sentence)
    for at, term in enumerate(found):
        if fold(term.form) in _NEGATIONS or _CONTRACTED.search(term.form):
            after = [t.key for t in found[at + 1 : at + 4] if _is_content(t)]
            before = [t.key for t in found[max(0, at - 3) : at] if _is_content(t)]
            keys.update(after[:1] or before[-1:])
    return keys


def _is_content(term: Term) -> bool:
    return term.kind != "stop" and fold(term.form) not in _NEGATIONS


def opposite(words: str, best: Sequence[str]) -> tuple[str, str] | None:
    """A word of the statement whose opposite, but not itself, stands in the best sentence."""
    ours = {fold(word) for word in re.findall(r"[^\W\d_]+", words)}
    theirs = {fold(word) for text in best for word in re.findall(r"[^\W\d_]+", text)}
    for one, other in OPPOSITES:
        for mine, source in ((one, other), (other, one)):
            if mine in ours and source in theirs and mine not in theirs and source not in ours:
                return mine, source
    return None
