"""The room of documents: added, listed, read, stopped, removed, and opened as evidence."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pydantic import SecretStr

from core.access import roles
from core.access.roles import guarded
from core.citations.evidence import open_evidence
from core.citations.page_images import PageImages
from core.errors import (
    AppError,
    DocumentNotFound,
    InvalidRequest,
    JobNotFound,
    PageNotFound,
)
from core.ids import checked_digest, checked_uuid
from core.ingestion.adding import Adder, SameName, failed, opened
from core.ingestion.samples import sample_files
from core.library.suggestions import Suggestions
from core.maintenance.removal import Remover
from core.storage.catalogue import Catalogue
from core.storage.stores import Stores
from core.text.mentions import occurrences
from core.text.names import MOST_TAG, clean_name, clean_tag, clean_title
from core.types import (
    AddOutcome,
    AddResult,
    Answer,
    Chunk,
    Citation,
    CollectRun,
    Document,
    DocumentKind,
    DocumentState,
    Evidence,
    Job,
    JobItem,
    LoadedDocument,
    Match,
    Matches,
    Page,
    Session,
)
from core.web_search.page_store import LivePages

MOST_MATCHES = 500
"""Places that a search in one document lists."""
_COLLECTED = "This is a whole documentation: its pages are taken in one by one (see Collect)."


@guarded("documents")
@dataclass(frozen=True)
class Documents:
    """The documents of sessions. Methods with an id raise `DocumentNotFound`."""

    stores: Stores
    adder: Adder
    remover: Remover
    web_pages: LivePages
    images: PageImages
    made: Suggestions
    collect_documentation: Callable[[Session, str, BinaryIO], CollectRun | None]
    erase_collected: Callable[[Sequence[Document]], None]
    erase_quotes: Callable[[Document], None]

    @property
    def catalogue(self) -> Catalogue:
        """The record of all documents."""
        return self.stores.catalogue

    # ------------------------------------------------------------------------------- coming in

    def add_file(
        self,
        session: Session,
        name: str,
        data: bytes | Path | BinaryIO,
        on_same_name: SameName = "ask",
        tags: Sequence[str] = (),
    ) -> AddResult:
        """Put one file into the queue of this session, with these tags.

        The same bytes twice change nothing (`DUPLICATE`). The same name with other bytes is a
        `CONFLICT` until the person says "replace" or "keep" (both). A JSON file that holds a whole
        documentation is `COLLECTED`: each of its pages becomes a document with its address.
        """
        if name.lower().endswith(".json"):
            try:
                with opened(data) as stream:
                    run = self.collect_documentation(session, name, stream)
            except AppError as error:
                return failed(clean_name(name), error)
            if run is not None:
                return AddResult(
                    clean_name(name), AddOutcome.COLLECTED, reason=_COLLECTED, run_id=run.id
                )
        return self.adder.add_file(session.id, name, data, on_same_name, _checked_tags(tags))

    def add_urls(self, session: Session, urls: Sequence[str]) -> list[AddResult]:
        """Put web addresses into the queue; they are fetched by the worker, not here."""
        return [self.adder.add_url(session.id, url.strip()) for url in urls if url.strip()]

    def add_loaded(
        self, session: Session, loaded: LoadedDocument, *, name: str, url: str
    ) -> AddResult:
        """Put a document that was collected (not uploaded) into the queue.

        Its id is the hash of address and text; another text under the same address replaces.
        """
        return self.adder.add_loaded(session.id, loaded, name=name, url=url)

    def load_samples(self, session: Session) -> list[AddResult]:
        """Add the sample library that ships with the program."""
        paths = sample_files(self.stores.settings)
        return [self.adder.add_file(session.id, path.name, path, "replace") for path in paths]

    def suggestions(self, session: Session) -> list[str] | None:
        """Return questions to begin with that the documents answer; None while they are made."""
        return self.made.of_library(session)

    def suggestions_after(self, session: Session, answer: Answer) -> list[str] | None:
        """Return questions that stand beside what an answer cites; None while they are made."""
        return self.made.after(session, answer)

    def spool(self) -> BinaryIO:
        """Return a nameless file on the disk of the data, gone when it is closed: for uploads."""
        return self.stores.originals.spool()

    def create_job(self, session: Session, results: Sequence[AddResult]) -> Job:
        """Remember what came in together, so that it can be followed and stopped together."""
        items = tuple(
            JobItem(
                r.name,
                r.outcome,
                r.document.id if r.document else "",
                r.reason,
                r.cure,
                r.run_id,
            )
            for r in results
        )
        return self.catalogue.jobs.create(session.id, items)

    def job(self, owner_id: str, job_id: str) -> Job:
        """Return a job of this owner. Raises `JobNotFound`, also for anybody else's."""
        found = self.catalogue.jobs.get(owner_id, checked_uuid(job_id))
        if found is None:
            raise JobNotFound("There is no such job.")
        return found

    def retry(self, session: Session, document_id: str) -> None:
        """Put a failed or stopped document back into the queue."""
        self.adder.retry(self.get(session, document_id))

    def unlock(self, session: Session, document_id: str, password: SecretStr) -> None:
        """Read a locked PDF again with its password, which is kept in memory for that alone."""
        document = self.get(session, document_id)
        if document.state is DocumentState.FAILED:
            self.adder.passwords.put(document, password)
            self.adder.retry(document)

    def retry_all(self, session: Session, document_ids: Sequence[str]) -> int:
        """Put those of the documents that failed or were stopped back into the queue."""
        count = self.catalogue.documents.change_states(
            [DocumentState.FAILED, DocumentState.STOPPED],
            DocumentState.WAITING,
            session.id,
            document_ids,
        )
        self.adder.wake()
        return count

    def stop(self, session: Session, document_ids: Sequence[str] | None = None) -> int:
        """Stop reading all documents, or these; returns how many were stopped.

        What is not ready waits for `resume()`.
        """
        return self.catalogue.documents.change_states(
            [DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING],
            DocumentState.STOPPED,
            session.id,
            document_ids,
        )

    def resume(self, session: Session) -> int:
        """Put what was stopped back into the queue; returns how many."""
        count = self.catalogue.documents.change_states(
            [DocumentState.STOPPED], DocumentState.WAITING, session.id
        )
        self.adder.wake()
        return count

    # -------------------------------------------------------------------------- what is there

    def get(self, session: Session, document_id: str) -> Document:
        """Return one document."""
        document = self.catalogue.documents.get(session.id, checked_digest(document_id))
        if document is None:
            raise DocumentNotFound("There is no such document in this session.")
        return document

    def set_searched(self, session: Session, document_id: str, searched: bool) -> None:
        """Take a document into the search or out of it."""
        document = self.get(session, document_id)
        self.catalogue.documents.set_searched(session.id, [document.id], searched)

    def set_all_searched(
        self, session: Session, document_ids: Sequence[str], searched: bool
    ) -> int:
        """Take documents into the search or out of it; returns how many changed."""
        return self.catalogue.documents.set_searched(session.id, document_ids, searched)

    def tag(
        self,
        session: Session,
        document_ids: Sequence[str],
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> int:
        """Give documents tags and take others from them; returns how many documents changed.

        An id that is not of this session is passed over. Raises `InvalidRequest` for a tag that
        is empty or too long.
        """
        tags = _checked_tags(add)
        return self.catalogue.documents.set_tags(session.id, document_ids, tags, set(remove))

    def remove(self, session: Session, document_id: str, *, answers_too: bool = False) -> None:
        """Remove a document with everything that was made of it.

        Answers that quote it stay, unless `answers_too`: then they are erased, everybody's in the
        session, with what an evaluation kept of it. That raises `NotAllowed` for who is no admin.
        """
        self.erase_collected([self._remove(session, document_id, answers_too)])

    def remove_all(
        self, session: Session, document_ids: Sequence[str], *, answers_too: bool = False
    ) -> int:
        """Remove documents as `remove` does, one after the other; returns how many.

        An id that is not of this session, or not any more, is passed over. What was collected of a
        source is opened and stored again once, also where one of them cannot be removed.
        """
        removed: list[Document] = []
        try:
            for document_id in document_ids:
                with contextlib.suppress(DocumentNotFound):
                    removed.append(self._remove(session, document_id, answers_too))
        finally:
            self.erase_collected(removed)
        return len(removed)

    def _remove(self, session: Session, document_id: str, answers_too: bool) -> Document:
        """Remove a document but for what its collecting has stored; it is given back."""
        document = self.get(session, document_id)
        if answers_too:
            roles.check(session, roles.ERASE_ANSWERS, self.catalogue.sharing)
        self.remover.document(session.id, document.id)
        if answers_too:
            self.erase_quotes(document)
        return document

    def read_pages(self, session: Session) -> list[Document]:
        """Return the web pages that were read for answers and not kept, in order of reading."""
        return self.catalogue.web_pages.list(session.id)

    def keep_page(self, session: Session, document_id: str) -> None:
        """Make a page that was read for an answer a document of the library."""
        self.web_pages.keep(session.id, self.get(session, document_id))
        self.adder.wake()

    # ------------------------------------------------------------------------- what is in them

    def pages(self, session: Session, document_id: str) -> list[Page]:
        """Return the extracted text of a document, page by page."""
        return self.catalogue.content.pages(session.id, self.get(session, document_id).id)

    def page(self, session: Session, document_id: str, page_ordinal: int) -> Page:
        """Return one page of a document, counted from 0. Raises `PageNotFound`."""
        document = self.get(session, document_id)
        page = self.catalogue.content.page(session.id, document.id, page_ordinal)
        if page is None:
            raise PageNotFound(
                "The document has no such page.", f"It has {document.pages}, counted from 0."
            )
        return page

    def chunks(self, session: Session, document_id: str) -> list[Chunk]:
        """Return the chunks of a document in their order."""
        return self.catalogue.content.chunks(session.id, self.get(session, document_id).id)

    def original(self, session: Session, document_id: str) -> Path:
        """Return where the original file of a document is."""
        return self.stores.originals.path(session.id, self.get(session, document_id).id)

    def evidence(
        self,
        session: Session,
        citation: Citation,
        claim: Sequence[tuple[int, int]] = (),
        found: Sequence[tuple[int, int]] = (),
    ) -> Evidence:
        """Return the place that a citation leads to: its page with the passage marked.

        `claim` are the spans of the citation that one claim rests on: those are set off. `found`
        are the spans of that page which `find` returned.
        """
        stores = self.stores
        return open_evidence(
            citation, session, stores.catalogue, stores.originals, self.images, claim, found
        )

    def page_evidence(
        self,
        session: Session,
        document_id: str,
        page_ordinal: int,
        found: Sequence[tuple[int, int]] = (),
    ) -> Evidence:
        """Return a page of a document to read around a passage, with nothing but `found` marked."""
        document = self.get(session, document_id)
        citation = Citation(
            number=0, chunk_id="", document_id=document.id, label=document.label,
            kind=document.kind, page_ordinal=page_ordinal, page_number=None, start=0, end=0,
            quote="", title=document.title, url=document.url, attribution=document.attribution,
        )  # fmt: skip
        return self.evidence(session, citation, found=found)

    def draw_ahead(self, session: Session, places: Sequence[tuple[str, int]]) -> None:
        """Draw pages that are likely to be opened next: ids of documents with a page's ordinal.

        It goes on in the background; what is no PDF, or not there any more, is passed over.
        """
        for document_id, ordinal in places:
            document = self.catalogue.documents.get(session.id, document_id)
            if document and document.kind is DocumentKind.PDF and 0 <= ordinal < document.pages:
                with contextlib.suppress(AppError):
                    path = self.stores.originals.path(session.id, document.id)
                    self.images.draw_ahead(path, [ordinal], session.viewer_id)

    def find(self, session: Session, document_id: str, words: str) -> Matches:
        """Return where words stand side by side in a document, in any inflection.

        Of more than `MOST_MATCHES` places the first are returned, and the rest is not read.
        """
        document = self.get(session, document_id)
        places: list[Match] = []
        for batch in self.catalogue.content.text_batches(session.id, document.id):
            for ordinal, text in batch:
                spans = occurrences(words, text, document.language)
                places += [Match(ordinal, start, end) for start, end in spans]
                if len(places) > MOST_MATCHES:
                    return Matches(tuple(places[:MOST_MATCHES]), more=True)
        return Matches(tuple(places))

    def searched(self, session: Session) -> Sequence[Document]:
        """Return the library's documents that questions are asked of, in order of adding."""
        ready = self.catalogue.documents.ready(session.id).values()
        return [document for document in ready if document.expires_at is None]

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, session: Session) -> list[Document]:
        """Return the library of the session, whatever the documents' state, in order of adding."""
        return self.catalogue.documents.library(session.id)


def _checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """The tags, cleaned and each once. Raises `InvalidRequest`."""
    for tag in tags:
        if not clean_tag(tag) or len(clean_title(tag)) > MOST_TAG:
            raise InvalidRequest(
                "A tag has no letters that can be seen, or too many.",
                f"Give it 1 to {MOST_TAG} characters.",
            )
    return tuple(dict.fromkeys(clean_tag(tag) for tag in tags))
