"""Who asks, as dependencies: no route reaches a session but through these."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from core.access.callers import Authenticator, Caller, session_for
from core.api.models import UUID
from core.errors import JobNotFound, SessionNotFound
from core.service import Service
from core.types import Job, Session

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="A key from the Status page. Not needed on the machine that the server runs on, "
    "unless REQUIRE_API_KEY is set.",
)


async def the_service(request: Request) -> Service:
    """The service of this process."""
    service: Service = request.app.state.get_service()
    return service


def the_caller(
    request: Request,
    _: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> Caller:
    """Who sent the request; raises `KeyRequired`, `KeyRefused`, `TooManyRequests`."""
    authenticator: Authenticator = request.app.state.authenticator
    return authenticator.admit(request.headers, request.client.host if request.client else "")


ServiceDep = Annotated[Service, Depends(the_service)]
CallerDep = Annotated[Caller, Depends(the_caller)]


def session_in_path(
    session_id: Annotated[str, Path(pattern=UUID, description="The id of a session.")],
    caller: CallerDep,
    service: ServiceDep,
) -> Session:
    """The caller's session that the path names."""
    return session_for(service, caller, session_id)


def job_in_path(
    job_id: Annotated[str, Path(pattern=UUID, description="The id of a job.")],
    caller: CallerDep,
    service: ServiceDep,
) -> tuple[Session, Job]:
    """The caller's job that the path names, with its session."""
    job = service.documents.job(caller.owner_id, job_id)
    try:
        return session_for(service, caller, job.session_id), job
    except SessionNotFound:  # the key is for another session: as if there were no such job
        raise JobNotFound("There is no such job.") from None


SessionDep = Annotated[Session, Depends(session_in_path)]
JobDep = Annotated[tuple[Session, Job], Depends(job_in_path)]
