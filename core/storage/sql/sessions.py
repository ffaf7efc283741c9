"""Sessions: their names and their preferences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from core.storage.sql.cuts import add_first
from core.storage.sql.database import Database, note_deletion
from core.storage.sql.room import Room
from core.storage.sql.rows import session_of
from core.storage.sql.schema import owners, sessions
from core.storage.sql.sharing import reached
from core.types import Session


@dataclass(frozen=True)
class Sessions(Room):
    """The sessions of all owners. Each method is one transaction; raises `StorageError`."""

    database: Database

    def create(self, owner_id: str, name: str) -> Session:
        """Add a session with a new UUIDv4."""
        with self.database.writing() as connection:
            session_id, now = str(uuid4()), datetime.now(UTC)
            connection.execute(
                insert(sessions).values(
                    id=session_id,
                    owner_id=owner_id,
                    name=name,
                    created_at=now,
                    updated_at=now,
                    used=next_use(sessions),
                )
            )
            add_first(connection, session_id)
            created = _one(connection, owner_id, session_id)
            assert created is not None
            return created

    def get(self, owner_id: str, session_id: str) -> Session | None:
        """Return the session if it is the owner's or shared with them, otherwise None."""
        with self.database.reading() as connection:
            return _one(connection, owner_id, session_id)

    def ids(self) -> list[str]:
        """Return the ids of everybody's sessions, for upkeep."""
        with self.database.reading() as connection:
            return list(connection.scalars(select(sessions.c.id).order_by(sessions.c.id)))

    def of_anybody(self, session_id: str) -> Session | None:
        """Return a session in the hands of its owner, whoever that is; for the program itself."""
        with self.database.reading() as connection:
            query = select(sessions.c.owner_id).where(sessions.c.id == session_id)
            owner_id = connection.scalar(query)
            return None if owner_id is None else _one(connection, owner_id, session_id)

    def used_last(self) -> Session | None:
        """Return the session that a browser used last, in the hands of its owner."""
        with self.database.reading() as connection:
            browsers = owners.c.token_hash.not_in(["local"])
            query = select(sessions.c.id, sessions.c.owner_id).join(owners).where(browsers)
            found = connection.execute(query.order_by(sessions.c.used.desc()).limit(1)).first()
            return None if found is None else _one(connection, found.owner_id, found.id)

    def rename(self, session_id: str, name: str) -> None:
        """Set the name."""
        with self.database.writing() as connection:
            _change(connection, session_id, name=name)

    def touch(self, session_id: str) -> None:
        """Note that the session is used now."""
        with self.database.writing() as connection:
            _change(connection, session_id, updated_at=datetime.now(UTC), used=next_use(sessions))

    def delete(self, session_id: str) -> None:
        """Delete the session with all that is in it, and every byte of its text in the file.

        Where the file cannot be written anew now (no space), the log says so, `Database.erased()`
        is False, and `Database.erase()` tries again.
        """
        with self.database.writing() as connection:
            if connection.execute(delete(sessions).where(sessions.c.id == session_id)).rowcount:
                note_deletion(connection)
        self.database.erase_soon()

    def preferences(self, session_id: str) -> dict[str, Any]:
        """Return the session's own settings."""
        with self.database.reading() as connection:
            query = select(sessions.c.preferences).where(sessions.c.id == session_id)
            found: dict[str, Any] = json.loads(connection.scalar(query) or "{}")
            return found

    def set_preferences(self, session_id: str, values: Mapping[str, Any]) -> None:
        """Replace the session's own settings. Never give a key: they are stored as they are."""
        with self.database.writing() as connection:
            _change(connection, session_id, preferences=json.dumps(dict(values)))

    def list(self, owner_id: str) -> list[Session]:
        """Return the sessions that are the owner's or shared with them, used last first."""
        with self.database.reading() as connection:
            query = reached(owner_id).order_by(sessions.c.used.desc())
            return [session_of(row, owner_id) for row in connection.execute(query).mappings()]


def next_use(table: Table) -> Any:
    """The next value of the counter `used`: later uses sort first, whatever the clock says."""
    return select(func.coalesce(func.max(table.c.used), 0) + 1).scalar_subquery()


def _one(connection: Connection, owner_id: str, session_id: str) -> Session | None:
    query = reached(owner_id).where(sessions.c.id == session_id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else session_of(row, owner_id)


def _change(connection: Connection, session_id: str, **values: Any) -> None:
    """Set columns of a session; nothing happens if it is gone."""
    connection.execute(update(sessions).where(sessions.c.id == session_id).values(**values))
