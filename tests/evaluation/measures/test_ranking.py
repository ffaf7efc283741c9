"""Measures of rankings: by hand, and against sklearn and plain counting on random cases."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from core.evaluation.golden.sets import GoldenSource
from core.evaluation.measures.matching import Place, found_sources, leads_to, overlaps
from core.evaluation.measures.ranking import ranking_measures


def test_by_hand() -> None:
    # nothing, the first place, the same again, the second place: ranks 2 and 3 of the places
    found = ranking_measures([[], [0], [0], [1]], sources=2, k=5)
    ideal = 1 + 1 / math.log2(3)
    assert found["ndcg"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / ideal)
    assert found["recall"] == 1.0
    assert found["mrr"] == 0.5
    assert found["precision"] == 0.75


def test_nothing_found_and_nothing_to_find() -> None:
    assert set(ranking_measures([], 1, 5).values()) == {0.0}
    assert set(ranking_measures([[], []], 1, 5).values()) == {0.0}
    with pytest.raises(ValueError, match="at least one"):
        ranking_measures([[0]], 0, 5)


def test_the_cut_off_counts() -> None:
    found = ranking_measures([[], [], [0]], 1, 2)
    assert set(found.values()) == {0.0}


def test_on_200_random_cases() -> None:
    rng = random.Random(4)
    for _ in range(200):
        sources, hits, k = rng.randint(1, 6), rng.randint(1, 12), rng.randint(1, 10)
        places = rng.sample(range(sources), min(sources, rng.randint(0, hits)))
        ranking: list[list[int]] = [[place] for place in places]
        ranking += [[] for _ in range(hits - len(ranking))]
        rng.shuffle(ranking)
        found = ranking_measures(ranking, sources, k)
        gains = [float(bool(hit)) for hit in ranking]
        missing = sources - len(places)
        truth = np.array([gains + [1.0] * missing + [0.0] * 2])
        order = np.array([[float(-at) for at in range(truth.shape[1])]])
        if missing == 0 or k <= hits:
            assert found["ndcg"] == pytest.approx(ndcg_score(truth, order, k=k))
        assert found["recall"] == pytest.approx(sum(gains[:k]) / sources)
        assert found["precision"] == pytest.approx(sum(gains[:k]) / min(k, hits))
        first = next((rank for rank, gain in enumerate(gains[:k], 1) if gain), None)
        assert found["mrr"] == (1 / first if first else 0.0)


def test_a_place_is_found_by_page_then_quote_then_anchor_then_document() -> None:
    quote = "Dense retrieval compares meanings as vectors of numbers."
    place = Place("d", 3, "dense", f"Before. {quote} After.")
    assert leads_to(place, GoldenSource("d"))
    assert not leads_to(place, GoldenSource("e"))
    assert leads_to(place, GoldenSource("d", 3, None, "other words altogether, not in there"))
    assert not leads_to(place, GoldenSource("d", 4, None, quote))
    assert leads_to(place, GoldenSource("d", None, None, quote))
    assert not leads_to(place, GoldenSource("d", None, None, "It rains all day long in Bergen."))
    assert leads_to(place, GoldenSource("d", None, "dense"))
    assert not leads_to(place, GoldenSource("d", None, "lexical"))
    assert found_sources([place], [GoldenSource("e"), GoldenSource("d")]) == [[1]]


def test_overlap_needs_half_of_the_shorter_text() -> None:
    text = "one two three four five six seven eight nine ten"
    assert overlaps("three four five six seven", text)
    assert overlaps("two three", text)
    assert not overlaps("three two", text)
    assert not overlaps("", text)
    assert not overlaps("one two three four five x y z u v w", text)
