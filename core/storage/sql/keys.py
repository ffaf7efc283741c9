"""API keys: what programs show instead of a browser's cookie."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from sqlalchemy import func, insert, select, update

from core.errors import KeyNotFound, NotAllowed, SessionNotFound
from core.storage.sql.database import Database
from core.storage.sql.room import Room
from core.storage.sql.rows import api_key_of
from core.storage.sql.schema import api_keys
from core.storage.sql.sharing import role_in
from core.types import ApiKey, Role

MOST_KEYS = 100
"""Keys of one owner that are not revoked."""
_USE_NOTED_EVERY = timedelta(minutes=5)


@dataclass(frozen=True)
class Keys(Room):
    """The keys of owners. Each method is one transaction; raises `StorageError`."""

    database: Database

    def create(
        self,
        owner_id: str,
        key_hash: str,
        name: str,
        session_id: str | None = None,
        role: Role | None = None,
    ) -> ApiKey:
        """Add a key whose secret has this SHA-256, for all sessions of the owner or for one.

        Raises `SessionNotFound` for one that they do not reach, `NotAllowed` for too many keys.
        """
        with self.database.writing() as connection:
            if session_id is not None and role_in(connection, owner_id, session_id) is None:
                raise SessionNotFound("There is no such session.")
            active = select(func.count()).where(
                api_keys.c.owner_id == owner_id, api_keys.c.revoked_at.is_(None)
            )
            if (connection.scalar(active) or 0) >= MOST_KEYS:
                raise NotAllowed(f"There are {MOST_KEYS} keys already.", "Revoke those not in use.")
            values = {
                "id": str(uuid4()),
                "key_hash": key_hash,
                "owner_id": owner_id,
                "session_id": session_id,
                "name": name,
                "created_at": datetime.now(UTC),
                "role": role,
            }
            connection.execute(insert(api_keys).values(**values))
            query = select(api_keys).where(api_keys.c.id == values["id"])
            return api_key_of(connection.execute(query).mappings().one())

    def use(self, key_hash: str) -> ApiKey | None:
        """Return the key whose secret has this SHA-256, and note its use every few minutes.

        None for an unknown or revoked one.
        """
        with self.database.reading() as connection:
            query = select(api_keys).where(
                api_keys.c.key_hash == key_hash, api_keys.c.revoked_at.is_(None)
            )
            row = connection.execute(query).mappings().one_or_none()
        found = None if row is None else api_key_of(row)
        if found is not None and _use_is_old(found):
            this = api_keys.c.id == found.id
            with self.database.writing() as connection:
                connection.execute(
                    update(api_keys).where(this).values(last_used_at=datetime.now(UTC))
                )
        return found

    def revoke(self, owner_id: str, key_id: str) -> None:
        """Revoke the owner's key. Raises `KeyNotFound`."""
        with self.database.writing() as connection:
            this = (
                (api_keys.c.id == key_id)
                & (api_keys.c.owner_id == owner_id)
                & api_keys.c.revoked_at.is_(None)
            )
            moved = update(api_keys).where(this).values(revoked_at=datetime.now(UTC))
            if connection.execute(moved).rowcount == 0:
                raise KeyNotFound("There is no such key.")

    def list(self, owner_id: str) -> list[ApiKey]:
        """Return the owner's keys, newest first, without revoked ones."""
        with self.database.reading() as connection:
            query = select(api_keys).where(
                api_keys.c.owner_id == owner_id, api_keys.c.revoked_at.is_(None)
            )
            rows = connection.execute(query.order_by(api_keys.c.created_at.desc(), api_keys.c.id))
            return [api_key_of(row) for row in rows.mappings()]


def _use_is_old(key: ApiKey) -> bool:
    """Return whether the use should be noted again: not at each request, that would be a write."""
    # A clock that was wrong may have noted a use in the future.
    return key.last_used_at is None or abs(datetime.now(UTC) - key.last_used_at) > _USE_NOTED_EVERY
