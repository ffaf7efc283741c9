"""Each step from one version of the catalogue to the next; whole libraries: test_old_data.py."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, column, inspect, select, table

from core.storage.catalogue import Catalogue
from core.storage.sql.migrations import MIGRATIONS
from core.storage.sql.schema import SCHEMA_VERSION, messages, owners, session_members
from core.types import Cutting, Role

pytestmark = pytest.mark.F17

NOW = datetime(2026, 1, 1, tzinfo=UTC)


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
        name: sorted(one["name"] for one in found.get_columns(name))
        for name in found.get_table_names()
    }


def test_conversations_of_before_are_the_session_owners(catalogue: Catalogue) -> None:
    asked = []
    for token in ("a" * 64, "b" * 64):
        owner = catalogue.owners.create(token)
        session_id = catalogue.sessions.create(owner, "Mine").id
        talk = catalogue.conversations.create(session_id, "Asked before")
        asked.append((session_id, owner, talk.id))
    with catalogue.database.writing() as connection:
        connection.exec_driver_sql("UPDATE conversations SET owner_id = ''")
    assert [catalogue.conversations.list(*where) for *where, _ in asked] == [[], []]
    catalogue.database.write(MIGRATIONS[4])
    for *where, talk_id in asked:
        assert [one.id for one in catalogue.conversations.list(*where)] == [talk_id]


def test_members_who_have_signed_in_keep_what_is_shared_with_them(
    catalogue: Catalogue, session_id: str
) -> None:
    """The others are invited; an owner without an address is nobody's."""
    catalogue.owners.create("b" * 64)
    known = {}
    with catalogue.database.writing() as connection:
        for token, email in (("c" * 64, "nils@example.org"), ("d" * 64, "eva@example.org")):
            known[email] = owner = str(uuid.uuid4())
            row = {"id": owner, "token_hash": token, "created_at": NOW, "name": "", "email": email}
            connection.execute(owners.insert().values(**row))
        for email in (*known, "new@example.org", ""):
            row = {"session_id": session_id, "email": email, "role": Role.READER, "added_at": NOW}
            connection.execute(session_members.insert().values(**row))
    catalogue.database.write(MIGRATIONS[7])
    with catalogue.database.reading() as connection:
        members = select(session_members.c.email, session_members.c.accepted_by)
        found = {email: accepted for email, accepted in connection.execute(members)}
    assert found == {**known, "new@example.org": None, "": None}


def test_the_model_of_a_session_is_that_of_each_of_its_cuts(catalogue: Catalogue) -> None:
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    catalogue.cuts.want(session_id, [Cutting(), Cutting(500, 50)])
    with catalogue.database.writing() as connection:
        for name, kind in (("model", "TEXT"), ("digest", "TEXT"), ("dimension", "BIGINT")):
            connection.exec_driver_sql(f"ALTER TABLE sessions ADD COLUMN collection_{name} {kind}")
        connection.exec_driver_sql(
            "UPDATE sessions SET collection_model = 'MiniLM', collection_digest = 'd', "
            "collection_dimension = 384"
        )
    catalogue.database.write(MIGRATIONS[15])
    for cut in catalogue.cuts.standing(session_id):
        assert catalogue.cuts.collection(cut) == ("MiniLM", "d", 384)
    assert "collection_model" not in catalogue.database.read(columns)["sessions"]


def test_a_process_of_the_version_before_goes_on_asking(catalogue: Catalogue) -> None:
    """It runs beside the one that changed the tables, and names no column that it does not know."""
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    talk = catalogue.conversations.create(session_id, "Talk").id
    with catalogue.database.writing() as connection:
        for new in ("asked", "deaths"):
            connection.exec_driver_sql(f"ALTER TABLE messages DROP COLUMN {new}")
    catalogue.database.write(MIGRATIONS[16])
    row = {"conversation_id": talk, "role": "user", "text": "q", "created_at": NOW, "checks": ""}
    with catalogue.database.writing() as connection:
        told = [column(messages.c[name].name, messages.c[name].type) for name in row]
        connection.execute(table(messages.name, *told).insert().values(**row))
    (question,) = catalogue.conversations.messages(session_id, talk)
    assert (question.text, question.asked, question.deaths) == ("q", None, 0)
