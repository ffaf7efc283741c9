"""Fuse the dense and the lexical list into one (pure).

A list is (id, score) pairs, best first, each id once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

Ranked = Sequence[tuple[str, float]]

RRF_K = 60


def weighted(dense: Ranked, lexical: Ranked, weight: float = 0.5) -> list[tuple[str, float]]:
    """Return the convex combination `weight * dense + (1 - weight) * lexical`, best first.

    Each list is min-max-normalised to 0..1 first; ids that a list lacks have 0 there.
    Source: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval",
    ACM TOIS 42(1), 2023.

    >>> weighted([("a", 0.9), ("b", 0.5)], [("b", 12.0), ("c", 4.0)])
    [('a', 0.5), ('b', 0.5), ('c', 0.0)]
    """
    sides = ((weight, min_max(dense)), (1.0 - weight, min_max(lexical)))
    return _sums((key, share * score) for share, side in sides for key, score in side)


def standard(dense: Ranked, lexical: Ranked, weight: float) -> list[tuple[str, float]]:
    """Return `weight * dense + (1 - weight) * lexical` of standard scores, best first.

    Over the ids of both lists, each side is scaled to mean 0 and deviation 1; ids that a list
    lacks have its lowest score. Unlike `weighted`, this does not stretch a list whose scores
    hardly differ to the whole range: docs/decisions.md.

    >>> standard([("a", 0.9), ("b", 0.5)], [("b", 12.0), ("c", 4.0)], 0.5)[0][0]
    'a'
    """
    keys = list(dict.fromkeys(key for side in (dense, lexical) for key, _ in side))
    sides = (
        (weight, _standard_scores(keys, dense)),
        (1.0 - weight, _standard_scores(keys, lexical)),
    )
    return _sums((key, share * score) for share, side in sides for key, score in side)


def _standard_scores(keys: Sequence[str], ranked: Ranked) -> list[tuple[str, float]]:
    if not ranked:
        return []
    known, lowest = dict(ranked), min(score for _, score in ranked)
    scores = [known.get(key, lowest) for key in keys]
    mean = sum(scores) / len(scores)
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / len(scores))
    return [
        (k, (s - mean) / spread if spread > 0 else 0.0) for k, s in zip(keys, scores, strict=True)
    ]


def rrf(lists: Sequence[Ranked], k: int = RRF_K) -> list[tuple[str, float]]:
    """Return the reciprocal rank fusion: the sum of `1 / (k + rank)`, ranks from 1, best first.

    Source: Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion Outperforms Condorcet and
    Individual Rank Learning Methods", SIGIR 2009.

    >>> rrf([[("a", 9.0)], [("a", 0.1), ("b", 0.0)]], k=1)
    [('a', 1.0), ('b', 0.3333333333333333)]
    """
    return _sums(
        (key, 1.0 / (k + rank)) for ranked in lists for rank, (key, _) in enumerate(ranked, 1)
    )


def best_of(lists: Sequence[Ranked]) -> list[tuple[str, float]]:
    """Return each id with its best score in any list, best first."""
    best: dict[str, float] = {}
    for ranked in lists:
        for key, score in ranked:
            best[key] = max(score, best.get(key, score))
    return _sorted(best.items())


def boosted(ranked: Ranked, by: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the list with `by` added to the scores of its ids, best first."""
    return _sorted((key, score + by.get(key, 0.0)) for key, score in ranked)


def min_max(ranked: Ranked) -> list[tuple[str, float]]:
    """Return the scores scaled to 0..1, lowest to highest; all 1 if they are equal."""
    if not ranked:
        return []
    scores = [score for _, score in ranked]
    low, span = min(scores), max(scores) - min(scores)
    return [(key, (score - low) / span if span > 0 else 1.0) for key, score in ranked]


def _sums(parts: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    total: dict[str, float] = {}
    for key, score in parts:
        total[key] = total.get(key, 0.0) + score
    return _sorted(total.items())


def _sorted(pairs: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Sort best first; equal scores by id, so that searches are reproducible."""
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
