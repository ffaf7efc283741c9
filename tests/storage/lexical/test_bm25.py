"""BM25 of sparse vectors, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.storage.lexical.bm25 import (
    Statistics,
    length_step,
    place_of,
    row_of,
    score,
    step_length,
    terms_of,
)

EMPTY = {"body": [], "title": [], "headings": [], "exact": []}


def body(text: str) -> dict[str, list[str]]:
    return {**EMPTY, "body": text.split()}


def statistics_of(*texts: str) -> Statistics:
    found = Statistics()
    for text in texts:
        row = row_of(body(text))
        places = np.array(sorted(row.weights), np.int32)
        one = Statistics(1, np.array(row.tokens), places, np.ones(len(places), np.int32), ("en",))
        found = found.with_more([one])
    return found


def scored(text: str, words: list[tuple[str, ...]], statistics: Statistics) -> float:
    row = row_of(body(text))
    places = np.array(sorted(row.weights), np.int32)
    values = np.array([row.weights[place] for place in places], np.float32)
    terms = terms_of(words, [], statistics)
    return float(score(terms, [(places, values)], [row.lengths], statistics)[0])


def test_the_formula() -> None:
    """Three texts of 2, 2 and 5 terms: k1 = 1.2, b = 0.75, ln(1 + (N - n + .5) / (n + .5))."""
    texts = ("cat dog", "dog hen", "cat cat hen hen ox")
    statistics = statistics_of(*texts)
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    norm = 1.2 * (0.25 + 0.75 * 5 / 3)
    expected = rarity * 2 * 2.2 / (2 + norm)
    assert scored(texts[2], [("cat",)], statistics) == pytest.approx(expected, rel=1e-5)
    assert scored(texts[1], [("cat",)], statistics) == 0
    assert scored(texts[2], [("unknown",)], statistics) == 0


def test_of_the_forms_of_a_word_the_best_counts() -> None:
    texts = ("cat cats", "cats", "dog")
    statistics = statistics_of(*texts)
    each = [scored(texts[0], [(form,)], statistics) for form in ("cat", "cats")]
    assert scored(texts[0], [("cat", "cats")], statistics) == pytest.approx(max(each))
    assert scored(texts[0], [("cat",), ("cats",)], statistics) == pytest.approx(sum(each))


def test_lengths_in_steps_never_grow() -> None:
    steps = [step_length(length_step(length)) for length in range(3000)]
    assert steps[:41] == list(range(41))
    assert all(0 <= length - step <= length / 8 for length, step in enumerate(steps))


def test_a_term_has_a_place_of_its_own_in_each_field() -> None:
    places = {place_of(name, term) for name in EMPTY for term in ("cat", "dog")}
    assert len(places) == 8
    assert all(0 <= place < 1_000_000_000 for place in places)


def test_statistics_add_up() -> None:
    statistics = statistics_of("cat dog", "dog hen")
    assert statistics.chunks == 2
    assert list(statistics.tokens) == [4, 0, 0, 0]
    counts = [statistics.count(place_of("body", term)) for term in ("cat", "dog", "hen", "ox")]
    assert counts == [1, 2, 1, 0]
