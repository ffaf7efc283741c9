"""Human marks together: as 0 to 1, and how far raters and the judge agree (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation.measures.aggregate import mean
from core.evaluation.measures.statistics import kappa, pairwise_kappa
from core.evaluation.runs.results import MARKED, Mark, Result

_GOOD = 4
"""The mark for correctness from which an answer counts as correct beside the judge's grade."""


@dataclass(frozen=True, slots=True)
class MarkSummary:
    """One aspect over all answers and raters: the mean (0 to 1), how many marks, the agreement."""

    aspect: str
    mean: float | None
    marks: int
    agreement: float | None


def normalised_mark(value: int) -> float:
    """A mark from 1 to 5 as 0 to 1: (v - 1) / 4.

    >>> [normalised_mark(value) for value in (1, 3, 5)]
    [0.0, 0.5, 1.0]
    """
    return (value - 1) / 4


def mark_summaries(marks: Sequence[Mark]) -> list[MarkSummary]:
    """Each aspect; agreement is the mean weighted kappa over pairs of raters."""
    found = []
    for aspect in MARKED:
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
    """Cohen's kappa of the judge's "correct" with people's, and over how many marks.

    A person calls an answer correct with a mark for correctness of at least 4; each mark counts.
    Answers that the judge did not grade are left out.
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
