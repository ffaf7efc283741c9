"""Thumbs under the answers of the chat: those of a conversation are its person's alone."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Select, delete, insert, select

from core.errors import NotFound
from core.storage.sql.conversations import owner_in
from core.storage.sql.database import Database
from core.storage.sql.evaluation_tables import thumbs
from core.storage.sql.golden_sets import Row
from core.storage.sql.room import Room
from core.storage.sql.schema import conversations, messages


@dataclass(frozen=True)
class Thumbs(Room):
    """Each method is one transaction; raises `StorageError`."""

    database: Database

    def set(
        self,
        session_id: str,
        message_id: int,
        up: bool,
        reason: str,
        item: str,
        person: str | None = None,
    ) -> None:
        """Keep the thumb under an answer in the chat; an earlier one goes. Raises `NotFound`."""
        with self.database.writing() as connection:
            answer = _answers(session_id, person).where(messages.c.id == message_id)
            if connection.scalar(answer) is None:
                raise NotFound("There is no such answer any more.")
            mine = (thumbs.c.session_id == session_id) & (thumbs.c.message_id == message_id)
            connection.execute(delete(thumbs).where(mine))
            values = {
                "session_id": session_id,
                "message_id": message_id,
                "up": up,
                "reason": reason,
            }
            connection.execute(insert(thumbs).values(**values, item=item))

    def get(self, session_id: str, message_id: int, person: str | None = None) -> Row | None:
        """The thumb under one answer."""
        given = self.list(session_id, person)
        return next((t for t in given if t["message_id"] == message_id), None)

    def list(self, session_id: str, person: str | None = None) -> list[Row]:
        """The thumbs in the conversations of one person (the owner) in a session, oldest first."""
        with self.database.reading() as connection:
            query = (
                select(thumbs)
                .where(thumbs.c.session_id == session_id)
                .where(thumbs.c.message_id.in_(_answers(session_id, person)))
                .order_by(thumbs.c.key)
            )
            return [dict(row) for row in connection.execute(query).mappings()]


def _answers(session_id: str, person: str | None) -> Select[tuple[int]]:
    """The ids of what was said in the person's conversations of a session."""
    theirs = conversations.c.owner_id == owner_in(session_id, person)
    joined = messages.join(conversations, conversations.c.id == messages.c.conversation_id)
    said = select(messages.c.id).select_from(joined)
    return said.where(conversations.c.session_id == session_id, theirs)
