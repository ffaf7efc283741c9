"""Candidates held up by candidates that say alike."""

from __future__ import annotations

import numpy as np
import pytest

from core.retrieval.agreement import FIRST, supported, supported_list

EAST, NORTH = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)


def test_a_candidate_with_a_good_neighbour_overtakes_a_lonely_one() -> None:
    vectors = np.stack([EAST, NORTH, EAST])
    found = supported(np.array([1.0, 0.6, 0.5], np.float32), vectors)
    assert list(np.argsort(-found)) == [0, 2, 1]


def test_by_hand() -> None:
    near = np.exp(-1 / 0.2)
    mean = (1.0 + near * 0.4) / (1.0 + near)
    found = supported(np.array([1.0, 0.4], np.float32), np.stack([EAST, NORTH]), 2.0)
    assert found[0] == pytest.approx((1.0 + 2.0 * mean) / 3.0)


def test_no_weight_and_one_candidate_change_nothing() -> None:
    scores = np.array([0.2, 0.9], np.float32)
    assert supported(scores, np.stack([EAST, EAST]), 0.0) is scores
    assert supported(scores[:1], EAST[np.newaxis]) is not None
    assert list(supported(scores[:1], EAST[np.newaxis])) == list(scores[:1])


def test_what_ranks_below_the_first_stays_below() -> None:
    ranked = [(f"{at:03}", 1.0 - at / 1000) for at in range(FIRST + 5)]
    vectors = {key: EAST for key, _ in ranked}
    found = supported_list(ranked, vectors)
    assert [key for key, _ in found] == [key for key, _ in ranked]
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)


def test_without_vectors_the_list_stays() -> None:
    ranked = [("a", 2.0), ("b", 1.0)]
    assert supported_list(ranked, {"a": EAST}) == ranked
    assert supported_list([], {}) == []
