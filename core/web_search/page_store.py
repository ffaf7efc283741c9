"""Make web pages searchable as soon as they are read: chunk, embed and index them here.

The queue for uploaded files can be long while a person waits for an answer, so these pages bypass
it. They are documents of the session that expire (`Document.expires_at`) unless the person keeps
them; then the queue reads them again as a whole.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

from core.errors import AppError, InvalidRequest
from core.ids import digest
from core.ingestion.cutting import in_cut
from core.ingestion.worker import collected_bytes
from core.models.embedding_text import embedding_text
from core.models.port import Vectors
from core.storage.stores import Stores
from core.supervision import Unrecorded
from core.types import (
    CLOCK_SLACK,
    Chunk,
    Cut,
    Document,
    DocumentKind,
    DocumentState,
    LoadedDocument,
)
from core.web_search.chunks import web_chunks

_MOST = 500
"""Pages of one session that are stored; beyond that the oldest are removed."""


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page that was read, and its passages to be indexed.

    `original` holds the bytes of a PDF; it is empty for an HTML page.
    """

    url: str
    loaded: LoadedDocument
    chunks: tuple[Chunk, ...]
    original: bytes = b""

    @property
    def id(self) -> str:
        """The id of the page's document."""
        return live_id(self.url, self.loaded)

    @property
    def data(self) -> bytes:
        """What is stored as the original of the page's document."""
        return self.original or collected_bytes(self.loaded)


def live_id(url: str, loaded: LoadedDocument) -> str:
    """Return the id of a page, derived from its address and its text."""
    return digest("web", url, *(page.text for page in loaded.pages))


def live_page(url: str, loaded: LoadedDocument, original: bytes = b"") -> LivePage:
    """Return a page with all of its passages."""
    return LivePage(url, loaded, tuple(web_chunks(loaded, live_id(url, loaded))), original)


