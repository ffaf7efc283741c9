"""G7: the model is not there: the command that brings it, and the look ahead of the Status page."""

from __future__ import annotations

from core.models.chat import check_provider
from tests.faults.asking import ask
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import settings_for
from tests.standins.scripts import Reply


def test_the_answer_names_the_cure() -> None:
    with OllamaStandin() as standin:
        asked = ask(standin, Reply("missing"))
    assert "ollama pull standin:latest" in asked.told
    assert asked.answer.answerer == "extractive"
    assert asked.answer.citations


def test_a_model_that_was_deleted_since() -> None:
    with OllamaStandin() as standin:
        ask(standin)
        asked = ask_for_the_first_then_delete(standin)
    assert "ollama pull standin:latest" in asked


def ask_for_the_first_then_delete(standin: OllamaStandin) -> str:
    from tests.faults.asking import events, gathered

    stream = events(standin, Reply())
    standin.models.clear()
    return gathered(stream).told


def test_the_status_page_looks_ahead() -> None:
    with OllamaStandin() as standin:
        settings = settings_for(standin, chat_provider="ollama", chat_model="gone:7b")
        state, detail, cure = check_provider(settings)
    assert (state, cure) == ("error", "Run `ollama pull gone:7b`.")
    assert "standin:latest" in detail
