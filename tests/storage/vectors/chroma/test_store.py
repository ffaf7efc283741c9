"""Chroma's own: its folder, and what it says of a damaged or full disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from core.config import Settings
from core.errors import IndexDamaged, NotEnoughSpace, StorageError
from core.ids import new_id
from core.storage.vectors.chroma.client import our_errors
from core.storage.vectors.chroma.store import ChromaStore
from tests.storage.vectors.made import named, random_vectors


@pytest.fixture
def store(settings: Settings) -> Iterator[ChromaStore]:
    """An open store."""
    store = ChromaStore(settings)
    yield store
    store.close()


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
    store.follow(lambda _: "d" * 64, lambda _: "d" * 64)
    store.ids(session)
    with pytest.raises(IndexDamaged):
        store.query(session, vectors[0], 1)
    assert not store.probe(session, ["d:1"])
    store.delete_index(session)
    store.add(session, named("d", 3), vectors)
    assert store.query(session, vectors[1], 1)[0][0] == "d:1"
    assert store.probe(session, ["d:1"])
    store.close()


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
