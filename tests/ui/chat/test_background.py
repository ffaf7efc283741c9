"""Answers on threads of their own: done once, whoever looks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

from core.errors import ModelBusy
from core.types import Answer, AskRequest, Event, Session, Step, TextPiece
from core.ui.chat.background import Run, Runs

WAIT = 5.0
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def question(session_id: str, conversation_id: str, text: str = "q") -> AskRequest:
    return AskRequest(Session(session_id, "o", "S", NOW, NOW), text, conversation_id)


def quick(_: AskRequest) -> Iterator[Event]:
    yield Step("dense", count=3)
    yield TextPiece("It is ")
    yield TextPiece("so.")
    yield Answer("q", "It is so.")


def test_a_run_collects_steps_text_and_the_answer() -> None:
    run = Runs().start(question("s", "c"), quick)
    assert run.wait(WAIT)
    progress = run.progress()
    assert [step.name for step in progress.steps] == ["dense"]
    assert progress.text == "It is so."
    assert progress.answer == Answer("q", "It is so.")
    assert progress.done
    assert progress.error is None


def test_text_that_was_only_thought_is_taken_back() -> None:
    def thinking(_: AskRequest) -> Iterator[Event]:
        yield TextPiece("Hm. ")
        yield TextPiece("", withdraws=True)
        yield from quick(_)

    run = Runs().start(question("s", "c"), thinking)
    assert run.wait(WAIT)
    assert run.progress().text == "It is so."


def test_a_second_start_gives_the_run_that_is_there() -> None:
    runs, gate, calls = Runs(), threading.Event(), []

    def slow(request: AskRequest) -> Iterator[Event]:
        calls.append(1)
        gate.wait(WAIT)
        yield from quick(request)

    first = runs.start(question("s", "c"), slow)
    assert all(runs.start(question("s", "c"), slow) is first for _ in range(5))
    gate.set()
    assert first.wait(WAIT)
    assert len(calls) == 1
    assert runs.start(question("s", "c", "again"), quick) is not first


def test_runs_of_other_sessions_and_conversations_are_not_seen() -> None:
    runs = Runs()
    run = runs.start(question("s", "c"), quick)
    assert runs.get("s", "c") is run
    assert runs.get("other", "c") is None
    assert runs.get("s", "other") is None


def test_an_error_of_ours_is_kept_for_the_page() -> None:
    def failing(_: AskRequest) -> Iterator[Event]:
        yield Step("dense")
        raise ModelBusy("The server is at its limit.")

    run = Runs().start(question("s", "c"), failing)
    assert run.wait(WAIT)
    error = run.progress().error
    assert error is not None
    assert error.message == "The server is at its limit."


def test_stop_is_passed_on_and_what_came_is_kept() -> None:
    started = threading.Event()

    def endless(request: AskRequest) -> Iterator[Event]:
        text = ""
        while not request.cancelled():
            text += "word "
            started.set()
            yield TextPiece("word ")
        yield Answer("q", text, complete=False)

    run = Runs().start(question("s", "c"), endless)
    assert started.wait(WAIT)
    run.stop()
    assert run.wait(WAIT)
    answer = run.progress().answer
    assert answer is not None
    assert not answer.complete
    assert run.progress().text == answer.text


def test_forgetting_stops_what_runs() -> None:
    def until_stopped(request: AskRequest) -> Iterator[Event]:
        while not request.cancelled():
            yield TextPiece(".")
        yield Answer("q", "")

    runs = Runs()
    kept = runs.start(question("other", "c"), quick)
    gone: list[Run] = [runs.start(question("s", name), until_stopped) for name in "ab"]
    runs.forget("s")
    assert all(run.wait(WAIT) for run in gone)
    assert runs.get("s", "a") is None
    assert runs.get("other", "c") is kept


def test_old_runs_are_forgotten() -> None:
    runs = Runs()
    for number in range(150):
        assert runs.start(question("s", str(number)), quick).wait(WAIT)
    assert runs.get("s", "0") is None
    assert runs.get("s", "149") is not None


def test_the_first_words_are_waited_for_and_no_longer() -> None:
    told, gate = threading.Event(), threading.Event()

    def slow(_: AskRequest) -> Iterator[Event]:
        yield Step("dense", count=3)
        told.wait(WAIT)
        yield TextPiece("It is ")
        gate.wait(WAIT)
        yield Answer("q", "It is so.")

    run = Runs().start(question("s", "c"), slow)
    assert not run.wait_for_words(0.05)
    told.set()
    assert run.wait_for_words(WAIT)
    assert run.progress().text == "It is "
    assert not run.done
    gate.set()
    assert run.wait(WAIT)


def test_nobody_waits_for_the_words_of_an_answer_that_failed() -> None:
    def failing(_: AskRequest) -> Iterator[Event]:
        yield from ()
        raise ModelBusy("The server is at its limit.")

    run = Runs().start(question("s", "c"), failing)
    assert run.wait_for_words(WAIT)
    assert run.progress().error is not None
