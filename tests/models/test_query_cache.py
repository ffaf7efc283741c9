"""A query is embedded once, and forgotten when many others came after it."""

from __future__ import annotations

import numpy as np
import pytest

from core.models.query_cache import QueryMemory


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
