"""A conversation as Markdown and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from core.answering.export import answer_markdown, as_json, as_markdown, place
from core.citations.mark import mark
from core.types import Answer, Citation, Conversation, DocumentKind, Message, Notice

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
TALK = Conversation("c", "s", "On\ntowers", WHEN, WHEN)
CITATION = Citation(
    1, "d:0", "d", "tower.pdf", DocumentKind.PDF, 4, 5, 0, 13, "built\nin 1889.",
    headings=("History", "Start"), url="https://example.org/t.pdf",
)  # fmt: skip
ANSWER = Answer(
    "When?", f"It was built in 1889 {mark(1)}.", (CITATION,),
    notices=(Notice("cut", "The prompt was cut."),), complete=False,
)  # fmt: skip
MESSAGES = [
    Message(1, "user", "When was\nit built?", WHEN),
    Message(2, "assistant", ANSWER.text, WHEN, ANSWER),
]


def test_markdown_has_question_answer_notices_and_sources() -> None:
    assert as_markdown(TALK, MESSAGES).split("\n\n") == [
        "# On towers",
        "## When was it built?",
        "It was built in 1889 [1].",
        "> The prompt was cut.",
        "**Sources**",
        "- [1] tower.pdf, page 5, History › Start, https://example.org/t.pdf: “built in 1889.”\n",
    ]


def test_json_has_every_field_of_a_citation() -> None:
    data = json.loads(as_json(TALK, MESSAGES))
    assert [message["role"] for message in data["messages"]] == ["user", "assistant"]
    answer = data["messages"][1]
    assert (answer["complete"], answer["notices"]) == (False, ["The prompt was cut."])
    (citation,) = answer["citations"]
    assert (citation["number"], citation["document"], citation["page"]) == (1, "tower.pdf", 5)
    assert (citation["start"], citation["end"]) == (0, 13)
    assert citation["quote"] == "built\nin 1889."


def test_a_place_names_what_is_known() -> None:
    assert place(CITATION) == "tower.pdf, page 5, History › Start, https://example.org/t.pdf"


def test_the_words_that_answer_are_bold_in_markdown() -> None:
    start = ANSWER.text.index("1889")
    answer = replace(ANSWER, highlights=((start, start + 4),))
    assert answer_markdown(answer).startswith("It was built in **1889** [1].")
