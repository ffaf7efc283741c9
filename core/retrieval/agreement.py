"""Candidates held up by candidates that say alike (pure).

The cluster hypothesis: passages near to each other answer the same questions. So a candidate's
score is raised or lowered towards that of the candidates nearest to it, which costs no further
search. Source: Diaz, "Regularizing Query-Based Retrieval Scores", Information Retrieval 10, 2007.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

FIRST = 50
"""So many candidates support each other; what ranks below them stays below."""
WEIGHT = 2.0
_NEAREST = 10
_WIDTH = 0.2
"""Of the kernel `exp((cosine - 1) / width)`. These were chosen together: docs/decisions.md."""


def supported(scores: Vectors, vectors: Vectors, weight: float = WEIGHT) -> Vectors:
    """Each score with `weight` times the mean of its nearest candidates, itself among them.

    `scores` (n,) and `vectors` (n, dimension), each of length 1; gives (n,), the mean of both in
    the unit of the scores. The mean is over the ten nearest, the nearer the more.
    """
    if len(scores) < 2 or weight <= 0:
        return scores
    near = np.exp((vectors @ vectors.T - 1.0) / _WIDTH)
    if len(scores) > _NEAREST:
        least = np.partition(near, -_NEAREST, axis=1)[:, -_NEAREST, np.newaxis]
        near = np.where(near >= least, near, 0.0)
    mean = near @ scores / near.sum(axis=1)
    result: Vectors = (scores + weight * mean) / (1.0 + weight)
    return result


def supported_list(
    ranked: Sequence[tuple[str, float]], vectors: Mapping[str, Vectors], weight: float = WEIGHT
) -> list[tuple[str, float]]:
    """A list best first with its first 50 ordered by support; the others keep their places.

    Without all of their vectors, the list stays as it is.
    """
    first, rest = list(ranked[:FIRST]), list(ranked[FIRST:])
    if not first or any(key not in vectors for key, _ in first):
        return [*first, *rest]
    scores = np.array([score for _, score in first], np.float32)
    found = supported(scores, np.stack([vectors[key] for key, _ in first]), weight)
    order = sorted(range(len(first)), key=lambda at: (-float(found[at]), first[at][0]))
    lower = min(0.0, float(found.min()) - first[-1][1])  # so that the others stay below
    return [(first[at][0], float(found[at])) for at in order] + [(k, s + lower) for k, s in rest]
