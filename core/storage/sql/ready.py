"""The documents that every search asks for, kept until the catalogue changes.

Reading five hundred rows takes longer than finding the best of their fifty thousand passages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import Connection

from core.storage.sql.database import Database
from core.types import Document

_SESSIONS = 32

Read = Callable[[Connection, str, bool], list[Document]]


class ReadyDocuments:
    """The documents of the sessions that were searched last. Thread-safe."""

    def __init__(self, database: Database, read: Read) -> None:
        self._database, self._read = database, read
        self._cached: OrderedDict[tuple[str, bool], tuple[int, list[Document]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session_id: str, searched_only: bool) -> dict[str, Document]:
        """Return the documents that can be searched, by id."""
        changes = self._database.changes
        if changes is None:  # others write to this database too
            return _by_id(self._database.read(self._read, session_id, searched_only))
        key = (session_id, searched_only)
        with self._lock:
            cached = self._cached.get(key)
        if cached is None or cached[0] != changes:
            cached = (changes, self._database.read(self._read, session_id, searched_only))
            with self._lock:
                self._cached[key] = cached
                self._cached.move_to_end(key)
                while len(self._cached) > _SESSIONS:
                    self._cached.popitem(last=False)
        if not searched_only:
            return _by_id(cached[1])
        now = datetime.now(UTC)
        return _by_id([document for document in cached[1] if not document.is_over(now)])


def _by_id(found: list[Document]) -> dict[str, Document]:
    return {document.id: document for document in found}
