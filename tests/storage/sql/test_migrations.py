"""Each step from one version of the catalogue to the next; whole libraries: test_old_data.py."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import Connection, inspect

from core.config import Settings
from core.errors import StorageError
from core.storage.catalogue import Catalogue
from core.storage.sql.migrations import MIGRATIONS
from core.storage.sql.schema import SCHEMA_VERSION

pytestmark = pytest.mark.F17


def test_no_version_is_without_a_way_on() -> None:
    assert sorted(MIGRATIONS) == list(range(1, SCHEMA_VERSION))


@pytest.mark.parametrize("version", sorted(MIGRATIONS))
def test_what_is_there_already_is_left_as_it_is(catalogue: Catalogue, version: int) -> None:
    """Every step runs over a catalogue that has all: columns may have come with new tables."""
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    catalogue.documents.add(session_id, "D", "a.txt", size=1)
    before = catalogue.database.read(columns)
    catalogue.database.write(MIGRATIONS[version])
    assert catalogue.database.read(columns) == before
    assert [d.name for d in catalogue.documents.list(session_id)] == ["a.txt"]


def columns(connection: Connection) -> dict[str, list[str]]:
    """The columns of each table."""
    found = inspect(connection)
    return {
        table: sorted(column["name"] for column in found.get_columns(table))
        for table in found.get_table_names()
    }


def test_conversations_of_before_are_the_session_owners(
    catalogue: Catalogue, session_id: str
) -> None:
    owner = catalogue.owners.find("a" * 64)
    talk = catalogue.conversations.create(session_id, "Asked before")
    with catalogue.database.writing() as connection:
        connection.exec_driver_sql("UPDATE conversations SET owner_id = ''")
    assert catalogue.conversations.list(session_id, owner) == []
    catalogue.database.write(MIGRATIONS[4])
    assert [c.id for c in catalogue.conversations.list(session_id, owner)] == [talk.id]


def test_a_library_of_a_newer_version_is_not_touched(settings: Settings) -> None:
    Catalogue(settings).close()
    path = settings.data_dir / "library.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE schema_info SET version = ?", (SCHEMA_VERSION + 1,))
    before = path.read_bytes()
    with pytest.raises(StorageError, match="newer version") as caught:
        Catalogue(settings)
    assert caught.value.cure
    assert path.read_bytes() == before
