"""The documents that every search asks for, kept until the catalogue changes.

Reading five hundred rows takes longer than finding the best of their fifty thousand passages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import UTC, datetime

from core.storage.sql import documents
from core.storage.sql.database import Database
from core.types import Document

_SESSIONS = 32


class ReadyDocuments:
    """The documents of the sessions that were searched last. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[tuple[str, bool], tuple[int, list[Document]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session_id: str, searched_only: bool) -> dict[str, Document]:
        """See `Catalogue.ready_documents`."""
        changes = self._database.changes
        if changes is None:  # others write to this database too
            return _by_id(self._database.read(documents.ready, session_id, searched_only))
        key = (session_id, searched_only)
        with self._lock:
            known = self._known.get(key)
        if known is None or known[0] != changes:
            known = (changes, self._database.read(documents.ready, session_id, searched_only))
            with self._lock:
                self._known[key] = known
                self._known.move_to_end(key)
                while len(self._known) > _SESSIONS:
                    self._known.popitem(last=False)
        if not searched_only:
            return _by_id(known[1])
        now = datetime.now(UTC)
        return _by_id([d for d in known[1] if d.expires_at is None or d.expires_at > now])


def _by_id(found: list[Document]) -> dict[str, Document]:
    return {document.id: document for document in found}
