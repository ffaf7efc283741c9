"""Searches and answers, whole or as they are made."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, SecretStr

from core.access.callers import session_for
from core.access.roles import LIVE_WEB, need
from core.answering.inert import inert_events
from core.api.answers import AnswerOut, SearchOut, StepOut
from core.api.auth import CallerDep, ServiceDep
from core.api.models import QueryRequest, Scoped, SearchRequest
from core.api.problems import problem_of, responses
from core.api.running import Runner, Stopped
from core.errors import AppError, ModelError, WebSearchOff
from core.service import Service
from core.types import (
    Answer,
    AskRequest,
    Event,
    Level,
    ModelChoice,
    Scope,
    Session,
    Step,
    TextPiece,
)

router = APIRouter(tags=["Asking"])
T = TypeVar("T")

HEARTBEAT = 15.0  # seconds: shorter than the silence after which proxies hang up
_LOOK_EVERY = 0.5
_UPSTREAM = responses(502, 504)
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The answer; with `stream`, events `step`, `text`, and last `answer` "
        "(or `error`, a problem).",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
ModelKey = Annotated[
    str | None,
    Header(
        alias="X-Model-Key",
        max_length=500,
        description="A key for the provider, for this one question; kept nowhere.",
    ),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that may be asked, and the address of its session on this server."""

    request: AskRequest
    root: str


def the_searched(body: SearchRequest, caller: CallerDep, service: ServiceDep) -> Session:
    """The caller's session that a search names, where what it asks for can be had."""
    session = session_for(service, caller, body.session_id)
    if body.web and not service.settings.searxng_url:
        raise WebSearchOff("The live web cannot be searched here.")
    if body.web:
        need(session.role, LIVE_WEB)
    checked_scope(body, session, service)
    return session


async def the_asked(
    body: QueryRequest,
    request: Request,
    caller: CallerDep,
    service: ServiceDep,
    model_key: ModelKey = None,
) -> Asked:
    """The question of a request, checked as far as that goes without working on it."""

    def checked() -> Asked:
        session = the_searched(body, caller, service)
        if body.conversation_id:
            service.conversations.get(session, body.conversation_id)
        choice = chosen(service, session, body.provider, body.model, model_key)
        options = body.query_options(service.sessions.search_options(session))
        asked = AskRequest(
            session, body.question, body.conversation_id, options=options, model=choice
        )
        return Asked(asked, session_root(request, session))

    return await the_runner(request).call(checked)


@router.post("/search", response_model=SearchOut)
async def search(
    body: SearchRequest,
    session: Annotated[Session, Depends(the_searched)],
    request: Request,
    service: ServiceDep,
) -> Response:
    """Search without answering: hits with the score that each stage gave them.

    A client that disconnects ends the work.
    """

    def work(stopped: Stopped) -> Iterator[Response]:
        options = body.query_options(service.sessions.search_options(session))
        model = planner(service, session, body.level)
        asked = AskRequest(session, body.question, options=options, model=model, cancelled=stopped)
        yield as_json(SearchOut.of(service.search(asked)))

    seconds = service.settings.request_seconds
    pieces = the_runner(request).relay(work, seconds=seconds, beat=_LOOK_EVERY)
    return await first_of(pieces, request)


@router.post("/query", response_model=AnswerOut, responses={**_STREAM, **_UPSTREAM})
async def query(
    asked: Annotated[Asked, Depends(the_asked)],
    body: QueryRequest,
    request: Request,
    service: ServiceDep,
) -> Response:
    """Answer a question from the documents of a session, with citations to check.

    A client that disconnects ends the work.
    """

    def event(event: Event) -> str:
        match event:
            case Step():
                return sse(StepOut.of(event), "step")
            case TextPiece():
                back = {"withdraws": True} if event.withdraws else {}
                return sse({"text": event.text} | back, "text")
            case Answer():
                return sse(reply(event), "answer")

    def reply(answer: Answer) -> AnswerOut:
        return AnswerOut.of(answer, asked.root, asked.request.conversation_id)

    if not body.stream:
        return await answered(request, service, asked, reply)
    pieces = relayed(request, service, asked, lambda events: map(event, events))
    return event_stream(pieces, lambda error: sse(problem_of(error), "error"))


