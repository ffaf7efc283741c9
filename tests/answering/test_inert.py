"""Answers as they leave: their pieces are what the answer says, dead, and every offset holds."""

from __future__ import annotations

import pytest

from core.answering.inert import inert_answer, inert_events
from core.text.inert import inert
from core.types import Answer, Claim, Event, Step, Support, TextPiece
from tests.text.test_inert import live

pytestmark = pytest.mark.E16

LINK = "[the archive](https://evil.example/a)"
TEXT = f"First {LINK}. Then ![x](https://evil.example/p.png) it was built in 1874."
LAST = "it was built in 1874."


def answer() -> Answer:
    start = TEXT.index(LAST)
    claims = (
        Claim(0, TEXT.index(" Then"), (1,), Support.UNSUPPORTED, f"not in {LINK}"),
        Claim(start, len(TEXT), (1,), Support.VERBATIM),
    )
    return Answer("When?", TEXT, claims=claims, highlights=((start + 16, start + 20),))


def pieces_of(text: str, size: int) -> list[Event]:
    return [TextPiece(text[at : at + size]) for at in range(0, len(text), size)]


def written(events: list[Event]) -> str:
    """What a client has in the end."""
    text = ""
    for event in events:
        if isinstance(event, TextPiece):
            text = event.text if event.withdraws else text + event.text
    return text


def test_claims_and_highlights_span_the_same_words() -> None:
    found = inert_answer(answer())
    assert live(TEXT)
    assert live(found.text) == []
    first, last = found.claims
    assert found.text[first.start : first.end] == inert(f"First {LINK}.")
    assert found.text[last.start : last.end] == LAST
    ((start, end),) = found.highlights
    assert found.text[start:end] == "1874"


def test_a_reason_that_quotes_a_source_is_dead_too() -> None:
    (first, _) = inert_answer(answer()).claims
    assert live(f"not in {LINK}")
    assert live(first.reason) == []


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_the_pieces_are_together_what_the_answer_says(size: int) -> None:
    events = list(inert_events(iter([*pieces_of(TEXT, size), answer()])))
    assert isinstance(events[-1], Answer)
    assert written(events) == events[-1].text == inert(TEXT)
    assert all(event.text for event in events if isinstance(event, TextPiece))


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_what_is_withdrawn_takes_its_open_code_with_it(size: int) -> None:
    drafted = pieces_of("~~~\nHm, ", size)
    again = TextPiece(TEXT[:40], withdraws=True)
    events = [*drafted, again, *pieces_of(TEXT[40:], size), answer()]
    found = list(inert_events(iter(events)))
    assert written(found) == inert(TEXT)
    assert live(written(found)) == []
    assert sum(isinstance(event, TextPiece) and event.withdraws for event in found) == 1


def test_a_text_that_ends_in_the_middle_of_a_link_is_given_out_whole() -> None:
    text = f"{LAST} See [the archive]"
    found = list(inert_events(iter([TextPiece(text), Answer("When?", text)])))
    assert written(found) == inert(text)


def test_steps_pass_as_they_are() -> None:
    step = Step("dense", "", 0.1, 3)
    assert list(inert_events(iter([step]))) == [step]
