"""What is of something else than what is asked for answers nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.doubts import (
    KNOWN,
    MEASURED,
    NAMES_KNOWN,
    NO_COUNT,
    NOT_TOLD,
    UNLIKELY,
    lacks_maker,
    lacks_measure,
    tells_of_others,
)
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences.reading import SURE, Read
from core.answering.extractive.structures.quotes import Quote
from tests.support.hits import embedder, found, hit


def quoting(question: str, text: str, read: float | None) -> tuple[list[Quote], Scored]:
    scored = ExtractiveAnswerer(embedder()).score(question, found(question, [hit(text)]))
    first = scored.candidates[0]
    reads = {} if read is None else {first: Read(read, (0, 5))}
    return [Quote(first, "prose", (first.sentence,))], replace(scored, reads=reads)


@pytest.mark.parametrize(
    ("question", "belief", "read", "others"),
    [
        ("Which storm hit Graz in May?", 0.7, NO_COUNT - 0.1, True),
        ("Which storm hit Linz in May?", 0.7, NO_COUNT - 0.1, False),
        ("Which storm hit Graz in May?", NAMES_KNOWN, NO_COUNT - 0.1, False),
        ("Which storm hit Graz in May?", 0.7, NO_COUNT, False),
        ("Which storm hit the US in May?", 0.7, NO_COUNT - 0.1, False),
        ("which storm hit graz in May", 0.7, NO_COUNT - 0.1, False),
        ("Welcher Sturm war das in Graz?", 0.7, NO_COUNT - 0.1, False),
    ],
)
def test_what_is_told_near_no_name_of_the_question_is_told_of_others(
    question: str, belief: float, read: float, others: bool
) -> None:
    quotes, scored = quoting(question, "A storm hit the harbour of Linz in May.", read)
    assert tells_of_others(question, belief, quotes, scored) is others


ACT = "The Fishing Act was passed in 1903 and gave the harbour of Linz to 40 boats."


@pytest.mark.parametrize(
    ("question", "read", "others"),
    [
        ("when was the fishing act abolished", NOT_TOLD - 0.1, True),
        ("when was the fishing act abolished", NOT_TOLD, False),
        ("when was the fishing act passed", NOT_TOLD - 0.1, False),
        ("how many sailors did the fishing act name", NOT_TOLD - 0.1, True),
        ("which court upheld the fishing act", -6.6, True),
        ("which court upheld the fishing act", -6.5, False),
        ("who opposed the fishing act", UNLIKELY - 0.1, True),
        ("who opposed the fishing act", UNLIKELY, False),
        ("fishing act abolished", UNLIKELY + 0.1, False),  # nothing is asked in so many words
        ("when was the fishing act (law sailors)", NOT_TOLD - 0.1, False),  # what was carried over
    ],
)
def test_a_word_that_is_told_nowhere_near_is_asked_of_something_else(
    question: str, read: float, others: bool
) -> None:
    quotes, scored = quoting(question, ACT, read)
    assert tells_of_others(question, 0.99, quotes, scored) is others
    assert not tells_of_others(question, 0.99, quotes, scored, translated=True)


def test_another_word_for_it_tells_it() -> None:
    quotes, scored = quoting("when was the fishing act repealed", ACT, NOT_TOLD - 0.1)
    other = {"fishin", "act", "~repeal", "~fish"}
    assert tells_of_others("when was the fishing act repealed", 0.99, quotes, scored)
    assert not tells_of_others(
        "when was the fishing act repealed", 0.99, quotes, scored, lambda keys: {*keys, *other}
    )


@pytest.mark.parametrize(
    ("question", "read", "others"),
    [
        ("how much does the guided walk cost", SURE - 0.1, True),
        ("how much does the guided walk cost", SURE, False),
        ("how much does the side guard cost", SURE - 0.1, False),
        ("how much does it cost", SURE - 0.1, False),
    ],
)
def test_the_price_of_another_thing_is_none(question: str, read: float, others: bool) -> None:
    quotes, scored = quoting(question, "The guard for the side is 198 euros, bolts included.", read)
    assert tells_of_others(question, 0.7, quotes, scored) is others


@pytest.mark.parametrize(
    ("question", "belief", "others"),
    [
        ("what are the symptoms of sallow fever", KNOWN - 0.1, True),
        ("what are the symptoms of sallow fever", KNOWN, False),
        ("what are the names of sallow fever", KNOWN - 0.1, False),
        ("what are the two symptoms of sallow fever", KNOWN - 0.1, False),
    ],
)
def test_several_of_a_kind_are_told_by_a_word_for_them(
    question: str, belief: float, others: bool
) -> None:
    text = "Sallow fever has many names and worries the doctors of Linz."
    quotes, scored = quoting(question, text, None)
    assert tells_of_others(question, belief, quotes, scored) is others


def test_how_fast_is_told_by_how_long_it_takes() -> None:
    question = "how fast is it"
    quotes, scored = quoting(question, "It takes about a second on two cores.", MEASURED - 1)
    assert not lacks_measure(question, quotes, scored)


@pytest.mark.parametrize(
    ("text", "read", "lacks"),
    [
        (
            "No paper told of it in the days, weeks and months after.",
            MEASURED - 1,
            True,
        ),
        ("He was sent to jail for life.", MEASURED, False),
        ("He was in jail for three days.", MEASURED - 1, False),
        ("He was in jail from 1840 to 1842.", MEASURED - 1, False),
    ],
)
def test_how_long_is_told_by_a_duration(text: str, read: float, lacks: bool) -> None:
    question = "how long was he in jail"
    quotes, scored = quoting(question, text, read)
    assert lacks_measure(question, quotes, scored) is lacks
    assert not lacks_measure("how old was he in jail", quotes, scored)
    assert not lacks_measure(question, [replace(quotes[0], form="table")], scored)


@pytest.mark.parametrize(
    ("question", "read", "lacks"),
    [
        ("who discovered the gas", SURE - 0.1, True),
        ("who discovered the gas", SURE, False),  # it is told in other words
        ("who built the pipe", SURE - 0.1, False),
        ("who died of the gas", SURE - 0.1, False),
    ],
)
def test_who_made_it_is_told_by_a_word_for_that(question: str, read: float, lacks: bool) -> None:
    text = "Jo Reed, a founder, was overcome by gas from the pipe that Ann Bell constructed."
    quotes, scored = quoting(question, text, read)
    assert lacks_maker(question, quotes, scored) is lacks
