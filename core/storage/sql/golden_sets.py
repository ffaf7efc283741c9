"""Golden sets and their items, and what golden sets and runs of the evaluation share.

Values cross this border as rows: mappings of columns to texts, numbers and moments. A row is
found with the id of its session only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, insert, select, update

from core.errors import NotFound
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.evaluation_tables import golden_items, golden_sets
from core.storage.sql.room import Room

Row = Mapping[str, Any]
_AT_ONCE = 500
"""Rows in one statement."""


@dataclass(frozen=True)
class GoldenSets(Room):
    """Each method is one transaction; raises `StorageError`, and `NotFound` for a missing set."""

    database: Database

    def save(
        self, session_id: str, set_id: str | None, name: str, digest: str, items: Sequence[str]
    ) -> str:
        """Add a golden set, or put other items into one; returns its id."""
        with self.database.writing() as connection:
            now = datetime.now(UTC)
            values: dict[str, Any] = {
                "name": name, "digest": digest, "questions": len(items), "updated_at": now
            }  # fmt: skip
            if set_id is None:
                set_id = str(uuid4())
                made = insert(golden_sets).values(
                    id=set_id, session_id=session_id, created_at=now, **values
                )
                (key,) = connection.execute(made).inserted_primary_key or (None,)
            else:
                key = one(connection, golden_sets, session_id, set_id)["key"]
                connection.execute(
                    update(golden_sets).where(golden_sets.c.key == key).values(**values)
                )
                connection.execute(delete(golden_items).where(golden_items.c.set_key == key))
                note_deletion(connection)
            add_rows(connection, golden_items, [{"set_key": key, **row} for row in numbered(items)])
            return set_id

    def get(self, session_id: str, set_id: str) -> Row:
        """One set. Raises `NotFound`."""
        with self.database.reading() as connection:
            return one(connection, golden_sets, session_id, set_id)

    def items(self, session_id: str, set_id: str) -> list[str]:
        """The items of a set in order, as JSON."""
        with self.database.reading() as connection:
            key = one(connection, golden_sets, session_id, set_id)["key"]
            query = select(golden_items.c.item).where(golden_items.c.set_key == key)
            return list(connection.scalars(query.order_by(golden_items.c.position)))

    def delete(self, session_id: str, set_id: str) -> None:
        """Delete a set; runs keep the questions that they asked."""
        with self.database.writing() as connection:
            delete_row(connection, golden_sets, session_id, set_id)
        self.database.erase_soon(ERASED_AT_ONCE)

    def list(self, session_id: str) -> list[Row]:
        """The sets of a session, newest first."""
        with self.database.reading() as connection:
            return of_session(connection, golden_sets, session_id)


def of_session(connection: Connection, table: Table, session_id: str) -> list[Row]:
    """The rows of a session, newest first."""
    query = select(table).where(table.c.session_id == session_id).order_by(table.c.key.desc())
    return [dict(row) for row in connection.execute(query).mappings()]


def one(connection: Connection, table: Table, session_id: str, row_id: str) -> Row:
    """One row of a session. Raises `NotFound`."""
    query = select(table).where(table.c.session_id == session_id, table.c.id == row_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound("There is no such question set or run in this session.")
    return dict(row)


def delete_row(connection: Connection, table: Table, session_id: str, row_id: str) -> None:
    """Delete one row of a session with what belongs to it."""
    key = one(connection, table, session_id, row_id)["key"]
    connection.execute(delete(table).where(table.c.key == key))
    note_deletion(connection)


def numbered(items: Sequence[str]) -> list[dict[str, Any]]:
    return [{"position": at, "item": item} for at, item in enumerate(items)]


def add_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), _AT_ONCE):
        connection.execute(insert(table), list(rows[start : start + _AT_ONCE]))
