"""Answers that their authors show to everybody in the session."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from core.answering.inert import inert_answer
from core.api.answers import AnswerOut
from core.api.asking import session_root
from core.api.auth import ServiceDep, SessionDep
from core.api.models import UUID, AnswerToShare
from core.api.replies import Reply, Text

router = APIRouter(tags=["Shared answers"])
SharedId = Annotated[str, Path(pattern=UUID, description="The id of a shared answer.")]


class SharedAnswerOut(Reply):
    """An answer that everybody who may see the session's documents may read."""

    id: str
    question: Text
    shared_at: datetime
    shared_by: Text = Field(description='Whose it is; "" where nobody signs in.')
    mine: bool = Field(description="Whether it is yours.")


class SharedAnswersOut(Reply):
    """What is shared in a session, the last first."""

    shared_answers: list[SharedAnswerOut]


class SharedAnswerWhole(SharedAnswerOut):
    """A shared answer with its sources; how it was searched is not shared."""

    answer: AnswerOut


@router.get("/sessions/{session_id}/shared-answers")
def list_shared_answers(session: SessionDep, service: ServiceDep) -> SharedAnswersOut:
    """The answers that people share in a session, the last first."""
    found = [SharedAnswerOut.model_validate(one) for one in service.shared_answers.list(session)]
    return SharedAnswersOut(shared_answers=found)


@router.post("/sessions/{session_id}/shared-answers", status_code=201)
def share_answer(body: AnswerToShare, session: SessionDep, service: ServiceDep) -> SharedAnswerOut:
    """Let everybody in the session read one of your answers, with its question and its sources."""
    shared = service.shared_answers.share(session, body.conversation_id, body.message_id)
    return SharedAnswerOut.model_validate(shared)


@router.get("/sessions/{session_id}/shared-answers/{shared_id}")
def read_shared_answer(
    shared_id: SharedId, session: SessionDep, service: ServiceDep, request: Request
) -> SharedAnswerWhole:
    """A shared answer with its sources."""
    shared = service.shared_answers.get(session, shared_id)
    assert shared.answer is not None
    answer = AnswerOut.of(inert_answer(shared.answer), session_root(request, session))
    return SharedAnswerWhole(
        id=shared.id,
        question=shared.question,
        shared_at=shared.shared_at,
        shared_by=shared.shared_by,
        mine=shared.mine,
        answer=answer,
    )


@router.delete("/sessions/{session_id}/shared-answers/{shared_id}", status_code=204)
def end_sharing(shared_id: SharedId, session: SessionDep, service: ServiceDep) -> Response:
    """Share an answer no longer: your own, and as an admin anybody's."""
    service.shared_answers.end(session, shared_id)
    return Response(status_code=204)