@dataclass(frozen=True)
class LivePages:
    """Stores the pages that were read for answers in their sessions. Thread-safe."""

    stores: Stores
    _undone: Unrecorded = field(default_factory=Unrecorded)

    def forget_expired(self) -> None:
        """Remove expired pages in every session."""
        for session_id in self.stores.catalogue.sessions.ids():
            self.forget_old(session_id)

    def forget_old(self, session_id: str) -> None:
        """Remove expired pages; those that answers cite stay, but are not searched."""
        catalogue, originals = self.stores.catalogue, self.stores.originals
        for document in catalogue.web_pages.forget(session_id, datetime.now(UTC), _MOST):
            self._unindex(document)
            originals.remove(session_id, document.id)

    def fresh(self, session_id: str, url: str) -> Document | None:
        """The page of this address, if it was read a short while ago and can be searched."""
        now = datetime.now(UTC)
        since = now - timedelta(hours=self.stores.settings.web_hours)
        for document in reversed(self.stores.catalogue.documents.at_url(session_id, url)):
            is_ready = document.state is DocumentState.READY and document.searched
            if is_ready and document.added_at and since < document.added_at <= now + CLOCK_SLACK:
                return document
        return None

    def add(self, session_id: str, pages: Sequence[LivePage]) -> int:
        """Make pages searchable and return the number of their passages.

        Raises an `AppError` if a store or the embedding model fails; then none is searchable, and
        what is left of them goes, on a full disk at the next call.
        """
        began = time.monotonic()
        self._undone.again()
        fresh: list[LivePage] = []
        cuts = self.stores.catalogue.cuts.standing(session_id)
        try:
            for page in {page.id: page for page in pages}.values():
                if self._entered(session_id, page):
                    fresh.append(page)
                    self._store(session_id, page, cuts)
            if not fresh:
                return 0
            by_model = {cut.cutting.model: cut for cut in cuts}
            vectors = {model: self._embedded(fresh, cut) for model, cut in by_model.items()}
            with self.stores.locks.hold(session_id):
                stored = {cut.number for cut in cuts}
                for cut in self.stores.catalogue.cuts.standing(session_id):
                    model = cut.cutting.model
                    if model not in vectors:  # chosen a moment ago
                        vectors[model] = self._embedded(fresh, cut)
                    self._index(cut, fresh, vectors[model], stored=cut.number in stored)
                    self.stores.note_model(cut)
                seconds = (time.monotonic() - began) / max(1, len(fresh))
                for page in fresh:
                    self.stores.catalogue.documents.mark_ready(session_id, page.id, seconds=seconds)
        except AppError:  # also if the session has just been deleted
            for page in fresh:
                self._undone.record(partial(self._undo, session_id, page))
            raise
        return sum(len(page.chunks) for page in fresh)

    def keep(self, session_id: str, document: Document) -> None:
        """Move a page into the library: the queue reads it again as a whole.

        One that is there already stays as it is. Raises `InvalidRequest` if the library is full.
        """
        if document.expires_at is None:
            return
        limit = self.stores.settings.max_files
        if self.stores.catalogue.documents.count(session_id) >= limit:
            text = f"This session already holds {limit} documents, the most that it may."
            raise InvalidRequest(text, "Remove some, make another session, or raise MAX_FILES.")
        self._unindex(document)
        self.stores.catalogue.web_pages.keep(session_id, document.id)

    def _unindex(self, document: Document) -> None:
        session_id, numbers = document.session_id, range(document.chunks)  # the same in every cut
        cuts = self.stores.catalogue.cuts.standing(session_id)
        ids = [f"{document.id}:{cut.first + number}" for cut in cuts for number in numbers]
        self.stores.unindex(session_id, document.id, ids)

    def _entered(self, session_id: str, page: LivePage) -> bool:
        """Put a page into the catalogue; if it is there already, renew it and return False."""
        document = self.stores.catalogue.web_pages.add(
            session_id,
            page.id,
            _name(page),
            size=len(page.data),
            url=page.url,
            kind=page.loaded.kind,
            expires_at=datetime.now(UTC) + timedelta(hours=self.stores.settings.web_hours),
        )
        return document is not None

    def _store(self, session_id: str, page: LivePage, cuts: Sequence[Cut]) -> None:
        self.stores.originals.write(session_id, page.id, page.data)
        chunks = [chunk for cut in cuts for chunk in in_cut(page.chunks, cut)]
        self.stores.catalogue.content.save(session_id, page.id, page.loaded, chunks)

    def _embedded(self, pages: Sequence[LivePage], cut: Cut) -> Vectors:
        titled = [(chunk, page.loaded.title) for page in pages for chunk in page.chunks]
        embedder = self.stores.embedder(cut.cutting.model)
        return embedder.embed([embedding_text(c, title) for c, title in titled])

    def _index(
        self, cut: Cut, pages: Sequence[LivePage], vectors: Vectors, *, stored: bool
    ) -> None:
        """Index pages, cut in the same way in every cut, where their chunks are `stored` or not."""
        cuts = {page.id: in_cut(page.chunks, cut) for page in pages}
        for page in () if stored else pages:
            self.stores.catalogue.content.add_chunks(cut.session_id, page.id, cuts[page.id])
        if not any(cuts.values()):
            return
        ids = [chunk.id for page in pages for chunk in cuts[page.id]]
        self.stores.vectors.add(cut.index, ids, vectors)
        for language in {page.loaded.language for page in pages}:
            of = [page for page in pages if page.loaded.language == language]
            chunks = [chunk for page in of for chunk in cuts[page.id]]
            titles = [page.loaded.title for page in of for _ in page.chunks]
            self.stores.lexical.add(cut.index, chunks, titles, language=language)

    def _undo(self, session_id: str, page: LivePage) -> None:
        ids = self.stores.catalogue.content.ids_in_every_cut(session_id, page.id)
        self.stores.catalogue.documents.remove(session_id, page.id)
        self.stores.unindex(session_id, page.id, ids)
        self.stores.originals.remove(session_id, page.id)


def _name(page: LivePage) -> str:
    title = " ".join(page.loaded.title.split())
    is_pdf = page.loaded.kind is DocumentKind.PDF
    return (title or page.url.rpartition("/")[2] if is_pdf else title or page.url)[:200]
