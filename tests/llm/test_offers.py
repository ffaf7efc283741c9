"""What could answer is found and named; only a server of one's own is asked before it is chosen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.llm.offers import Offer, Offers, find_offers, own_server
from tests.conftest import eventually
from tests.standins.gemini import GeminiStandin
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import KEY, settings_for

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def ollama() -> Iterator[OllamaStandin]:
    with OllamaStandin() as standin:
        yield standin


def test_a_running_ollama_is_found_with_its_models(ollama: OllamaStandin) -> None:
    ollama.models = ["nomic-embed-text:latest", "llama3.2:3b", "qwen3:4b"]
    (found,) = find_offers(settings_for(ollama))
    assert found == Offer("ollama", "Ollama", ("llama3.2:3b", "qwen3:4b"))
    assert own_server(settings_for(ollama))[0] == "ok"
    assert "llama3.2:3b, qwen3:4b" in own_server(settings_for(ollama))[1]


def test_one_without_models_is_not_offered(ollama: OllamaStandin) -> None:
    ollama.models = []
    assert find_offers(settings_for(ollama)) == ()
    assert own_server(settings_for(ollama))[0] == "warning"


def test_none_is_no_error() -> None:
    settings = Settings(ollama_url=NOWHERE)
    assert find_offers(settings) == ()
    state, detail, cure = own_server(settings)
    assert (state, detail) == ("off", f"No Ollama answers at {NOWHERE}.")
    assert "ollama serve" in cure


def test_a_key_is_offered_and_nothing_is_sent() -> None:
    with GeminiStandin() as gemini:
        settings = settings_for(gemini, gemini_api_key=KEY, ollama_url=NOWHERE)
        assert find_offers(settings) == (Offer("gemini", "Gemini"),)
        assert gemini.requests == []


def test_it_is_looked_for_in_the_background(ollama: OllamaStandin) -> None:
    offers = Offers(settings_for(ollama))
    assert offers.get() is None
    assert eventually(lambda: offers.get() is not None)
    assert [offer.provider for offer in offers.get() or ()] == ["ollama"]
