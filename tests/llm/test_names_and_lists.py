"""Names of models that are paths, and servers that list no models: real ones do both."""

from __future__ import annotations

import pytest

from core.llm.choice import check_provider
from tests.standins.ollama import OllamaStandin
from tests.standins.openai_server import OpenAIStandin
from tests.standins.providers import STANDINS, settings_for
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.G17


def test_a_server_that_lists_no_models_may_have_this_one() -> None:
    with OpenAIStandin() as standin:
        standin.models.clear()
        settings = settings_for(standin, chat_provider="openai", chat_model="here")
        state, detail, _ = check_provider(settings)
    assert (state, detail) == ("ok", "here at openai; the server lists no models")
    with OllamaStandin() as standin:  # its list is whole
        standin.models.clear()
        settings = settings_for(standin, chat_provider="ollama", chat_model="gone:7b")
        assert check_provider(settings)[0] == "error"


def test_a_name_may_be_the_path_that_a_server_loaded_it_from() -> None:
    name = "/models/mistral-7b"
    with OpenAIStandin() as standin:
        standin.models[0] = name
        asked = ask(standin, Reply())
        assert standin.chats()[-1].body["model"] == name
        assert {request.path for request in standin.requests} <= {
            "/v1/models",
            "/v1/chat/completions",
        }
    assert asked.answer.answerer != "extractive"


@pytest.mark.parametrize("provider", sorted(set(STANDINS) - {"openai"}))
def test_elsewhere_no_name_begins_with_a_slash(provider: str) -> None:
    with STANDINS[provider]() as standin:
        standin.models[0] = "/models/mistral-7b"
        asked = ask(standin)
        assert standin.requests == []
    assert asked.answer.answerer == "extractive"


@pytest.mark.parametrize("name", ["//host/x", "/../x", "/a/../../etc", "/a b", "/?key=1"])
def test_a_path_stays_a_name(name: str) -> None:
    with OpenAIStandin() as standin:
        standin.models[0] = name
        asked = ask(standin, Reply())
        paths = {request.path for request in standin.requests}
    assert paths <= {"/v1/models", "/v1/chat/completions"}
    assert bool(paths) == (name == "//host/x")  # a name like others, in the body alone
    assert (asked.answer.answerer == "extractive") == (name != "//host/x")
