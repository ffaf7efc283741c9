"""A conversation as Markdown and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.answering.exports.data import as_json
from core.answering.exports.markdown import (
    answer_markdown,
    answer_with_links,
    as_markdown,
    citation_markdown,
    place,
)
from core.citations.mark import mark
from core.types import Answer, Citation, Conversation, DocumentKind, Message, Notice
from tests.text.test_inert import live

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
        "It was built in 1889 [[1]](https://example.org/t.pdf).",
        "> The prompt was cut.",
        "**Sources**",
        "- [1] tower.pdf, page 5, History › Start, https://example.org/t.pdf: “built in 1889.”\n",
    ]


@pytest.mark.E16
@pytest.mark.parametrize("opening", ["```", "~~~ python", "  ````"])
def test_code_that_an_answer_leaves_open_ends_with_it(opening: str) -> None:
    said = f"See:\n\n{opening}\n[x](https://evil.example)"
    answers = [replace(ANSWER, text=said), None, replace(ANSWER, text=said)]
    messages = [Message(n, "assistant", said, WHEN, answer) for n, answer in enumerate(answers)]
    exported = as_markdown(TALK, messages)
    assert live(exported) == []
    assert exported.count("\n- [1] tower.pdf") == 2
    sources = exported.rpartition("**Sources**")[0]
    assert sources.count(opening.split()[0]) == 6, "opened and closed each time"


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
    assert answer_markdown(answer).startswith("It was built in **1889** [[1]](")


@pytest.mark.E16
def test_nothing_of_a_document_is_live_in_an_export() -> None:
    bad = "![x](https://evil.example/p.png) <img src=y> [here](https://evil.example)"
    citation = replace(
        CITATION, label=bad, quote=bad, headings=(bad,), attribution=bad, url="javascript:alert(1)"
    )
    answer = replace(ANSWER, text=f"{bad} {mark(1)}.", citations=(citation,),
                     notices=(Notice("n", bad),))  # fmt: skip
    talk = replace(TALK, title=bad)
    messages = [replace(MESSAGES[0], text=bad), Message(2, "assistant", answer.text, WHEN, answer)]
    text = as_markdown(talk, messages)
    assert live(text) == []
    assert "https://evil" not in text
    assert text.count("evil.example") == 2 * 8, "what was written can be read"
    assert live(json.loads(as_json(talk, messages))["messages"][1]["text"]) == []


@pytest.mark.E16
def test_marks_lead_to_the_address_of_their_source_alone() -> None:
    text = r"A [1], `[1]`, \[1], [2], [9], so much![1] and [x](https://evil.example) [1](y)."
    linked = answer_markdown(
        replace(ANSWER, text=text, citations=(CITATION, replace(CITATION, number=2, url="")))
    ).partition("\n")[0]
    to = "[[1]](https://example.org/t.pdf)"
    assert linked.startswith(rf"A {to}, `[1]`, \[1], [2], [9], so much![1] and ")
    assert linked.count(to) == 2
    assert live(linked.replace(to, "")) == []
    for url in ("javascript:alert(1)", "https://example.org/a) ![p](https://evil.example/p)"):
        odd = replace(ANSWER, text=text, citations=(replace(CITATION, url=url),))
        assert live(answer_markdown(odd).partition("\n")[0]) == []


def test_an_address_with_parentheses_is_one_whole_link() -> None:
    citation = replace(CITATION, url="https://en.wikipedia.org/wiki/Velmark_(town)")
    to = "https://en.wikipedia.org/wiki/Velmark_%28town%29"
    answer = replace(ANSWER, citations=(citation,))
    assert answer_with_links(answer) == f"It was built in 1889 [[1]]({to})."
    assert f", {to}: " in citation_markdown(citation)


@pytest.mark.E16
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://example.org/a](https://evil.example)",
        "https://example.org/<b>",
        'https://example.org/ "title',
        "https://example.org/\nhttps://evil.example",
        "https://example.org/\\",
    ],
)
def test_an_address_that_could_be_read_as_more_is_no_link(url: str) -> None:
    assert (
        answer_with_links(replace(ANSWER, citations=(replace(CITATION, url=url),))) == ANSWER.text
    )


def test_the_address_of_a_source_is_a_link_to_it() -> None:
    assert ", https://example.org/t.pdf: " in citation_markdown(CITATION)
    odd = replace(CITATION, url="https://example.org/a](https://evil.example)")
    assert live(citation_markdown(odd)) == []
