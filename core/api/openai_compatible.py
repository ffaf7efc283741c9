"""The protocol of OpenAI's chat completions: a session as a model, for clients that exist.

The last message of the user is the question, what came before is the history. Messages of the
system are not followed: the documents alone say what is answered.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response

from core.access.callers import Caller, session_for, sessions_for
from core.answering.exports.blocks import closing
from core.answering.exports.markdown import place_markdown
from core.api.answers import CitationOut
from core.api.asking import (
    Asked,
    ModelKey,
    answered,
    checked_scope,
    chosen,
    event_stream,
    relayed,
    session_root,
    sse,
)
from core.api.auth import CallerDep, ServiceDep
from core.api.models import UUID
from core.api.openai_models import (
    ChatRequest,
    Choice,
    Completion,
    Model,
    Models,
    Said,
    TokenUsage,
)
from core.api.problems import problem_of, responses
from core.api.replies import NoticeOut
from core.citations.mark import mark
from core.errors import AppError, InvalidRequest, SessionNotFound
from core.service import Service
from core.text.inert import inert
from core.text.markdown_quoting import escape_markdown
from core.types import Answer, AskRequest, Event, Message, QueryOptions, Session, TextPiece

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"])

_PREFIX = "session:"
_OF_THE_KEY = "default"
_LONGEST_QUESTION = 4000
_LONGEST_QUOTE = 300
_WAS_THINKING = "\n\n(So far the model was thinking. Its answer follows.)\n\n"
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The completion; with `stream`, chunks and then `[DONE]`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **responses(502, 504),
}


@router.get("/models")
def list_models(caller: CallerDep, service: ServiceDep) -> Models:
    """Your sessions as models; a key for one session opens it as `default` too."""
    found = [_model(session, f"{_PREFIX}{session.id}") for session in sessions_for(service, caller)]
    if caller.only_session is not None:
        found = [found[0].model_copy(update={"id": _OF_THE_KEY}), *found] if found else []
    return Models(data=found)


@router.get("/models/{model}")
def read_model(
    model: Annotated[str, Path(max_length=200, pattern=r"^[\w:.-]+$")],
    caller: CallerDep,
    service: ServiceDep,
) -> Model:
    """One session as a model."""
    return _model(_session(service, caller, model), model)


def the_chat(
    body: ChatRequest,
    request: Request,
    caller: CallerDep,
    service: ServiceDep,
    model_key: ModelKey = None,
) -> Asked:
    """The question of a chat, checked as far as that goes without working on it."""
    session = _session(service, caller, body.model)
    question, history = _question(body)
    choice = chosen(service, session, key=model_key)
    options = QueryOptions(scope=checked_scope(body, session, service))
    asked = AskRequest(session, question, history=history, options=options, model=choice)
    return Asked(asked, session_root(request, session))


@router.post("/chat/completions", response_model=Completion, responses=_STREAM)
async def complete(
    body: ChatRequest,
    asked: Annotated[Asked, Depends(the_chat)],
    request: Request,
    service: ServiceDep,
) -> Response:
    """Answer the last message from the documents of the session that `model` names."""
    if not body.stream:
        return await answered(request, service, asked, lambda a: _completion(a, asked, body))
    pieces = relayed(request, service, asked, lambda events: _chunks(events, asked, body))
    return event_stream(pieces, _failed, "data: [DONE]\n\n")


def _completion(answer: Answer, asked: Asked, body: ChatRequest) -> Completion:
    said = Said(content=whole(answer))
    return Completion(
        id=_new_id(),
        created=int(time.time()),
        model=body.model,
        choices=[Choice(message=said, finish_reason=_finish(answer))],
        usage=_usage(answer),
        citations=_citations(answer, asked),
        notices=[NoticeOut.model_validate(notice) for notice in answer.notices],
    )


def whole(answer: Answer) -> str:
    """The message of an answer: its text and its sources."""
    return answer.text + _sources(answer)


def _chunks(events: Iterator[Event], asked: Asked, body: ChatRequest) -> Iterator[str]:
    base = {
        "id": _new_id(),
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": body.model,
    }

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return sse(base | {"choices": [choice]} | more)

    yield chunk({"role": "assistant", "content": ""})
    for said, answer in contents(events):
        yield chunk({"content": said})
        if answer is not None:
            found = [c.model_dump(mode="json") for c in _citations(answer, asked)]
            yield chunk({}, _finish(answer), citations=found)
            if body.stream_options and body.stream_options.include_usage:
                yield sse(base | {"choices": [], "usage": _usage(answer).model_dump()})


def contents(events: Iterator[Event]) -> Iterator[tuple[str, Answer | None]]:
    """The pieces of the message, the last with the answer: its rest and its sources.

    This protocol cannot take text back; the reader is at least notified, and code that the
    withdrawn text left open is closed.
    """
    sent = ""
    for event in events:
        if isinstance(event, TextPiece):
            said = closing(sent) + _WAS_THINKING if event.withdraws else event.text
            sent = "" if event.withdraws else sent + event.text
            yield said, None
        elif isinstance(event, Answer):
            rest = event.text.removeprefix(sent) if event.text.startswith(sent) else ""
            yield rest + _sources(event), event


def _failed(error: AppError) -> str:
    problem = problem_of(error)
    message = f"{problem.detail} {problem.cure}".strip()
    return sse({"error": {"message": message, "type": "server_error", "code": problem.code}})


# --------------------------------------------------------------------------------- inside


def _session(service: Service, caller: Caller, model: str) -> Session:
    name = model.removeprefix(_PREFIX)
    try:
        if model == _OF_THE_KEY and caller.only_session is not None:
            return session_for(service, caller, None)
        if name != model and re.fullmatch(UUID, name):
            return session_for(service, caller, name)
    except SessionNotFound:
        pass
    raise SessionNotFound("There is no such model.", "GET /api/v1/models lists yours.")


def _model(session: Session, model: str) -> Model:
    return Model(id=model, created=int(session.created_at.timestamp()), name=session.name)


def _question(body: ChatRequest) -> tuple[str, list[Message]]:
    said = [(m.role, m.words()) for m in body.messages if m.role in ("user", "assistant")]
    if not said or said[-1][0] != "user" or not (question := said[-1][1].strip()):
        raise InvalidRequest("The last message is no question of the user.", "End with one.")
    if len(question) > _LONGEST_QUESTION:
        raise InvalidRequest(
            f"The question is longer than {_LONGEST_QUESTION} characters.", "Shorten it."
        )
    now = datetime.now(UTC)
    history = [
        Message(number, "user" if role == "user" else "assistant", text, now)
        for number, (role, text) in enumerate(said[:-1])
        if text
    ]
    return question, history


def _sources(answer: Answer) -> str:
    """The sources as text, for clients that show nothing else."""
    if not answer.citations:
        return ""
    lines = []
    for citation in answer.citations:
        quote = " ".join(citation.quote.split())
        short = quote if len(quote) <= _LONGEST_QUOTE else quote[: _LONGEST_QUOTE - 1] + "…"
        lines.append(
            f"- {mark(citation.number)} {place_markdown(citation)}: "
            f"“{inert(escape_markdown(short))}”"
        )
    return closing(answer.text) + "\n\nSources:\n" + "\n".join(lines)


def _citations(answer: Answer, asked: Asked) -> list[CitationOut]:
    return [CitationOut.of(c, answer.claims, asked.root) for c in answer.citations]


def _finish(answer: Answer) -> str:
    return "stop" if answer.complete else "length"


def _usage(answer: Answer) -> TokenUsage:
    if (used := answer.usage) is None:
        return TokenUsage()
    prompt = used.prompt_tokens or used.prompt_tokens_estimated or 0
    written = used.answer_tokens or 0
    return TokenUsage(
        prompt_tokens=prompt, completion_tokens=written, total_tokens=prompt + written
    )


def _new_id() -> str:
    return f"chatcmpl-{secrets.token_hex(12)}"
