"""Which one of a list a question asks for by its number."""

from __future__ import annotations

import pytest

from core.planning.numbered_questions import LAST, number_asked, with_number_of


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("number 9?", 9),
        ("who is #4 on the list", 4),
        ("was steht in punkt 3", 3),
        ("what is the 3rd step", 3),
        ("die zweite regel bitte", 2),
        ("and the last one?", LAST),
    ],
)
def test_one_of_a_list_is_asked_for(question: str, number: int) -> None:
    asked = number_asked(question)
    assert asked is not None
    assert asked.number == number


@pytest.mark.parametrize(
    "question",
    [
        "who was the third president", "what is number 3.5", "what costs number 3-5",
        "compare number 3 and number 4", "the number of ships in 12 ports", "how many steps",
    ],
)  # fmt: skip
def test_other_numbers_are_of_no_list(question: str) -> None:
    assert number_asked(question) is None


def test_the_number_of_the_next_question_replaces_that_of_the_last() -> None:
    assert with_number_of("what is the third step?", "and number 5") == "what is number 5?"
    assert with_number_of("what is the third step?", "and then?") == ""
    assert with_number_of("what comes then?", "number 5") == ""
