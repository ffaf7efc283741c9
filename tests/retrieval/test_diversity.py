"""Diversity: MMR, and spans for reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.retrieval.diversity import mmr, reading_spans
from core.types import Chunk

few = settings(max_examples=60, derandomize=True)


def rows(n: int, seed: int = 3) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((n, 8)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_mmr_by_hand() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    relevance = np.array([1.0, 0.9, 0.3], np.float32)
    assert mmr(vectors, relevance, 2, 0.5) == [0, 2]  # 0.5*0.9 - 0.5*1 < 0.5*0.3 - 0
    assert mmr(vectors, relevance, 3, 1.0) == [0, 1, 2]
    assert mmr(vectors, relevance, 2, 0.9) == [0, 1]


def test_mmr_compares_with_every_one_chosen_and_not_with_the_last() -> None:
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0.9, 0, 0.43589], [0, 0.3, 0.95394]], np.float32)
    relevance = np.array([1.0, 0.9, 0.8, 0.5], np.float32)
    # third: row 2 is near row 0 (0.8 - 0.9), row 3 a little near row 1 (0.5 - 0.3)
    assert mmr(vectors, relevance, 4, 0.5) == [0, 1, 3, 2]


def test_mmr_takes_what_is_read_with_a_better_hit_later() -> None:
    vectors, relevance = rows(3), np.array([1.0, 0.9, 0.7], np.float32)
    assert mmr(vectors, relevance, 3, 1.0) == [0, 1, 2]
    assert mmr(vectors, relevance, 3, 1.0, [("page 1", 4), ("page 1", 5), ("page 2", 6)]) == [
        0, 2, 1,
    ]  # fmt: skip
    assert mmr(vectors, relevance, 3, 1.0, [("page 1", 5), ("page 1", 4), None]) == [0, 2, 1]
    assert mmr(vectors, relevance, 3, 1.0, [None, None, None]) == [0, 1, 2]


def test_mmr_takes_what_stands_elsewhere_in_the_same_section_in_its_turn() -> None:
    vectors, relevance = rows(3), np.array([1.0, 0.9, 0.7], np.float32)
    lead = [("lead", 0), ("lead", 2), ("history", 3)]
    assert mmr(vectors, relevance, 3, 1.0, lead) == [0, 1, 2]
    assert mmr(vectors, relevance, 3, 1.0, [("a", 0), ("b", 1), ("b", 9)]) == [0, 1, 2]


def test_mmr_does_not_punish_opposites_at_the_first_choice() -> None:
    vectors = np.array([[1, 0], [-1, 0], [0, 1]], np.float32)
    assert mmr(vectors, np.array([1.0, 0.5, 0.6], np.float32), 2, 0.5) == [0, 1]


@few
@given(n=st.integers(0, 12), k=st.integers(0, 15), weight=st.floats(0, 1))
def test_mmr_chooses_each_once_and_the_best_first(n: int, k: int, weight: float) -> None:
    relevance = np.linspace(1, 0, n, dtype=np.float32)
    chosen = mmr(rows(n), relevance, k, weight)
    assert len(chosen) == min(n, k) == len(set(chosen))
    if chosen and weight > 0:
        assert chosen[0] == 0
    assert mmr(rows(n), relevance, k, 1.0) == list(range(min(n, k)))


def page(n: int, document: str = "d", ordinal: int = 0) -> list[Chunk]:
    """`n` chunks of ten characters that share two with the next."""
    return [
        Chunk(f"{document}:{i}", document, i, ordinal, 1, i * 8, i * 8 + 10, "x" * 10)
        for i in range(n)
    ]


def test_a_hit_is_read_with_its_neighbours() -> None:
    chunks = page(6)
    assert reading_spans([chunks[2]], [chunks]) == [(8, 34)]
    assert reading_spans([chunks[0]], [chunks]) == [(0, 18)]


def test_nothing_is_read_twice() -> None:
    chunks = page(6)
    hits = [chunks[3], chunks[1], chunks[4]]
    assert reading_spans(hits, [chunks] * 3) == [(16, 34), (0, 18), (32, 50)]


def test_other_sections_and_pages_are_not_joined() -> None:
    chunks = page(3)
    chunks[2] = replace(chunks[2], headings=("Next",))
    other = replace(chunks[0], page_ordinal=1)
    assert reading_spans([chunks[1]], [[other, chunks[1], chunks[2]]]) == [(8, 18)]


@few
@given(n=st.integers(1, 12), chosen=st.sets(st.integers(0, 11)), seed=st.randoms())
def test_spans_hold_their_hit_and_no_chunk_is_read_twice(
    n: int, chosen: set[int], seed: object
) -> None:
    chunks = page(n)
    hits = [chunks[i] for i in sorted(chosen) if i < n]
    seed.shuffle(hits)
    spans = reading_spans(hits, [chunks] * len(hits))
    read: list[int] = []
    for hit, (start, end) in zip(hits, spans, strict=True):
        assert start <= hit.start < hit.end <= end
        read += [c.ordinal for c in chunks if start <= c.start and c.end <= end]
    assert len(read) == len(set(read))
