"""Plans: the question as typed, and questions that point back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.planning.rules import plan_by_rule
from core.types import Message

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def asked(*questions: str) -> list[Message]:
    """A history of these questions, each with an answer that must not be used."""
    return [
        Message(number, role, text, NOW)
        for number, question in enumerate(questions)
        for role, text in (("user", question), ("assistant", "Bananas are yellow."))
    ]


def test_as_typed() -> None:
    made = plan_by_rule("  What is\n recall? ")
    assert made.queries == ("What is recall?",)
    assert made.goal == "What is recall?"
    assert made.notices == ()


@pytest.mark.parametrize(
    "question", ["And why?", "Why is that so?", "Tell me more", "?", "what about it"]
)
def test_a_question_that_names_nothing(question: str) -> None:
    made = plan_by_rule(question, asked("How tall is the Eiffel Tower?"))
    assert made.queries == (f"{question} tall Eiffel Tower",)
    assert "tall Eiffel Tower" in made.goal
    assert [notice.code for notice in made.notices] == ["words-carried-over"]


@pytest.mark.parametrize("question", ["How does it work?", "Who founded them?", "Was kostet sie?"])
def test_a_short_question_that_points_back(question: str) -> None:
    made = plan_by_rule(question, asked("What is the Curiosity rover?"))
    assert made.queries == (f"{question} Curiosity rover",)


@pytest.mark.parametrize(
    "question",
    [
        "Is it true that vitamin D strengthens bones?",
        "What is the capital of France?",
        "¿Cuál es la capital?",
        "revenue 2023",
    ],
)
def test_a_question_that_stands_alone(question: str) -> None:
    assert plan_by_rule(question, asked("What is the Curiosity rover?")).queries == (question,)


def test_the_nearest_question_with_words_counts() -> None:
    made = plan_by_rule(
        "Why?", asked("What is Mars?", "Where is the Curiosity rover?", "And then?")
    )
    assert made.queries == ("Why? Curiosity rover",)


def test_words_are_not_repeated() -> None:
    made = plan_by_rule("What is its height?", asked("The height of the Eiffel Tower?"))
    assert made.queries == ("What is its height? Eiffel Tower",)


def test_nothing_to_carry() -> None:
    assert plan_by_rule("Why?").queries == ("Why?",)
    assert plan_by_rule("Why?", asked("And?")).queries == ("Why?",)


def test_german_verbs_are_looked_for_in_other_forms() -> None:
    also = dict(plan_by_rule("wann ist der Sender ausgefallen?").also)
    assert "ausfallen" in also["ausgefallen"]
    assert plan_by_rule("when did the transmitter fail?").also == ()


def test_german_compounds_are_looked_for_by_their_parts() -> None:
    also = dict(plan_by_rule("wie lang ist die Kündigungsfrist").also)
    assert also["Kündigungsfrist"] == ("kundigung frist",)
    assert plan_by_rule("how long is the Kündigungsfrist of this").also == ()
