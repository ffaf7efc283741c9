"""Owners: who has sessions, and who of them signed in under which name and address.

An owner is found by the hash of a token, or of the identity that a sign-in gives. At most one
owner has an e-mail address: the one who signed in with it last.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.sql.selectable import Select

from core.storage.sql.database import Database
from core.storage.sql.room import Room
from core.storage.sql.schema import conversations, documents, owners, sessions, signed_out
from core.types import Person

_REMEMBERED = timedelta(days=60)
"""How long an ended sign-in is refused: longer than any cookie for it lasts (30 days)."""
_MOST_REMEMBERED = 100_000
"""Up to so many are all remembered, whatever the clock says: one that is wrong for a moment must
not let a cookie in again."""


@dataclass(frozen=True)
class Owners(Room):
    """The owners of sessions. Each method is one transaction; raises `StorageError`."""

    database: Database

    def create(self, token_hash: str) -> str:
        """Return the id of the owner of this token, added if there is none.

        `token_hash` is the SHA-256 (hex) of a random token.
        """
        with self.database.writing() as connection:
            if (there := _id_of(connection, token_hash)) is not None:
                return there
            owner_id = str(uuid4())
            connection.execute(
                insert(owners).values(
                    id=owner_id, token_hash=token_hash, created_at=datetime.now(UTC)
                )
            )
            return owner_id

    def find(self, token_hash: str) -> str | None:
        """Return the id of the owner whose token has this hash, or None."""
        with self.database.reading() as connection:
            return _id_of(connection, token_hash)

    def sign_in(self, owner_id: str, name: str, email: str) -> None:
        """Note under which name and address (small letters, "" for none) an owner signs in."""
        found = self.person(owner_id)
        if found is None or (found.name, found.email) == (name, email):
            return
        with self.database.writing(alone=True) as connection:
            if email:  # an address can be given to somebody else: the last to sign in has it
                others = (owners.c.email == email) & (owners.c.id != owner_id)
                connection.execute(update(owners).where(others).values(email=""))
            this = owners.c.id == owner_id
            connection.execute(update(owners).where(this).values(name=name, email=email))

    def person(self, owner_id: str) -> Person | None:
        """Return the owner; name and address are "" for an owner who never signed in."""
        with self.database.reading() as connection:
            row = connection.execute(select(owners).where(owners.c.id == owner_id)).one_or_none()
            return None if row is None else Person(row.id, row.name, row.email)

    def filled_sessions(self, owner_id: str) -> int:
        """Return how many sessions with documents the owner has, shared ones not counted."""
        with self.database.reading() as connection:
            return len(list(connection.scalars(_with_documents(owner_id))))

    def take_over(self, owner_id: str, from_owner: str) -> int:
        """Move those sessions of `from_owner`, with the conversations in them, to the owner."""
        with self.database.writing() as connection:
            moving = list(connection.scalars(_with_documents(from_owner)))
            asked = conversations.c.session_id.in_(moving) & (
                conversations.c.owner_id == from_owner
            )
            connection.execute(update(conversations).where(asked).values(owner_id=owner_id))
            these = update(sessions).where(sessions.c.id.in_(moving)).values(owner_id=owner_id)
            connection.execute(these)
            return len(moving)

    def end_sign_in(self, sign_in_hash: str) -> None:
        """Remember that a sign-in was ended."""
        with self.database.writing() as connection:
            now = datetime.now(UTC)
            count = select(func.count()).select_from(signed_out)
            if (connection.scalar(count) or 0) >= _MOST_REMEMBERED:
                connection.execute(delete(signed_out).where(signed_out.c.at < now - _REMEMBERED))
            if not _is_ended(connection, sign_in_hash):
                connection.execute(insert(signed_out).values(hash=sign_in_hash, at=now))

    def sign_in_ended(self, sign_in_hash: str) -> bool:
        """Return whether a sign-in was ended."""
        with self.database.reading() as connection:
            return _is_ended(connection, sign_in_hash)


def _id_of(connection: Connection, token_hash: str) -> str | None:
    return connection.scalar(select(owners.c.id).where(owners.c.token_hash == token_hash))


def _is_ended(connection: Connection, sign_in_hash: str) -> bool:
    query = select(signed_out.c.hash).where(signed_out.c.hash == sign_in_hash)
    return connection.scalar(query) is not None


def _with_documents(owner_id: str) -> Select[Any]:
    filled = select(documents.c.session_id).distinct()
    return select(sessions.c.id).where(sessions.c.owner_id == owner_id, sessions.c.id.in_(filled))
