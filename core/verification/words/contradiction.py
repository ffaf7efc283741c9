"""Whether a statement and a passage contradict each other: a "not", or an opposite (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from core.text.terms import Term, fold, folded_words, stem, terms
from core.text.word_lists import (
    AUXILIARIES,
    AVOIDING,
    DENYING_NOUNS,
    IRREGULAR,
    NEGATIONS,
    OPPOSITES,
    SOFT_NEGATIONS,
)
from core.verification.words.negation import denies, is_condition

_NEGATIONS = folded_words(*NEGATIONS)
_DENYING_NOUNS = folded_words(*DENYING_NOUNS)
_SOFT = folded_words(*SOFT_NEGATIONS)
_AVOIDING = folded_words(*AVOIDING)
_SCOPE = 5
"""Words to each side of a negation at most that it may be about."""
_CJK_NOT = re.compile(r"[不没沒無无非未]")


def negation_differs(words: str, matching: Sequence[str], nearest: int = 1) -> bool:
    """Whether one of the two denies a word that the other states, in the sentences that match.

    The first `nearest` of them match best: what they deny is held against the statement.
    """
    theirs = [(_scope(sentence), _content(sentence)) for sentence in matching]
    for about in _denials(words):
        there = [near for near, keys in theirs if about & keys]
        if there and not any(about & near for near in there):
            return True
    stated = _content(words) - _scope(words)
    for at, sentence in enumerate(matching[:nearest]):
        others = theirs[:at] + theirs[at + 1 :] if at else []
        elsewhere = set[str]().union(*(keys - near for near, keys in others))
        for about in _denials(sentence):
            ours = about & _content(words)
            if ours and ours <= stated - elsewhere and about <= _only(sentence):
                return True
    if not (_CJK_NOT.search(words) or any(map(_CJK_NOT.search, matching[:1]))):
        return False
    return (len(_CJK_NOT.findall(words)) - len(_CJK_NOT.findall(matching[0]))) % 2 == 1


def said_otherwise(words: str, best: Sequence[str]) -> set[str]:
    """The keys of words that say with "avoid" what a sentence of the source denies.

    >>> said_otherwise("Avoid solvents.", ["Do not use solvents."])
    {'avoid'}
    """
    denied_there = [_scope(sentence) for sentence in best if denied(sentence)]
    found = terms(words)
    said = set()
    for at, term in enumerate(found):
        if fold(term.form) in _AVOIDING:
            beside = (*found[max(0, at - _SCOPE) : at], *found[at + 1 : at + 1 + _SCOPE])
            about = {_key(other) for other in beside if _is_content(other)}
            said |= {term.key} if any(about & near for near in denied_there) else set()
    return said


def denied(sentence: str) -> set[str]:
    """The content words that the negations of a sentence are about."""
    return {key for about in _denials(sentence) for key in about}


def says_no(sentence: str) -> bool:
    """Whether a sentence denies something, were it in a condition, or with a word like "avoid"."""
    return any(_says_no(term, sentence) for term in terms(sentence))


def _scope(sentence: str) -> set[str]:
    """The content words that a negation, or a word that implies one, may be about."""
    found = terms(sentence)
    near: set[str] = set()
    for at, term in enumerate(found):
        if _says_no(term, sentence):
            beside = found[max(0, at - _SCOPE) : at + _SCOPE + 1]
            near |= {_key(other) for other in beside if _is_content(other)}
    return near


def _says_no(term: Term, sentence: str) -> bool:
    return denies(term, sentence) or fold(term.form) in _SOFT | _AVOIDING


def _only(sentence: str) -> set[str]:
    """The content words that stand in a sentence once, so that what denies them denies all."""
    count = Counter(_key(term) for term in terms(sentence) if term.kind != "stop")
    return {key for key, times in count.items() if times == 1}


def _denials(sentence: str) -> list[set[str]]:
    """The content word that each negation is about: the next one, or at the end the last one.

    Before a noun it denies what is said of the noun too: "no dividend was paid". What a condition
    denies, nothing is said of.
    """
    found = terms(sentence)
    about = []
    for at, term in enumerate(found):
        if fold(term.form) in _DENYING_NOUNS and (both := _noun_and_verb(found[at + 1 :])):
            about.append(both)
        elif denies(term, sentence) and not is_condition(term, sentence):
            after = [_key(t) for t in found[at + 1 : at + 1 + _SCOPE] if _is_content(t)]
            before = [_key(t) for t in found[max(0, at - 3) : at] if _is_content(t)]
            about.append({*(after[:1] or before[-1:])})
    return [keys for keys in about if keys]


def _noun_and_verb(found: Sequence[Term]) -> set[str]:
    """The words up to an auxiliary verb with the one after it; nothing where none follows."""
    noun = list(takewhile(_is_content, found))
    auxiliary = list(takewhile(lambda term: fold(term.form) in AUXILIARIES, found[len(noun) :]))
    verb = found[len(noun) + len(auxiliary) :][:1]
    return {_key(term) for term in (*noun, *verb)} if noun and auxiliary else set()


def _content(sentence: str) -> set[str]:
    return {_key(term) for term in terms(sentence) if term.kind != "stop"}


def _key(term: Term) -> str:
    base = IRREGULAR.get(fold(term.form))
    return stem(base) if base else term.key


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
