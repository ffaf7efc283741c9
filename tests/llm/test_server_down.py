"""The model's server is down. Said at once with the cure; the sources still answer."""

from __future__ import annotations

import time

import pytest

from tests.standins.providers import STANDINS
from tests.support.asking import ask

pytestmark = pytest.mark.G01


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_refused(provider: str) -> None:
    with STANDINS[provider]() as standin:
        ask(standin)  # whatever is loaded at the first time is loaded now
        standin.close()
        began = time.monotonic()
        asked = ask(standin)
    assert time.monotonic() - began < 10
    assert f"is not reachable at {standin.url}" in asked.told
    assert ("ollama serve" in asked.told) == (provider == "ollama")
    assert "searched for quotes instead" in asked.told
    assert asked.answer.answerer == "extractive"
    assert "1889" in asked.answer.text
    assert asked.answer.citations
