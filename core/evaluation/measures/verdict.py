"""What a run says, in one sentence (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluation.runs.results import Result

_RIGHT_BY = {
    "correct": "were judged right",
    "contains": "hold what was expected",
    "cited_document": "cite an expected document",
    "document_hit": "had an expected document among what was found",
}
"""The measures by which an answer counts as right, the strictest first, with the words for it."""
_RIGHT = 0.5
_LEAST_OF_TAG = 5
"""Questions that a tag needs before it is named as the weakest."""


def verdict(results: Sequence[Result]) -> str:
    """Return how many questions were answered right, how many were rightly refused, what failed.

    Right is what the first measure says that the run has. The tag with the smallest share of right
    answers is named where it is clearly below the whole.
    """
    asked = [result for result in results if not result.error]
    parts = [_answered(asked), _refused(asked)]
    if failed := len(results) - len(asked):
        parts.append(f"{failed:,} of {len(results):,} questions failed")
    said = "; ".join(filter(None, parts))
    return (
        f"{said[:1].upper()}{said[1:]}." if said else "There is nothing to measure the answers by."
    )


def _answered(asked: Sequence[Result]) -> str:
    answerable = [result for result in asked if result.item.answerable]
    for name, words in _RIGHT_BY.items():
        known = [result for result in answerable if result.measures.get(name) is not None]
        if known:
            said = f"{_right(known, name):,} of {len(known):,} answers {words}"
            weakest = _weakest(known, name)
            return f"{said}, {weakest}" if weakest else said
    return ""


def _refused(asked: Sequence[Result]) -> str:
    hopeless = [result for result in asked if not result.item.answerable]
    if not hopeless:
        return ""
    refused = _right(hopeless, "abstained_right")
    return f"{refused:,} of {len(hopeless):,} questions without an answer were refused"


def _weakest(known: Sequence[Result], name: str) -> str:
    tags = {tag for result in known for tag in result.item.tags}
    groups = {tag: [one for one in known if tag in one.item.tags] for tag in sorted(tags)}
    shares = {
        tag: _right(group, name) / len(group)
        for tag, group in groups.items()
        if _LEAST_OF_TAG <= len(group) < len(known)
    }
    if not shares:
        return ""
    tag = min(shares, key=lambda one: shares[one])
    if shares[tag] > _right(known, name) / len(known) - 0.1:
        return ""
    return f"fewest with the tag {tag} ({_right(groups[tag], name):,} of {len(groups[tag]):,})"


def _right(results: Sequence[Result], name: str) -> int:
    return sum((result.measures.get(name) or 0.0) >= _RIGHT for result in results)
