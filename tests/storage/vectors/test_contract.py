"""What every vector store does: the same tests over each adapter."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from core.errors import InvalidId, ModelChanged, StorageError
from core.ids import new_id
from core.storage.vectors.port import VectorStore
from tests.storage.vectors.made import DIMENSION, named, random_vectors


def test_finds_the_nearest_with_their_cosine(store: VectorStore) -> None:
    session, vectors = new_id(), random_vectors(200)
    store.add(session, named("d", 200), vectors)
    found = store.query(session, vectors[7], 5)
    exact = vectors @ vectors[7]
    assert [chunk_id for chunk_id, _ in found] == [f"d:{i}" for i in np.argsort(-exact)[:5]]
    assert [score for _, score in found] == pytest.approx(sorted(exact, reverse=True)[:5], abs=1e-4)


def test_same_ids_twice_replace(store: VectorStore) -> None:
    session, vectors = new_id(), random_vectors(20)
    store.add(session, named("d", 20), vectors)
    store.add(session, named("d", 20), vectors[::-1])
    assert store.ids(session) == set(named("d", 20))
    assert store.query(session, vectors[0], 1)[0][0] == "d:19"


def test_sessions_do_not_see_each_other(store: VectorStore) -> None:
    mine, yours = new_id(), new_id()
    store.add(mine, ["a:0"], random_vectors(1))
    store.add(yours, ["b:0"], random_vectors(1))
    assert [chunk_id for chunk_id, _ in store.query(mine, random_vectors(1)[0], 5)] == ["a:0"]


def test_an_empty_session_finds_nothing(store: VectorStore) -> None:
    session = new_id()
    assert store.query(session, random_vectors(1)[0], 5) == []
    assert store.ids(session) == set()
    assert store.vectors(session, ["x:0"]) == {}
    store.delete_document(session, ["x:0"])
    store.delete_session(session)


@pytest.mark.parametrize("give_ids", [True, False])
def test_filter_by_document_finds_the_far_ones(store: VectorStore, give_ids: bool) -> None:
    session, vectors = new_id(), random_vectors(400)
    query = vectors[0]
    order = np.argsort(-(vectors @ query))  # the wanted document holds the 40 farthest
    ids = [""] * 400
    for rank, position in enumerate(order):
        ids[position] = f"near:{rank}" if rank < 360 else f"far:{rank - 360}"
    store.add(session, ids, vectors)
    allowed_ids = named("far", 40) if give_ids else None
    found = store.query(session, query, 10, {"far"}, allowed_ids=allowed_ids)
    assert [chunk_id for chunk_id, _ in found] == named("far", 10)
    assert store.query(session, query, 10, set()) == []


def test_deleting_chunks(store: VectorStore) -> None:
    session, vectors = new_id(), random_vectors(10)
    store.add(session, named("a", 5) + named("b", 5), vectors)
    store.delete_document(session, [*named("a", 5), "unknown:1"])
    assert store.ids(session) == set(named("b", 5))
    assert all(i.startswith("b:") for i, _ in store.query(session, vectors[0], 10))


def test_another_dimension_is_another_model(store: VectorStore) -> None:
    session = new_id()
    store.add(session, named("d", 3), random_vectors(3))
    with pytest.raises(ModelChanged):
        store.add(session, ["e:0"], np.ones((1, 8), np.float32))
    with pytest.raises(ModelChanged):
        store.query(session, np.ones(8, np.float32), 2)


def test_vectors_that_are_no_numbers_are_refused(store: VectorStore) -> None:
    with pytest.raises(StorageError):
        store.add(new_id(), ["d:0"], np.full((1, DIMENSION), np.nan, np.float32))


@pytest.mark.parametrize("name", ["", "../x", "A" * 36, "library", "d" * 10_000])
def test_only_ids_reach_chroma(store: VectorStore, name: str) -> None:
    with pytest.raises(InvalidId):
        store.query(name, random_vectors(1)[0], 1)


def test_reading_while_writing(store: VectorStore) -> None:
    session, vectors = new_id(), random_vectors(600)
    store.add(session, named("d", 100), vectors[:100])
    problems: list[str] = []

    def read() -> None:
        for position in range(60):
            best = store.query(session, vectors[position], 1)[0][0]
            if best != f"d:{position}":
                problems.append(best)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for start in range(100, 600, 100):
        ids = [f"e:{i}" for i in range(start, start + 100)]
        store.add(session, ids, vectors[start : start + 100])
    for reader in readers:
        reader.join()
    assert problems == []
