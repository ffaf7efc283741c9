"""The frequent question of a document that asks nearly what is asked (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.answering.extractive.question.answer_types import STRICT, Wanted, wanted
from core.answering.extractive.question.kinds import asks_how, asks_yes_or_no
from core.answering.extractive.sentences.candidates import Candidate, is_sentence
from core.answering.extractive.sentences.reading import ENGLISH, Read
from core.text.languages import language_of
from core.text.terms import content_keys
from core.types import Hit

ALIKE = 0.55
"""The cosine of two questions from which on they may ask for the same."""
SURELY_ALIKE = 0.75
"""The cosine from which on they do: "how do I cancel" and "how do I change" have 0.74."""
_AHEAD = 0.1
"""How much nearer it must be than any other question of the documents."""
_FEW_WORDS = 2
_READ_BETTER = 4.0
"""How much better the reader must find the answer elsewhere."""
_WHAT = re.compile(r"(?:what|which|who|why)\b", re.I)
_IS = re.compile(r"(?:is|are|was|were)\b", re.I)
_EXACT = (*STRICT, Wanted.REASON)


def frequent_questions(
    question: str, candidates: Sequence[Candidate], hits: Sequence[Hit]
) -> list[str]:
    """The questions that stand above candidates, where the embedder knows the language of all."""
    if language_of(question) not in ENGLISH:
        return []
    asked = (
        one.under
        for one in candidates
        if one.under.endswith("?") and hits[one.hit].document.language in ENGLISH
    )
    return list(dict.fromkeys(asked))


def nearly_asked(
    question: str, cosines: Mapping[str, float], candidates: Sequence[Candidate]
) -> str:
    """The one of the frequent questions that asks nearly the same, "" where none does.

    `cosines` are those of the frequent questions with `question`. One that is only alike gives way
    where a sentence elsewhere has all that was typed.
    """
    first, *others = sorted(cosines, key=lambda one: -cosines[one]) or [""]
    if not first or any(cosines[one] > cosines[first] - _AHEAD for one in others):
        return ""
    if cosines[first] >= SURELY_ALIKE:
        return first
    if cosines[first] < ALIKE or not _is_of_kind(question, first):
        return ""
    asked = set(content_keys(question))
    if len(asked) < _FEW_WORDS:
        return first  # one word stands in many sentences
    told = (one for one in candidates if is_sentence(one) and one.under != first)
    said = any(asked <= set(content_keys(one.sentence.text)) for one in told)
    return "" if said else first


def borne_out(frequent: str, cosines: Mapping[str, float], reads: Mapping[Candidate, Read]) -> str:
    """The frequent question, "" where it is only alike and the reader finds an answer elsewhere."""
    if not frequent or cosines[frequent] >= SURELY_ALIKE:
        return frequent
    within = [read.score for one, read in reads.items() if one.under == frequent]
    elsewhere = [read.score for one, read in reads.items() if one.under != frequent]
    better = within and elsewhere and max(elsewhere) > max(within) + _READ_BETTER
    return "" if better else frequent


def _is_of_kind(question: str, other: str) -> bool:
    """Whether two questions that are alike may want the same: both a time, both yes or no."""
    if asks_yes_or_no(question) and _WHAT.match(other):
        return False
    if asks_how(question) and _IS.match(other):
        return False  # "how do I grow it" is not asked by "Is it invasive?"
    kind, theirs = wanted(question), wanted(other)
    return kind is theirs or not (kind in _EXACT or Wanted.DEFINITION in (kind, theirs))
