"""Who answers: a model where one is chosen, else quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.factory import make_answerer
from core.answering.generative.answerer import GenerativeAnswerer
from core.config import CHAT_PROVIDERS, Settings
from core.errors import InvalidRequest
from core.types import Answer, ModelChoice
from tests.support.hits import embedder, found, hit


@pytest.mark.parametrize("choice", [None, ModelChoice(), ModelChoice("", "llama")])
def test_without_a_provider_sources_are_quoted(choice: ModelChoice | None) -> None:
    assert isinstance(make_answerer(choice, Settings(), embedder()), ExtractiveAnswerer)


@pytest.mark.parametrize("provider", CHAT_PROVIDERS)
def test_a_model_writes(provider: str) -> None:
    answerer = make_answerer(ModelChoice(provider, "m"), Settings(), embedder())
    assert isinstance(answerer, GenerativeAnswerer)
    assert answerer.name == f"m ({provider})"


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        make_answerer(ModelChoice("evil", "m"), Settings(), embedder())


def test_without_the_file_of_the_reader_sources_are_quoted_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(reader_model=str(tmp_path))
    answerer = make_answerer(None, settings, embedder())
    question = "Where does she live?"
    *_, answer = answerer.answer(question, found(question, [hit("She lives in Linz.")]))
    assert isinstance(answer, Answer)
    assert answer.text.startswith("She lives in Linz.")
    assert "model.onnx" in caplog.text
