"""Which answer of this process the page still shows, beside what the conversation holds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import AppError, Interrupted, ModelBusy
from core.types import Answer, AskRequest, Event, Message, Session
from core.ui.chat.background import Run
from core.ui.chat.page import _is_pending

pytestmark = pytest.mark.F28

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER, EARLIER = NOW + timedelta(seconds=9), NOW - timedelta(seconds=9)


def ended(error: AppError | None) -> Run:
    """A run that began `NOW` and ended with this error."""

    def ask(_: AskRequest) -> Iterator[Event]:
        yield Answer("q", "It is so.")
        if error is not None:
            raise error

    run = Run("q", NOW)
    run.follow(ask, AskRequest(Session("s", "o", "S", NOW, NOW), "q", "c"))
    return run


def answered(at: datetime) -> list[Message]:
    return [
        Message(1, "user", "q", at),
        Message(2, "assistant", "It is so.", at, Answer("q", "It is so.")),
    ]


def test_a_failure_is_shown_below_what_was_answered_before() -> None:
    run = ended(ModelBusy("Too many at once."))
    assert _is_pending(run, [])
    assert _is_pending(run, answered(EARLIER))
    assert _is_pending(run, [*answered(EARLIER), Message(3, "user", "q", NOW)])


@pytest.mark.parametrize("at", [NOW, LATER])
def test_what_was_answered_since_takes_the_place_of_a_failure(at: datetime) -> None:
    assert not _is_pending(ended(ModelBusy("Too many at once.")), answered(at))


def test_what_another_process_took_over_and_what_went_well_are_of_the_conversation() -> None:
    for run in (ended(Interrupted("Another process has taken it over.")), ended(None)):
        assert not _is_pending(run, [])
        assert not _is_pending(run, answered(EARLIER))


def test_what_is_being_written_is_shown_whatever_was_answered() -> None:
    assert _is_pending(Run("q", NOW), answered(LATER))
