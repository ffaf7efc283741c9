"""Many results together, two runs beside each other, raters beside each other."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from scipy.stats import permutation_test
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from core.evaluation.measures.aggregate import by_tag, summary, worst_first
from core.evaluation.measures.statistics import (
    kappa,
    mean_interval,
    paired_difference,
    pairwise_kappa,
)
from tests.evaluation.made import result


def test_means_are_over_what_is_known() -> None:
    found = summary(
        [
            result(0, f1=1.0, abstained=0.0, confidence=0.9, correct=1.0, given_attempted=1.0),
            result(1, f1=0.0, abstained=1.0, confidence=0.2, correct=0.0),
            result(2, answerable=False, abstained=1.0, confidence=0.2),
            result(3, error="It failed."),
        ]
    )
    assert (found["questions"], found["errors"], found["f1"]) == (4.0, 1.0, 0.5)
    assert found["abstention_precision"] == 0.5
    assert found["abstention_auc"] == pytest.approx(0.75)  # one pair won, one tied
    assert found["judged_f"] == pytest.approx(2 * 0.5 * 1.0 / 1.5)


def test_what_nobody_measured_is_not_there() -> None:
    found = summary([result(0, numeric=None)])
    assert set(found) == {"questions", "errors"}
    assert summary([])["questions"] == 0.0


def test_tags_each_have_their_own_means() -> None:
    rows = [result(0, tags=("simple",), f1=1.0), result(1, tags=("simple", "x"), f1=0.0)]
    found = by_tag(rows)
    assert list(found) == ["all", "simple", "x"]
    assert (found["simple"]["f1"], found["x"]["f1"]) == (0.5, 0.0)


def test_the_worst_come_first() -> None:
    rows = [
        result(0, contains=1.0),
        result(1, contains=0.0),
        result(2, error="It failed."),
        result(3, answerable=False, abstained_right=0.0, seconds=1.0),
    ]
    assert [row.position for row in worst_first(rows)] == [2, 1, 3, 0]
    rows = [result(0, seconds=1.0), result(1, seconds=9.0), result(2)]
    assert [row.position for row in worst_first(rows, "seconds")] == [1, 0, 2]


def test_a_difference_by_all_exchanges() -> None:
    a, b = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 0.0, 1.0]
    found = paired_difference(a, b)
    differences = [y - x for x, y in zip(a, b, strict=True)]
    all_means = [
        sum(s * d for s, d in zip(signs, differences, strict=True)) / 6
        for signs in itertools.product((1, -1), repeat=6)
    ]
    exact = sum(abs(mean) >= found.mean - 1e-12 for mean in all_means) / len(all_means)
    assert found.p == pytest.approx(exact, abs=0.02)
    assert (found.mean_a, found.mean_b) == (pytest.approx(1 / 6), pytest.approx(5 / 6))
    assert found.low <= found.mean <= found.high
    assert found == paired_difference(a, b)
    assert not paired_difference(a, a).significant
    with pytest.raises(ValueError, match="same questions"):
        paired_difference([1.0], [])


def test_the_test_agrees_with_scipy() -> None:
    rng = random.Random(5)
    a = [rng.random() for _ in range(60)]
    b = [value + rng.gauss(0.04, 0.2) for value in a]
    ours = paired_difference(a, b)
    theirs = permutation_test(
        (b, a), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=9_999, rng=1,
    )  # fmt: skip
    assert ours.p == pytest.approx(theirs.pvalue, abs=0.02)


def test_an_interval_of_a_mean_holds_it() -> None:
    low, high = mean_interval([0.0, 1.0] * 50)
    assert low < 0.5 < high
    assert low > 0.35
    assert high < 0.65


def test_kappa_by_hand_and_on_200_random_cases() -> None:
    assert kappa("yyyn", "yynn") == pytest.approx((0.75 - 0.5) / 0.5)
    assert kappa("yy", "yy") == 1.0
    assert kappa("y", "y") is None
    rng = random.Random(6)
    for _ in range(200):
        one, other = (rng.choices("abc", k=rng.randint(8, 8)) for _ in "xy")
        agree = sum(x == y for x, y in zip(one, other, strict=True)) / 8
        counts, others = Counter(one), Counter(other)
        chance = sum(counts[key] * others[key] for key in "abc") / 64
        if chance < 1:
            assert kappa(one, other) == pytest.approx((agree - chance) / (1 - chance))


def test_kappa_agrees_with_sklearn() -> None:
    rng = random.Random(7)
    for _ in range(100):
        one, other = (rng.choices((1, 2, 3, 5), k=12) for _ in "xy")
        expected = cohen_kappa_score(one, other, weights="quadratic")
        assert kappa(one, other, ordered=True) == pytest.approx(expected)
        assert kappa(one, other) == pytest.approx(cohen_kappa_score(one, other))


def test_the_area_under_the_curve_agrees_with_sklearn() -> None:
    rng = random.Random(8)
    for _ in range(50):
        truth = [True, False, *rng.choices((True, False), k=20)]
        values = [rng.choice((0.1, 0.2, 0.3, rng.random())) for _ in truth]
        rows = [
            result(at, answerable=answerable, confidence=value)
            for at, (answerable, value) in enumerate(zip(truth, values, strict=True))
        ]
        assert summary(rows)["abstention_auc"] == pytest.approx(roc_auc_score(truth, values))


def test_raters_are_compared_pair_by_pair() -> None:
    ratings = {"a": {1: 5, 2: 1, 3: 3}, "b": {1: 5, 2: 1}, "c": {9: 1}}
    assert pairwise_kappa(ratings) == 1.0
    assert pairwise_kappa({"a": {1: 5}}) is None
