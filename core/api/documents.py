"""Documents: in, followed while they are read, looked at, and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse

from core.access import Caller, session_for
from core.api import files, uploads
from core.api.auth import TheCaller, TheJob, TheService, TheSession
from core.api.models import SHA256, UUID, DocumentChange, SessionId, Urls
from core.api.problems import responses
from core.api.replies import (
    ChunkOut,
    ChunksOut,
    DocumentOut,
    DocumentsOut,
    JobOut,
    PageOut,
    PagesOut,
)
from core.errors import InvalidRequest
from core.service import SameName, Service
from core.types import AddOutcome, AddResult, Document, Job, Session

router = APIRouter(tags=["Documents"])
T = TypeVar("T")

DocumentId = Annotated[str, Path(pattern=SHA256, description="The id of a document.")]
PageOrdinal = Annotated[int, Path(ge=0, le=1_000_000, description="Counted from 0.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
Limit = Annotated[int, Query(ge=1, le=5000, description="The most to give.")]

_SAME_NAME: tuple[SameName, ...] = ("ask", "replace", "keep")
_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "additionalProperties": False,
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": 200,
                            "items": {"type": "string", "format": "binary"},
                        },
                        "session_id": {"type": "string", "pattern": UUID},
                        "on_same_name": {
                            "type": "string",
                            "enum": list(_SAME_NAME),
                            "default": "ask",
                            "description": "Where a document of this name has other content.",
                        },
                    },
                }
            }
        },
    }
}
_WITH_UPLOAD = responses(507)


@router.post(
    "/ingest-files/",
    status_code=202,
    openapi_extra=_FORM,
    responses=_WITH_UPLOAD,
)
async def ingest_files(request: Request, caller: TheCaller, service: TheService) -> JobOut:
    """Add files to a session (a new one if none is named); the answer says what became of each.

    They are read in the background: follow the job.
    """
    upload = await uploads.receive(request, service.settings, service.spool)
    try:
        return await run_in_threadpool(_add_files, service, caller, upload)
    finally:
        upload.close()


@router.post("/ingest-urls/", status_code=202)
def ingest_urls(body: Urls, caller: TheCaller, service: TheService) -> JobOut:
    """Add web pages by their addresses; only public ones are fetched."""
    session = _target(service, caller, body.session_id)
    return _followed(service, session, service.add_urls(session, body.urls))


@router.post("/sessions/{session_id}/samples", status_code=202)
def load_samples(session: TheSession, service: TheService) -> JobOut:
    """Add the sample library that comes with the program."""
    return _followed(service, session, service.load_samples(session))


@router.get("/jobs/{job_id}", tags=["Jobs"])
def read_job(found: TheJob, service: TheService) -> JobOut:
    """How far the documents of one ingest call are."""
    session, job = found
    return JobOut.of(job, service.documents(session))


@router.delete("/jobs/{job_id}", tags=["Jobs"])
def cancel_job(found: TheJob, service: TheService) -> JobOut:
    """Stop reading the documents of a job; those that are ready stay."""
    session, job = found
    service.stop(session, [item.document_id for item in job.items if _is_new(item.outcome)])
    return JobOut.of(job, service.documents(session))


@router.get("/sessions/{session_id}/documents")
def list_documents(
    session: TheSession, service: TheService, offset: Offset = 0, limit: Limit = 1000
) -> DocumentsOut:
    """The documents of a session, whatever their state, in the order of adding."""
    found = service.documents(session)
    shown = [DocumentOut.model_validate(d) for d in found[offset : offset + limit]]
    return DocumentsOut(documents=shown, total=len(found))


@router.get("/sessions/{session_id}/documents/{document_id}")
def read_document(document_id: DocumentId, session: TheSession, service: TheService) -> DocumentOut:
    """One document: where it stands, and what is known of it."""
    return DocumentOut.model_validate(service.document(session, document_id))


@router.patch("/sessions/{session_id}/documents/{document_id}")
def change_document(
    body: DocumentChange, document_id: DocumentId, session: TheSession, service: TheService
) -> DocumentOut:
    """Take a document into the search or out of it."""
    service.set_searched(session, document_id, body.searched)
    return DocumentOut.model_validate(service.document(session, document_id))


@router.delete("/sessions/{session_id}/documents/{document_id}", status_code=204)
def delete_document(document_id: DocumentId, session: TheSession, service: TheService) -> Response:
    """Remove a document with everything that was made of it."""
    service.remove(session, document_id)
    return Response(status_code=204)


@router.post("/sessions/{session_id}/documents/{document_id}/retry")
def retry_document(
    document_id: DocumentId, session: TheSession, service: TheService
) -> DocumentOut:
    """Read a document again that failed or was stopped."""
    service.retry(session, document_id)
    return DocumentOut.model_validate(service.document(session, document_id))


# ---------------------------------------------------------------------------- what is in them


@router.get(
    "/sessions/{session_id}/documents/{document_id}/text",
    response_class=Response,
    responses=files.described("text/plain", "The text; a form feed stands between pages."),
)
def read_text(document_id: DocumentId, session: TheSession, service: TheService) -> Response:
    """The extracted text of a whole document."""
    text = "\f".join(page.text for page in service.pages(session, document_id))
    return Response(text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8")


@router.get("/sessions/{session_id}/documents/{document_id}/pages")
def list_pages(
    document_id: DocumentId,
    session: TheSession,
    service: TheService,
    offset: Offset = 0,
    limit: Limit = 100,
) -> PagesOut:
    """The extracted text of a document, page by page."""
    found = service.pages(session, document_id)
    shown = [PageOut.model_validate(page) for page in found[offset : offset + limit]]
    return PagesOut(pages=shown, total=len(found))


@router.get("/sessions/{session_id}/documents/{document_id}/pages/{page_ordinal}")
def read_page(
    page_ordinal: PageOrdinal, document_id: DocumentId, session: TheSession, service: TheService
) -> PageOut:
    """One page of a document."""
    return PageOut.model_validate(service.page(session, document_id, page_ordinal))


@router.get(
    "/sessions/{session_id}/documents/{document_id}/pages/{page_ordinal}/image",
    response_class=Response,
    responses=files.described("image/png", "The page as it looks, with the passage marked."),
)
def read_page_image(
    page_ordinal: PageOrdinal,
    document_id: DocumentId,
    session: TheSession,
    service: TheService,
    start: Annotated[int, Query(ge=0, le=100_000_000, description="Where the mark begins.")] = 0,
    end: Annotated[int, Query(ge=0, le=100_000_000, description="Where it ends.")] = 0,
) -> Response:
    """A page of a PDF as an image, with the characters from `start` to `end` marked."""
    image = files.marked_page(service, session, document_id, page_ordinal, (start, end))
    return Response(image, media_type="image/png")


@router.get("/sessions/{session_id}/documents/{document_id}/chunks")
def list_chunks(
    document_id: DocumentId,
    session: TheSession,
    service: TheService,
    offset: Offset = 0,
    limit: Limit = 1000,
) -> ChunksOut:
    """The passages into which a document was cut."""
    found = service.chunks(session, document_id)
    shown = [ChunkOut.model_validate(chunk) for chunk in found[offset : offset + limit]]
    return ChunksOut(chunks=shown, total=len(found))


@router.get(
    "/sessions/{session_id}/documents/{document_id}/original",
    response_class=FileResponse,
    responses=files.described("application/octet-stream", "The file as it came."),
)
def download_original(
    document_id: DocumentId, session: TheSession, service: TheService
) -> FileResponse:
    """The original file, to save: browsers never show it on this site."""
    document = service.document(session, document_id)
    return files.download(service.original(session, document.id), document.label)


# -------------------------------------------------------------------------------- inside


def _add_files(service: Service, caller: Caller, upload: uploads.Upload) -> JobOut:
    unknown = set(upload.fields) - {"session_id", "on_same_name"}
    wish = upload.fields.get("on_same_name", "ask")
    if unknown or wish not in _SAME_NAME:
        raise InvalidRequest(
            "The form has a field or a value that is not known.",
            "Fields: files, session_id, on_same_name (ask, replace or keep).",
        )
    if not upload.files:
        raise InvalidRequest("The form holds no file.", "Send files in the field `files`.")
    session = _target(service, caller, upload.fields.get("session_id"))
    results = [
        service.add_file(session, name, file, next(s for s in _SAME_NAME if s == wish))
        for name, file in upload.files
    ]
    return _followed(service, session, results)


def _target(service: Service, caller: Caller, session_id: SessionId | None) -> Session:
    """The session to add to; a new one where none is named."""
    if session_id is None and caller.only_session is None:
        return service.create_session(caller.owner_id)
    return session_for(service, caller, session_id)


def _followed(service: Service, session: Session, results: Sequence[AddResult]) -> JobOut:
    job: Job = service.create_job(session, results)
    documents: list[Document] = service.documents(session)
    return JobOut.of(job, documents)


def _is_new(outcome: AddOutcome) -> bool:
    return outcome in (AddOutcome.ACCEPTED, AddOutcome.REPLACED)
