"""The model block of the side bar, against the stand-ins."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.config import Settings
from core.llm.port import ModelInfo, PullProgress
from core.llm.providers import list_models, pull_model
from core.types import Indexing, ModelChoice, Session, Usage
from core.ui.chat.model_downloads import pulls
from tests.standins.gemini import GeminiStandin
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import KEY, settings_for

SESSION = Session("s1", "o1", "Test", datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1))


class FewRooms:
    """The service with the rooms that the block uses; it is the `sessions` and `models` itself."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sessions = self.models = self
        self.kept: dict[str, Any] = {}
        self.asked = 0
        self.state = Indexing("balanced")

    def preferences(self, session: Session) -> dict[str, Any]:
        return dict(self.kept)

    def set_preferences(self, session: Session, values: dict[str, Any]) -> None:
        self.kept.update(values)

    def indexing(self, session: Session) -> Indexing:
        preset, beside = self.kept.get("preset", "balanced"), self.kept.get("beside", ())
        models = {name: self.kept.get(name) or "" for name in ("embedding_model", "reranker_model")}
        return replace(self.state, preset=preset, beside=tuple(beside), **models)

    def choose_preset(
        self,
        session: Session,
        name: str,
        beside: Sequence[str] = (),
        *,
        embedding_model: str | None = None,
        reranker_model: str | None = None,
    ) -> None:
        self.state = Indexing(name)
        chosen = {"embedding_model": embedding_model, "reranker_model": reranker_model}
        self.kept |= {"preset": name, "beside": tuple(beside), **chosen}

    def list(self, choice: ModelChoice) -> list[ModelInfo]:
        self.asked += 1
        return list_models(choice, self.settings)

    def pull(self, name: str) -> Iterator[PullProgress]:
        return pull_model(name, self.settings)


def script(service, session, usage):  # run by itself
    import streamlit as st

    from core.ui.chat.language_model import context_meter, model_settings

    with st.sidebar:
        choice = model_settings(service, session)
    st.session_state["choice"] = choice
    context_meter(usage)


def page(service: FewRooms, usage: Usage | None = None, *, is_open: bool = True) -> AppTest:
    app = AppTest.from_function(script, args=(service, SESSION, usage), default_timeout=30)
    app.session_state["model_block"] = is_open
    return app.run()


def choice(app: AppTest) -> ModelChoice:
    assert not app.exception
    chosen = app.session_state["choice"]
    assert isinstance(chosen, ModelChoice)
    return chosen


@pytest.fixture
def ollama() -> Iterator[OllamaStandin]:
    with OllamaStandin() as standin:
        yield standin


def test_nothing_is_set() -> None:
    app = page(FewRooms(Settings()))
    assert choice(app).provider == ""
    assert "quoted word for word" in app.caption[0].value


def test_a_closed_block_asks_nobody(ollama: OllamaStandin) -> None:
    settings = settings_for(ollama, chat_provider="ollama", chat_model="standin:latest")
    service = FewRooms(settings)
    app = page(service, is_open=False)
    assert choice(app) == ModelChoice("ollama", "standin:latest")
    assert service.asked == 0
    assert ollama.requests == []


def test_provider_and_model_are_kept_with_the_session(ollama: OllamaStandin) -> None:
    ollama.models.append("other:3b")
    service = FewRooms(settings_for(ollama))
    app = page(service)
    app.selectbox[0].set_value("ollama").run()
    assert service.kept["model"] == {"provider": "ollama", "model": "standin:latest"}
    assert app.selectbox[1].options[1].startswith("other:3b (3.2B, Q4, 2.0 GB)")
    app.selectbox[1].set_value("other:3b").run()
    assert service.kept["model"] == {"provider": "ollama", "model": "other:3b"}
    assert choice(app).model == "other:3b"
    assert service.asked == 1, "the list is kept for a minute"


def test_a_server_that_is_down_names_its_cure(ollama: OllamaStandin) -> None:
    service = FewRooms(settings_for(ollama))
    service.kept["model"] = {"provider": "ollama", "model": "mine"}
    ollama.close()
    app = page(service)
    assert choice(app) == ModelChoice("ollama", "mine")
    assert "ollama serve" in app.error[0].value


def test_a_key_stays_in_the_tab() -> None:
    with GeminiStandin() as gemini:
        service = FewRooms(settings_for(gemini))
        service.kept["model"] = {"provider": "gemini", "model": ""}
        app = page(service)
        assert "No key" in app.error[0].value
        app.text_input[0].set_value(f" {KEY} ").run()
        key = choice(app).key
        assert key is not None
        assert key.get_secret_value() == KEY
        assert app.text_input[0].value == "", "the field is emptied"
        assert not app.error
        assert app.selectbox[1].options == ["standin (8,192 tokens)"]
        assert KEY not in str(service.kept)
        assert KEY not in repr(choice(app))
        app.button(key="forget-gemini").click().run()
        assert choice(app).key is None


def test_a_download(ollama: OllamaStandin) -> None:
    service = FewRooms(settings_for(ollama))
    service.kept["model"] = {"provider": "ollama", "model": ""}
    app = page(service)
    app.text_input[0].set_value("tiny:1b")
    app.button[1].click().run()
    until = time.monotonic() + 10
    while "tiny:1b" not in ollama.models and time.monotonic() < until:
        time.sleep(0.02)
    while pulls().all() and time.monotonic() < until:
        app.run()
    assert not app.exception
    assert any(option.startswith("tiny:1b") for option in app.selectbox[1].options)


