"""The model is not there: the command that brings it, and the look ahead of the Status page."""

from __future__ import annotations

import pytest

from core.llm.choice import check_provider
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import settings_for
from tests.standins.scripts import Reply
from tests.support.asking import ask, events, gathered

pytestmark = pytest.mark.G07


def test_the_answer_names_the_cure() -> None:
    with OllamaStandin() as standin:
        asked = ask(standin, Reply("missing"))
    assert "ollama pull standin:latest" in asked.told
    assert asked.answer.answerer == "extractive"
    assert asked.answer.citations


def test_a_model_that_was_deleted_since() -> None:
    with OllamaStandin() as standin:
        stream = events(standin, Reply())
        standin.models.clear()
        told = gathered(stream).told
    assert "ollama pull standin:latest" in told


@pytest.mark.parametrize("name", ["", "../x"])
def test_no_model_at_all(name: str) -> None:
    with OllamaStandin() as standin:
        standin.models[0] = name
        asked = ask(standin)
        assert standin.requests == []
    assert asked.answer.answerer == "extractive"
    assert "side bar" in asked.told


def test_the_status_page_looks_ahead() -> None:
    with OllamaStandin() as standin:
        settings = settings_for(standin, chat_provider="ollama", chat_model="gone:7b")
        state, detail, cure = check_provider(settings)
    assert (state, cure) == ("error", "Run `ollama pull gone:7b`.")
    assert "standin:latest" in detail
