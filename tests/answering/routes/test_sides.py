"""Two things compared, each where the documents tell of it by its name."""

from __future__ import annotations

from core.answering.routes.sides import entries_of_both, section_on_both
from core.types import (
    Answer,
    Chunk,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    QueryPlan,
    SearchResult,
)


def found(*sections: tuple[str, str, str]) -> Answer:
    """What was found: of each passage its document, the heading above it, and its text."""
    hits = tuple(
        Hit(
            Chunk(str(n), document, n, n, None, 0, len(text), text, headings=(heading,)),
            Document(document, "s", "x.txt", "x.txt", DocumentKind.TEXT, DocumentState.READY),
        )
        for n, (document, heading, text) in enumerate(sections)
    )
    return Answer("q", "", search=SearchResult(QueryPlan("q", "q", ("q",)), hits))


def test_a_section_on_both_tells_of_each_in_a_sentence_that_begins_with_it() -> None:
    text = "look() vs. seek()\n\nTwo ways:\n\n- a.seek() goes on.\n\n- a.look() stops at once."
    quotes = section_on_both(found(("d", "look() vs. seek()", text)), ("look", "seek"))
    assert quotes is not None
    assert quotes.text.startswith("**look**\n\na.look() stops at once. [1]")
    assert quotes.text.endswith("**seek**\n\na.seek() goes on. [2]")
    elsewhere = "look() stops at once. seek() goes on."
    assert section_on_both(found(("d", "Overview", elsewhere)), ("look", "seek")) is None
    one = "look() stops at once. It is quick."
    assert section_on_both(found(("d", "look() and seek()", one)), ("look", "seek")) is None


def test_what_one_document_says_below_the_name_of_each() -> None:
    other = ("other", "other.run(tests)", "other.run(tests)\nRun all tests.")
    run = ("d", "jobs.run(args)", "jobs.run(args)\nRun a job to its end.")
    start = ("d", "class jobs.Start(args)", "class jobs.Start(args)\nBegin a job and go on.")
    quotes = entries_of_both(found(other, run, start), ("run", "Start"))
    assert quotes is not None
    assert "**run**\n\nRun a job to its end." in quotes.text
    assert "**Start**\n\nBegin a job and go on." in quotes.text
    assert entries_of_both(found(other, start), ("run", "Start")) is None


def test_terms_of_a_glossary_are_told_apart_by_what_stands_below_them() -> None:
    white = ("d", "White-box testing", "White-box testing\nTesting with a look inside.")
    black = ("d", "Black-box testing", "Black-box testing\nTesting from outside.")
    quotes = entries_of_both(found(white, black), ("white box testing", "black box testing"))
    assert quotes is not None
    assert [c.quote for c in quotes.citations] == [
        "Testing with a look inside.",
        "Testing from outside.",
    ]
