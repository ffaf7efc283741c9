"""The worker that turns waiting documents into searchable ones: read, chunk, embed, index.

The catalogue is the queue and the record: a document's state says where it stands, so that a
rerun, a reload or a restart neither loses nor repeats work. A document is searchable only after
`catalogue.documents.mark_ready`, the last step; what stops the work before leaves it not ready.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from core.errors import (
    AppError,
    DatabaseUnreachable,
    DocumentNotFound,
    IndexDamaged,
    Interrupted,
    OriginalsUnreachable,
    StorageError,
)
from core.ids import digest
from core.ingestion.addresses import fetch_original
from core.ingestion.cutting import cut_document, in_cut
from core.ingestion.passwords import Passwords
from core.ingestion.slices import Slices
from core.ingestion.vector_reuse import embed_new, vectors_of_replaced
from core.models.embedding_text import embedding_text
from core.models.port import Vectors
from core.parsing.sandbox import is_pdf, load_in_child
from core.storage.sql.documents import SMALL, ClaimLimits
from core.storage.stores import Stores
from core.supervision import Unrecorded, Worker, isolated
from core.telemetry import prometheus
from core.types import Chunk, Cut, Document, DocumentState, LoadedDocument

log = logging.getLogger(__name__)

_COMPUTING = 2  # documents that are embedded at the same moment
_LONG_SECONDS = 5.0  # in work: a document is then long, whatever its size
_LONG_EACH = 2  # long documents of one session in work
_MOST_EACH = 3  # documents of one session in work
_FOR_SMALL = 2  # threads that take no long document
_PATIENCE = 60.0  # seconds that a document which is tried alone waits beside steady work
_READING_SHARE = 0.4  # of the progress bar; the rest is embedding and indexing
_UNTIL_BACK = 5.0  # seconds before a store that does not answer, or a full disk, is tried again
_LAST_SECONDS = 2.0  # for threads to notice that their documents were put back
_COLLECTED = b"footnote-collected-1\n"
_LOADED = TypeAdapter(LoadedDocument)
ByText = dict[str, Vectors]
"""The vectors of one model, by the text that was embedded."""


@dataclass(frozen=True)
class Ingester:
    """Takes one document through all stages. Thread-safe: every part of it is."""

    stores: Stores
    slices: Slices = field(default_factory=lambda: Slices(_COMPUTING))
    passwords: Passwords = field(default_factory=Passwords)

    def ingest(self, document: Document) -> None:
        """Read, chunk, store, embed, index, and mark ready.

        Raises an `AppError`; `Interrupted` when the document was stopped or removed meanwhile.
        """
        began = time.monotonic()
        loaded = self._load(document)
        vectors: dict[str, ByText] = {}
        while True:
            cuts = self._cuttings(document)
            chunks = [c for cut in cuts for c in self.chunks_of(loaded, document.id, cut)]
            self._check_wanted(document)
            self.stores.originals.check_space(len(chunks) * 6_000)
            self.stores.catalogue.content.save(document.session_id, document.id, loaded, chunks)
            # Where the session is cut in other ways by now, what is the same is not embedded again.
            vectors = self._embed(document, loaded, cuts, chunks, vectors)

            put_in = partial(self._put_in, document, loaded, cuts, chunks, vectors, began)
            with self.stores.locks.hold(document.session_id):
                replaced = self.stores.together(put_in)
                if replaced is not None:
                    for document_id in replaced:
                        self._remove_original(document.session_id, document_id)
                    return

    def _remove_original(self, session_id: str, document_id: str) -> None:
        try:
            self.stores.originals.remove(session_id, document_id)
        except StorageError as error:  # a file of no document: the next check removes it
            log.warning("The original of a replaced document is still there: %s", error.message)

    def chunks_of(self, loaded: LoadedDocument, document_id: str, cut: Cut) -> list[Chunk]:
        """The chunks of a document in one cut of its session. Raises `TooLarge`."""
        settings = self.stores.settings
        size, overlap = settings.chunk_size, settings.chunk_overlap
        chunks = cut_document(loaded, document_id, cut.cutting, size=size, overlap=overlap)
        return in_cut(chunks, cut)

    def _cuttings(self, document: Document) -> list[Cut]:
        """The cuts of the session, whatever state they are in."""
        standing = self.stores.catalogue.cuts.standing(document.session_id)
        by_number = sorted(standing, key=lambda cut: cut.number)
        return [Cut(cut.session_id, cut.number, cut.cutting) for cut in by_number]

    def _load(self, document: Document) -> LoadedDocument:
        if document.url and not self.stores.originals.has(document.session_id, document.id):
            fetch_original(document, self.stores.originals, self.stores.settings)
        path = self.stores.originals.path(document.session_id, document.id)
        collected = document.source or (document.url and document.id != url_id(document.url))
        if collected and not is_pdf(path):
            # Only `add_loaded` and `LivePages` make these: nothing that was uploaded has a source
            # or an address. A PDF that was found on the web is read as any other.
            return read_collected(path)
        return load_in_child(
            path,
            name=document.name,
            url=document.url,
            who=document.session_id,
            settings=self.stores.settings,
            progress=lambda share: self._progress(document, share * _READING_SHARE),
            cancelled=lambda: not self.wanted(document),
            scratch=self.stores.originals.scratch(document.session_id),
            password=self.passwords.take(document),
        )

    def _embed(
        self,
        document: Document,
        loaded: LoadedDocument,
        cuts: list[Cut],
        chunks: list[Chunk],
        known: Mapping[str, ByText],
    ) -> dict[str, ByText]:
        """The vectors of the chunks by model and text; `known` are not made again."""
        title = loaded.title or document.name
        found: dict[str, ByText] = {}
        for model in dict.fromkeys(cut.cutting.model for cut in cuts):
            of = [cut for cut in cuts if cut.cutting.model == model]
            texts = [embedding_text(c, title) for c in chunks if any(cut.holds(c.id) for cut in of)]
            found[model] = self._made(document, model, texts, known.get(model, {}))
        return found

    def _made(
        self, document: Document, model: str, texts: list[str], known: Mapping[str, Vectors]
    ) -> ByText:
        stores, where = self.stores, (document.session_id, document.id)
        replaced = vectors_of_replaced(stores.catalogue, stores.vectors, *where, texts, model)
        known = {**replaced, **known}
        with self.slices.turn() as next_slice:

            def progress(done: int, total: int) -> None:
                share = done / max(total, 1)
                self._progress(document, _READING_SHARE + share * (0.95 - _READING_SHARE))
                self._check_wanted(document)
                next_slice()

            made = embed_new(stores.embedder(model), texts, known, progress)
            return dict(zip(texts, made, strict=True))

    def _put_in(
        self,
        document: Document,
        loaded: LoadedDocument,
        cuts: list[Cut],
        chunks: list[Chunk],
        vectors: Mapping[str, ByText],
        began: float,
    ) -> list[str] | None:
        """Index and commit; None where the session is cut in other ways by now."""
        self._check_wanted(document)
        if self._cuttings(document) != cuts:
            return None
        self._index(document, loaded, cuts, chunks, vectors)
        return self._commit(document, chunks, time.monotonic() - began)

    def _index(
        self,
        document: Document,
        loaded: LoadedDocument,
        cuts: list[Cut],
        chunks: list[Chunk],
        vectors: Mapping[str, ByText],
    ) -> None:
        title = loaded.title or document.name
        for cut in cuts:
            of_it = [chunk for chunk in chunks if cut.holds(chunk.id)]
            known = vectors[cut.cutting.model]
            its = np.array([known[embedding_text(chunk, title)] for chunk in of_it], np.float32)
            self.stores.add_to_cut(cut, title, loaded.language, of_it, its)
            self.stores.note_model(cut)

    def _commit(self, document: Document, chunks: list[Chunk], seconds: float) -> list[str]:
        """Mark the document ready; returns the ids of what it replaced."""
        session_id, catalogue = document.session_id, self.stores.catalogue
        stale = {
            replaced: catalogue.content.ids_in_every_cut(session_id, replaced)
            for replaced in catalogue.documents.replaced(session_id, document.id)
        }
        try:
            catalogue.documents.mark_ready(session_id, document.id, seconds=seconds)
        except DocumentNotFound:  # removed a moment ago: leave nothing of it in the indexes
            self.stores.unindex(session_id, document.id, [chunk.id for chunk in chunks])
            raise Interrupted("The document was removed while it was being read.") from None
        for replaced, chunk_ids in stale.items():
            self.stores.unindex(session_id, replaced, chunk_ids)
        return list(stale)

    def _progress(self, document: Document, share: float) -> None:
        self.stores.catalogue.documents.set_progress(document.session_id, document.id, share)

    def wanted(self, document: Document) -> bool:
        """Whether nobody has stopped, removed or taken over the document meanwhile."""
        return self.stores.catalogue.documents.is_in_work(document.session_id, document.id)

    def _check_wanted(self, document: Document) -> None:
        if not self.wanted(document):
            raise Interrupted("The document was stopped or removed while it was being read.")


@dataclass(frozen=True, slots=True)
class _Work:
    """A document in work, and since when."""

    document: Document
    began: float

    def is_long(self) -> bool:
        """Whether it is large, or has been in work for long."""
        return self.document.size > SMALL or time.monotonic() - self.began > _LONG_SECONDS


@dataclass
class IngestWorker:
    """Threads that take waiting documents one by one until `stop()`.

    While some read (each in a child process), others embed, in turns (`Slices`). A session has
    few documents in work, fewer long ones, and some threads take small documents only: so long
    ones hold up nobody. A document that was in work when a process ended is tried alone: when
    nothing is in work, or after a while, when nothing new is begun until it has had its turn.

    A damaged index is no fault of the document that met it: `mend` gets the session's id, and the
    document its turn once more. `tidy` erases what was deleted; it is called when nothing waits.
    `on_ready` gets the id of a session one of whose documents has become ready.
    """

    ingester: Ingester
    mend: Callable[[str], None]
    tidy: Callable[[], None]
    on_ready: Callable[[str], None]
    threads: int = 5
    _in_work: dict[int, _Work] = field(default_factory=dict)  # by the number of the thread
    _claiming: threading.Lock = field(default_factory=threading.Lock)
    _tried_alone: float = field(default_factory=time.monotonic)  # when one last was
    _met_damage: set[str] = field(default_factory=set)
    _wake: threading.Event = field(default_factory=threading.Event)
    _ending: threading.Event = field(default_factory=threading.Event)
    _running: list[Worker] = field(default_factory=list)
    _unrecorded: Unrecorded = field(default_factory=Unrecorded)

    def start(self) -> None:
        """Put what an earlier process left unfinished back into the queue, and begin."""
        self.take_over()
        for number in range(self.threads):
            worker = Worker(f"ingest-{number}", partial(self._work, number), self._ending)
            self._running.append(worker.start())

    def take_over(self, patience: float = 0.0) -> None:
        """Put back what other processes had in work when they ended; see `Database.gone`."""
        self.ingester.stores.catalogue.documents.resume(patience)

    def wake(self) -> None:
        """Say that there may be something to do."""
        self._wake.set()

    def stop(self, seconds: float = 10.0) -> None:
        """End after the current step; what is unfinished goes on at the next start."""
        self._ending.set()
        self._wake.set()
        self._join(seconds)
        with self._claiming:
            unfinished = [work.document for work in self._in_work.values()]
        for document in unfinished:
            try:
                self.ingester.stores.catalogue.documents.put_back(document.session_id, document.id)
            except AppError as error:
                log.warning("A document could not be put back: %s", error.message)
        self._join(_LAST_SECONDS)
        self._running.clear()

    def _join(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for worker in self._running:
            worker.join(max(0.0, end - time.monotonic()))

    def _work(self, number: int) -> None:
        while not self._ending.is_set():
            document = self._claim(number)
            if document is None:
                self._rest(number)
                continue
            name = f"document {document.id[:12]}"
            try:
                isolated(name, partial(self._ingest, document), partial(self._broke, document))
            finally:
                with self._claiming:
                    del self._in_work[number]
                self._wake.set()  # another thread may take what was held back

    def _rest(self, number: int) -> None:
        """Nothing waits: erase what was deleted in the meantime, then sleep until woken."""
        self._unrecorded.again()
        try:
            self.tidy()
        except Interrupted:
            log.info("The process ends; what was deleted is erased by the next one.")
        except AppError as error:
            log.warning("Deleted text is not yet erased: %s", error.message)
        self._wake.wait(1.0 + number)  # woken or not, one of them looks every second
        self._wake.clear()

    def _claim(self, number: int) -> Document | None:
        with self._claiming:
            document = self._next()
            if document is not None:
                self._in_work[number] = _Work(document, time.monotonic())
        if document is not None:
            self._wake.set()  # there may be more
        return document

    def _next(self) -> Document | None:
        in_work = list(self._in_work.values())
        if any(work.document.deaths for work in in_work):
            return None
        of_session = Counter(work.document.session_id for work in in_work)
        long = Counter(work.document.session_id for work in in_work if work.is_long())
        limits = ClaimLimits(
            full=[session for session, count in of_session.items() if count >= _MOST_EACH],
            full_of_long=[session for session, count in long.items() if count >= _LONG_EACH],
            only_small=long.total() >= self.threads - _FOR_SMALL,
            troubled=False if in_work else None,
        )
        documents = self.ingester.stores.catalogue.documents
        try:
            if time.monotonic() - self._tried_alone > _PATIENCE and documents.troubled_waits():
                if in_work:
                    return None
                limits = ClaimLimits(troubled=True)
            document = documents.claim_next(limits)
            if document is not None and document.deaths:
                self._tried_alone = time.monotonic()
            return document
        except AppError as error:  # a full disk, say: the queue waits until it is mended
            log.warning("The queue cannot be read: %s", error.message)
            self._ending.wait(_UNTIL_BACK)
            return None

    def _ingest(self, document: Document) -> None:
        try:
            self.ingester.ingest(document)
            self._met_damage.discard(document.id)
            prometheus.read("ready")
            self.on_ready(document.session_id)
        except Interrupted:
            log.info("Stopped: document %s", document.id[:12])
            prometheus.read("stopped")
        except IndexDamaged as error:
            if document.id in self._met_damage:
                self._fail(document, error.message, error.cure)
            else:
                self._again(document)
        except (DatabaseUnreachable, OriginalsUnreachable) as error:
            # No fault of the document: it waits again.
            log.warning("Stopped: document %s: %s", document.id[:12], error.message)
            documents = self.ingester.stores.catalogue.documents
            self._unrecorded.record(partial(documents.put_back, document.session_id, document.id))
            self._ending.wait(_UNTIL_BACK)
        except AppError as error:
            self._fail(document, error.message, error.cure)

    def _broke(self, document: Document, error: Exception) -> None:
        self._fail(
            document,
            "Reading this document failed in a way that was not foreseen.",
            f"Press Retry; if it stays, look in the log for document {document.id[:12]}.",
        )

    def _again(self, document: Document) -> None:
        self._met_damage.add(document.id)
        log.warning("An index is damaged; document %s comes again.", document.id[:12])
        try:
            self.mend(document.session_id)
            self.ingester.stores.catalogue.documents.put_back(document.session_id, document.id)
        except Interrupted:
            log.info("The process ends; the next one goes on with %s", document.id[:12])
        except AppError as error:
            self._fail(document, error.message, error.cure)

    def _fail(self, document: Document, reason: str, cure: str) -> None:
        prometheus.read("failed")
        self._unrecorded.record(partial(self._note_failure, document, reason, cure))

    def _note_failure(self, document: Document, reason: str, cure: str) -> None:
        ingester, catalogue = self.ingester, self.ingester.stores.catalogue
        chunk_ids = catalogue.content.ids_in_every_cut(document.session_id, document.id)

        def note() -> bool:
            if not ingester.wanted(document):  # stopped or removed: that is no failure
                return False
            catalogue.documents.set_state(
                document.session_id, document.id, DocumentState.FAILED, reason=reason, cure=cure
            )
            return True

        if not ingester.stores.together(note):
            return
        try:
            ingester.stores.unindex(document.session_id, document.id, chunk_ids)
        except AppError as error:  # nothing of it is found; the next start removes it
            log.warning("What failed is still in an index: %s", error.message)


def collected_bytes(loaded: LoadedDocument) -> bytes:
    """The original of a document that was collected, not uploaded: what its reader made of it."""
    return _COLLECTED + _LOADED.dump_json(loaded)


def read_collected(path: Path) -> LoadedDocument:
    """The inverse of `collected_bytes`. Never give it a file that a person uploaded."""
    return _LOADED.validate_json(path.read_bytes().removeprefix(_COLLECTED))


def url_id(address: str) -> str:
    """The id of the document of a single web address, which the worker fetches."""
    return digest("url", address)
