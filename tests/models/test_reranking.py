"""The cross-encoder: a tiny one that the test makes, and those that cannot be had."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import ModelUnavailable
from core.models import reranking
from core.models.reranking import CrossEncoderReranker, load_reranker
from tests.models.tiny import make_classifier

PASSAGES = ["a dog sat", "the cat sat on the mat", "", "lone \ud800 surrogate"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder with random weights."""
    return make_classifier(tmp_path_factory.mktemp("tiny"))


def test_scores_each_passage(folder: Path) -> None:
    reranker = CrossEncoderReranker(str(folder), folder.parent, wait_seconds=60)
    scores = reranker.score("the cat", PASSAGES)
    assert len(scores) == 4
    assert len(set(scores)) > 1
    assert reranker.score("the cat", PASSAGES[1:2]) == pytest.approx(scores[1:2], abs=1e-5)
    assert reranker.score("the cat", []) == []
    assert reranker.state() == ("ok", str(folder), "")


def test_many_threads(folder: Path) -> None:
    reranker = CrossEncoderReranker(str(folder), folder.parent, wait_seconds=60)
    found: list[list[float]] = []
    work = [
        threading.Thread(target=lambda: found.append(reranker.score("the cat", PASSAGES)))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(found) == 4
    assert all(scores == pytest.approx(found[0], abs=1e-5) for scores in found)


def test_none_is_set() -> None:
    assert load_reranker(Settings(reranker_model="")) is None
    assert load_reranker(Settings(reranker_model="some/name")) is not None


def test_weights_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    reranker = load_reranker(Settings(reranker_model="nobody/has-this-model"))
    assert reranker is not None
    reranker.wait_seconds = 60
    with pytest.raises(ModelUnavailable, match="not on this machine") as raised:
        reranker.score("the cat", PASSAGES)
    assert "RERANKER_MODEL" in raised.value.cure
    state, detail, cure = reranker.state()
    assert state == "warning"
    assert "stay in the order" in detail
    assert cure == raised.value.cure


def test_a_model_of_another_kind(tmp_path: Path) -> None:
    folder = make_classifier(tmp_path, labels=("a", "b", "c"))
    with pytest.raises(ModelUnavailable, match="3 scores"):
        CrossEncoderReranker(str(folder), folder.parent, wait_seconds=60).score("the cat", PASSAGES)


def test_a_search_does_not_wait_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    leave = threading.Event()

    def slow(name: str, models_dir: Path) -> None:
        leave.wait(30)
        raise ModelUnavailable("gone")

    monkeypatch.setattr(reranking, "_cross_encoder", slow)
    reranker = CrossEncoderReranker("slow/one", Path(), wait_seconds=0.05)
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="still being loaded"):
        reranker.score("the cat", PASSAGES)
    assert time.monotonic() - began < 25  # loading takes thirty
    leave.set()
    reranker.wait_seconds = 60
    with pytest.raises(ModelUnavailable, match="gone"):
        reranker.score("the cat", PASSAGES)
