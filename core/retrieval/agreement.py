"""Smooth the scores of candidates over similar candidates (pure).

By the cluster hypothesis, passages near each other answer the same questions. So a candidate's
score is moved towards those of its nearest candidates, without a further search. Source: Diaz,
"Regularizing Query-Based Retrieval Scores", Information Retrieval 10, 2007.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

FIRST = 50
"""The number of candidates that support each other; those ranked below stay below."""
WEIGHT = 2.0
_NEAREST = 10
_WIDTH = 0.2
"""The width of the kernel `exp((cosine - 1) / width)`. Chosen together: docs/decisions.md."""


def supported(scores: Vectors, vectors: Vectors, weight: float = WEIGHT) -> Vectors:
    """Return each score averaged with that of its nearest candidates, which have `weight`.

    `scores` has shape (n,), `vectors` (n, dimension) with rows of length 1; the result has shape
    (n,). The mean is over the ten nearest, itself included, weighted by nearness.
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
    """Return a list, best first, with its first 50 ordered by support; the others stay.

    The list stays as it is unless all of these have vectors.
    """
    first, rest = list(ranked[:FIRST]), list(ranked[FIRST:])
    if not first or any(key not in vectors for key, _ in first):
        return [*first, *rest]
    scores = np.array([score for _, score in first], np.float32)
    found = supported(scores, np.stack([vectors[key] for key, _ in first]), weight)
    order = sorted(range(len(first)), key=lambda at: (-float(found[at]), first[at][0]))
    lower = min(0.0, float(found.min()) - first[-1][1])  # so that the others stay below
    return [(first[at][0], float(found[at])) for at in order] + [(k, s + lower) for k, s in rest]
