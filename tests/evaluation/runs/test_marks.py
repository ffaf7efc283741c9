"""Human marks summed up, and the judge held against them: by hand."""

from __future__ import annotations

import pytest

from core.evaluation.runs.marks import judge_agreement, mark_summaries, normalised_mark
from core.evaluation.runs.results import ASPECTS, Mark
from tests.evaluation.made import result


def test_marks_become_0_to_1() -> None:
    assert [normalised_mark(value) for value in (1, 2, 5)] == [0.0, 0.25, 1.0]


def test_means_and_agreement_by_aspect() -> None:
    marks = [
        Mark(0, "ida", {"clarity": 5, "correctness": 1}),
        Mark(1, "ida", {"clarity": 1}),
        Mark(0, "nils", {"clarity": 5}),
        Mark(1, "nils", {"clarity": 1}),
    ]
    found = {one.aspect: one for one in mark_summaries(marks)}
    assert tuple(found) == ASPECTS
    assert (found["clarity"].mean, found["clarity"].marks) == (0.5, 4)
    assert found["clarity"].agreement == 1.0
    assert (found["correctness"].mean, found["correctness"].agreement) == (0.0, None)
    assert (found["usefulness"].mean, found["usefulness"].marks) == (None, 0)


def test_the_judge_agrees_with_people_where_it_graded() -> None:
    results = [result(0, correct=1.0), result(1, correct=0.0), result(2, correct=1.0), result(3)]
    marks = [
        Mark(0, "ida", {"correctness": 5}),
        Mark(1, "ida", {"correctness": 2}),
        Mark(2, "ida", {"correctness": 3}),  # the judge found it correct
        Mark(3, "ida", {"correctness": 5}),  # not graded: left out
        Mark(0, "nils", {"clarity": 5}),
    ]
    value, pairs = judge_agreement(marks, results)
    # agreement 2 of 3; by chance 1/3 * 2/3 + 2/3 * 1/3 = 4/9
    assert value == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))
    assert pairs == 3
    assert judge_agreement([], results) == (None, 0)