# ----------------------------------------------------- shared with the protocol of OpenAI


def the_runner(request: Request) -> Runner:
    """The threads of this application."""
    runner: Runner = request.app.state.runner
    return runner


def session_root(request: Request, session: Session) -> str:
    """The address of a session on this server."""
    return f"{request.scope.get('root_path', '')}/sessions/{session.id}"


def checked_scope(body: Scoped, session: Session, service: Service) -> Scope:
    """The scope of a question; raises `DocumentNotFound` where it names what is not there."""
    if body.documents is not None:
        known = {document.id for document in service.documents.list(session)}
        for document_id in set(body.documents) - known:
            service.documents.get(session, document_id)
    return body.scope()


def chosen(
    service: Service,
    session: Session,
    provider: str | None = None,
    model: str | None = None,
    key: str | None = None,
) -> ModelChoice | None:
    """Who answers; raises `InvalidRequest` for what is not set up here.

    A model that is named may be asked for at its server: that takes a place of those that wait.
    """
    secret = SecretStr(key) if key else None
    with service.queue.waiting.hold(session.viewer_id) if model else nullcontext():
        return service.models.choose(session, provider, model, secret)


def planner(service: Service, session: Session, level: Level) -> ModelChoice | None:
    """Who helps to understand a question; nobody where none is asked or to be had."""
    if level is Level.AS_TYPED:
        return None
    try:
        return chosen(service, session)
    except ModelError:
        return None  # the plan falls back to its rules, and says so


def relayed(
    request: Request,
    service: Service,
    asked: Asked,
    written: Callable[[Iterator[Event]], Iterator[T]],
    beat: float = HEARTBEAT,
) -> AsyncGenerator[T | None, None]:
    """What `written` makes of the events of an answer, on the thread on which they are made."""
    return the_runner(request).relay(
        lambda stopped: written(
            inert_events(service.ask(replace(asked.request, cancelled=stopped)))
        ),
        seconds=service.settings.request_seconds,
        beat=beat,
    )


async def answered(
    request: Request, service: Service, asked: Asked, reply: Callable[[Answer], BaseModel]
) -> Response:
    """The whole answer as JSON."""

    def written(events: Iterator[Event]) -> Iterator[Response]:
        return (as_json(reply(event)) for event in events if isinstance(event, Answer))

    return await first_of(relayed(request, service, asked, written, _LOOK_EVERY), request)


async def first_of(pieces: AsyncGenerator[Response | None, None], request: Request) -> Response:
    """The first response among the pieces; none is made any more where nobody waits for it."""
    async with aclosing(pieces):
        async for piece in pieces:
            if piece is not None:
                return piece
            if await request.is_disconnected():
                break
    return Response(status_code=499)  # nobody is there to read it


def event_stream(
    pieces: AsyncGenerator[str | None, None], failed: Callable[[AppError], str], end: str = ""
) -> StreamingResponse:
    """Server-sent events, with a sign of life where nothing comes for long."""

    async def sent() -> AsyncIterator[str]:
        async with aclosing(pieces):
            try:
                async for piece in pieces:
                    yield ": still working\n\n" if piece is None else piece
            except AppError as error:
                yield failed(error)
        if end:
            yield end

    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(sent(), media_type="text/event-stream", headers=headers)


def as_json(data: BaseModel) -> Response:
    """A reply that is already checked, as it is sent."""
    return Response(data.model_dump_json(), media_type="application/json")


def sse(data: BaseModel | dict[str, Any], event: str = "") -> str:
    """One server-sent event."""
    name = f"event: {event}\n" if event else ""
    body = data.model_dump_json() if isinstance(data, BaseModel) else json.dumps(data)
    return f"{name}data: {body}\n\n"
