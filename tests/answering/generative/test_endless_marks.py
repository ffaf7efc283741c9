"""A model that writes marks for ever is stopped, and the answer says so."""

from __future__ import annotations

import pytest

from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.D08


@pytest.mark.parametrize("mark", ["[Source 99]", "[Source 1]", "[1]", "【3】 "])
def test_a_loop_of_marks(mark: str) -> None:
    with OllamaStandin() as standin:
        # More than the buffers of a connection hold: else all is written before anyone hangs up.
        reply = Reply(pieces=("The tower was built in 1889. ", *([mark] * 50_000)))
        asked = ask(standin, reply)
        assert standin.wait_gone() is not None
    assert "repeat itself" in asked.told
    assert not asked.answer.complete
    assert len(asked.answer.text) < 60
    assert "99" not in asked.answer.text


def test_a_flood_of_different_marks() -> None:
    with OllamaStandin() as standin:
        pieces = ("So it is. ", *(f"[Source {n}]" for n in range(10_000)))
        asked = ask(standin, Reply(pieces=pieces))
    assert "past its limit" in asked.told
    assert len(asked.answer.citations) <= 2
    assert asked.answer.text.startswith("So it is.")
