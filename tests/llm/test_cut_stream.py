"""The stream ends without its end: EOF, reset, a cut chunk. It is never taken for complete."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, ask

pytestmark = pytest.mark.G04


@pytest.mark.parametrize("mode", ["eof", "rst", "cut-chunk"])
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_cut(provider: str, mode: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(mode, text=ANSWER))
    assert asked.answer.text == GIVEN
    assert not asked.answer.complete
    assert "interrupted" in asked.told
    assert asked.answer.citations


@pytest.mark.parametrize("half", [" [Source", " [", " [Source 1", " [1,", " 【1", " (Source 1"])
def test_half_a_mark_is_not_shown(half: str) -> None:
    with STANDINS["ollama"]() as standin:
        asked = ask(standin, Reply("eof", text=ANSWER + " So it is" + half))
    assert asked.answer.text == asked.shown == GIVEN + " So it is"


def test_half_a_sentence_is() -> None:
    with STANDINS["ollama"]() as standin:
        asked = ask(standin, Reply("eof", text=ANSWER + " It (as many"))
    assert asked.answer.text == GIVEN + " It (as many"
