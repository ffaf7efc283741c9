"""Comparisons with what was spoken of, and what follows a comparison."""

from __future__ import annotations

import pytest

from core.planning.follow_ups.completing import whole
from core.planning.follow_ups.leaning import leans
from tests.planning.follow_ups.conversations import talk


@pytest.mark.parametrize(
    "question", ["diff to a tern?", "whats the difference to a tern", "and compared to a tern?"]
)
def test_one_thing_is_compared_with_what_was_spoken_of(question: str) -> None:
    assert leans(question)
    reading = whole(question, talk(("what is a gull", "A gull is a bird.")))
    assert reading is not None
    assert reading.goal == "what is the difference between gull and a tern?"


@pytest.mark.parametrize(
    "question", ["difference between a gull and a tern", "what is the difference", "diff to it?"]
)
def test_a_comparison_of_two_things_is_none_with_what_was_spoken_of(question: str) -> None:
    reading = whole(question, talk(("what is an owl", "An owl is a bird.")))
    assert reading is None or not reading.goal.startswith("what is the difference between owl")


def test_what_two_were_compared_in_is_asked_of_a_third() -> None:
    asked = "whose revenue is bigger Northstar or Velmark"
    reading = whole("and acme?", talk((asked, "Northstar has more revenue.")))
    assert reading is not None
    assert reading.goal == "what is the revenue of acme?"


@pytest.mark.parametrize("question", ["is velmark's higher?", "and is Velmark's much better"])
def test_what_was_told_of_one_is_asked_of_another_to_compare_them(question: str) -> None:
    assert leans(question)
    asked = "what rent do they pay"
    history = talk((asked, "Northstar pays a rent of 9 euros."), goal=f"{asked} (Northstar)")
    reading = whole(question, history)
    assert reading is not None
    assert reading.goal.casefold() == "what rent do velmark pay?"


@pytest.mark.parametrize(
    "question", ["is this higher?", "is gas cheaper?", "is the rent of Velmark higher than his?"]
)
def test_a_comparison_of_nobodys_is_none_of_another(question: str) -> None:
    reading = whole(question, talk(("what rent does Northstar pay", "Northstar pays 9 euros.")))
    assert reading is None or question in reading.goal
