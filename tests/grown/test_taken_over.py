"""A question whose process ends is answered by another one: once, as it was asked.

Two `Service` hold the same locks as two processes do: the locks are of their connections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from core import service as service_module
from core.errors import AppError, Interrupted, ModelUnavailable, NotAllowed
from core.library import conversations
from core.pipeline import Pipeline
from core.service import Service
from core.storage.sql.sessions import Sessions
from core.types import (
    Answer,
    AskRequest,
    Level,
    Message,
    ModelChoice,
    QueryOptions,
    Scope,
    Session,
)
from tests.conftest import eventually
from tests.grown.server import Server
from tests.grown.test_claims import cut_off, replica

pytestmark = [pytest.mark.grown, pytest.mark.F28]

QUESTION = "When is the pier open?"
OPTIONS = QueryOptions(level=Level.AS_TYPED, scope=Scope(documents=frozenset({"D"})))


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Service]:
    with closing(Service(replica(tmp_path, "first"), background=False)) as service:
        yield service


@pytest.fixture
def second(tmp_path: Path, first: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(conversations, "PATIENCE", 0.0)
    with closing(Service(replica(tmp_path, "second"), background=False)) as service:
        yield service


@pytest.fixture
def session(first: Service) -> Session:
    return first.sessions.create(first.owners.for_token("somebody"), "Mine")


@pytest.fixture
def talk(first: Service, session: Session) -> str:
    return first.conversations.create(session, QUESTION).id


def said(service: Service, session: Session, talk: str) -> list[Message]:
    return service.conversations.messages(session, talk)


def asked_of(answers: Sequence[object]) -> list[Scope]:
    return [one.scope for one in answers if isinstance(one, Answer)]


def test_it_is_answered_once_by_the_one_that_lives(
    first: Service,
    second: Service,
    session: Session,
    talk: str,
    postgresql: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[AskRequest] = []
    events = Pipeline.ask
    monkeypatch.setattr(
        Pipeline, "ask", lambda self, request: asked.append(request) or events(self, request)
    )
    answering = first.ask(AskRequest(session, QUESTION, talk, options=OPTIONS))
    next(answering)
    (question,) = said(second, session, talk)
    again = AskRequest(session, QUESTION, talk)
    assert not second.conversations.is_left(session, question)
    assert list(second.ask_again(again)) == []
    cut_off(first.stores, postgresql)
    assert second.conversations.is_left(session, question)
    assert asked_of(list(second.ask_again(again))) == [OPTIONS.scope]
    assert [one.role for one in said(second, session, talk)] == ["user", "assistant"]
    assert said(second, session, talk)[0].asked is None
    assert [(one.question, one.history) for one in asked] == [(QUESTION, [])] * 2
    with pytest.raises(Interrupted):  # it was cut off only, and comes back
        list(answering)
    assert len(said(second, session, talk)) == 2
    assert list(second.ask_again(again)) == []


def test_two_processes_ended_with_it_and_a_person_decides(
    first: Service, second: Service, session: Session, talk: str, tmp_path: Path, postgresql: Server
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    cut_off(first.stores, postgresql)
    also = second.ask_again(AskRequest(session, QUESTION, talk))
    next(also)
    cut_off(second.stores, postgresql)
    with closing(Service(replica(tmp_path, "third"), background=False)) as third:
        (question,) = said(third, session, talk)
        assert question.deaths == 1
        assert third.conversations.is_left(session, question)
        assert list(third.ask_again(AskRequest(session, QUESTION, talk))) == []
        (question,) = said(third, session, talk)
        assert question.asked is None
        assert not third.conversations.is_left(session, question)


def test_after_a_restart_of_the_database_it_is_still_its_own(
    first: Service, second: Service, session: Session, talk: str, postgresql: Server
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    (question,) = said(second, session, talk)
    cut_off(first.stores, postgresql)
    first.catalogue.database.keep_claim()
    assert not second.conversations.is_left(session, question)
    list(answering)
    assert [one.role for one in said(second, session, talk)] == ["user", "assistant"]


def test_a_process_that_is_stopped_leaves_its_question(
    first: Service, second: Service, session: Session, talk: str
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    first.close()
    del answering  # its generator ends
    (question,) = said(second, session, talk)
    assert second.conversations.is_left(session, question)
    assert len(asked_of(list(second.ask_again(AskRequest(session, QUESTION, talk))))) == 1


def test_what_failed_waits_for_a_person(
    first: Service, session: Session, talk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Pipeline, request: AskRequest) -> Iterator[object]:
        raise ModelUnavailable("Its weights are not here.")
        yield

    monkeypatch.setattr(Pipeline, "ask", fails)
    with pytest.raises(AppError, match="weights"):
        list(first.ask(AskRequest(session, QUESTION, talk)))
    assert [one.asked for one in said(first, session, talk)] == [None]


def test_what_a_person_stopped_stays_stopped(first: Service, session: Session, talk: str) -> None:
    *_, answer = first.ask(AskRequest(session, QUESTION, talk, cancelled=lambda: True))
    assert isinstance(answer, Answer)
    assert [one.asked for one in said(first, session, talk)] == [None, None]


def test_what_a_person_stopped_is_not_begun_anew_when_its_process_ends(
    first: Service, second: Service, session: Session, talk: str, postgresql: Server
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    first.conversations.stop(session, talk)
    cut_off(first.stores, postgresql)
    (question,) = said(second, session, talk)
    assert not second.conversations.is_left(session, question)
    assert list(second.ask_again(AskRequest(session, QUESTION, talk))) == []
    list(answering)  # while it lives, what was written is kept
    assert [one.role for one in said(second, session, talk)] == ["user", "assistant"]


def test_what_was_stopped_before_it_began_is_not_begun_anew(
    first: Service, session: Session, talk: str
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk, cancelled=lambda: True))
    next(answering)
    assert [one.asked for one in said(first, session, talk)] == [None]
    del answering


def test_without_a_page_it_is_answered_in_the_background(
    first: Service,
    second: Service,
    session: Session,
    talk: str,
    postgresql: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert service_module._NO_PAGE > conversations.PATIENCE, "a page shows the words as they come"
    monkeypatch.setattr(service_module, "_NO_PAGE", 0.0)
    assert second._answer_left in second.claims.take_over
    answering = first.ask(AskRequest(session, QUESTION, talk, options=OPTIONS))
    next(answering)
    second._answer_left(0.0)
    assert second.catalogue.conversations.left(0.0) == []
    cut_off(first.stores, postgresql)
    second._answer_left(0.0)
    assert eventually(lambda: len(said(second, session, talk)) == 2)
    _, answer = said(second, session, talk)
    assert answer.answer is not None
    assert answer.answer.scope == OPTIONS.scope


def test_what_is_not_shared_with_its_person_any_more_is_not_answered(
    first: Service,
    second: Service,
    session: Session,
    talk: str,
    postgresql: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service_module, "_NO_PAGE", 0.0)
    monkeypatch.setattr(Sessions, "get", lambda self, owner_id, session_id: None)
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    cut_off(first.stores, postgresql)
    second._answer_left(0.0)
    assert eventually(lambda: said(second, session, talk)[0].asked is None)
    assert len(said(second, session, talk)) == 1


def test_a_program_that_hangs_up_leaves_nothing(
    first: Service, session: Session, talk: str
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    assert said(first, session, talk)[0].asked is not None
    del answering
    assert [one.asked for one in said(first, session, talk)] == [None]


def test_what_may_not_be_asked_any_more_waits_for_a_person(
    first: Service,
    second: Service,
    session: Session,
    talk: str,
    postgresql: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answering = first.ask(AskRequest(session, QUESTION, talk))
    next(answering)
    cut_off(first.stores, postgresql)

    def refuses(self: Service, request: AskRequest) -> AskRequest:
        raise NotAllowed("No longer.")

    monkeypatch.setattr(Service, "_completed", refuses)
    with pytest.raises(NotAllowed):
        list(second.ask_again(AskRequest(session, QUESTION, talk)))
    assert [one.asked for one in said(second, session, talk)] == [None]


def test_a_key_of_a_page_is_not_kept(first: Service, session: Session, talk: str) -> None:
    choice = ModelChoice("gemini", "some", SecretStr("secret"))
    answering = first.ask(AskRequest(session, QUESTION, talk, model=choice))
    next(answering)
    assert [one.asked for one in said(first, session, talk)] == [None]
    del answering  # what is answered has nothing kept of it in any case
