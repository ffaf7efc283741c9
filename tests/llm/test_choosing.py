"""Which model a request may name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from core.config import Settings
from core.errors import InvalidRequest
from core.llm.choice import choose, usual_choice
from core.types import ModelChoice
from tests.standins.openai_server import OpenAIStandin

NOTHING = Settings(ollama_url="")
USUAL = Settings(chat_provider="ollama", chat_model="llama")


@pytest.fixture
def standin() -> Iterator[OpenAIStandin]:
    """A server that lists one model."""
    with OpenAIStandin() as standin:
        yield standin


def test_without_any_choice_sources_are_quoted() -> None:
    assert choose(NOTHING, None) is None
    assert choose(USUAL, None, provider="") is None
    assert choose(USUAL, {"provider": "", "model": ""}) is None


def test_the_session_comes_before_the_settings() -> None:
    assert usual_choice(USUAL, None) == ModelChoice("ollama", "llama")
    preferred = {"provider": "gemini", "model": "flash"}
    assert usual_choice(USUAL, preferred) == ModelChoice("gemini", "flash")
    assert usual_choice(USUAL, {"provider": "evil"}) == ModelChoice("ollama", "llama")
    assert usual_choice(USUAL, "nonsense") == ModelChoice("ollama", "llama")


def test_a_key_goes_with_the_choice() -> None:
    key = SecretStr("k")
    chosen = choose(Settings(), {"provider": "gemini", "model": "flash"}, key=key)
    assert chosen is not None
    assert chosen.key is key
    assert "k" not in repr(chosen).replace("key", "").replace("ModelChoice", "")


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "x"), ("gemini", "x"), ("ollama", "x"), ("evil", "x"), ("../x", "x")],
)
def test_what_is_not_set_up_cannot_be_named(provider: str, model: str) -> None:
    with pytest.raises(InvalidRequest, match="not set up"):
        choose(NOTHING, None, provider, model)


def test_a_model_without_a_provider_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="provider"):
        choose(NOTHING, None, None, "x")
    with pytest.raises(InvalidRequest, match="No model"):
        choose(Settings(openai_url="http://127.0.0.1:9/v1"), None, "openai")


def test_a_model_must_be_listed_or_usual(standin: OpenAIStandin) -> None:
    settings = Settings(openai_url=standin.url)
    assert choose(settings, None, "openai", "standin") == ModelChoice("openai", "standin")
    with pytest.raises(InvalidRequest, match="offers no model") as refused:
        choose(settings, None, "openai", "other")
    assert "standin" in refused.value.cure
    listed = len(standin.requests)
    usual = {"provider": "openai", "model": "mine"}
    assert choose(settings, usual, "openai", "mine") == ModelChoice("openai", "mine")
    assert choose(settings, usual, "openai") == ModelChoice("openai", "mine")
    assert len(standin.requests) == listed  # nobody was asked
