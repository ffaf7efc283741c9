"""A query or a sentence is embedded once, and forgotten when many others came after it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.config import Settings
from core.models.embedding import load_embedder, sentence_embedder
from core.models.port import Progress, Vectors
from core.models.query_cache import QueryMemory, SentenceMemory


def test_each_query_is_embedded_once_while_it_is_remembered() -> None:
    asked: list[str] = []

    def embed(text: str) -> np.ndarray:
        asked.append(text)
        return np.full(3, len(text), np.float32)

    queries = QueryMemory(embed, most=2)
    assert queries("a") is queries("a")
    queries("bb")
    queries("a")
    queries("ccc")  # "bb" was not used as lately as "a"
    queries("a")
    queries("bb")
    assert asked == ["a", "bb", "ccc", "bb"]
    with pytest.raises(ValueError, match="read-only"):
        queries("a")[0] = 1.0


def test_what_is_far_too_long_is_not_kept() -> None:
    asked: list[int] = []

    def embed(text: str) -> np.ndarray:
        asked.append(len(text))
        return np.zeros(3, np.float32)

    queries = QueryMemory(embed)
    for _ in range(2):
        queries("x" * 20_000)
    assert asked == [20_000, 20_000]


class Lengths:
    """Embeds a text as its length, and says what it was given."""

    name, digest, dimension = "lengths", "0", 2

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        self.given += texts
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)

    def embed_query(self, text: str) -> Vectors:
        return np.array([-1, len(text)], np.float32)


def test_each_sentence_is_embedded_once_while_it_is_remembered() -> None:
    lengths = Lengths()
    memory = SentenceMemory(lengths, most=2)
    assert memory.embed(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]
    assert lengths.given == ["a", "bb"]
    memory.embed(["a"])[:] = 0  # the caller's own
    assert memory.embed(["ccc", "a"]).tolist() == [[3, 1], [1, 1]]  # "bb" is the oldest
    assert memory.embed(["bb", "\ud800"])[0].tolist() == [2, 1]
    assert lengths.given == ["a", "bb", "ccc", "bb", "\ud800"]
    assert memory.embed([]).shape == (0, 2)
    assert memory.embed_query("four").tolist() == [-1, 4]


def test_sentences_of_found_passages_are_remembered(settings: Settings) -> None:
    embedder = load_embedder(settings)
    memory = sentence_embedder(embedder)
    assert memory is sentence_embedder(embedder)
    texts = ["Tea is a drink.", "Coffee is another.", "Tea is a drink."]
    first = memory.embed(texts)
    assert np.array_equal(first, embedder.embed(texts))
    assert np.array_equal(memory.embed(texts[::-1]), first[::-1])
