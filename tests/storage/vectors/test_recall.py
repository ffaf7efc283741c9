"""The nearest vectors are found: recall against exact search, clustered and in all directions.

`VECTORS` (10000) in the environment says among how many.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from core.config import Settings
from core.ids import new_id
from core.storage.vectors.chroma.store import ChromaStore

pytestmark = pytest.mark.J04

VECTORS = int(os.environ.get("VECTORS", "10000"))
DIMENSION, K = 384, 10


def made(kind: str, count: int) -> np.ndarray:
    """Unit vectors: around 200 centres, or in all directions."""
    chance = np.random.default_rng(3)
    found = chance.standard_normal((count, DIMENSION)).astype(np.float32)
    if kind == "clustered":
        centres = chance.standard_normal((200, DIMENSION)).astype(np.float32)
        found = centres[chance.integers(0, 200, count)] + 0.5 * found
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def recall(settings: Settings, kind: str, count: int, least: float) -> None:
    """Recall@10 over 50 queries near vectors of the index."""
    vectors, session = made(kind, count), new_id()
    store = ChromaStore(settings)
    ids = [f"{'a' * 64}:{n}" for n in range(count)]
    store.add(session, ids, vectors)
    found = 0
    for number in range(0, count, count // 50):
        query = vectors[number] + 0.1 * made("isotropic", 1)[0]
        exact = {ids[n] for n in np.argsort(-(vectors @ query))[:K]}
        found += len(exact & {i for i, _ in store.query(session, query, K)})
    store.close()
    assert found / (K * len(range(0, count, count // 50))) >= least


@pytest.mark.parametrize("kind", ["clustered", "isotropic"])
def test_of_a_few(settings: Settings, kind: str) -> None:
    recall(settings, kind, 1000, 0.99)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("kind", "least"), [("clustered", 0.99), ("isotropic", 0.97)])
def test_of_many(settings: Settings, kind: str, least: float) -> None:
    recall(settings, kind, VECTORS, least)
