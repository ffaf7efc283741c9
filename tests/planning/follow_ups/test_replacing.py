"""The question before with the like part replaced."""

from __future__ import annotations

import pytest

from core.planning.follow_ups.completing import whole
from tests.planning.follow_ups.conversations import RELEASE, talk


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        (
            "what is the revenue of Northstar",
            "and the profit?",
            "what is the profit of Northstar?",
        ),
        (
            "what is the revenue of Northstar",
            "and velmark?",
            "what is the revenue of velmark?",
        ),
        ("whats the net debt", "what about the cash flow?", "whats the cash flow?"),
    ],
)
def test_a_common_word_replaces_what_was_asked_and_a_name_of_whom(
    asked: str, question: str, read: str
) -> None:
    reading = whole(question, talk((asked, "Northstar made it."), passage=RELEASE))
    assert reading is not None
    assert reading.goal == read


def test_another_column_of_the_table_replaces_what_was_counted() -> None:
    history = talk(
        ("how many ships did they have in 2010", "2010 | 12 | 34"),
        passage="Year | Ships | Revenue\n2010 | 12 | 34\n\nThe ships of Graz sail to Graz.",
    )
    read, other = whole("and revenue?", history), whole("and linz?", history)
    assert read is not None
    assert read.goal == "how many revenue did they have in 2010?"
    assert other is not None
    assert other.goal == "how many ships did linz have in 2010?"
    for name in ("graz", "Revenue"):
        read = whole(f"and {name}?", history)
        assert read is not None
        assert read.goal == f"how many ships did {name} have in 2010?"


def test_another_cell_of_a_table_replaces_the_one_asked_of() -> None:
    history = talk(
        ("how many people live in graz", "1 | Graz | 291,000"),
        passage="No. | Town | Pop.\n1 | Graz | 291,000\n2 | Linz | 205,000\nPeople live there.",
    )
    read = whole("and linz?", history)
    assert read is not None
    assert read.goal == "how many people live in linz?"


def test_the_least_is_asked_for_in_place_of_the_most() -> None:
    asked = talk(("which town had the highest rent in 2019", "Linz had the highest rent."))
    assert whole("and the lowest", asked).goal == "which town had the lowest rent in 2019?"
    assert "lowest fee in 2019" not in whole("and the lowest fee", asked).goal
    other = talk(("what is the rent in Linz", "It is 9 euros."))
    assert whole("and the lowest", other).goal != "what is the lowest rent in Linz?"


def test_per_whom_is_added_to_what_was_asked() -> None:
    reading = whole("and per student", talk(("what did it cost in 2004", "It cost 9 euros.")))
    assert reading is not None
    assert reading.goal == "what did it cost in 2004 per student?"


def test_what_is_added_stands_before_what_was_carried() -> None:
    asked = talk(
        ("how much does the school cost", "It costs 9 euros."),
        goal="how much does the school cost (Graz)",
    )
    reading = whole("and for apprentices?", asked)
    assert reading is not None
    assert reading.goal == "how much does the school cost for apprentices (Graz)"


def test_the_verb_is_not_what_another_thing_replaces() -> None:
    reading = whole("and the rice", talk(("how long do i roast the chicken", "Roast it long.")))
    assert reading is not None
    assert reading.goal == "how long do i roast the rice?"


def test_of_yes_or_no_another_thing_replaces_the_pronoun() -> None:
    passage = "Is the sap toxic? The thorns are."
    asked = talk(("is it toxic for dogs", "The sap is."), passage=passage)
    for question in ("what about the thorns", "and the thorns too?"):
        reading = whole(question, asked)
        assert reading is not None
        assert reading.goal == "is the thorns toxic for dogs?"


def test_no_article_stands_behind_what_determines() -> None:
    passage = "Die Vorteile und die Nachteile von Leasing sind bekannt."
    asked = talk(("welche vorteile hat leasing", "Die Vorteile sind gut."), passage=passage)
    reading = whole("und die nachteile?", asked)
    assert reading is not None
    assert reading.goal == "welche nachteile hat leasing?"


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        ("how many live in Graz", "and in 2010?", "how many live in Graz in 2010?"),
        ("how many live in total", "and in 2010?", "how many live in 2010?"),
        ("threshold for lead to air", "and to water?", "threshold for lead to water?"),
        ("what is the price of tea in Graz", "and of milk?", "what is the price of milk in Graz?"),
        ("wie weit ist es nach graz", "und nach linz?", "wie weit ist es nach linz?"),
    ],
)
def test_what_is_said_to_where_and_of_what_is_replaced(
    asked: str, question: str, read: str
) -> None:
    reading = whole(question, talk((asked, "It is 12.")))
    assert reading is not None
    assert reading.goal == read


def test_one_of_those_among_which_one_had_the_most_is_asked_after_alone() -> None:
    history = talk(
        ("which town had the most ships in 2010", "Graz | 34 | 12"),
        passage="Town | Ships | Lamps\nGraz | 34 | 12\nLinz | 21 | 9\nThe lamps of Graz burn.",
    )
    read, other = whole("what about linz?", history), whole("and lamps?", history)
    assert read is not None
    assert read.goal == "linz: had the ships in 2010?"
    assert other is not None
    assert "most" in other.goal
    least = whole("and the least?", history)
    assert least is not None
    assert least.goal == "which town had the least ships in 2010?"


def _goal(question: str, asked: str, *, passage: str = "", goal: str = "") -> str:
    reading = whole(question, talk((asked, "It can have 15."), passage=passage, goal=goal))
    assert reading is not None
    return reading.goal


def test_what_has_an_article_replaces_what_ends_the_question_with_one() -> None:
    asked = "is a lamp good for your eyes"
    assert _goal("and the heart?", asked, passage="A heart.") == "is a lamp good for your heart?"
    verb = "when does the contract run"
    assert _goal("and the lease?", verb) == "the lease (contract run)"


def test_what_replaces_nothing_stands_before_what_was_asked() -> None:
    asked = "how many guests can a pub have outside"
    goal = _goal("what about cinemas?", asked)
    assert goal == "cinemas (guests pub outside)"
    reading = whole("and gyms?", talk(("what about cinemas", "Cinemas will shut."), goal=goal))
    assert reading is not None
    assert reading.goal == "gyms (guests pub outside)"


def test_there_is_means_nothing_that_another_thing_replaces() -> None:
    assert _goal("what about a spa?", "is there a pool") == "is there a spa?"
    assert _goal("and cafes?", "are there parks") == "are there cafes?"
