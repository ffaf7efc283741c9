"""Each step from one version of the catalogue to the next; whole libraries: test_old_data.py."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, inspect

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
