"""Whom "he" and "she" mean behind an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.planning.follow_ups.completing import whole
from core.planning.follow_ups.people import NOBODY_MEANT
from core.planning.rules import other_reading, plan_by_rule
from tests.planning.follow_ups.conversations import talk


def test_he_is_the_person_of_the_last_answer() -> None:
    history = talk(("who is the harbour master", "The post is held by Ida Holm since May."))
    reading = whole("where did she live before?", history)
    assert reading is not None
    assert reading.carried[:2] == ("Ida", "Holm")


def test_he_stays_who_he_was_in_the_question_before() -> None:
    history = talk(
        ("who is the harbour master", "The post is held by Ida Holm since May."),
        ("when did she come to Linz", "The post is held since May."),
    )
    reading = whole("where did she live before?", history)
    assert reading is not None
    assert reading.carried[:2] == ("Ida", "Holm")
    other = talk(
        ("who is the harbour master", "The post is held by Ida Holm since May."),
        ("when did the ferry come to Linz", "The post is held since May."),
    )
    reading = whole("where did she live before?", other)
    assert reading is not None
    assert "Holm" not in reading.carried


@pytest.mark.parametrize(
    ("asked", "quote", "carried"),
    [
        (
            "what happened to the plumber",
            "He said that Hartley had closed his business.",
            "Hartley",
        ),
        ("what happened to the plumber", "Hartley was seen by Jo Bell.", None),
        ("what happened to Hartley", "Hartley had closed his business in May.", "Hartley"),
        ("what happened to the plumber", "He played in the 1994–95 Hartley.", None),
        ("what happened to the plumber", "He came to a town by the Hartley.", None),
        ("what happened to the plumber", "He came from Hartley by train.", None),
    ],
)
def test_he_is_the_one_name_that_an_answer_has(asked: str, quote: str, carried: str | None) -> None:
    reading = whole("how long was his sentence", talk((asked, quote)))
    assert reading is not None
    named = {"Hartley", "Jo", "Bell"} & set(reading.carried)
    assert named == ({carried} if carried else set())


def test_who_somebody_is_names_the_person() -> None:
    quote = "She founded Velmark Press with Ida Holm."
    asked = "who is Jo Reed"
    reading = whole("what does she do now", talk((asked, quote), title="Jo Reed"))
    assert reading is not None
    assert reading.carried == ("Jo", "Reed")
    quote = "Jo Reed is skipper of the Velmark Boat."
    history = talk(("who is Jo Reed", quote), title="Jo Reed")
    answer = history[-1].answer
    assert answer is not None
    start = quote.index("skipper")
    marked = replace(answer, highlights=((start, start + 7),))
    reading = whole("where does she live", [history[0], replace(history[1], answer=marked)])
    assert reading is not None
    assert reading.carried == ("Jo", "Reed")
    quote = "She founded Velmark Press with Ida Holm."
    asked = "who is the founder"
    reading = whole("what does she do now", talk((asked, quote), title="Jo Reed"))
    assert reading is not None
    assert reading.carried == ("Velmark", "Press", "founder")


def test_a_german_noun_is_nobody() -> None:
    quote = "Der Diener ist ein wortkarges Schaf, von dem man Unterwürfigkeit annehmen darf."
    history = talk(("für wen arbeitet alfred", quote))
    answer = history[1].answer
    assert answer is not None
    start = quote.index("Unter")
    history[1] = replace(history[1], answer=replace(answer, highlights=((start, start + 15),)))
    reading = whole("woher hat er sein geld", history)
    assert reading is not None
    assert "Unterwürfigkeit" not in reading.carried


def test_she_is_whom_the_answer_to_who_sets_off() -> None:
    history = talk(("who died", "Graduate Zoe died within 30 minutes of a leak in Bath."))
    answer = history[1].answer
    assert answer is not None
    history[1] = replace(history[1], answer=replace(answer, highlights=((9, 12),)))
    reading = whole("how old was she", history)
    assert reading is not None
    assert reading.carried[0] == "Zoe"


def test_she_stays_who_she_was_when_another_was_asked_for() -> None:
    quote = "Ida Holm won with 58% of the vote, defeating Dale Reed."
    history = talk(
        ("who won the election", quote), ("who did she beat", quote), ("by how much", quote)
    )
    answer = history[3].answer
    assert answer is not None
    start = quote.index("Dale")
    marked = replace(answer, highlights=((start, start + 9),))
    history[3] = replace(history[3], answer=marked)
    for question, person in (("was she the first", "Ida"), ("how old is he", "Dale")):
        reading = whole(question, history)
        assert reading is not None
        assert person in reading.carried


def test_he_stays_the_topic_where_another_did_something_to_him() -> None:
    history = talk(
        ("where did Iwan Roberts grow up", "Iwan Roberts grew up in Barmouth."),
        ("how much did Norwich pay for him", "Norwich paid 850,000 pounds for Roberts."),
    )
    reading = whole("when did he leave", history)
    assert reading is not None
    assert "Roberts" in reading.carried
    assert "Norwich" not in reading.carried
    reading = whole("where is it", history)
    assert reading is not None
    assert "Norwich" in reading.carried


def test_an_office_that_was_typed_is_no_part_of_a_name() -> None:
    quote = "By Jo Reed: Fog comes, warns Director Ida Holm."
    history = talk(("who is the director of the harbour", quote))
    answer = history[1].answer
    assert answer is not None
    start = quote.index("Director")
    marked = replace(answer, highlights=((start, start + 17),))
    reading = whole("what did she warn of", [history[0], replace(history[1], answer=marked)])
    assert reading is not None
    assert reading.carried[:2] == ("Ida", "Holm")


def test_what_somebody_is_called_for_is_nobodys_name() -> None:
    quote = "Tern watcher Ida Holm came to Upper Styria."
    [asked, said] = talk(("who is ida holm", quote))
    assert said.answer is not None
    marked = replace(said, answer=replace(said.answer, highlights=((0, len("Tern watcher")),)))
    reading = whole("how old is her son", [asked, marked])
    assert reading is not None
    assert reading.goal == "how old is her son (ida holm)"


@pytest.mark.parametrize(
    ("asked", "question", "nobody"),
    [
        ("who is the harbour master", "what's her salary?", True),
        ("who is the harbour master", "what is the salary?", False),
        ("who was his boss", "what did he die of?", False),
        ("where is the harbour", "what's her salary?", False),
    ],
)
def test_she_is_nobody_where_who_she_is_was_refused(
    asked: str, question: str, nobody: bool
) -> None:
    history = talk(("who ran the ferry", "Ida Holm ran it."), (asked, None))
    plan = plan_by_rule(question, history)
    assert any(notice.code == NOBODY_MEANT for notice in plan.notices) is nobody
    assert not nobody or other_reading(plan, history) is None
