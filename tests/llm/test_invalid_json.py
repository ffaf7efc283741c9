"""Half objects, two objects on a line, objects and characters split over TCP segments, JSON of
another shape, an error inside a 200. Put together again or an error; never a traceback."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.G06

TEXT = "Grüße aus 東京 🗼: 1889 [Source 1]."
SHOWN = "Grüße aus 東京 🗼: 1889 [1]."


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.llm.stream._WAITS", (0.02, 0.02))


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_split(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("split", text=TEXT))
    assert asked.answer.text == SHOWN
    assert asked.answer.complete


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("mode", ["invalid-json", "two-objects", "odd-json", "error-in-stream"])
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_broken(provider: str, mode: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(mode, text=TEXT))
    whole = asked.answer.text == SHOWN and asked.answer.complete
    kept = not asked.answer.complete and "interrupted" in asked.told
    quoted = asked.answer.answerer == "extractive" and asked.answer.notices
    assert whole or kept or quoted
    assert "Traceback" not in asked.told
    assert "Expecting" not in asked.told, "no text of a foreign exception"
