"""What sentences in any words state as the answer to a question."""

from __future__ import annotations

import pytest

from core.answering.stated import Kind, Stated, asked_of, statements


def values(question: str, text: str, heads: str = "") -> list[str]:
    asked = asked_of(question)
    assert asked is not None
    return [one.value for one in statements(asked, text, heads)]


FILM = "Who directed The Long Pier?"
WON = "Who won the regatta of Port Amber in 2018?"


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        (WON, "Ida Holm has won the 2018 regatta of Port Amber.", "Ida Holm"),
        (WON, "In the regatta of Port Amber 2018 Nils Berg defeated Jan Moe.", "Nils Berg"),
        (WON, "The regatta of Port Amber 2018 was won by Ida Holm.", "Ida Holm"),
        (WON, "The winner of the regatta of Port Amber in 2018 is Ida Holm.", "Ida Holm"),
        (FILM, "The Long Pier is a film directed by Ola Lind.", "Ola Lind"),
        (FILM, "Director Ola Lind shot The Long Pier.", "Ola Lind"),
        ("Who bought the Amber Line?", "Velmark Ferries bought the Amber Line.", "Velmark Ferries"),
        ("Who is the mayor of Velmark?", "Ida Holm, the mayor of Velmark, spoke.", "Ida Holm"),
        (
            "When was the Amber Atlas published?",
            "The Amber Atlas was published in Velmark by two brothers on 3 May 1901.",
            "3 May 1901",
        ),
        ("When was Ida Holm born?", "Ida Holm (born May 3, 1880) was a captain.", ""),
        ("When was Ida Holm born?", "Ida Holm was born in Velmark on May 3, 1880.", "May 3, 1880"),
        (
            "How much did Velmark Ferries buy the Amber Line for?",
            "Velmark Ferries purchased the Amber Line for $1.5 million in stock.",
            "$1.5 million",
        ),
        (
            "What was the revenue of Velmark Ferries?",
            "Velmark Ferries had revenues of €9.5 million.",
            "€9.5 million",
        ),
    ],
)  # fmt: skip
def test_what_stands_beside_a_word_for_what_is_asked(question: str, text: str, value: str) -> None:
    assert values(question, text) == ([value] if value else [])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (WON, "In 2017 Ida Holm won the regatta of Port Amber; that of 2018 was called off."),
        (WON, "Ida Holm won the regatta of Port Amber."),  # of which year is not said
        (WON, "Ida Holm won the bread prize in 2018."),  # of something else
        (WON, "They won the regatta of Port Amber in 2018."),
        (WON, "Port Amber won fame by its regatta of 2018."),  # named in the question
        ("Who is the mayor of Velmark?", "Ida Holm, the former mayor of Velmark, spoke."),
        ("Who is the mayor of Velmark?", "The captain of Velmark is Ida Holm."),
        (
            "When was the Amber Atlas published?",
            "A second album of songs about the maps of the Amber Atlas was published in 1999.",
        ),
    ],
)
def test_what_is_of_something_else_is_left(question: str, text: str) -> None:
    assert values(question, text) == []


def test_the_headings_say_what_a_passage_is_about() -> None:
    text = "It was published on 3 May 1901."
    assert values("When was the Amber Atlas published?", text) == []
    assert values("When was the Amber Atlas published?", text, "The Amber Atlas") == ["3 May 1901"]


@pytest.mark.parametrize(
    ("kind", "one", "other", "apart"),
    [
        ("name", "Ida Holm", "Holm", False),
        ("name", "Ida Holm", "Nils Berg", True),
        ("day", "3 May 1901", "May 1901", False),
        ("day", "3 May 1901", "May 3, 1901", False),
        ("day", "3 May 1901", "May 4, 1901", True),
        ("day", "3rd May 1901", "1902", True),
        ("day", "Sept. 3, 1901", "3 September 1901", False),
        ("sum", "$1.65 billion", "$1,650 million", False),
        ("sum", "$1.65 billion", "$1.6 billion", False),
        ("sum", "$1.65 Billion", "$10.65 billion", True),
    ],
)
def test_values_that_cannot_both_be_right(kind: Kind, one: str, other: str, apart: bool) -> None:
    assert Stated(kind, one, 0, 1).disagrees(Stated(kind, other, 0, 1)) is apart
    assert Stated(kind, other, 0, 1).disagrees(Stated(kind, one, 0, 1)) is apart


@pytest.mark.parametrize(
    "question", ["Why did the lamp fail?", "How high is the mast?", "Who goes there?", ""]
)
def test_other_questions_ask_for_nothing_that_is_known_here(question: str) -> None:
    assert asked_of(question) is None
