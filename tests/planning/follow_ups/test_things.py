"""The thing that "it" and "there" mean behind an answer that names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.planning.follow_ups.completing import whole
from core.types import Message
from tests.planning.follow_ups.conversations import talk


def _set_off(asked: str, quote: str, words: str) -> list[Message]:
    [question, answered] = talk((asked, quote))
    assert answered.answer is not None
    at = quote.index(words)
    marked = replace(answered.answer, highlights=((at, at + len(words)),))
    return [question, replace(answered, answer=marked)]


@pytest.mark.parametrize(
    ("asked", "quote", "words", "question", "read"),
    [
        ("most common illness of pupils", "Back pain is common.", "Back pain",
         "how do they treat it", "how do they treat it (Back pain)"),
        ("most common illness of pupils", "Back pain is common.", "Back pain",
         "how many had it treated", "how many had it treated (Back pain)"),
        ("which bird eats most", "The most is eaten by Terns.", "Terns",
         "is it rare?", "is it rare? (Terns)"),
        ("which bird eats most", "It helps to have more.", "have more",
         "is it rare?", "is it rare? (bird eats most)"),
        ("what is the seat of Styria", "The seat of Styria is Graz.", "Graz",
         "how many people live there", "how many people live there (Graz)"),
        ("what is the seat of Styria", "The seat of Styria is Graz.", "Graz",
         "how old is it", "how old is it (Styria)"),
        ("where is Graz", "Graz lies in Lower Styria.", "Lower Styria",
         "how many people live there", "how many people live there (Graz)"),
    ],
)  # fmt: skip
def test_it_is_the_thing_that_was_asked_for(
    asked: str, quote: str, words: str, question: str, read: str
) -> None:
    reading = whole(question, _set_off(asked, quote, words))
    assert reading is not None
    assert reading.goal == read


def test_what_stood_for_it_goes_where_another_takes_its_place() -> None:
    asked = "how many got treated for it"
    history = talk((asked, "Back pain 202 56"), goal=f"{asked} (Back pain)")
    reading = whole("and for asthma?", history)
    assert reading is not None
    assert reading.goal == "how many got treated for asthma?"
