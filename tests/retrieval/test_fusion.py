"""Fusion: arithmetic by hand, and what holds for all lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.retrieval.fusion import best_of, boosted, min_max, rrf, standard, weighted

LISTS = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=2),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda score: round(score, 3)),
    max_size=12,
).map(lambda scores: sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
few = settings(max_examples=100, derandomize=True)


def test_weighted_by_hand() -> None:
    dense = [("a", 0.8), ("b", 0.6), ("c", 0.4)]
    lexical = [("b", 10.0), ("d", 5.0)]
    assert weighted(dense, lexical, 0.7) == [
        ("a", pytest.approx(0.7)),
        ("b", pytest.approx(0.7 * 0.5 + 0.3)),
        ("c", 0.0),
        ("d", 0.0),
    ]


def test_standard_by_hand() -> None:
    found = dict(standard([("a", 0.9), ("b", 0.5)], [("b", 12.0), ("c", 4.0)], 0.75))
    a, low = 2**0.5, -(2**-0.5)  # c has the lowest dense, a the lowest lexical score
    assert found["a"] == pytest.approx(0.75 * a + 0.25 * low)
    assert found["b"] == pytest.approx(0.75 * low + 0.25 * a)
    assert found["c"] == pytest.approx(0.75 * low + 0.25 * low)


def test_standard_with_one_side_or_equal_scores() -> None:
    assert [key for key, _ in standard([("a", 0.9), ("b", 0.5)], [], 0.2)] == ["a", "b"]
    assert standard([("a", 1.0), ("b", 1.0)], [], 0.5) == [("a", 0.0), ("b", 0.0)]
    assert standard([], [], 0.5) == []


def test_raised_by_hand() -> None:
    assert boosted([("a", 1.0), ("b", 0.5)], {"b": 1.0, "c": 9.0}) == [("b", 1.5), ("a", 1.0)]


def test_rrf_by_hand() -> None:
    found = rrf([[("a", 9.0), ("b", 8.0)], [("b", 1.0)]])
    assert found == [("b", pytest.approx(1 / 62 + 1 / 61)), ("a", pytest.approx(1 / 61))]


def test_min_max_by_hand() -> None:
    assert min_max([("a", 3.0), ("b", 2.0), ("c", 1.0)]) == [("a", 1.0), ("b", 0.5), ("c", 0.0)]
    assert min_max([("a", 2.0), ("b", 2.0)]) == [("a", 1.0), ("b", 1.0)]
    assert min_max([]) == []


def test_best_of_by_hand() -> None:
    assert best_of([[("a", 0.5)], [("b", 0.7), ("a", 0.6)]]) == [("b", 0.7), ("a", 0.6)]


@few
@given(dense=LISTS, lexical=LISTS, weight=st.floats(0, 1))
def test_weighted_keeps_every_id_once_in_order(
    dense: list[tuple[str, float]], lexical: list[tuple[str, float]], weight: float
) -> None:
    fused = weighted(dense, lexical, weight)
    assert sorted(key for key, _ in fused) == sorted({key for key, _ in [*dense, *lexical]})
    assert all(0.0 <= score <= 1.0 + 1e-9 for _, score in fused)
    assert [score for _, score in fused] == sorted((s for _, s in fused), reverse=True)


@few
@given(dense=LISTS, lexical=LISTS, weight=st.floats(0, 1))
def test_weighted_does_not_care_about_units(
    dense: list[tuple[str, float]], lexical: list[tuple[str, float]], weight: float
) -> None:
    moved = [(key, 4.0 * score + 1024.0) for key, score in lexical]
    before, after = dict(weighted(dense, lexical, weight)), dict(weighted(dense, moved, weight))
    assert after == pytest.approx(before, abs=1e-6)


@few
@given(dense=LISTS, lexical=LISTS)
def test_all_the_weight_on_one_side_keeps_its_order(
    dense: list[tuple[str, float]], lexical: list[tuple[str, float]]
) -> None:
    scores = dict(weighted(dense, lexical, 1.0))
    ranked = [scores[key] for key, _ in dense]
    assert ranked == sorted(ranked, reverse=True)


@few
@given(lists=st.lists(LISTS, max_size=4))
def test_rrf_rewards_agreement(lists: list[list[tuple[str, float]]]) -> None:
    fused = dict(rrf(lists))
    assert set(fused) == {key for ranked in lists for key, _ in ranked}
    assert dict(rrf(lists[::-1])) == pytest.approx(fused)
    for ranked in lists:
        again = dict(rrf([*lists, ranked]))
        assert all(again[key] > fused[key] for key, _ in ranked)
