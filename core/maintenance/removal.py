"""Removing a document or a session with everything that was made of it.

Once the rows of the catalogue are gone nothing is found or shown any more, and what is still in
an index is removed at the next start. On a full disk files are removed first, which frees space,
where the catalogue is on that disk: rows in PostgreSQL go before their files, or neither does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from core.errors import StorageError
from core.storage.files.reserve import Reserve
from core.storage.stores import Stores

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Remover:
    """Removes from all stores. Raises `StorageError` and its kinds where rows cannot be removed."""

    stores: Stores
    reserve: Reserve

    def document(self, session_id: str, document_id: str) -> None:
        """Remove one document; nothing happens if it is not there."""
        stores = self.stores
        chunk_ids = stores.catalogue.content.ids_in_every_cut(session_id, document_id)

        def frugally() -> None:
            stores.originals.remove(session_id, document_id)
            remove_rows()

        def remove_rows() -> None:
            stores.catalogue.jobs.forget_document(session_id, document_id)
            stores.catalogue.documents.remove(session_id, document_id)

        def remove() -> None:
            self._with_room(remove_rows, frugally)
            for cut in stores.catalogue.cuts.standing(session_id):
                index, mine = cut.index, [key for key in chunk_ids if cut.holds(key)]
                self._tried(partial(stores.vectors.delete_document, index, mine))
                self._tried(partial(stores.lexical.delete_document, index, document_id))

        with stores.locks.hold(session_id):
            stores.together(remove)
            with _files_left():
                stores.originals.remove(session_id, document_id)

    def session(self, session_id: str, leave: Callable[[], None] = lambda: None) -> None:
        """Remove a session with all its bytes: rows, vectors, words, originals.

        `leave` waits for work in the session to end, after its rows are gone.
        """
        stores = self.stores

        def frugally() -> None:
            stores.lexical.delete_session(session_id)
            stores.originals.remove_session(session_id)
            for document in stores.catalogue.documents.list(session_id):
                stores.catalogue.documents.remove(session_id, document.id)
            stores.catalogue.sessions.delete(session_id)

        self._with_room(lambda: stores.catalogue.sessions.delete(session_id), frugally)
        leave()
        with stores.locks.hold(session_id):
            self._tried(lambda: stores.vectors.delete_session(session_id))
            self._tried(lambda: stores.lexical.delete_session(session_id))
        with _files_left():
            stores.originals.remove_session(session_id)

    def _with_room(self, work: Callable[[], None], frugally: Callable[[], None]) -> None:
        """Do `work`, which deletes rows; where their disk is full, after giving up the reserve."""
        if self.stores.catalogue.database.is_sqlite:
            self.reserve.spent_on(work, frugally)
        else:
            work()

    def _tried(self, work: Callable[[], None]) -> None:
        try:
            work()
        except StorageError as error:
            if self.stores.catalogue.database.joined is not None:
                raise  # nothing is deleted, or all of it
            log.warning("What was deleted is still in an index: %s", error.message)


@contextmanager
def _files_left() -> Iterator[None]:
    """Say of files that could not be removed that they are left: their rows are gone."""
    try:
        yield
    except StorageError as error:
        raise StorageError(
            f"It was removed, but its files could not be. {error.message}",
            "They are removed at the next start, or by Check everything on the Status page.",
        ) from error
