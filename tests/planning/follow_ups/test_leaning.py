"""Whether a question leans on the conversation."""

from __future__ import annotations

import pytest

from core.planning.follow_ups.leaning import leans


@pytest.mark.parametrize(
    "question",
    [
        "What does RRF do and what is its constant?",
        "what is a whale and how is it different from a fish",
        "When was the tower built, and by whom was it paid?",
        "Is it true that whales sleep?",
        "How many ferries are there in the harbour?",
        "and which whales live in the north?",
        "What is the name of the harbour master of Graz?",
        "¿Cuál es la capital?",
        "which ferries sail at night? all of them",
        "what if a trustee cant do his job",
        "Können Sie den Turm beschreiben?",
    ],
)
def test_a_question_that_stands_alone(question: str) -> None:
    assert not leans(question)


@pytest.mark.parametrize(
    "question",
    [
        "how long does that last?",
        "When will it close?",
        "what did they rename it to?",
        "who designed the building",
        "and in 2014?",
        "what about RRF?",
        "und 2010?",
        "nach wem ist sie benannt",
        "are small ones allowed too?",
        "how many did Graz have in May",
        "can i go and watch them?",
        "And why?",
        "what if he is late?",
        "bei wie viel grad?",
        "what was sold the year before?",
    ],
)
def test_a_question_that_leans(question: str) -> None:
    assert leans(question)


def test_what_is_named_with_what_it_is_for_stands_alone() -> None:
    assert not leans("wer hat das verfahren fürs recycling entwickelt")
    assert leans("wer hat das verfahren entwickelt")


def test_a_general_noun_before_another_is_not_one_named_before() -> None:
    assert not leans("does the museum get money from the state lottery")
    assert leans("how much does the company earn")


@pytest.mark.parametrize(
    ("question", "leaning"),
    [
        ("how many died last time", True),
        ("how many pupils died last time", False),
        ("was anyone hurt?", True),
        ("was anyone hurt in the fire of Graz?", False),
        ("what would it cost to stop that", True),
        ("when is the new one coming", True),
        ("what is the new one of Graz", False),
        ("why was it printed on wallpaper for a while", True),
        ("is it true that whales sleep for hours", False),
        ("why so few women", True),
        ("why no solar on the other side", True),
        ("why are there so few women in Graz", False),
    ],
)
def test_what_has_no_noun_or_no_verb_of_its_own_leans(question: str, leaning: bool) -> None:
    assert leans(question) is leaning
