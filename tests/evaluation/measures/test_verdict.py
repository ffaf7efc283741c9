"""What a run says in one sentence."""

from __future__ import annotations

from core.evaluation.measures.verdict import verdict
from core.evaluation.runs.results import Result
from tests.evaluation.made import result


def answers(right: int, wrong: int, *tags: str) -> list[Result]:
    values = [1.0] * right + [0.0] * wrong
    return [result(at, contains=value, tags=tags) for at, value in enumerate(values)]


def test_how_many_are_right_refused_and_failed() -> None:
    refused = [result(at, answerable=False, abstained_right=float(at % 2)) for at in range(4)]
    failed = [result(9, error="The model did not answer.")]
    assert verdict([*answers(3, 2), *refused, *failed]) == (
        "3 of 5 answers hold what was expected; 2 of 4 questions without an answer were refused; "
        "1 of 10 questions failed."
    )


def test_a_judge_is_believed_before_the_words() -> None:
    judged = [result(at, contains=0.0, correct=1.0) for at in range(2)]
    assert verdict(judged) == "2 of 2 answers were judged right."
    unjudged = [result(9, contains=1.0)]
    assert verdict([*judged, *unjudged]) == "2 of 2 answers were judged right."


def test_without_expected_answers_the_cited_document_counts() -> None:
    assert verdict([result(0, cited_document=1.0)]) == "1 of 1 answers cite an expected document."


def test_the_weakest_tag_is_named_where_it_is_clearly_weaker() -> None:
    table, prose = answers(1, 4, "tables"), answers(5, 0, "prose")
    assert "fewest with the tag tables (1 of 5)" in verdict([*table, *prose])
    nearly = answers(9, 1, "tables")
    assert "fewest" not in verdict([*nearly, *prose]), "9 of 10 beside 5 of 5"
    few = answers(0, 2, "rare")
    assert "rare" not in verdict([*few, *prose]), "two questions tell little"


def test_a_run_that_measures_nothing_says_so() -> None:
    assert verdict([result(0)]) == "There is nothing to measure the answers by."
