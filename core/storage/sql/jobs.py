"""Jobs: which documents came in together, to be followed and stopped together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, update

from core.errors import SessionNotFound
from core.storage.sql.database import Database, note_deletion
from core.storage.sql.room import Room
from core.storage.sql.rows import dump_items, job_of
from core.storage.sql.schema import jobs, sessions
from core.storage.sql.sharing import reachable
from core.types import Job, JobItem

KEPT_JOBS = 200
"""Jobs of one session that are remembered; older ones are forgotten, their documents stay."""

REMOVED = "A document that was removed"
"""What a job calls it."""


@dataclass(frozen=True)
class Jobs(Room):
    """The jobs of sessions. Each method is one transaction; raises `StorageError`."""

    database: Database

    def create(self, session_id: str, items: Sequence[JobItem]) -> Job:
        """Remember which documents came in together. Raises `SessionNotFound`."""
        with self.database.writing() as connection:
            if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
                raise SessionNotFound("There is no such session any more.")
            job_id = str(uuid4())
            connection.execute(
                insert(jobs).values(
                    id=job_id,
                    session_id=session_id,
                    created_at=datetime.now(UTC),
                    items=dump_items(tuple(items)),
                )
            )
            _forget_old(connection, session_id)
            return job_of(
                connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one()
            )

    def forget_document(self, session_id: str, document_id: str) -> None:
        """Erase the name of a removed document from the jobs that it came in with."""
        with self.database.writing() as connection:
            mine = (jobs.c.session_id == session_id) & jobs.c["items"].contains(document_id)
            for row in connection.execute(select(jobs).where(mine)).mappings().all():
                items = tuple(
                    replace(item, name=REMOVED, reason="", cure="")
                    if item.document_id == document_id
                    else item
                    for item in job_of(row).items
                )
                this = update(jobs).where(jobs.c.key == row["key"])
                connection.execute(this.values(items=dump_items(items)))
                note_deletion(connection)

    def get(self, owner_id: str, job_id: str) -> Job | None:
        """Return the job if the owner reaches its session, otherwise None."""
        with self.database.reading() as connection:
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
