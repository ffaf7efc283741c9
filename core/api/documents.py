"""Documents: in, followed while they are read, looked at, and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import FileResponse

from core.api import files
from core.api.auth import ServiceDep, SessionDep
from core.api.models import SHA256, DocumentChange, ManyChanged, ManyDocuments, ManyRemoved
from core.api.replies import (
    ChunkOut,
    ChunksOut,
    DocumentOut,
    DocumentsOut,
    ManyOut,
    PageOut,
    PagesOut,
)
from core.service import Service
from core.types import Session

router = APIRouter(tags=["Documents"])

DocumentId = Annotated[str, Path(pattern=SHA256, description="The id of a document.")]
PageOrdinal = Annotated[int, Path(ge=0, le=1_000_000, description="Counted from 0.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
Limit = Annotated[int, Query(ge=1, le=5000, description="The most to give.")]


@router.get("/sessions/{session_id}/documents")
def list_documents(
    session: SessionDep, service: ServiceDep, offset: Offset = 0, limit: Limit = 1000
) -> DocumentsOut:
    """The documents of a session, whatever their state, in the order of adding."""
    found = service.documents.list(session)
    shown = [DocumentOut.model_validate(d) for d in found[offset : offset + limit]]
    return DocumentsOut(documents=shown, total=len(found))


# ------------------------------------------------------------------------- many in one request


@router.patch("/sessions/{session_id}/documents")
def change_documents(body: ManyChanged, session: SessionDep, service: ServiceDep) -> ManyOut:
    """Take many documents into the search or out of it, and give them tags or take tags away."""
    found, unknown = _found(body, session, service)
    if body.add_tags or body.remove_tags:
        service.documents.tag(session, found, body.add_tags, body.remove_tags)
    if body.searched is not None:
        service.documents.set_all_searched(session, found, body.searched)
    return ManyOut(count=len(found), unknown=unknown)


@router.post("/sessions/{session_id}/documents/retry")
def retry_documents(body: ManyDocuments, session: SessionDep, service: ServiceDep) -> ManyOut:
    """Read those of the documents again that failed or were stopped."""
    found, unknown = _found(body, session, service)
    return ManyOut(count=service.documents.retry_all(session, found), unknown=unknown)


@router.post("/sessions/{session_id}/documents/remove")
def remove_documents(body: ManyRemoved, session: SessionDep, service: ServiceDep) -> ManyOut:
    """Remove many documents, one after the other; a request that broke off can be sent again."""
    found, unknown = _found(body, session, service)
    count = service.documents.remove_all(session, found, answers_too=body.answers)
    return ManyOut(count=count, unknown=unknown)


def _found(body: ManyDocuments, session: Session, service: Service) -> tuple[list[str], list[str]]:
    """The ids of a request that are of the session's library, each once, and the others."""
    there = {document.id for document in service.documents.list(session)}
    wanted = dict.fromkeys(body.documents)
    return [one for one in wanted if one in there], [one for one in wanted if one not in there]


# ------------------------------------------------------------------------------- one of them


@router.get("/sessions/{session_id}/documents/{document_id}")
def read_document(document_id: DocumentId, session: SessionDep, service: ServiceDep) -> DocumentOut:
    """One document: its state, and what was found out about it."""
    return DocumentOut.model_validate(service.documents.get(session, document_id))


@router.patch("/sessions/{session_id}/documents/{document_id}")
def change_document(
    body: DocumentChange, document_id: DocumentId, session: SessionDep, service: ServiceDep
) -> DocumentOut:
    """Take a document into the search or out of it, and give it other tags."""
    document = service.documents.get(session, document_id)
    if body.tags is not None:
        gone = [tag for tag in document.tags if tag not in body.tags]
        service.documents.tag(session, [document.id], body.tags, gone)
    if body.searched is not None:
        service.documents.set_searched(session, document.id, body.searched)
    return DocumentOut.model_validate(service.documents.get(session, document_id))


@router.delete("/sessions/{session_id}/documents/{document_id}", status_code=204)
def delete_document(
    document_id: DocumentId,
    session: SessionDep,
    service: ServiceDep,
    answers: Annotated[
        bool,
        Query(description="Erase the answers that quote it as well, everybody's; for admins."),
    ] = False,
) -> Response:
    """Remove a document with everything that was made of it; answers that quote it stay."""
    service.documents.remove(session, document_id, answers_too=answers)
    return Response(status_code=204)


