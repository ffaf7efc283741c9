"""Vectors and ids of chunks."""

from __future__ import annotations

import numpy as np

DIMENSION = 32


def random_vectors(n: int, seed: int = 0) -> np.ndarray:
    """Unit vectors in all directions, float32 (n, DIMENSION)."""
    vectors = np.random.default_rng(seed).standard_normal((n, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def named(document: str, n: int) -> list[str]:
    """The ids of the first chunks of a document."""
    return [f"{document}:{ordinal}" for ordinal in range(n)]
