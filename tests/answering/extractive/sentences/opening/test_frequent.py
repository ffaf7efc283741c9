"""Frequent questions of a document that ask nearly what is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.opening.frequent import (
    borne_out,
    frequent_questions,
    nearly_asked,
)
from core.answering.extractive.sentences.reading import Read
from tests.support.hits import hit
from tests.support.quoting import ask

HOUSE = """Are pets allowed?

Dogs are welcome in four rooms. Other animals cannot stay.

What time is check-in?

Rooms are ready from 3 pm.

What time is check-out?

Please leave by 11 am. A late check-out until 2 pm costs 15 pounds.

**Can I hire a bicycle?**

Wheels of all sizes are lent for free.

Is there parking?

There is no car park of our own. The one on Shore Street is free.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("can i bring my dog", "Dogs are welcome"),
        ("when can i check in", "Rooms are ready"),
        ("can i rent a bike", "Wheels of all sizes"),
    ],
)
def test_what_is_asked_nearly_the_same_is_answered_by_its_section_alone(
    question: str, said: str
) -> None:
    answer = ask(question, [hit(HOUSE, title="Harbour House")])
    assert answer.text.startswith(said)
    quotes = " ".join(one.quote for one in answer.citations)
    assert "Rooms are ready" in said or "Rooms are ready" not in quotes
    assert "pounds" not in quotes


def asked(question: str, cosines: dict[str, float], text: str = HOUSE) -> str:
    return nearly_asked(question, cosines, find_candidates([hit(text)]))


def test_one_that_is_only_alike_must_be_ahead_and_of_the_same_kind() -> None:
    pets, parking = "Are pets allowed?", "Is there parking?"
    assert asked("may we bring a cat", {pets: 0.6, parking: 0.2}) == pets
    assert asked("may we bring a cat", {pets: 0.5, parking: 0.2}) == ""
    assert asked("may we bring a cat", {pets: 0.6, parking: 0.55}) == ""
    assert asked("who allows cats", {pets: 0.6}) == ""
    assert asked("is clay safe", {"What can be made of clay?": 0.6}) == ""
    assert asked("uses of clay", {"What can be made of clay?": 0.6}) != ""
    assert asked("how do i park", {parking: 0.6}) == ""
    assert asked("what are pets", {pets: 0.6}) == ""
    assert asked("what are pets", {pets: 0.8}) == pets
    assert asked("may we bring a cat", {}) == ""


def test_one_that_is_only_alike_gives_way_to_a_sentence_with_all_that_was_typed() -> None:
    pets = "Are pets allowed?"
    assert asked("what of a late checkout by dogs", {pets: 0.6}) == pets
    assert asked("is there a late check-out", {pets: 0.6}) == ""
    assert asked("is there a late check-out", {pets: 0.76}) == pets
    assert asked("can i stay", {pets: 0.6}) == pets  # "stay" alone stands in many sentences


def test_one_that_is_only_alike_gives_way_where_the_reader_finds_an_answer_elsewhere() -> None:
    pets = "Are pets allowed?"
    dogs, _, rooms, *_ = (
        one for one in find_candidates([hit(HOUSE)]) if "?" not in one.sentence.text
    )
    assert dogs.under == pets
    here, there = {dogs: Read(-6.0, (0, 1))}, {rooms: Read(-1.0, (0, 1))}
    assert borne_out(pets, {pets: 0.6}, here | there) == ""
    assert borne_out(pets, {pets: 0.76}, here | there) == pets
    assert borne_out(pets, {pets: 0.6}, here | {rooms: Read(-3.0, (0, 1))}) == pets
    assert borne_out(pets, {pets: 0.6}, there) == pets  # its section was not read
    assert borne_out("", {}, there) == ""


def test_they_are_those_above_sentences_in_the_language_of_the_embedder() -> None:
    german = replace(hit(HOUSE), document=replace(hit(HOUSE).document, language="de"))
    found = find_candidates([hit(HOUSE)])
    questions = frequent_questions("can i rent a bike", found, [hit(HOUSE)])
    assert "Can I hire a bicycle?" in questions
    assert len(questions) == 5
    assert frequent_questions("can i rent a bike", found, [german]) == []
    assert frequent_questions("kann ich ein Fahrrad mieten", found, [hit(HOUSE)]) == []
