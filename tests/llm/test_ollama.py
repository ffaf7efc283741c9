"""What only Ollama does: the options that are always sent, its facts, and downloads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.errors import ModelFailed, ModelMissing, ModelUnreachable
from core.llm.ollama import OllamaChat
from core.llm.port import ChatMessage, ModelInfo, complete
from core.llm.providers import list_models, make_chat_model, pull_model
from core.llm.transport import shown_address
from core.types import ModelChoice
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import choice_for, settings_for
from tests.standins.scripts import Reply


@pytest.fixture
def ollama() -> Iterator[OllamaStandin]:
    with OllamaStandin() as standin:
        yield standin


ASKED = [ChatMessage("user", "What?")]


def test_context_limit_and_no_thinking_are_always_sent(ollama: OllamaStandin) -> None:
    ollama.context_length = 4_000
    model = make_chat_model(choice_for(ollama), settings_for(ollama))
    complete(model, ASKED, max_tokens=123)
    body = ollama.chats()[0].body
    assert body["options"]["num_ctx"] == 4_000
    assert body["options"]["num_predict"] == 123
    assert body["think"] is False
    assert body["stream"] is True


def test_the_context_that_was_really_given(ollama: OllamaStandin) -> None:
    model = OllamaChat(choice_for(ollama), settings_for(ollama))
    assert model.allocated_context() is None
    ollama.allocated = 2_048
    assert model.allocated_context() == 2_048


def test_models_that_only_embed_are_not_offered(
    ollama: OllamaStandin, monkeypatch: pytest.MonkeyPatch
) -> None:
    ollama.models = ["llama", "nomic-embed"]
    listed = OllamaStandin._listed

    def with_family(self: OllamaStandin, name: str) -> dict[str, object]:
        family = "nomic-bert" if name == "nomic-embed" else "llama"
        return listed(self, name) | {"details": {"family": family}}

    monkeypatch.setattr(OllamaStandin, "_listed", with_family)
    found = list_models(ModelChoice("ollama"), settings_for(ollama))
    assert found == [ModelInfo("llama", 0, 2_019_393_189, "")]


def test_a_download_shows_its_progress(ollama: OllamaStandin) -> None:
    seen = list(pull_model("tiny:1b", settings_for(ollama)))
    assert [p.completed for p in seen if p.total] == [0, 400, 800, 1000]
    assert seen[-1].status == "success"
    assert "tiny:1b" in ollama.models


def test_a_download_that_fails(ollama: OllamaStandin) -> None:
    ollama.pull_fails = True
    with pytest.raises(ModelMissing) as caught:
        list(pull_model("nothing", settings_for(ollama)))
    assert "ollama.com/library" in caught.value.cure


def test_a_download_without_a_server(ollama: OllamaStandin) -> None:
    settings = settings_for(ollama)
    ollama.close()
    with pytest.raises(ModelUnreachable):
        list(pull_model("tiny", settings))
    with pytest.raises(ModelMissing):
        list(pull_model("../tiny", settings))


def test_too_little_memory_is_no_reason_to_try_again(ollama: OllamaStandin) -> None:
    text = "model requires more system memory (5.6 GiB) than is available (2.1 GiB)"
    ollama.queue(Reply("status", status=500, error=text))
    model = make_chat_model(choice_for(ollama), settings_for(ollama))
    with pytest.raises(ModelFailed) as caught:
        complete(model, ASKED, max_tokens=10)
    assert "memory" in caught.value.message
    assert len(ollama.chats()) == 1


def test_addresses_are_shown_without_their_secrets() -> None:
    shown = shown_address("https://user:pass@models.example:8443/v1/?key=secret#x")
    assert shown == "https://models.example:8443/v1"
