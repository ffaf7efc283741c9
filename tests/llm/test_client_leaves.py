"""Whoever asked is gone, with a stream or without: the model's server is let go within 2 s."""

from __future__ import annotations

import threading
import time

import pytest

from core.llm.port import ChatMessage, complete
from core.llm.providers import make_chat_model
from core.types import TextPiece
from tests.standins.providers import STANDINS, choice_for, settings_for
from tests.standins.scripts import Reply
from tests.support.asking import ask, events

pytestmark = pytest.mark.G13


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_a_stream_that_is_left(provider: str) -> None:
    with STANDINS[provider]() as standin:
        stream = events(standin, Reply("repeat", gap=0.05))
        assert any(isinstance(event, TextPiece) for event in stream)
        left = time.monotonic()
        stream.close()
        gone = standin.wait_gone()
    assert gone is not None
    assert gone - left < 8


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_a_whole_answer_that_is_given_up(provider: str) -> None:
    with STANDINS[provider]() as standin:
        standin.queue(Reply("hang-middle", text="Some words."))
        model = make_chat_model(
            choice_for(standin), settings_for(standin, between_tokens_seconds=60)
        )
        asked = [ChatMessage("user", "What?")]
        complete(model, asked, max_tokens=50, cancelled=lambda: bool(standin.chats()))
        left = time.monotonic()
        gone = standin.wait_gone()
    assert gone is not None
    assert gone - left < 8


def test_the_slot_is_free_again() -> None:
    with STANDINS["ollama"]() as standin:
        before = threading.active_count()
        for _ in range(5):
            stream = events(standin, Reply("repeat", gap=0.02))
            assert any(isinstance(event, TextPiece) for event in stream)
            stream.close()
            assert standin.wait_gone() is not None
        until = time.monotonic() + 20
        while threading.active_count() > before and time.monotonic() < until:
            time.sleep(0.02)
        assert threading.active_count() <= before
        assert ask(standin, Reply()).answer.text
