"""Notice that a question fits two documents equally, and how to ask about one (pure).

The conditions are strict: a short question without a name, number or quoted phrase, whose words
all appear in the best passages of two documents that both sides of the search rate nearly alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.text.terms import content_keys, terms
from core.types import Hit, Notice, QueryPlan, SearchResult

_FEW = 4  # content words of an ambiguous question, at most
_LEAST = 2  # content words of it, at least
_NEAR_DENSE = 0.05  # difference of cosine similarities
_NEAR_LEXICAL = 0.15  # share of the better BM25 score
_TITLE = 60  # characters


def with_ambiguity(result: SearchResult) -> SearchResult:
    """Return the result, with a notice if the question is ambiguous."""
    notice = ambiguity(result.plan, result.hits)
    return replace(result, notices=(*result.notices, notice)) if notice else result


def ambiguity(plan: QueryPlan, hits: Sequence[Hit]) -> Notice | None:
    """Return the notice if the question is ambiguous, else None."""
    own = set(content_keys(plan.question))
    special = any(term.kind in ("name", "number") for term in terms(plan.question))
    if plan.follows or special or '"' in plan.question or not _LEAST <= len(own) <= _FEW:
        return None
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.document.id, hit)
    if len(best) < 2:
        return None
    first, second = list(best.values())[:2]
    if not (_holds(first, own) and _holds(second, own) and _near(first, second)):
        return None
    titles = [_title(first), _title(second)]
    if titles[0] == titles[1]:
        return None
    text = f"The question fits “{titles[0]}” and “{titles[1]}” alike; both were searched."
    cure = f"To ask about one: “{' '.join(plan.question.split())} ({titles[0]})”."
    return Notice("ambiguous", text, cure, "info")


def _holds(hit: Hit, own: set[str]) -> bool:
    return own <= set(content_keys(hit.chunk.text))


def _near(first: Hit, second: Hit) -> bool:
    """Whether both sides of the search rate the two nearly alike."""
    scores = (first.dense, second.dense, first.lexical, second.lexical)
    if any(score is None for score in scores):
        return False
    dense_1, dense_2, lexical_1, lexical_2 = (score or 0.0 for score in scores)
    lexical = abs(lexical_1 - lexical_2) <= _NEAR_LEXICAL * max(lexical_1, lexical_2)
    return abs(dense_1 - dense_2) <= _NEAR_DENSE and lexical


def _title(hit: Hit) -> str:
    return (hit.document.title or hit.document.label)[:_TITLE]
