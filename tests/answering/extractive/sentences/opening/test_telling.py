"""What says itself which, what all of it are, and what a term means."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.opening.telling import says_which_of
from tests.support.choosing import chosen

SIGNALS = (
    "A page should show some form of the four tides (see the chapter of the four tides). "
    "The four tides of the bay are the spring, the neap, the ebb and the flood tide. "
    "If you know all four tides you are safe."
)
SCORES = [9.5, 9.0, 8.8]
TERMS = (
    "# Slack\n\nHow still it is. A measure of the water between two tides, taken at the pier. "
    "Finally, slack is also looked for by divers, who wait for it."
)


@pytest.mark.parametrize("number", ["four ", "4 ", ""])
def test_the_sentence_that_says_which_they_are_opens_alone(number: str) -> None:
    said = chosen(f"what are the {number}tides?", SCORES, SIGNALS, read=False)
    assert [text[:14] for text in said] == ["The four tides"]


@pytest.mark.parametrize(
    "question", ["what does slack mean exactly", "what exactly does slack mean?", "what is slack?"]
)
def test_the_entry_of_a_term_begins_with_a_few_words_and_goes_on(question: str) -> None:
    said = chosen(question, [-9.0, 7.0, 5.0, 9.0], TERMS)
    assert [text[:9] for text in said] == ["How still", "A measure"]


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("is monday 0 or 1", "Returned as an integer, where Monday is 0.", True),
        ("is monday 0 or 1?", "The number of the day, where 1 is Monday.", True),
        ("is monday 0 or 1", "Monday is 0.5 of it.", False),
        ("is monday 0 or 1", "The first Monday is in week 0.", False),
        ("is the moon a star or a planet", "The moon is a planet of ours.", True),
        ("is monday a day", "Monday is a day.", False),
    ],
)
def test_of_two_one_is_said_of_the_thing(question: str, text: str, says: bool) -> None:
    assert says_which_of(question, text) == says


def test_what_says_one_of_the_two_opens() -> None:
    text = (
        "Week number of the year, Monday is the first day and the days before are week 0 or 1. "
        "Return the day, where Monday is 0 and Sunday is 6."
    )
    assert chosen("is monday 0 or 1", [9.0, 7.0], text)[0].startswith("Return")


def test_how_many_alone_asks_for_the_things_that_the_first_question_names() -> None:
    text = "The largest pot holds 9 l. A kitchen holds up to 40 pots. The oven holds 12 trays."
    said = chosen("max pot size? and how many (maximum)", [9.0, 7.0, 8.0], text)
    assert [one[:7] for one in said] == ["The lar", "A kitch"]


@pytest.mark.parametrize(
    "question", ["list all the tide marks", "which tide marks are there", "name the tide marks"]
)
def test_what_counts_off_the_things_of_a_list_opens(question: str) -> None:
    text = "The list of tide marks hangs here. A tide mark has to be LOW, MEAN or HIGH."
    assert chosen(question, [9.0, 7.0], text, read=False)[0].startswith("A tide mark has")


def test_what_warns_shows_not_how_it_is_done() -> None:
    text = "Note that slack(4) is not enough:\n\n>>> slack(4)\n3\n\nMeasure the slack at the pier."
    said = chosen("how do i measure slack", [9.0, -9.0, 8.5], text, read=False)
    assert said[0] == "Measure the slack at the pier."


def test_what_is_all_that_is_asked_for_shows_how_above_an_example() -> None:
    text = (
        "The gate tells how to measure the slack.\n\nMeasuring slack:\n\n>>> slack(4)\n3"
        "\n\nOpening it:\n\n>>> gate(4)\n3"
    )
    said = chosen("how do i measure slack", [9.0, 5.0, -9.0, 5.0, -9.0], text, read=False)
    assert said == ["Measuring slack:", ">>> slack(4)\n3"]
