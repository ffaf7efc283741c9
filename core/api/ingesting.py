"""Documents in: files and addresses, each with its result, and the job that follows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from core.access.callers import Caller, session_for
from core.api import uploads
from core.api.auth import CallerDep, JobDep, ServiceDep, SessionDep
from core.api.models import UUID, SessionId, Urls
from core.api.problems import responses
from core.api.replies import DocumentOut, Reply, Text
from core.errors import InvalidRequest
from core.ingestion.adding import SameName
from core.service import Service
from core.types import (
    AddOutcome,
    AddResult,
    CollectRun,
    CollectState,
    Document,
    DocumentState,
    Job,
    JobItem,
    Session,
)

router = APIRouter(tags=["Documents"])

_UNFINISHED = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_FOLLOWED = (AddOutcome.ACCEPTED, AddOutcome.REPLACED)
_COLLECTING = (CollectState.WAITING, CollectState.RUNNING, CollectState.INTERRUPTED)
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


class ItemOut(Reply):
    """One file or address of an ingest call, and what became of it."""

    name: Text
    outcome: AddOutcome
    reason: Text
    cure: Text
    document: DocumentOut | None
    run_id: str = Field(description="The run that takes in its pages, of what is collected.")

    @classmethod
    def of(cls, item: JobItem, document: Document | None) -> ItemOut:
        """Of the program's values."""
        return cls(
            name=item.name,
            outcome=item.outcome,
            reason=item.reason,
            cure=item.cure,
            document=DocumentOut.model_validate(document) if document else None,
            run_id=item.run_id,
        )


class JobOut(Reply):
    """How far the documents of one ingest call are."""

    job_id: str
    session_id: str
    created_at: datetime
    done: bool = Field(description="Whether nothing of it is being worked on any more.")
    progress: float = Field(description="0 to 1, over all that was accepted or is collected.")
    results: list[ItemOut]

    @classmethod
    def of(cls, job: Job, documents: Iterable[Document], runs: Sequence[CollectRun]) -> JobOut:
        """Of the program's values; `runs` are the job's. What is gone counts as done.

        Of what is collected, the run and each page that it has put into the session are followed.
        """
        known = {document.id: document for document in documents}
        followed = [known.get(i.document_id) for i in job.items if i.outcome in _FOLLOWED]
        sources = {run.source for run in runs}
        followed += [document for document in known.values() if document.source in sources]
        collecting = [run for run in runs if run.state in _COLLECTING]
        shares = [d.progress if d and d.state in _UNFINISHED else 1.0 for d in followed]
        shares += [(r.progress.share or 0.0) if r in collecting else 1.0 for r in runs]
        return cls(
            job_id=job.id,
            session_id=job.session_id,
            created_at=job.created_at,
            done=not collecting and not any(d and d.state in _UNFINISHED for d in followed),
            progress=sum(shares) / len(shares) if shares else 1.0,
            results=[ItemOut.of(item, known.get(item.document_id)) for item in job.items],
        )


@router.post("/ingest-files", status_code=202, include_in_schema=False)
@router.post(
    "/ingest-files/",
    status_code=202,
    openapi_extra=_FORM,
    responses=responses(507),
)
async def ingest_files(request: Request, caller: CallerDep, service: ServiceDep) -> JobOut:
    """Add files to a session (a new one if none is named); the answer says what became of each.

    They are read in the background: follow the job.
    """
    upload = await uploads.receive(request, service.settings, service.documents.spool)
    try:
        return await run_in_threadpool(_add_files, service, caller, upload)
    finally:
        upload.close()


@router.post("/ingest-urls", status_code=202, include_in_schema=False)
@router.post("/ingest-urls/", status_code=202)
def ingest_urls(body: Urls, caller: CallerDep, service: ServiceDep) -> JobOut:
    """Add web pages by their addresses; only public ones are fetched."""
    session = _target(service, caller, body.session_id)
    return _followed(service, session, service.documents.add_urls(session, body.urls))


@router.post("/sessions/{session_id}/samples", status_code=202)
def load_samples(session: SessionDep, service: ServiceDep) -> JobOut:
    """Add the sample library that comes with the program."""
    return _followed(service, session, service.documents.load_samples(session))


@router.get("/jobs/{job_id}", tags=["Jobs"])
def read_job(found: JobDep, service: ServiceDep) -> JobOut:
    """How far the documents of one ingest call are."""
    session, job = found
    return _as_it_is(service, session, job)


@router.delete("/jobs/{job_id}", tags=["Jobs"])
def cancel_job(found: JobDep, service: ServiceDep) -> JobOut:
    """Stop reading the documents of a job, and collecting; those that are ready stay."""
    session, job = found
    stopped = [item.document_id for item in job.items if item.outcome in _FOLLOWED]
    for run in _runs(service, session, job):
        service.collecting.stop(session, run.id)
        stopped += [d.id for d in service.documents.list(session) if d.source == run.source]
    service.documents.stop(session, stopped)
    return _as_it_is(service, session, job)


# -------------------------------------------------------------------------------- inside


def _add_files(service: Service, caller: Caller, upload: uploads.Upload) -> JobOut:
    unknown = set(upload.fields) - {"session_id", "on_same_name"}
    on_same_name = upload.fields.get("on_same_name", "ask")
    if unknown or on_same_name not in _SAME_NAME:
        raise InvalidRequest(
            "The form has a field or a value that is not known.",
            "Fields: files, session_id, on_same_name (ask, replace or keep).",
        )
    if not upload.files:
        raise InvalidRequest("The form holds no file.", "Send files in the field `files`.")
    session = _target(service, caller, upload.fields.get("session_id"))
    results = [
        service.documents.add_file(
            session, name, file, next(s for s in _SAME_NAME if s == on_same_name)
        )
        for name, file in upload.files
    ]
    return _followed(service, session, results)


def _target(service: Service, caller: Caller, session_id: SessionId | None) -> Session:
    """The session to add to; a new one where none is named."""
    if session_id is None and caller.only_session is None:
        caller.check_making()
        return service.sessions.create(caller.owner_id)
    return session_for(service, caller, session_id)


def _followed(service: Service, session: Session, results: Sequence[AddResult]) -> JobOut:
    job: Job = service.documents.create_job(session, results)
    return _as_it_is(service, session, job)


def _as_it_is(service: Service, session: Session, job: Job) -> JobOut:
    """How far a job is. Runs are read first: pages that come in between are not missed."""
    runs = _runs(service, session, job)
    return JobOut.of(job, service.documents.list(session), runs)


def _runs(service: Service, session: Session, job: Job) -> list[CollectRun]:
    """The runs that take in what a job brought, but for those that were forgotten."""
    begun = {item.run_id for item in job.items if item.run_id}
    if not begun:
        return []
    return [run for run in service.collecting.runs(session) if run.id in begun]
