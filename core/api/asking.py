"""Searches and answers, whole or as they are made."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, SecretStr

from core.access import session_for
from core.api import running
from core.api.answers import AnswerOut, SearchOut, StepOut
from core.api.auth import TheCaller, TheService
from core.api.models import QueryRequest, SearchRequest
from core.api.problems import problem_of, responses
from core.api.running import Runner
from core.errors import AppError, WebSearchOff
from core.models.choice import ModelChoice
from core.service import Service
from core.types import Answer, Event, Session, Step, TextPiece

router = APIRouter(tags=["Asking"])

STREAM_HEADERS = {"X-Accel-Buffering": "no"}
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
    """A question that may be asked: whose, where, and who shall answer."""

    session: Session
    work: running.Work
    waits: bool
    root: str
    conversation_id: str | None = None


def the_searched(body: SearchRequest, caller: TheCaller, service: TheService) -> Session:
    """The caller's session that a search names."""
    return session_for(service, caller, body.session_id)


def the_asked(
    body: QueryRequest,
    request: Request,
    caller: TheCaller,
    service: TheService,
    model_key: ModelKey = None,
) -> Asked:
    """The question of a request, checked as far as that goes without working on it."""
    session = session_for(service, caller, body.session_id)
    if body.conversation_id:
        service.conversation(session, body.conversation_id)
    if body.web:
        raise WebSearchOff("The live web cannot be searched here.")
    choice = chosen(service, session, body.provider, body.model, model_key)
    options = body.search_options(service.search_options(session))

    def work(stopped: Any) -> Any:
        return service.ask(
            session,
            body.question,
            body.conversation_id,
            options,
            model=choice,
            level=body.level,
            cancelled=stopped,
        )

    root = session_root(request, session)
    return Asked(session, work, choice is not None, root, body.conversation_id)


@router.post("/search")
async def search(
    body: SearchRequest,
    session: Annotated[Session, Depends(the_searched)],
    request: Request,
    service: TheService,
) -> SearchOut:
    """Search without answering: hits with the score that each stage gave them."""

    def work() -> SearchOut:
        options = body.search_options(service.search_options(session))
        return SearchOut.of(service.search(session, body.question, options, level=body.level))

    return await the_runner(request).call(work)


@router.post("/query", response_model=AnswerOut, responses={**_STREAM, **_UPSTREAM})
async def query(
    body: QueryRequest,
    asked: Annotated[Asked, Depends(the_asked)],
    request: Request,
    service: TheService,
) -> Any:
    """Answer a question from the documents of a session, with citations to check.

    Whoever hangs up ends the work.
    """
    if body.stream:
        events = stream(request, service, asked, HEARTBEAT)
        return StreamingResponse(
            _sent(events, asked), media_type="text/event-stream", headers=STREAM_HEADERS
        )
    answer = await whole(request, service, asked)
    if answer is None:
        return Response(status_code=499)  # nobody is there to read it
    return AnswerOut.of(answer, asked.root, asked.conversation_id)


# ----------------------------------------------------- shared with the protocol of OpenAI


def the_runner(request: Request) -> Runner:
    """The threads of this application."""
    runner: Runner = request.app.state.runner
    return runner


def session_root(request: Request, session: Session) -> str:
    """The address of a session on this server."""
    return f"{request.scope.get('root_path', '')}/sessions/{session.id}"


def chosen(
    service: Service,
    session: Session,
    provider: str | None = None,
    model: str | None = None,
    key: str | None = None,
) -> ModelChoice | None:
    """Who answers; raises `InvalidRequest` for what is not set up here."""
    return service.model_choice(session, provider, model, SecretStr(key) if key else None)


def stream(
    request: Request, service: Service, asked: Asked, beat: float
) -> AsyncIterator[Event | None]:
    """The events of an answer; None when there was none for `beat` seconds."""
    seconds = service.settings.request_seconds
    return the_runner(request).events(asked.work, waits=asked.waits, seconds=seconds, beat=beat)


async def whole(request: Request, service: Service, asked: Asked) -> Answer | None:
    """The answer, or None if whoever asked has hung up."""
    answer: Answer | None = None
    async with aclosing(stream(request, service, asked, _LOOK_EVERY)) as events:  # type: ignore[type-var]
        async for event in events:
            if event is None and await request.is_disconnected():
                return None
            if isinstance(event, Answer):
                answer = event
    return answer


def sse(data: BaseModel | dict[str, Any], event: str = "") -> str:
    """One server-sent event."""
    name = f"event: {event}\n" if event else ""
    body = data.model_dump_json() if isinstance(data, BaseModel) else json.dumps(data)
    return f"{name}data: {body}\n\n"


async def _sent(events: AsyncIterator[Event | None], asked: Asked) -> AsyncIterator[str]:
    async with aclosing(events):  # type: ignore[type-var]
        try:
            async for event in events:
                yield _one(event, asked)
        except AppError as error:
            yield sse(problem_of(error), "error")


def _one(event: Event | None, asked: Asked) -> str:
    match event:
        case None:
            return ": still working\n\n"
        case Step():
            return sse(StepOut.model_validate(event), "step")
        case TextPiece():
            return sse({"text": event.text}, "text")
        case Answer():
            return sse(AnswerOut.of(event, asked.root, asked.conversation_id), "answer")
