"""Summaries of human marks, and agreement of raters and the judge (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation.measures.aggregate import mean
from core.evaluation.measures.statistics import kappa, pairwise_kappa
from core.evaluation.runs.results import ASPECTS, Mark, Result

_GOOD = 4
"""The least mark for correctness that counts as correct when compared with the judge."""


@dataclass(frozen=True, slots=True)
class MarkSummary:
    """One aspect over all answers and raters: mean (0 to 1), number of marks, agreement."""

    aspect: str
    mean: float | None
    marks: int
    agreement: float | None


def normalised_mark(value: int) -> float:
    """Return a mark from 1 to 5 scaled to 0 to 1: (v - 1) / 4.

    >>> [normalised_mark(value) for value in (1, 3, 5)]
    [0.0, 0.5, 1.0]
    """
    return (value - 1) / 4


def mark_summaries(marks: Sequence[Mark]) -> list[MarkSummary]:
    """Summarise each aspect; agreement is the mean weighted kappa over pairs of raters."""
    found = []
    for aspect in ASPECTS:
        values = [mark.values[aspect] for mark in marks if aspect in mark.values]
        ratings: dict[str, dict[int, int]] = {}
        for mark in marks:
            if aspect in mark.values:
                ratings.setdefault(mark.rater, {})[mark.position] = mark.values[aspect]
        found.append(
            MarkSummary(
                aspect, mean(map(normalised_mark, values)), len(values), pairwise_kappa(ratings)
            )
        )
    return found


def judge_agreement(marks: Sequence[Mark], results: Sequence[Result]) -> tuple[float | None, int]:
    """Return Cohen's kappa of the judge's "correct" with people's, and the number of marks.

    A mark for correctness of at least 4 means correct; each mark counts. Answers that the judge
    did not grade are left out.
    """
    graded = {
        result.position: bool(value)
        for result in results
        if (value := result.measures.get("correct")) is not None
    }
    pairs = [
        (mark.values["correctness"] >= _GOOD, graded[mark.position])
        for mark in marks
        if "correctness" in mark.values and mark.position in graded
    ]
    return kappa([one for one, _ in pairs], [other for _, other in pairs]), len(pairs)
