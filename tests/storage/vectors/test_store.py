"""The vector store, on a real Chroma in a folder of the test."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from core.config import Settings
from core.errors import IndexDamaged, InvalidId, ModelChanged, NotEnoughSpace, StorageError
from core.ids import new_id
from core.storage.vectors.chroma.client import our_errors
from core.storage.vectors.chroma.store import ChromaStore

DIMENSION = 32


@pytest.fixture
def store(settings: Settings) -> Iterator[ChromaStore]:
    """An open store."""
    store = ChromaStore(settings)
    yield store
    store.close()


def random_vectors(n: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((n, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def named(document: str, n: int) -> list[str]:
    return [f"{document}:{ordinal}" for ordinal in range(n)]


def test_finds_the_nearest_with_their_cosine(store: ChromaStore) -> None:
    session, vectors = new_id(), random_vectors(200)
    store.add(session, named("d", 200), vectors)
    found = store.query(session, vectors[7], 5)
    exact = vectors @ vectors[7]
    assert [chunk_id for chunk_id, _ in found] == [f"d:{i}" for i in np.argsort(-exact)[:5]]
    assert [score for _, score in found] == pytest.approx(sorted(exact, reverse=True)[:5], abs=1e-4)


def test_same_ids_twice_replace(store: ChromaStore) -> None:
    session, vectors = new_id(), random_vectors(20)
    store.add(session, named("d", 20), vectors)
    store.add(session, named("d", 20), vectors[::-1])
    assert store.ids(session) == set(named("d", 20))
    assert store.query(session, vectors[0], 1)[0][0] == "d:19"


def test_sessions_do_not_see_each_other(store: ChromaStore) -> None:
    mine, yours = new_id(), new_id()
    store.add(mine, ["a:0"], random_vectors(1))
    store.add(yours, ["b:0"], random_vectors(1))
    assert [chunk_id for chunk_id, _ in store.query(mine, random_vectors(1)[0], 5)] == ["a:0"]


def test_an_empty_session_finds_nothing(store: ChromaStore) -> None:
    session = new_id()
    assert store.query(session, random_vectors(1)[0], 5) == []
    assert store.ids(session) == set()
    assert store.vectors(session, ["x:0"]) == {}
    store.delete_document(session, ["x:0"])
    store.delete_session(session)


@pytest.mark.parametrize("give_ids", [True, False])
def test_filter_by_document_finds_the_far_ones(store: ChromaStore, give_ids: bool) -> None:
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


def test_deleting_chunks(store: ChromaStore) -> None:
    session, vectors = new_id(), random_vectors(10)
    store.add(session, named("a", 5) + named("b", 5), vectors)
    store.delete_document(session, [*named("a", 5), "unknown:1"])
    assert store.ids(session) == set(named("b", 5))
    assert all(i.startswith("b:") for i, _ in store.query(session, vectors[0], 10))


def test_a_deleted_session_leaves_no_folder_and_no_id(
    store: ChromaStore, settings: Settings
) -> None:
    kept, gone = new_id(), new_id()
    for session in (kept, gone):
        store.add(session, [f"{session}:{i}" for i in range(1200)], random_vectors(1200))
    store.delete_session(gone)
    folders = [path for path in settings.chroma_dir.iterdir() if path.is_dir()]
    assert len(folders) == 1
    files = [path for path in settings.chroma_dir.rglob("*") if path.is_file()]
    assert not any(gone.encode() in path.read_bytes() for path in files)
    assert store.ids(gone) == set()
    assert len(store.query(kept, random_vectors(1)[0], 5)) == 5
    store.add(gone, ["new:0"], random_vectors(1))
    assert store.ids(gone) == {"new:0"}


def test_another_dimension_is_another_model(store: ChromaStore) -> None:
    session = new_id()
    store.add(session, named("d", 3), random_vectors(3))
    with pytest.raises(ModelChanged):
        store.add(session, ["e:0"], np.ones((1, 8), np.float32))
    with pytest.raises(ModelChanged):
        store.query(session, np.ones(8, np.float32), 2)


def test_vectors_that_are_no_numbers_are_refused(store: ChromaStore) -> None:
    with pytest.raises(StorageError):
        store.add(new_id(), ["d:0"], np.full((1, DIMENSION), np.nan, np.float32))


@pytest.mark.parametrize("name", ["", "../x", "A" * 36, "library", "d" * 10_000])
def test_only_ids_reach_chroma(store: ChromaStore, name: str) -> None:
    with pytest.raises(InvalidId):
        store.query(name, random_vectors(1)[0], 1)


def test_stays_after_closing(settings: Settings) -> None:
    session, vectors = new_id(), random_vectors(30)
    first = ChromaStore(settings)
    first.add(session, named("d", 30), vectors)
    first.close()
    second = ChromaStore(settings)
    assert second.query(session, vectors[3], 1)[0][0] == "d:3"
    assert set(second.vectors(session, ["d:3", "d:99"])) == {"d:3"}
    assert second.vectors(session, ["d:3"])["d:3"] == pytest.approx(vectors[3], abs=1e-5)
    second.close()


def test_the_probe_tells_a_whole_index_from_a_lost_one(settings: Settings) -> None:
    session, vectors = new_id(), random_vectors(1500)
    store = ChromaStore(settings)
    store.add(session, named("d", 1500), vectors)
    assert store.probe(session, ["d:1", "d:700"])
    assert not store.probe(session, ["d:1", "d:1500"])
    store.close()
    for folder in [path for path in settings.chroma_dir.iterdir() if path.is_dir()]:
        shutil.rmtree(folder)
    damaged = ChromaStore(settings)
    assert not damaged.probe(session, ["d:1", "d:700"])
    damaged.delete_session(session)
    damaged.add(session, named("d", 1500), vectors)
    assert damaged.probe(session, ["d:1", "d:700"])
    damaged.close()


def test_a_damaged_database_is_said_and_made_again(settings: Settings) -> None:
    settings.chroma_dir.mkdir(parents=True)
    (settings.chroma_dir / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    session, vectors = new_id(), random_vectors(3)
    store = ChromaStore(settings)
    store.follow("d" * 64, lambda _: "d" * 64)
    store.ids(session)
    with pytest.raises(IndexDamaged):
        store.query(session, vectors[0], 1)
    assert not store.probe(session, ["d:1"])
    store.delete_index(session)
    store.add(session, named("d", 3), vectors)
    assert store.query(session, vectors[1], 1)[0][0] == "d:1"
    assert store.probe(session, ["d:1"])
    store.close()


def test_reading_while_writing(store: ChromaStore) -> None:
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


@pytest.mark.F27
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("error returned from database: (code: 13) database or disk is full", NotEnoughSpace),
        ("Error writing: No space left on device (os error 28)", NotEnoughSpace),
        ("error returned from database: (code: 11) database disk image is malformed", IndexDamaged),
    ],
)
def test_a_full_disk_is_no_damage(said: str, kind: type[StorageError]) -> None:
    from chromadb.errors import InternalError

    with pytest.raises(StorageError) as caught, our_errors():
        raise InternalError(said)
    assert type(caught.value) is kind
