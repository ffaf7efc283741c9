"""Add files, addresses and collected documents to the queue, or report why they are refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal

from core.errors import AppError, DamagedFile, InvalidRequest
from core.ids import digest
from core.ingestion.addresses import canonical_url
from core.ingestion.passwords import Passwords
from core.ingestion.worker import collected_bytes, url_id
from core.storage.stores import Stores
from core.text.names import clean_name
from core.types import (
    AddOutcome,
    AddResult,
    Document,
    DocumentKind,
    DocumentState,
    LoadedDocument,
)

SameName = Literal["ask", "replace", "keep"]


@dataclass(frozen=True)
class Adder:
    """Puts documents into a session's queue. `wake` wakes the worker.

    What a new document replaces is decided by one at a time in a session (`Stores.deciding`). Not
    the lock on its indexes, which is held while a long document is indexed.
    """

    stores: Stores
    wake: Callable[[], None]
    passwords: Passwords = field(default_factory=Passwords)

    def add_file(
        self,
        session_id: str,
        name: str,
        data: bytes | Path | BinaryIO,
        on_same_name: SameName,
        tags: Sequence[str] = (),
        replaces: str = "",
    ) -> AddResult:
        """One file; see `Documents.add_file`. `replaces` is the id of the one that it replaces."""
        name = clean_name(name)
        try:
            self._check_count(session_id)
            with opened(data) as stream:
                incoming, document_id, size = self.stores.originals.receive(session_id, stream)
        except AppError as error:
            return failed(name, error)
        with self.stores.deciding.hold(session_id):
            result = self._decide(session_id, name, document_id, on_same_name, tags)
            earlier = replaces and self.stores.catalogue.documents.get(session_id, replaces)
            if earlier and result.outcome is AddOutcome.ACCEPTED:
                result = replace(result, outcome=AddOutcome.REPLACED, document=earlier)
            if result.outcome not in (AddOutcome.ACCEPTED, AddOutcome.REPLACED):
                self.stores.originals.discard(incoming)
                if tags and result.outcome is AddOutcome.DUPLICATE:  # it stands in two folders
                    self.stores.catalogue.documents.set_tags(session_id, [document_id], tags)
                return result
            try:
                self.stores.originals.keep(session_id, document_id, incoming)
            except AppError as error:
                return failed(name, error)
            return self._enqueue(session_id, result, document_id, size=size, tags=tags)

    def add_url(self, session_id: str, url: str) -> AddResult:
        """One address; see `Documents.add_urls`."""
        try:
            self._check_count(session_id)
            address = canonical_url(url)
        except AppError as error:
            return failed(url[:200], error)
        document_id = url_id(address)
        if existing := self.stores.catalogue.documents.get(session_id, document_id):
            return self._there_already(address, existing, "This address")
        accepted = AddResult(address, AddOutcome.ACCEPTED)
        return self._enqueue(
            session_id, accepted, document_id, size=0, url=address, kind=DocumentKind.WEB
        )

    def add_loaded(
        self, session_id: str, loaded: LoadedDocument, *, name: str, url: str, source: str = ""
    ) -> AddResult:
        """One collected document; see `Documents.add_loaded`."""
        document_id = digest("collected", url, *(page.text for page in loaded.pages))
        if existing := self.stores.catalogue.documents.get(session_id, document_id):
            return self._there_already(name, existing, "The same text")
        data = collected_bytes(loaded)
        try:
            self._check_count(session_id)
            self.stores.originals.write(session_id, document_id, data)
        except AppError as error:
            return failed(name, error)
        with self.stores.deciding.hold(session_id):
            result = self._accepted_from(session_id, name, url)
            return self._enqueue(
                session_id, result, document_id, size=len(data), url=url, source=source
            )

    def add_pdf(
        self, session_id: str, path: Path, *, name: str, url: str, source: str
    ) -> AddResult:
        """One PDF that was collected: read by the worker, its pages are shown as of any other."""
        try:
            self._check_count(session_id)
            with path.open("rb") as stream:
                incoming, whole, size = self.stores.originals.receive(session_id, stream)
        except AppError as error:
            return failed(name, error)
        except OSError:
            return failed(name, DamagedFile("The PDF is not there any more.", "Collect again."))
        document_id = digest("collected-pdf", url, whole)
        if existing := self.stores.catalogue.documents.get(session_id, document_id):
            self.stores.originals.discard(incoming)
            return self._there_already(name, existing, "The same PDF")
        try:
            self.stores.originals.keep(session_id, document_id, incoming)
        except AppError as error:
            return failed(name, error)
        kind = DocumentKind.PDF
        with self.stores.deciding.hold(session_id):
            result = self._accepted_from(session_id, name, url)
            return self._enqueue(
                session_id, result, document_id, size=size, url=url, kind=kind, source=source
            )

    def retry(self, document: Document) -> None:
        """Put a failed or stopped document back into the queue; any other is left alone."""
        if document.state in (DocumentState.FAILED, DocumentState.STOPPED):
            self.stores.catalogue.documents.set_state(
                document.session_id, document.id, DocumentState.WAITING, progress=0.0
            )
            self.wake()

    def _decide(
        self,
        session_id: str,
        name: str,
        document_id: str,
        on_same_name: SameName,
        tags: Sequence[str],
    ) -> AddResult:
        if existing := self.stores.catalogue.documents.get(session_id, document_id):
            return self._there_already(name, existing, "The same content")
        namesakes = [  # of another folder: another document
            document
            for document in self.stores.catalogue.documents.named(session_id, name)
            if set(tags) <= set(document.tags)
        ]
        if not namesakes or on_same_name == "keep":
            return AddResult(name, AddOutcome.ACCEPTED)
        if on_same_name == "replace":
            return AddResult(name, AddOutcome.REPLACED, namesakes[-1])
        return AddResult(
            name,
            AddOutcome.CONFLICT,
            namesakes[-1],
            f"There already is a {name} with other content.",
            "Choose whether the new one replaces it or both are kept.",
        )

    def _accepted_from(self, session_id: str, name: str, url: str) -> AddResult:
        """Accepted, in the place of what was collected from the same address before."""
        earlier = self.stores.catalogue.documents.at_url(session_id, url) if url else []
        if not earlier:
            return AddResult(name[:200], AddOutcome.ACCEPTED)
        return AddResult(name[:200], AddOutcome.REPLACED, earlier[-1])

    def _there_already(self, name: str, existing: Document, what: str) -> AddResult:
        self.retry(existing)
        reason = f"{what} is already there as {existing.label}."
        return AddResult(name, AddOutcome.DUPLICATE, existing, reason)

    def _enqueue(
        self,
        session_id: str,
        result: AddResult,
        document_id: str,
        *,
        size: int,
        url: str = "",
        kind: DocumentKind | None = None,
        source: str = "",
        tags: Sequence[str] = (),
    ) -> AddResult:
        document = self.stores.catalogue.documents.add(
            session_id,
            document_id,
            result.name,
            size=size,
            url=url,
            kind=kind,
            replaces=result.document.id if result.document else None,
            source=source,
            tags=tags,
        )
        self.stores.catalogue.sessions.touch(session_id)
        self.wake()
        return replace(result, document=document)

    def _check_count(self, session_id: str) -> None:
        limit = self.stores.settings.max_files
        if self.stores.catalogue.documents.count(session_id) >= limit:
            raise InvalidRequest(
                f"This session already holds {limit} documents, the most that it may.",
                "Remove some, make another session, or raise MAX_FILES.",
            )


def failed(name: str, error: AppError) -> AddResult:
    """Return what became of a file that was refused."""
    return AddResult(name, AddOutcome.FAILED, None, error.message, error.cure)


def opened(data: bytes | Path | BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Return the content as a stream; a stream of the caller's stays open."""
    if isinstance(data, Path):
        return data.open("rb")
    return nullcontext(BytesIO(data) if isinstance(data, bytes) else data)