@router.post("/sessions/{session_id}/documents/{document_id}/retry")
def retry_document(
    document_id: DocumentId, session: SessionDep, service: ServiceDep
) -> DocumentOut:
    """Read a document again that failed or was stopped."""
    service.documents.retry(session, document_id)
    return DocumentOut.model_validate(service.documents.get(session, document_id))


@router.get("/sessions/{session_id}/web-pages")
def list_web_pages(session: SessionDep, service: ServiceDep) -> DocumentsOut:
    """Pages of the web that were read for answers: searched until they expire, or are kept."""
    found = [DocumentOut.model_validate(d) for d in service.documents.read_pages(session)]
    return DocumentsOut(documents=found, total=len(found))


@router.post("/sessions/{session_id}/documents/{document_id}/keep")
def keep_web_page(document_id: DocumentId, session: SessionDep, service: ServiceDep) -> DocumentOut:
    """Make a page that was read for an answer a document of the library."""
    service.documents.keep_page(session, document_id)
    return DocumentOut.model_validate(service.documents.get(session, document_id))


# ---------------------------------------------------------------------------- what is in them


@router.get(
    "/sessions/{session_id}/documents/{document_id}/text",
    response_class=Response,
    responses=files.described("text/plain", "The text; pages are separated by form feeds."),
)
def read_text(document_id: DocumentId, session: SessionDep, service: ServiceDep) -> Response:
    """The extracted text of a whole document."""
    text = "\f".join(page.text for page in service.documents.pages(session, document_id))
    return Response(text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8")


@router.get("/sessions/{session_id}/documents/{document_id}/pages")
def list_pages(
    document_id: DocumentId,
    session: SessionDep,
    service: ServiceDep,
    offset: Offset = 0,
    limit: Limit = 100,
) -> PagesOut:
    """The extracted text of a document, page by page."""
    found = service.documents.pages(session, document_id)
    shown = [PageOut.model_validate(page) for page in found[offset : offset + limit]]
    return PagesOut(pages=shown, total=len(found))


@router.get("/sessions/{session_id}/documents/{document_id}/pages/{page_ordinal}")
def read_page(
    page_ordinal: PageOrdinal, document_id: DocumentId, session: SessionDep, service: ServiceDep
) -> PageOut:
    """One page of a document."""
    return PageOut.model_validate(service.documents.page(session, document_id, page_ordinal))


@router.get(
    "/sessions/{session_id}/documents/{document_id}/pages/{page_ordinal}/image",
    response_class=Response,
    responses=files.described("image/png", "The page as it looks, with the passage marked."),
)
def read_page_image(
    page_ordinal: PageOrdinal,
    document_id: DocumentId,
    session: SessionDep,
    service: ServiceDep,
    start: Annotated[int, Query(ge=0, le=100_000_000, description="Where the mark begins.")] = 0,
    end: Annotated[int, Query(ge=0, le=100_000_000, description="Where it ends.")] = 0,
) -> Response:
    """A page of a PDF as an image, with the characters from `start` to `end` marked."""
    image = files.marked_page(service, session, document_id, page_ordinal, (start, end))
    return Response(image, media_type="image/png")


@router.get("/sessions/{session_id}/documents/{document_id}/chunks")
def list_chunks(
    document_id: DocumentId,
    session: SessionDep,
    service: ServiceDep,
    offset: Offset = 0,
    limit: Limit = 1000,
) -> ChunksOut:
    """The passages into which a document was cut."""
    found = service.documents.chunks(session, document_id)
    shown = [ChunkOut.model_validate(chunk) for chunk in found[offset : offset + limit]]
    return ChunksOut(chunks=shown, total=len(found))


@router.get(
    "/sessions/{session_id}/documents/{document_id}/original",
    response_class=FileResponse,
    responses=files.described("application/octet-stream", "The file as it came."),
)
def download_original(
    document_id: DocumentId, session: SessionDep, service: ServiceDep
) -> FileResponse:
    """The original file, to save: browsers never show it on this site."""
    document = service.documents.get(session, document_id)
    return files.download(service.documents.original(session, document.id), document.label)
