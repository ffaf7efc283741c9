"""Sessions indexed again for another preset or embedding model, while they are used.

A new cut (`core.types.Cut`) is made beside the one that is in force: each ready document is cut
from the pages in the catalogue, embedded and indexed in it, then the session has the new cut in one
transaction. Nothing is parsed again, and texts that an earlier cut has by the same model are not
embedded again. What should be is in the catalogue (`catalogue.cuts.want`), so that another wish, a
removed document, a deleted session or a kill in the middle needs nothing done: the next look finds
what is left to do.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import AppError, Interrupted
from core.ingestion.cutting import in_cut
from core.ingestion.vector_reuse import embed_new, vectors_in
from core.ingestion.worker import Ingester
from core.models.embedding_text import embedding_text
from core.models.port import Vectors
from core.storage.stores import Stores
from core.supervision import Worker
from core.types import Chunk, Cut, Document, DocumentKind, DocumentState, LoadedDocument

log = logging.getLogger(__name__)

GRACE = 10.0
"""Seconds that a cut which was searched stays: a search that began in it ends in it."""
_ELSEWHERE = 5.0  # seconds between two looks while another process may be at it
_PAUSE = 60.0  # seconds before the next try after a failure


@dataclass
class Recutter:
    """One thread that makes the cuts of all sessions as they are wanted, until `stop()`.

    `failure` says what stopped the work on a session the last time.
    """

    ingester: Ingester
    grace: float = GRACE
    _failures: dict[str, AppError] = field(default_factory=dict)
    _out: dict[str, float] = field(default_factory=dict)  # cuts to drop, and since when
    _wake: threading.Event = field(default_factory=threading.Event)
    _ending: threading.Event = field(default_factory=threading.Event)
    _running: Worker | None = None

    @property
    def stores(self) -> Stores:
        """The stores that are worked on."""
        return self.ingester.stores

    def start(self) -> None:
        """Begin, with what an earlier process left."""
        self._running = Worker("recutting", self._work, self._ending).start()

    def wake(self) -> None:
        """Say that something else is wanted."""
        self._wake.set()

    def stop(self, seconds: float = 10.0) -> None:
        """End after the current step; the next process goes on."""
        self._ending.set()
        self._wake.set()
        if self._running is not None:
            self._running.join(seconds)

    def failure(self, session_id: str) -> AppError | None:
        """What stopped the work on a session the last time, None while it goes well."""
        return self._failures.get(session_id)

    def settle(self) -> float | None:
        """Make all cuts as they are wanted; returns after how many seconds to look again."""
        waits: list[float] = []
        for session_id in self.stores.catalogue.cuts.unsettled():
            try:
                if (wait := self._settle(session_id)) is not None:
                    waits.append(wait)
                self._failures.pop(session_id, None)
            except Interrupted:
                waits.append(0.0)  # the wish has changed, or the process ends
            except AppError as error:
                log.warning("A session is not indexed again: %s", error.message)
                self._failures[session_id] = error
                waits.append(_PAUSE)
        return min(waits, default=None)

    def _work(self) -> None:
        while not self._ending.is_set():
            self._wake.clear()
            database = self.stores.catalogue.database
            wait: float | None = _ELSEWHERE
            try:
                with database.elected("recutting") as mine:
                    if mine:
                        wait = self.settle()
            except AppError as error:
                log.warning("What is to be indexed again cannot be read: %s", error.message)
                wait = _PAUSE
            if database.is_shared:  # another process can end with work left
                wait = _ELSEWHERE if wait is None else min(wait, _ELSEWHERE)
            self._wake.wait(wait)

    def _settle(self, session_id: str) -> float | None:
        cuts = self.stores.catalogue.cuts
        wanted = cuts.wanted(session_id)
        for cut in sorted(cuts.standing(session_id), key=lambda cut: cut.number != wanted):
            here = cut.in_force or cut.number != wanted
            if cut.wanted and not (cut.ready and here):
                self._build(cut)
        waits = [self._drop(cut) for cut in cuts.standing(session_id) if not cut.wanted]
        return min((wait for wait in waits if wait > 0), default=None)

    # ---------------------------------------------------------------------------- one cut

    def _build(self, cut: Cut) -> None:
        """Index every document in a cut that has no chunks in it yet, and note that it is whole."""
        cuts, without = self.stores.catalogue.cuts, set[str]()
        while True:
            for document_id in cuts.missing(cut):
                if document_id not in without and not self._add(cut, document_id):
                    without.add(document_id)
            with self.stores.locks.hold(cut.session_id):
                self._check(cut)
                if not set(cuts.missing(cut)) - without:  # none came in meanwhile
                    cuts.finish(cut)
                    return

    def _add(self, cut: Cut, document_id: str) -> bool:
        """Index a document in a cut; returns False if it has no chunks there."""
        self._check(cut)
        stores, content = self.stores, self.stores.catalogue.content
        document = stores.catalogue.documents.get(cut.session_id, document_id)
        if document is None:
            return False
        chunks = self._chunks(cut, document)
        stores.originals.check_space(len(chunks) * 6_000)
        vectors = self._embedded(cut, document, chunks)

        def put_in() -> bool:
            self._check(cut)
            now = stores.catalogue.documents.get(cut.session_id, document_id)
            if now is None or now.state is not DocumentState.READY:
                return False
            title = document.title or document.name
            stores.lexical.delete_document(cut.index, document_id)  # of a try that was killed
            stores.add_to_cut(cut, title, document.language, chunks, vectors)
            stores.note_model(cut)
            # Last: a document with chunks in a cut is in its indexes.
            content.add_chunks(cut.session_id, document_id, chunks)
            return bool(chunks)

        with stores.locks.hold(cut.session_id):
            return stores.together(put_in)

    def _chunks(self, cut: Cut, document: Document) -> list[Chunk]:
        content = self.stores.catalogue.content
        if document.expires_at is not None:  # a page of the web: it is cut in one way
            return in_cut(content.chunks(cut.session_id, document.id), cut)
        pages = tuple(content.pages(cut.session_id, document.id))
        kind = document.kind or DocumentKind.TEXT
        loaded = LoadedDocument(kind, pages, title=document.title, language=document.language)
        return self.ingester.chunks_of(loaded, document.id, cut)

    def _embedded(self, cut: Cut, document: Document, chunks: list[Chunk]) -> Vectors:
        stores = self.stores
        title = document.title or document.name
        texts = [embedding_text(chunk, title) for chunk in chunks]
        now = stores.catalogue.cuts.in_force(cut.session_id)
        known: Mapping[str, Vectors] = {}
        if now.cutting.model == cut.cutting.model:
            known = vectors_in(stores.catalogue, stores.vectors, now, document, texts)
        with self.ingester.slices.turn() as next_slice:

            def progress(done: int, total: int) -> None:
                self._check(cut)
                next_slice()

            return embed_new(stores.embedder(cut.cutting.model), texts, known, progress)

    def _drop(self, cut: Cut) -> float:
        """Remove a cut with its indexes; returns the seconds that it still has to stay."""
        stores = self.stores
        if cut.in_force:
            return 0.0
        since = self._out.setdefault(cut.index, time.monotonic())
        if cut.ready and (left := since + self.grace - time.monotonic()) > 0:
            return left
        with stores.locks.hold(cut.session_id):
            if stores.catalogue.cuts.empty(cut):
                stores.vectors.drop_others(cut.index)
                stores.vectors.delete_index(cut.index)
                stores.lexical.delete_index(cut.index)
                stores.catalogue.cuts.drop(cut)
        del self._out[cut.index]
        return 0.0

    def _check(self, cut: Cut) -> None:
        """Raise `Interrupted` where the cut is not wanted any more, or the process ends."""
        standing = self.stores.catalogue.cuts.standing(cut.session_id)
        wanted = {now.number for now in standing if now.wanted and now.cutting == cut.cutting}
        if self._ending.is_set() or cut.number not in wanted:
            raise Interrupted("Indexing again was stopped; the rest goes on later.")
