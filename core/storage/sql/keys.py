"""API keys and ingest jobs: what programs need besides documents and conversations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from sqlalchemy import Connection, delete, func, insert, select, update

from core.errors import KeyNotFound, NotAllowed, SessionNotFound
from core.storage.sql.database import note_deletion
from core.storage.sql.rows import api_key_of, dump_items, job_of
from core.storage.sql.schema import api_keys, jobs, sessions
from core.storage.sql.sharing import reachable, role_in
from core.types import ApiKey, Job, JobItem, Role

MOST_KEYS = 100
"""Keys of one owner that are not revoked."""
KEPT_JOBS = 200
"""Jobs of one session that are remembered; older ones are forgotten, their documents stay."""
_USE_NOTED_EVERY = timedelta(minutes=5)


def create_key(
    connection: Connection,
    owner_id: str,
    key_hash: str,
    name: str,
    session_id: str | None,
    role: Role | None,
) -> ApiKey:
    """Add a key. Raises `SessionNotFound` where the owner does not reach the session."""
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


def keys_of(connection: Connection, owner_id: str) -> list[ApiKey]:
    """Return the owner's keys that are not revoked, newest first."""
    query = select(api_keys).where(api_keys.c.owner_id == owner_id, api_keys.c.revoked_at.is_(None))
    rows = connection.execute(query.order_by(api_keys.c.created_at.desc(), api_keys.c.id))
    return [api_key_of(row) for row in rows.mappings()]


def key_with(connection: Connection, key_hash: str) -> ApiKey | None:
    """Return the key whose secret has this hash, None if unknown or revoked."""
    query = select(api_keys).where(api_keys.c.key_hash == key_hash, api_keys.c.revoked_at.is_(None))
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else api_key_of(row)


def use_is_old(key: ApiKey) -> bool:
    """Return whether the use should be noted again: not at each request, that would be a write."""
    return key.last_used_at is None or datetime.now(UTC) - key.last_used_at > _USE_NOTED_EVERY


def note_use(connection: Connection, key_id: str) -> None:
    """Note that the key is used now."""
    this = api_keys.c.id == key_id
    connection.execute(update(api_keys).where(this).values(last_used_at=datetime.now(UTC)))


def revoke_key(connection: Connection, owner_id: str, key_id: str) -> None:
    """Make the owner's key good for nothing, for ever. Raises `KeyNotFound`."""
    this = (
        (api_keys.c.id == key_id)
        & (api_keys.c.owner_id == owner_id)
        & api_keys.c.revoked_at.is_(None)
    )
    moved = update(api_keys).where(this).values(revoked_at=datetime.now(UTC))
    if connection.execute(moved).rowcount == 0:
        raise KeyNotFound("There is no such key.")


# ------------------------------------------------------------------------------------- jobs


def create_job(connection: Connection, session_id: str, items: tuple[JobItem, ...]) -> Job:
    """Add a job. Raises `SessionNotFound`."""
    if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
        raise SessionNotFound("There is no such session any more.")
    job_id = str(uuid4())
    connection.execute(
        insert(jobs).values(
            id=job_id, session_id=session_id, created_at=datetime.now(UTC), items=dump_items(items)
        )
    )
    _forget_old(connection, session_id)
    return job_of(connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one())


def job(connection: Connection, owner_id: str, job_id: str) -> Job | None:
    """Return the job if the owner reaches its session, otherwise None."""
    there = jobs.c.session_id.in_(reachable(owner_id))
    query = select(jobs).where(jobs.c.id == job_id, there)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else job_of(row)


def _forget_old(connection: Connection, session_id: str) -> None:
    mine = jobs.c.session_id == session_id
    newest = select(jobs.c.key).where(mine).order_by(jobs.c.key.desc())
    limit = connection.scalar(newest.offset(KEPT_JOBS).limit(1))
    if limit is not None:
        connection.execute(delete(jobs).where(mine, jobs.c.key <= limit))
        note_deletion(connection)
