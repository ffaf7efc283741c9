"""Measures of abstention: are the right questions refused (pure)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Measures, Result


def of_case(case: Case) -> Measures:
    """Return whether the question was refused, rightly or wrongly, and the answer's confidence."""
    side = "abstained_wrong" if case.item.answerable else "abstained_right"
    refused = float(case.refused)
    return {"abstained": refused, side: refused, "confidence": case.answer.confidence}


def of_run(results: Sequence[Result]) -> Measures:
    """Return precision and AUC of abstention.

    abstention_precision = unanswerable refused / refused. abstention_auc: the probability that an
    answerable question has more confidence than an unanswerable one, ties counting half.
    """
    found: Measures = {}
    refused = [result for result in results if result.measures.get("abstained")]
    if refused:
        right = sum(not result.item.answerable for result in refused)
        found["abstention_precision"] = right / len(refused)
    found["abstention_auc"] = _auc(results)
    return found


def _auc(results: Sequence[Result]) -> float | None:
    sides: dict[bool, list[float]] = {True: [], False: []}
    for result in results:
        value = result.measures.get("confidence")
        if value is not None:
            sides[result.item.answerable].append(value)
    if not sides[True] or not sides[False]:
        return None
    more = np.greater.outer(sides[True], sides[False]).mean()
    return float(more + np.equal.outer(sides[True], sides[False]).mean() / 2)


FAMILY = Family(
    "Abstention",
    (
        Measure("abstained", "Abstained", "Share of questions that were refused.", 0),
        Measure(
            "abstained_right", "Refused unanswerable", "Unanswerable questions refused, 0 to 1."
        ),
        Measure(
            "abstained_wrong", "Refused answerable", "Answerable questions refused, 0 to 1.", -1
        ),
        Measure(
            "abstention_precision",
            "Precision of refusing",
            "Refusals of unanswerable questions, 0 to 1.",
        ),
        Measure(
            "abstention_auc",
            "AUC of confidence",
            "Probability that confidence ranks an answerable question first.",
        ),
        Measure("confidence", "Confidence", "The program's own estimate, 0 to 1.", 0),
    ),
    of_case,
    of_run,
)
