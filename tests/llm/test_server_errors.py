"""500, 503, 429 with Retry-After, an HTML page; once or always. Never again once text came."""

from __future__ import annotations

import time

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, ask

pytestmark = pytest.mark.G05

FAILURES = {
    "500": Reply("status", status=500),
    "503": Reply("status", status=503, retry_after="0.1"),
    "busy": Reply("busy", retry_after="0.1"),
    "html": Reply("html", status=502),
}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.llm.stream._WAITS", (0.05, 0.1))


@pytest.mark.parametrize("failure", sorted(FAILURES))
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_once(provider: str, failure: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, FAILURES[failure], Reply(text=ANSWER))
        assert len(standin.chats()) == 2
    assert asked.answer.text == GIVEN
    assert asked.answer.complete


@pytest.mark.parametrize("failure", sorted(FAILURES))
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_always(provider: str, failure: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, FAILURES[failure])
        assert len(standin.chats()) == 3
    assert asked.answer.answerer == "extractive"
    assert asked.answer.notices[0].cure
    assert "html" not in asked.told.lower()


def test_a_long_wait_is_told_and_not_waited_for() -> None:
    with STANDINS["ollama"]() as standin:
        began = time.monotonic()
        asked = ask(standin, Reply("status", status=429, retry_after="120"))
        assert len(standin.chats()) == 1
    assert time.monotonic() - began < 60  # of the 120 that the server wants
    assert "Wait 120 seconds" in asked.told
