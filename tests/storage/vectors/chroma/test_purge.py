"""What Chroma leaves of deleted collections goes; what is in use, or of others, stays."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.storage.vectors.chroma.purge import purge

USED = "3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10"
GONE = "5f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a11"
SECRET = b"0123456789abcdef-id-of-a-deleted-chunk"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as Chroma leaves it: an index in use, one of no collection, and other things."""
    with closing(sqlite3.connect(tmp_path / "chroma.sqlite3")) as database, database:
        database.execute("PRAGMA secure_delete=OFF")  # as where SQLite is built without it
        database.execute("CREATE TABLE segments (id TEXT)")
        database.execute("CREATE TABLE max_seq_id (segment_id TEXT)")
        database.execute("CREATE TABLE ids (id BLOB)")
        database.execute("INSERT INTO segments VALUES (?)", (USED,))
        database.executemany("INSERT INTO max_seq_id VALUES (?)", [(USED,), (GONE,)])
        database.execute("INSERT INTO ids VALUES (?)", (SECRET,))
        database.execute("DELETE FROM ids")
    for name in (USED, GONE, "backups"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data_level0.bin").write_bytes(b"vectors")
    (tmp_path / "chroma.log").write_bytes(b"of somebody else")
    return tmp_path


def names(folder: Path) -> set[str]:
    """What lies in it."""
    return {path.name for path in folder.iterdir()}


def test_only_the_index_of_no_collection_goes(folder: Path) -> None:
    purge(folder)
    assert names(folder) == {"chroma.sqlite3", "chroma.log", "backups", USED}
    assert (folder / USED / "data_level0.bin").read_bytes() == b"vectors"
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database:
        assert list(database.execute("SELECT segment_id FROM max_seq_id")) == [(USED,)]


def test_no_id_is_left_in_the_gaps_of_the_database(folder: Path) -> None:
    assert SECRET in (folder / "chroma.sqlite3").read_bytes()
    purge(folder)
    assert SECRET not in (folder / "chroma.sqlite3").read_bytes()


def test_a_database_that_cannot_be_read_costs_no_index(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_bytes(b"no database at all" * 100)
    purge(folder)
    assert {USED, GONE} <= names(folder)


def test_without_a_database_nothing_is_touched(folder: Path) -> None:
    (folder / "chroma.sqlite3").unlink()
    purge(folder)
    assert {USED, GONE} <= names(folder)
