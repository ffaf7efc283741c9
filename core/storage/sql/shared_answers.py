"""Answers that their author shows to everybody in the session; each is a message that stays theirs.

A row ends with its message: when the answer is erased, or its conversation or session deleted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select
from sqlalchemy.sql.selectable import Select

from core.errors import NotFound
from core.ids import new_id
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.room import Room
from core.storage.sql.rows import load_answer
from core.storage.sql.schema import conversations, messages, owners, shared_answers
from core.types import SharedAnswer


@dataclass(frozen=True)
class SharedAnswers(Room):
    """Each method is one transaction; raises `StorageError`. `viewer_id` is who looks."""

    database: Database

    def add(self, session_id: str, message_id: int, question: str) -> str:
        """Share an answer with its question, and return the id. Raises `NotFound`.

        One that is shared already keeps its id.
        """
        with self.database.writing() as connection:
            there = (
                select(messages.c.id, shared_answers.c.id.label("shared"))
                .join(conversations, conversations.c.id == messages.c.conversation_id)
                .outerjoin(shared_answers, shared_answers.c.message_id == messages.c.id)
                .where(conversations.c.session_id == session_id, messages.c.id == message_id)
                .where(messages.c.answer.is_not(None))
            )
            row = connection.execute(there).one_or_none()
            if row is None:
                raise NotFound("There is no such answer any more.")
            if row.shared:
                return str(row.shared)
            shared_id = new_id()
            values = {"id": shared_id, "message_id": message_id, "question": question}
            moment = datetime.now(UTC)
            connection.execute(insert(shared_answers).values(**values, shared_at=moment))
            return shared_id

    def get(self, session_id: str, shared_id: str, viewer_id: str) -> SharedAnswer | None:
        """Return a shared answer of the session with its answer, or None."""
        query = _shared(session_id, messages.c.answer).where(_is(shared_id))
        with self.database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _shared_of(row, viewer_id, row.answer)

    def list(self, session_id: str, viewer_id: str) -> list[SharedAnswer]:
        """Return what is shared in the session, the last first."""
        query = _shared(session_id).order_by(shared_answers.c.message_id.desc())
        with self.database.reading() as connection:
            return [_shared_of(row, viewer_id) for row in connection.execute(query)]

    def remove(self, shared_id: str) -> None:
        """Share an answer no longer."""
        with self.database.writing() as connection:
            if connection.execute(delete(shared_answers).where(_is(shared_id))).rowcount:
                note_deletion(connection)  # of the question
        self.database.erase_soon(ERASED_AT_ONCE)


def _is(shared_id: str) -> Any:
    return shared_answers.c.id == shared_id


def _shared(session_id: str, *columns: Any) -> Select[Any]:
    """The shared answers of a session, each with its author."""
    joined = shared_answers.join(messages, messages.c.id == shared_answers.c.message_id)
    joined = joined.join(conversations, conversations.c.id == messages.c.conversation_id)
    joined = joined.outerjoin(owners, owners.c.id == conversations.c.owner_id)
    author = (conversations.c.owner_id, owners.c.name, owners.c.email)
    query = select(shared_answers, *author, *columns).select_from(joined)
    return query.where(conversations.c.session_id == session_id)


def _shared_of(row: Row[Any], viewer_id: str, answer: str | None = None) -> SharedAnswer:
    return SharedAnswer(
        id=row.id,
        question=row.question,
        shared_at=row.shared_at,
        shared_by=row.name or row.email or "",
        mine=row.owner_id == viewer_id,
        answer=load_answer(answer),
    )
