"""The text of a model on its way to the reader, and how it ended."""

from __future__ import annotations

import pytest

from core.answering.generative.draft import Draft
from core.errors import StreamInterrupted
from core.llm.port import ChatEnd, Finish
from tests.support.hits import hit

SOURCES = [hit("One."), hit("Two.", document="d2")]


def draft(text: str, finish: Finish | None = "stop") -> Draft:
    made = Draft(SOURCES)
    made.feed(text)
    made.end = ChatEnd(finish) if finish else None
    made.finish()
    return made


def test_a_proper_end_is_complete() -> None:
    made = draft("So it is [Source 2].")
    assert (made.text, made.order, made.complete, made.notices()) == (
        "So it is [1].",
        (2,),
        True,
        (),
    )


@pytest.mark.parametrize(
    ("finish", "code"),
    [("length", "answer-cut"), ("repetition", "repetition"), ("too long", "too-long"),
     ("cancelled", "stopped")],
)  # fmt: skip
def test_another_end_is_incomplete_and_said(finish: Finish, code: str) -> None:
    made = draft("So it is", finish)
    assert not made.complete
    assert [notice.code for notice in made.notices()] == [code]


def test_a_failure_is_incomplete_and_said() -> None:
    made = Draft(SOURCES)
    made.feed("So it is [Source")
    made.failure = StreamInterrupted("It broke.")
    made.finish()
    assert (made.text, made.complete) == ("So it is", False)
    assert [notice.code for notice in made.notices()] == ["interrupted"]


def test_what_was_a_thought_is_taken_back() -> None:
    made = Draft(SOURCES)
    made.feed("Hm [Source 1]. ")
    made.restart()
    made.feed("Yes [Source 2].")
    made.end = ChatEnd()
    made.finish()
    assert (made.text, made.order) == ("Yes [1].", (2,))
    assert [notice.code for notice in made.notices()] == ["thoughts-withdrawn"]
