"""The server accepts and never answers. There is a limit, and Stop works before it."""

from __future__ import annotations

import threading
import time

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.G02

HANG = Reply("hang-first")


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_the_limit_for_the_first_word(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, HANG, first_token_seconds=0.5)
        assert standin.wait_gone() is not None
    assert "said nothing for 0.5 seconds" in asked.told
    assert asked.answer.answerer == "extractive"
    assert asked.answer.citations


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_stop(provider: str) -> None:
    stop = threading.Event()
    with STANDINS[provider]() as standin:
        threading.Timer(0.5, stop.set).start()
        asked = ask(standin, HANG, cancelled=stop.is_set, first_token_seconds=60)
        ended = time.monotonic()
        gone = standin.wait_gone()
    assert gone is not None
    assert gone - ended < 8
    assert not asked.answer.complete
    assert "stopped" in asked.told
