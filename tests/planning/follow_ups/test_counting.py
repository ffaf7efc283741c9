"""Questions that ask for a count of something else than the one before."""

from __future__ import annotations

import pytest

from core.planning.follow_ups.completing import whole
from core.planning.follow_ups.counting import count_asked
from core.planning.follow_ups.leaning import leans
from tests.planning.follow_ups.conversations import talk


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        ("how many boats are in Linz", "and how many people", "how many people are in Linz"),
        (
            "how many school boats are in Linz",
            "how many crew men?",
            "how many crew men are in Linz",
        ),
        ("how much rent did Holm pay", "and how much tax", "how much tax did Holm pay"),
        ("wie viele Boote hat Linz", "und wie viele Kinder?", "wie viele Kinder hat Linz"),
    ],
)
def test_another_count_is_asked_of_the_same(asked: str, question: str, read: str) -> None:
    reading = whole(question, talk((asked, "Linz has 10 boats.")))
    assert reading is not None
    assert reading.goal == read


def test_a_count_behind_another_question_is_asked_of_what_that_was_about() -> None:
    reading = whole("how many people?", talk(("where is Linz", "Linz is on the Danube.")))
    assert reading is not None
    assert reading.goal == "how many people? (Linz)"


def test_a_count_with_its_own_predicate_stands_alone() -> None:
    assert not leans("how many people work in the harbour")
    assert not count_asked("how many people died")
    assert not count_asked("how much cheaper")
