"""The share of right answers behind each word, and the calibration error."""

from __future__ import annotations

import pytest

from core.evaluation.measures.calibration import of_run
from tests.evaluation.made import result


def test_right_answers_are_counted_by_the_word_that_stands_below_them() -> None:
    rows = [
        result(0, confidence=0.9, direct=1.0, contains=1.0),
        result(1, confidence=0.9, direct=1.0, contains=0.0),
        result(2, confidence=0.99, direct=0.0, contains=1.0),
    ]
    found = of_run(rows)
    assert (found["right_directly"], found["right_nearby"]) == (0.5, 1.0)


def test_the_error_is_weighted_by_the_answers_of_a_bin() -> None:
    rows = [
        *(result(n, confidence=0.95, contains=1.0) for n in range(3)),
        result(3, confidence=0.55, contains=0.0),
    ]
    assert of_run(rows)["calibration_error"] == pytest.approx(0.75 * 0.05 + 0.25 * 0.55)


def test_refusals_and_what_has_no_answer_are_left_out() -> None:
    assert of_run([result(0, confidence=0.2, contains=0.0, abstained=1.0), result(1)]) == {}
