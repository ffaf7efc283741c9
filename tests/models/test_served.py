"""Embedding models at the server of a provider: the same contract over all three protocols."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from core.config import Settings
from core.errors import (
    BadKey,
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelUnavailable,
    ModelUnreachable,
)
from core.models.embedding import load_embedder
from core.models.embedding_prompts import Prompts
from core.models.served import ServedEmbedder, is_served
from core.service import Service
from core.types import Answer, AskRequest
from tests.conftest import settled
from tests.standins.gemini import GeminiStandin
from tests.standins.ollama import OllamaStandin
from tests.standins.openai_server import OpenAIStandin
from tests.standins.providers import KEY, STANDINS, settings_for
from tests.standins.server import Standin

PASSAGES = [
    "The harbour was built in 1871.",
    "Bread is baked for an hour.",
    "Tesla was born there.",
]


@pytest.fixture(params=sorted(STANDINS))
def standin(request: pytest.FixtureRequest) -> Iterator[Standin]:
    with STANDINS[request.param]() as server:
        yield server


def settings(standin: Standin, **changes: Any) -> Settings:
    name = f"{standin.provider}/{standin.models[0]}"
    keys = {"gemini_api_key": SecretStr(KEY), "openai_api_key": SecretStr(KEY)}
    return settings_for(standin, **{"embedding_model": name, **keys, **changes})


def embedder(standin: Standin, waits: list[float] | None = None, **changes: Any) -> ServedEmbedder:
    chosen = settings(standin, **changes)
    waited = [] if waits is None else waits
    return ServedEmbedder(chosen.embedding_model, chosen, sleep=waited.append)


def sent(standin: Standin) -> str:
    return str(standin.requests[-1].body)


def test_texts_become_vectors_of_length_one_in_their_order(standin: Standin) -> None:
    model = load_embedder(settings(standin))
    told: list[tuple[int, int]] = []
    vectors = model.embed(PASSAGES, progress=lambda done, total: told.append((done, total)))
    assert (vectors.dtype, vectors.shape, model.dimension) == (np.float32, (3, 24), 24)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    for passage, vector in zip(PASSAGES, vectors, strict=True):
        assert np.allclose(model.embed_query(passage), vector)
    assert (told[0], told[-1]) == ((0, 3), (3, 3))
    assert model.embed([]).shape == (0, 24)


def test_many_texts_are_asked_in_batches(standin: Standin) -> None:
    model = embedder(standin)
    before = len(standin.requests)
    texts = [f"Text number {n}" for n in range(70)]
    vectors = model.embed(texts)
    assert len(standin.requests) - before == 3
    assert np.allclose(vectors[69], model.embed_query(texts[69]))


def test_a_query_is_asked_once(standin: Standin) -> None:
    model = embedder(standin)
    before = len(standin.requests)
    assert model.embed_query("Where is it?") is model.embed_query("Where is it?")
    assert len(standin.requests) - before == 1


def test_a_busy_server_is_asked_again_as_late_as_it_wishes(standin: Standin) -> None:
    waits: list[float] = []
    model = embedder(standin, waits)
    standin.embedding = ["busy", "busy"]
    assert model.embed(PASSAGES).shape == (3, 24)
    assert waits == [7.0, 7.0]


def test_patience_ends_and_a_query_has_none(standin: Standin) -> None:
    waits: list[float] = []
    model = embedder(standin, waits)
    standin.embedding = ["busy"] * 4
    with pytest.raises(ModelBusy):
        model.embed(PASSAGES)
    assert len(waits) == 3
    standin.embedding = ["busy"]
    with pytest.raises(ModelBusy):
        model.embed_query("Where is it?")
    assert len(waits) == 3


@pytest.mark.G12
@pytest.mark.parametrize("wrong", ["few", "zero", "words", "dimension"])
def test_vectors_that_are_none_are_refused_at_once(standin: Standin, wrong: str) -> None:
    waits: list[float] = []
    model = embedder(standin, waits)
    model.embed_query("One that is right.")
    standin.embedding = [wrong]
    with pytest.raises(ModelFailed, match="gave") as refused:
        model.embed(PASSAGES)
    assert refused.value.cure
    assert waits == []


def test_a_model_that_the_server_lacks_is_told(standin: Standin) -> None:
    model = embedder(standin, embedding_model=f"{standin.provider}/other-model")
    with pytest.raises(ModelError) as told:
        model.embed(PASSAGES)
    assert not told.value.retry
    assert told.value.cure


def test_a_server_that_is_away_is_told_and_found_when_it_is_back() -> None:
    with OllamaStandin() as gone:
        port, chosen = gone.port, settings(gone)
    model = load_embedder(chosen)
    with pytest.raises(ModelUnreachable) as told:
        model.embed_query("Where is it?")
    assert "ollama serve" in told.value.cure
    with OllamaStandin(port=port):
        assert model.embed_query("Where is it?").shape == (model.dimension,) == (24,)


def test_without_an_address_the_setting_is_named() -> None:
    with pytest.raises(ModelUnavailable) as told:
        load_embedder(Settings(embedding_model="openai/bge-m3"))
    assert "OPENAI_URL" in told.value.cure


@pytest.mark.parametrize("kind", [GeminiStandin, OpenAIStandin])
def test_the_key_goes_to_the_server_and_nowhere_else(
    kind: type[GeminiStandin | OpenAIStandin], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = SecretStr("a-wrong-key-of-somebody")
    with kind(key=KEY) as standin:
        assert load_embedder(settings(standin)).dimension == 24
        with pytest.raises(BadKey) as refused:
            embedder(standin, gemini_api_key=wrong, openai_api_key=wrong).embed_query("Where?")
    told = f"{refused.value.message} {refused.value.cure} {caplog.text}"
    assert "refused the key" in told
    assert f"Set {standin.provider.upper()}_API_KEY." in told
    assert wrong.get_secret_value() not in told


def test_vectors_of_another_model_server_or_prompt_are_never_compared() -> None:
    with OllamaStandin() as one, OllamaStandin() as two:
        one.models.append("other")
        same = [embedder(one).digest, embedder(one, embedding_query_prompt="q: ").digest]
        others = [
            embedder(one, embedding_model="ollama/other").digest,
            embedder(two).digest,
            ServedEmbedder(
                f"ollama/{one.models[0]}", settings(one), Prompts(document="passage: ")
            ).digest,
        ]
    assert len(set(same)) == 1
    assert len({same[0], *others}) == 4


def test_prompts_that_a_model_is_known_for_are_put_before_the_texts() -> None:
    with OllamaStandin() as server:
        server.models.append("nomic-embed-text:latest")
        model = embedder(server, embedding_model="ollama/nomic-embed-text")
        model.embed(["A passage."])
        assert "search_document: A passage." in sent(server)
        model.embed_query("A query?")
        assert "search_query: A query?" in sent(server)


@pytest.mark.parametrize(
    ("name", "served"),
    [
        ("ollama/nomic-embed-text", True),
        ("openai//models/bge-m3", True),
        ("gemini/gemini-embedding-001", True),
        ("ollama/", False),
        ("ollama", False),
        ("intfloat/multilingual-e5-small", False),
        ("all-MiniLM-L6-v2", False),
    ],
)
def test_a_provider_s_name_leads_to_it(name: str, served: bool) -> None:
    assert is_served(name) is served


def test_a_library_is_searched_by_it_and_by_words_while_it_is_away(tmp_path: Path) -> None:
    with OllamaStandin() as server:
        chosen = settings(
            server, data_dir=tmp_path / "data", chroma_dir=tmp_path / "chroma", reranker_model=""
        )
        with closing(Service(chosen)) as service:
            session = service.sessions.create(service.owners.for_token("somebody"), "Mine")
            service.documents.add_file(session, "towns.txt", " ".join(PASSAGES).encode())
            settled(service, session)
            found = service.search(AskRequest(session, "harbour built"))
            assert found.hits[0].dense is not None
            before = len(server.requests)
            server.embedding = ["busy"]
            *_, answer = service.ask(AskRequest(session, "When was the harbour built?"))
            assert len(server.requests) - before == 1, "sentences are compared here"
    assert isinstance(answer, Answer)
    assert "1871" in answer.text
    away = answer.search
    assert away is not None
    assert away.hits[0].dense is None
    assert any("words" in notice.text for notice in away.notices)


def test_gemini_is_told_what_a_text_is_for() -> None:
    with GeminiStandin() as server:
        model = embedder(server, embedding_model=f"gemini/models/{server.models[0]}")
        model.embed(["A passage."])
        assert "'taskType': 'RETRIEVAL_DOCUMENT'" in sent(server)
        assert f"'model': 'models/{server.models[0]}'" in sent(server)
        model.embed_query("A query?")
        assert "'taskType': 'RETRIEVAL_QUERY'" in sent(server)


def test_openai_is_asked_for_numbers() -> None:
    with OpenAIStandin() as server:
        embedder(server).embed(["A passage."])
        assert "'encoding_format': 'float'" in sent(server)


@pytest.mark.parametrize("counts", [True, False])
def test_what_a_question_and_the_passages_took_is_said(
    standin: Standin, counts: bool, tmp_path: Path
) -> None:
    standin.counts = counts
    chosen = settings(
        standin, data_dir=tmp_path / "data", chroma_dir=tmp_path / "chroma", reranker_model="",
        model_prices=f"{standin.models[0]}=1000/0",
    )  # fmt: skip
    with closing(Service(chosen)) as service:
        session = service.sessions.create(service.owners.for_token("somebody"), "Mine")
        service.documents.add_file(session, "towns.txt", " ".join(PASSAGES).encode())
        settled(service, session)
        asked = AskRequest(session, "When was the harbour built?")
        (*_, first), (*_, second) = service.ask(asked), service.ask(asked)
        said = next(one for one in service.health() if one.name == "Embedding model").detail
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    (spent,) = first.spent
    assert (spent.stage, spent.model, spent.requests) == ("embedding", standin.models[0], 1)
    assert spent.estimated is not counts
    assert spent.cost == pytest.approx(spent.prompt_tokens / 1000)
    assert second.spent == (), "a query that is remembered takes nothing"
    if counts:
        assert spent.prompt_tokens == 5
    assert "tokens ($" in said or "tokens (about $" in said
    assert ("about" in said) is not counts
    assert "of passages since it was loaded" in said


def test_without_a_price_there_is_no_sum(standin: Standin) -> None:
    model = embedder(standin)
    model.embed(PASSAGES)
    model.embed_query("Where is it?")
    taken = model.indexing()
    assert taken is not None
    assert (taken.prompt_tokens, taken.cost, taken.estimated) == (16, None, False)
