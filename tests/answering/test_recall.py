"""Questions for the sources of the last answer are answered from the conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.answering.recall import asks_for_sources, recalled
from core.types import Answer, Citation, Message

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "What did you just cite?",
        "what have you cited",
        "Which sources did you use?",
        "What were your sources?",
        "Show me the sources again",
        "Where did you get that from?",
        "Woher hast du das?",
        "Welche Quellen hast du zitiert?",
        "Quelles sont les sources ?",
    ],
)
def test_asked(question: str) -> None:
    assert asks_for_sources(question)


@pytest.mark.parametrize(
    "question",
    [
        "What did Darwin cite?",
        "What are the sources of the Nile?",
        "Which sources did the author of the report use?",
        "Where do you find chanterelles?",
        "What is a citation?",
        "How are sources cited in Footnote?",
    ],
)
def test_not_asked(question: str) -> None:
    assert not asks_for_sources(question)


def said(answer: Answer) -> list[Message]:
    return [Message(1, "user", "q", NOW), Message(2, "assistant", answer.text, NOW, answer)]


def test_the_quotes_come_back_with_their_numbers() -> None:
    cited = tuple(
        Citation(n, f"d:{n}", "d", "a.pdf", None, 0, 1, 0, 9, f"quote {n}\nof [it]") for n in (1, 2)
    )
    found = recalled("What did you just cite?", said(Answer("q", "x [1] y [2]", cited)))
    assert found is not None
    assert [citation.number for citation in found.citations] == [1, 2]
    assert "quote 1 of \\[it\\] [1]" in found.text
    first = found.claims[0]
    assert found.text[first.start : first.end] == "quote 1 of \\[it\\]"
    assert found.notices[0].code == "from-the-conversation"


def test_the_numbers_begin_at_one() -> None:
    cited = tuple(
        Citation(n, f"d:{n}", "d", "a.pdf", None, 0, 1, 0, 9, f"quote {n}") for n in (3, 7)
    )
    found = recalled("What did you just cite?", said(Answer("q", "x [3] y [7]", cited)))
    assert found is not None
    assert [(c.number, c.quote) for c in found.citations] == [(1, "quote 3"), (2, "quote 7")]
    assert [claim.numbers for claim in found.claims] == [(1,), (2,)]
    assert "quote 7 [2]" in found.text


def test_an_answer_without_sources_says_so() -> None:
    found = recalled("What did you just cite?", said(Answer("q", "Nothing.")))
    assert found is not None
    assert found.text == "The last answer cites no source."


def test_nothing_was_said_before() -> None:
    assert recalled("What did you just cite?", []) is None