def test_the_chosen_model_that_is_not_there_comes_by_a_click(ollama: OllamaStandin) -> None:
    service = FewRooms(settings_for(ollama))
    service.kept["model"] = {"provider": "ollama", "model": "tiny:1b"}
    app = page(service)
    assert "does not offer tiny" in app.warning[0].value
    app.button(key="pull_missing").click().run()
    until = time.monotonic() + 10
    while (app.warning or pulls().all()) and time.monotonic() < until:
        app.run()
    assert not app.exception
    assert not app.warning
    assert "tiny:1b" in ollama.models
    assert choice(app).model == "tiny:1b"
    assert not [button for button in app.button if button.key == "pull_missing"]


def test_a_name_without_its_tag_is_there(ollama: OllamaStandin) -> None:
    service = FewRooms(settings_for(ollama))
    service.kept["model"] = {"provider": "ollama", "model": "standin"}
    assert not page(service).warning


def test_a_preset_and_those_beside_it_are_chosen() -> None:
    service = FewRooms(Settings())
    app = page(service)
    app.selectbox[1].set_value("stack-overflow").run()
    assert not app.exception
    assert service.kept["preset"] == "stack-overflow"
    app.multiselect[0].set_value(["documents"]).run()
    assert (service.kept["preset"], service.kept["beside"]) == ("stack-overflow", ("documents",))
    app.selectbox[1].set_value("balanced").run()
    assert (service.kept["preset"], service.kept["beside"]) == ("balanced", ("documents",))


def test_a_session_chooses_its_embedding_model_and_its_reranker() -> None:
    service = FewRooms(
        Settings(
            embedding_model="bundled", embedding_models="multilingual-e5-small",
            reranker_model="", reranker_models="ms-marco-MiniLM-L6-v2",
        )
    )  # fmt: skip
    app = page(service)
    embedding, reranker = app.selectbox[2:]
    assert (embedding.label, embedding.options) == (
        "Embedding model", ["bundled", "multilingual-e5-small"],
    )  # fmt: skip
    assert (reranker.label, reranker.options) == ("Reranker", ["None", "ms-marco-MiniLM-L6-v2"])
    assert (embedding.value, reranker.value) == ("bundled", "")
    assert "preset" not in service.kept, "looking changes nothing"
    embedding.set_value("multilingual-e5-small").run()
    assert not app.exception
    assert service.kept["embedding_model"] == "multilingual-e5-small"
    assert service.kept["reranker_model"] == ""
    app.selectbox[3].set_value("ms-marco-MiniLM-L6-v2").run()
    assert service.kept["reranker_model"] == "ms-marco-MiniLM-L6-v2"
    assert service.kept["embedding_model"] == "multilingual-e5-small"
    app.selectbox[2].set_value("bundled").run()
    assert service.kept["embedding_model"] == "", "the program's own, whatever that is later"


def test_a_model_of_a_session_that_is_no_choice_any_more_is_shown_and_stays() -> None:
    service = FewRooms(Settings(embedding_model="bundled", reranker_model=""))
    service.kept["embedding_model"] = "gone"
    app = page(service)
    (embedding,) = app.selectbox[2:]
    assert (embedding.options, embedding.value) == (["bundled", "gone"], "gone")
    app.run()
    assert service.kept == {"embedding_model": "gone"}


def test_without_others_there_is_no_choice_of_models() -> None:
    app = page(FewRooms(Settings()))
    assert [one.label for one in app.selectbox] == ["Provider", "Preset"]


def test_how_far_a_session_is_indexed_for_its_preset() -> None:
    service = FewRooms(Settings())
    service.state = Indexing("balanced", whole=False, done=2, total=5)
    assert any("2 of 5 documents" in caption.value for caption in page(service).caption)
    service.state = Indexing("balanced", whole=False, reason="The disk is full.", cure="Tidy up.")
    app = page(service)
    assert any("The disk is full. Tidy up." in caption.value for caption in app.caption)
    (button,) = (one for one in app.button if one.label == "Index the documents now")
    button.click().run()
    assert service.kept["preset"] == "balanced"


def test_a_download_that_fails(ollama: OllamaStandin) -> None:
    ollama.pull_fails = True
    service = FewRooms(settings_for(ollama))
    service.kept["model"] = {"provider": "ollama", "model": ""}
    app = page(service)
    app.text_input[0].set_value("nothing")
    app.button[1].click().run()
    until = time.monotonic() + 10
    while not app.error and time.monotonic() < until:
        app.run()
    assert "ollama.com/library" in app.error[0].value.replace("\\", "")
    app.button(key="pulled-nothing").click().run()
    assert not app.error


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        (None, ""),
        (Usage(prompt_tokens=2_048, context_length=8_192, passages_given=6, passages_found=9),
         "Context: 2,048 of 8,192 tokens, 6 of 9 passages"),
        (Usage(prompt_tokens_estimated=500, context_length=1_000, passages_given=1,
               passages_found=1), "Context: about 500 of 1,000 tokens, 1 of 1 passages"),
        (Usage(prompt_tokens=5), ""),
    ],
)  # fmt: skip
def test_the_meter(usage: Usage | None, told: str) -> None:
    app = page(FewRooms(Settings()), usage, is_open=False)
    texts = [str(element.proto.text) for element in app.get("progress")]
    assert texts == ([told] if told else [])
