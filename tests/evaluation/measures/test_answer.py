"""Every measure of one answer: by hand, and against an independent reference on random cases."""

from __future__ import annotations

import collections
import random
import re
import string

import numpy as np
import pytest

from core.evaluation.golden.sets import GoldenItem
from core.evaluation.measures import answer as metrics
from core.evaluation.measures.bertscore import bertscore, bertscore_f1, measured_baseline, rescaled
from core.evaluation.measures.family import Case
from tests.evaluation.made import answer

WORDS = "the a cat sat on Mat, mats 3 1,577 running Lyon Über день".split()


def random_text(rng: random.Random, most: int = 9) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(0, most)))


def squad_normal(text: str) -> str:
    """As the evaluation script of SQuAD 1.1 does it, written from its description."""
    lowered = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", lowered).split())


def squad_f1(prediction: str, truth: str) -> float:
    one, other = squad_normal(prediction).split(), squad_normal(truth).split()
    shared = collections.Counter(one) & collections.Counter(other)
    same = sum(shared.values())
    if not one or not other:
        return float(one == other)
    if same == 0:
        return 0.0
    precision, recall = same / len(one), same / len(other)
    return 2 * precision * recall / (precision + recall)


def test_f1_and_exact_match_by_hand() -> None:
    # answer: moved new york 1884 in to he (7 words without article), expected: new york (2)
    assert metrics.token_f1("He moved to New York in 1884.", ["New York"]) == pytest.approx(4 / 9)
    assert metrics.token_f1("Paris", ["London", "Paris!"]) == 1.0
    assert metrics.token_f1("Paris", ["London"]) == 0.0
    assert metrics.exact_match("the Paris.", ["paris"]) == 1.0
    assert metrics.exact_match("Paris in France", ["paris"]) == 0.0
    assert metrics.contains("It is in Paris.", ["paris"]) == 1.0
    assert metrics.token_f1("x", []) is metrics.exact_match("x", []) is None
    assert metrics.contains("x", ["the"]) is None


def test_f1_and_exact_match_on_200_random_cases() -> None:
    rng = random.Random(1)
    for _ in range(200):
        answer, truths = random_text(rng), [random_text(rng, 4) for _ in range(rng.randint(1, 3))]
        expected = max(squad_f1(answer, truth) for truth in truths)
        assert metrics.token_f1(answer, truths) == pytest.approx(expected)
        exact = any(squad_normal(answer) == squad_normal(truth) for truth in truths)
        assert metrics.exact_match(answer, truths) == float(exact)


def lcs(one: list[str], other: list[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else longer
    return table[-1][-1]


def f_measure(common: int, one: int, other: int) -> float:
    return 2 * common / (one + other) if common else 0.0


def test_rouge_by_hand() -> None:
    # answer: the cat sat down (4), expected: the cat was down (4)
    found = metrics.rouge("the cat sat down", ["The cat was down."])
    assert found["rouge1"] == pytest.approx(3 / 4)
    assert found["rouge2"] == pytest.approx(1 / 3)
    assert found["rougeL"] == pytest.approx(3 / 4)
    assert metrics.rouge("день добрый", ["Добрый день"])["rouge1"] == 1.0
    assert set(metrics.rouge("x", []).values()) == {None}


def test_rouge_on_200_random_cases() -> None:
    rng = random.Random(2)
    split = metrics.WordTokenizer().tokenize
    for _ in range(200):
        answer, truth = random_text(rng), random_text(rng)
        found = metrics.rouge(answer, [truth])
        one, other = split(answer), split(truth)
        for size, name in ((1, "rouge1"), (2, "rouge2")):
            left = collections.Counter(zip(*(one[at:] for at in range(size)), strict=False))
            right = collections.Counter(zip(*(other[at:] for at in range(size)), strict=False))
            common = sum((left & right).values())
            expected = f_measure(common, sum(left.values()), sum(right.values()))
            assert found[name] == pytest.approx(expected)
        assert found["rougeL"] == pytest.approx(f_measure(lcs(one, other), len(one), len(other)))


@pytest.mark.parametrize(
    ("answer", "accepted", "value"),
    [
        ("It was about $1,580 million.", ["$1577.00"], 1.0),
        ("It was $1,600 million.", ["$1577.00"], 0.0),
        ("a loss of (3.5) percent", ["-3.5%"], 1.0),
        ("from 10 to 20", ["10 and 20.1"], 1.0),
        ("from 10", ["10 and 20"], 0.0),
        ("none at all", ["12", "no number"], 0.0),
        ("anything", ["no number"], None),
        ("0", ["0"], 1.0),
        ("0.001", ["0"], 0.0),
    ],
)
def test_numeric_match(answer: str, accepted: list[str], value: float | None) -> None:
    assert metrics.numeric_match(answer, accepted) == value


def unit(rows: list[list[float]]) -> np.ndarray:
    states = np.asarray(rows, np.float32)
    return states / np.linalg.norm(states, axis=1, keepdims=True)


def test_bertscore_by_hand() -> None:
    # two tokens of which one is in the reference: P = (1 + 0) / 2, R = 1
    found = bertscore_f1(unit([[1, 0], [0, 1]]), unit([[1, 0]]))
    assert found == pytest.approx(2 / 3)
    assert bertscore_f1(np.zeros((0, 2), np.float32), unit([[1, 0]])) == 0.0
    assert rescaled(0.4, 0.4) == 0.0
    assert rescaled(1.0, 0.4) == 1.0
    assert rescaled(0.1, 0.4) == pytest.approx(-0.5)


def test_bertscore_on_200_random_cases() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        one, other = (unit(rng.normal(size=(rng.integers(1, 20), 8)).tolist()) for _ in "ab")
        precision = np.mean([max(float(a @ b) for b in other) for a in one])
        recall = np.mean([max(float(a @ b) for a in one) for b in other])
        expected = 2 * precision * recall / (precision + recall)
        assert bertscore_f1(one, other) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_bertscore_takes_the_best_accepted_answer_and_the_baseline_is_repeatable() -> None:
    def encode(text: str) -> np.ndarray:
        return unit([[ord(ch), 7.0] for ch in text])

    assert bertscore("ab", ["zz", "ab"], encode) == pytest.approx(1.0)
    assert bertscore("", ["ab"], encode) is bertscore("ab", [], encode) is None
    sentences = ["one", "other", "third"]
    assert measured_baseline(sentences, encode, 9) == measured_baseline(sentences, encode, 9)


def test_answer_and_expected_answer_are_cleaned_alike() -> None:
    code = "def f(): [1]"
    item = GoldenItem("q", "How?", (f"Call it:\n\n```python\n{code}\n```",))
    given = answer(f"Call it: [1]\n\n```\n{code}\n```\n")
    encoded: list[str] = []

    def encode(text: str) -> np.ndarray:
        encoded.append(text)
        return np.ones((1, 1), np.float32)

    found = metrics.of_case(Case(item, given, encode=encode))
    assert (found["rouge1"], found["rouge2"], found["rougeL"]) == (1.0, 1.0, 1.0)
    assert encoded == [f"Call it: {code}"] * 2
