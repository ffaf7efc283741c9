"""Aggregate the measures of many results: means, and measures of a whole run (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.evaluation.measures.registry import FAMILIES, better
from core.evaluation.runs.results import Measures, Result

NOT_A_TAG = "all"


def summary(results: Sequence[Result]) -> Measures:
    """Return means over the questions that have a measure, and measures of the whole run."""
    asked = [result for result in results if not result.error]
    names = dict.fromkeys(name for result in results for name in result.measures)
    found: Measures = {"questions": float(len(results))}
    for name in names:
        found[name] = mean(result.measures.get(name) for result in results)
    found["errors"] = float(len(results) - len(asked))
    for family in FAMILIES:
        found |= family.of_run(asked)
    return {name: value for name, value in found.items() if value is not None}


def by_tag(results: Sequence[Result]) -> dict[str, Measures]:
    """Return the summary of all questions, then of those with each tag, most frequent first."""
    tags: dict[str, list[Result]] = {}
    for result in results:
        for tag in result.item.tags:
            tags.setdefault(tag, []).append(result)
    ordered = sorted(tags, key=lambda tag: (-len(tags[tag]), tag))
    parts = {tag: summary(tags[tag]) for tag in ordered if tag != NOT_A_TAG}
    return {NOT_A_TAG: summary(results), **parts}


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None, None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


_WORST = ("correct", "contains", "f1", "citation_recall", "recall", "support_rate", "rougeL")


def worst_first(results: Sequence[Result], measure: str = "") -> list[Result]:
    """Return the results in the order in which to review them.

    Failures first, then by one measure or by `goodness`; then by position.
    """

    def badness(result: Result) -> tuple[bool, float, int]:
        if measure:
            value = result.measures.get(measure)
            good = None if value is None else value * (better(measure) or 1)
        else:
            good = goodness(result)
        return (not result.error, float("inf") if good is None else good, result.position)

    return sorted(results, key=badness)


def goodness(result: Result) -> float | None:
    """Return one number to sort by: for an unanswerable question its refusal, else the mean."""
    if not result.item.answerable:
        return result.measures.get("abstained_right")
    return mean(result.measures.get(name) for name in _WORST)
