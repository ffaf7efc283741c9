"""From each version of the catalogue to the next. Nothing in a catalogue is lost by any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    insert,
    inspect,
    literal_column,
    select,
    update,
)
from sqlalchemy.schema import CreateColumn

from core.storage.sql.evaluation_tables import evaluation_runs
from core.storage.sql.schema import (
    api_keys,
    collect_runs,
    conversations,
    cuts,
    documents,
    messages,
    metadata,
    owners,
    schema_info,
    session_members,
    sessions,
)


def _to_2(connection: Connection) -> None:
    """Documents name who is to be credited and where they were collected; runs of collecting."""
    add_column(connection, documents.c.attribution)
    add_column(connection, documents.c.source)
    metadata.create_all(connection)  # what is there stays


def add_column(connection: Connection, column: Column[Any]) -> None:
    """Add a column of the schema to its table in the database, with its default there."""
    table = column.table.name
    if column.name not in {there["name"] for there in inspect(connection).get_columns(table)}:
        made = CreateColumn(column).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {made}")


def _to_3(connection: Connection) -> None:
    """Pages of the web that were read for an answer: when they were published, and expire."""
    add_column(connection, documents.c.published)
    add_column(connection, documents.c.expires_at)


def _to_4(connection: Connection) -> None:
    """The tables of the evaluation."""
    metadata.create_all(connection)


def _to_5(connection: Connection) -> None:
    """Who signs in, with whom a session is shared, whose each conversation is, what a key may."""
    metadata.create_all(connection)
    add_column(connection, owners.c.name)
    add_column(connection, owners.c.email)
    add_column(connection, api_keys.c.role)
    add_column(connection, conversations.c.owner_id)
    theirs = select(sessions.c.owner_id).where(sessions.c.id == conversations.c.session_id)
    connection.execute(update(conversations).values(owner_id=theirs.scalar_subquery()))


def _to_6(connection: Connection) -> None:
    """How often the process ended while a document, or a run of collecting, was in work."""
    add_column(connection, documents.c.deaths)
    add_column(connection, collect_runs.c.deaths)


def _to_7(connection: Connection) -> None:
    """What a person found on checking the citations of an answer."""
    add_column(connection, messages.c.checks)


def _to_8(connection: Connection) -> None:
    """Sharing is an invitation until it is accepted; who has a shared session keeps it."""
    add_column(connection, session_members.c.accepted_by)
    known = select(owners.c.id).where(
        owners.c.email == session_members.c.email, owners.c.email != ""
    )
    connection.execute(update(session_members).values(accepted_by=known.scalar_subquery()))


def _to_9(connection: Connection) -> None:
    """Tags of documents."""
    add_column(connection, documents.c.tags)


def _to_10(connection: Connection) -> None:
    """What was taken in of the watched folder."""
    metadata.create_all(connection)


def _to_11(connection: Connection) -> None:
    """Conversations that a person keeps at the top of the list."""
    add_column(connection, conversations.c.pinned)


def _to_12(connection: Connection) -> None:
    """When what was collected is refreshed by itself."""
    metadata.create_all(connection)


def _to_13(connection: Connection) -> None:
    """Answers that their author shows to everybody in the session."""
    metadata.create_all(connection)


def _to_14(connection: Connection) -> None:
    """How the documents of each session are cut: so far, as the settings say."""
    metadata.create_all(connection)
    add_column(connection, sessions.c.cut)
    add_column(connection, sessions.c.wanted_cut)
    without = select(sessions.c.id).where(sessions.c.id.not_in(select(cuts.c.session_id)))
    for session_id in list(connection.scalars(without)):
        connection.execute(
            insert(cuts).values(session_id=session_id, number=0, ready=True, wanted=True)
        )


def _to_15(connection: Connection) -> None:
    """Which process has a document, a run of collecting or of the evaluation in work."""
    for column in (documents.c.claimant, collect_runs.c.claimant, evaluation_runs.c.claimant):
        add_column(connection, column)


_COLLECTION = {
    "made_with": "collection_model",
    "made_digest": "collection_digest",
    "made_dimension": "collection_dimension",
}


def _to_16(connection: Connection) -> None:
    """The model of the vectors is noted with each cut, no longer with the session."""
    for new, old in _COLLECTION.items():
        column = cuts.c[new]
        add_column(connection, column)
        if old in {there["name"] for there in inspect(connection).get_columns("sessions")}:
            kept: ColumnElement[Any] = literal_column(old)
            theirs = select(kept).where(sessions.c.id == cuts.c.session_id)
            connection.execute(update(cuts).values({column: theirs.scalar_subquery()}))
            connection.exec_driver_sql(f"ALTER TABLE sessions DROP COLUMN {old}")


def _to_17(connection: Connection) -> None:
    """How a question is asked while it is being answered, so that another process can go on."""
    add_column(connection, messages.c.asked)
    add_column(connection, messages.c.deaths)


def _to_18(connection: Connection) -> None:
    """Which processes may work on the tables beside those of this version."""
    add_column(connection, schema_info.c.oldest_program)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: _to_2,
    2: _to_3,
    3: _to_4,
    4: _to_5,
    5: _to_6,
    6: _to_7,
    7: _to_8,
    8: _to_9,
    9: _to_10,
    10: _to_11,
    11: _to_12,
    12: _to_13,
    13: _to_14,
    14: _to_15,
    15: _to_16,
    16: _to_17,
    17: _to_18,
}
"""From a version to the next: `MIGRATIONS[1]` turns a catalogue of version 1 into version 2."""
