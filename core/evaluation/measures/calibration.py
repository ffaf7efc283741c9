"""Calibration: are answers right as often as their certainty says (pure)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Measures, Result

BINS = 10


def of_case(case: Case) -> Measures:
    """Return whether the answer counts as found directly; refusals are left out."""
    return {} if case.refused else {"direct": float(case.answer.direct)}


def of_run(results: Sequence[Result]) -> Measures:
    """Return the share of right answers for each certainty, and the expected calibration error.

    An answer is right if it contains an accepted one. The error is the mean distance between
    confidence and share of right answers over ten bins of equal width, weighted by their answers
    (Guo et al., "On Calibration of Modern Neural Networks", 2017).
    """
    answered = [
        (confidence, right, float(result.measures.get("direct") or 0.0))
        for result in results
        if not result.measures.get("abstained")
        and (confidence := result.measures.get("confidence")) is not None
        and (right := result.measures.get("contains")) is not None
    ]
    if not answered:
        return {}
    confidence, right, direct = np.array(answered).T
    return {
        "right_directly": _mean(right[direct == 1]),
        "right_nearby": _mean(right[direct == 0]),
        "calibration_error": _error(confidence, right),
    }


def _mean(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float | None:
    return float(values.mean()) if len(values) else None


def _error(
    confidence: np.ndarray[tuple[int], np.dtype[np.float64]],
    right: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> float:
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(
        sum(
            (bins == k).mean() * abs(confidence[bins == k].mean() - right[bins == k].mean())
            for k in set(bins.tolist())
        )
    )


FAMILY = Family(
    "Certainty",
    (
        Measure("direct", "Found directly", "Share of answers marked as found directly.", 0),
        Measure(
            "right_directly", "Right, found directly",
            "Right answers among those found directly, 0 to 1.",
        ),
        Measure(
            "right_nearby", "Right, found nearby",
            "Right answers among those found nearby, 0 to 1.",
        ),
        Measure(
            "calibration_error", "Calibration error",
            "Mean distance of confidence from the share of right answers, in ten bins.", -1,
        ),
    ),
    of_case,
    of_run,
)  # fmt: skip
