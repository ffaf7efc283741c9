"""All families of measures, and all measures by name (pure).

A measure is a `Measure` beside the function of its family that computes it; a family is a module
and a line in `FAMILIES`. Runs, pages, exports, comparisons and thresholds use this registry.
"""

from __future__ import annotations

from core.evaluation.measures import (
    abstention,
    answer,
    calibration,
    cost,
    grounding,
    judged,
    retrieval,
)
from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Measures

FAMILIES: tuple[Family, ...] = (
    retrieval.FAMILY,
    answer.FAMILY,
    grounding.FAMILY,
    abstention.FAMILY,
    calibration.FAMILY,
    judged.FAMILY,
    cost.FAMILY,
)
MEASURES: dict[str, Measure] = {
    measure.name: measure for family in FAMILIES for measure in family.measures
}
HEADLINES = (
    "contains", "f1", "rougeL", "bertscore", "correct", "ndcg", "recall", "cited_document",
    "cited_page", "citation_precision", "support_rate", "abstained_right", "abstained_wrong",
    "seconds",
)  # fmt: skip
"""The measures that are shown first, if they were measured."""


def score(case: Case) -> Measures:
    """Return all measures of one answer; those that cannot be measured are None or left out.

    A refusal counts as a miss of an answerable question; it has no grounding and no BERTScore.
    """
    found: Measures = {}
    for family in FAMILIES:
        found |= family.of_case(case)
    return found


def title_of(name: str, k: int | None = None) -> str:
    """Return the title of a measure; `k` is the cut-off of the ranking.

    >>> title_of("ndcg", 5), title_of("seconds_understood")
    ('nDCG@5', 'Seconds: understood')
    """
    if name not in MEASURES:
        head, _, rest = name.partition("_")
        return f"{head.capitalize()}: {rest.replace('_', ' ')}" if rest else name
    measure = MEASURES[name]
    return f"{measure.title}@{k}" if measure.at_k and k is not None else measure.title


def better(name: str) -> int:
    """Return 1 if more is better, -1 if less is, 0 if neither."""
    if name in MEASURES:
        return MEASURES[name].better
    return -1 if name.startswith("seconds_") else 0
