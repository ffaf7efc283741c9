"""Pages of the web that were read for answers: documents that expire unless they are kept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, and_, delete, select, update

from core.storage.sql.database import Database, note_deletion
from core.storage.sql.documents import change, listed, one, put_in
from core.storage.sql.room import Room
from core.storage.sql.schema import conversations, documents, messages
from core.types import Document, DocumentKind, DocumentState


@dataclass(frozen=True)
class WebPages(Room):
    """The pages read for answers. Each method is one transaction; raises `StorageError`."""

    database: Database

    def add(
        self,
        session_id: str,
        document_id: str,
        name: str,
        *,
        size: int,
        url: str,
        kind: DocumentKind,
        expires_at: datetime,
    ) -> Document | None:
        """Add a page that was read for an answer, for the caller to index, not for the queue.

        Returns None where it is there already; it then expires later. Raises `SessionNotFound`.
        """
        with self.database.writing() as connection:
            there = one(connection, session_id, document_id)
            if there is not None:
                if there.expires_at is not None:
                    renewed = {"expires_at": expires_at, "added_at": datetime.now(UTC)}
                    change(connection, session_id, document_id, **renewed)
                return None
            put_in(
                connection,
                session_id,
                document_id,
                name,
                kind=kind,
                state=DocumentState.READING,
                size=size,
                url=url,
                expires_at=expires_at,
                claimant=self.database.claimant,
            )
            return one(connection, session_id, document_id)

    def keep(self, session_id: str, document_id: str) -> None:
        """Make a page that was read for an answer one of the library, to be read as a whole."""
        with self.database.writing() as connection:
            values: dict[str, Any] = {"expires_at": None, "state": DocumentState.WAITING}
            values |= {"progress": 0.0, "searched": True}
            change(connection, session_id, document_id, **values)

    def forget(self, session_id: str, now: datetime, most: int) -> list[Document]:
        """Delete pages that expired, and the oldest beyond `most`; returns what is gone.

        What answers cite stays, but is not searched.
        """
        with self.database.writing() as connection:
            found = [
                d for d in _read_pages(connection, session_id) if d.state is DocumentState.READY
            ]
            surplus = max(0, len(found) - most)
            old = [d for place, d in enumerate(found) if place < surplus or d.is_over(now)]
            cited = _cited(connection, session_id) if old else set()
            gone = [document for document in old if document.id not in cited]
            for document in old:
                this = and_(documents.c.session_id == session_id, documents.c.id == document.id)
                if document.id in cited:
                    connection.execute(update(documents).where(this).values(searched=False))
                else:
                    connection.execute(delete(documents).where(this))
            if gone:
                note_deletion(connection)
            return gone

    def list(self, session_id: str) -> list[Document]:
        """Return the pages that were read for answers, in the order of reading."""
        with self.database.reading() as connection:
            return _read_pages(connection, session_id)


def _read_pages(connection: Connection, session_id: str) -> list[Document]:
    """Return the session's pages that were read for answers, in the order of reading."""
    return listed(connection, session_id, documents.c.expires_at.is_not(None))


def _cited(connection: Connection, session_id: str) -> set[str]:
    query = (
        select(messages.c.answer)
        .join(conversations, conversations.c.id == messages.c.conversation_id)
        .where(conversations.c.session_id == session_id, messages.c.answer.is_not(None))
    )
    found: set[str] = set()
    for answer in connection.scalars(query):
        data = json.loads(answer)
        for name in ("citations", "unused"):
            found.update(citation["document_id"] for citation in data.get(name, ()))
    return found
