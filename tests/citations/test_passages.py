"""Passages: their keys, their numbers, and the heading over a quote."""

from __future__ import annotations

from dataclasses import replace

from core.citations.passages import (
    citation_of,
    distinct,
    passage_key,
    passage_of,
    placed,
    sentences_of,
    unused,
)
from core.text.sentences import SentenceKind
from core.types import Chunk, Citation, Heading
from tests.support.hits import hit

HEADINGS = (Heading(0, 1, "Bread"), Heading(50, 2, "Baking", "baking"), Heading(90, 1, "Soup"))
CHUNKS = [
    Chunk("d:0", "d", 0, 0, None, 0, 120, "", ("Bread",)),
    Chunk("d:1", "d", 1, 0, None, 120, 200, "", ("Soup",)),
]


def citation(start: int) -> Citation:
    return Citation(1, "d:0", "d", "x", None, 0, None, start, start + 5, "quote", headings=("?",))


def test_the_last_heading_before_the_quote_counts() -> None:
    assert placed(citation(10), HEADINGS, CHUNKS).headings == ("Bread",)
    deeper = placed(citation(60), HEADINGS, CHUNKS)
    assert (deeper.headings, deeper.anchor) == (("Bread", "Baking"), "baking")
    assert placed(citation(95), HEADINGS, CHUNKS).headings == ("Soup",)
    assert placed(citation(130), HEADINGS, CHUNKS).headings == ("Soup",)


def test_without_a_heading_of_the_page_the_nearest_chunk_knows_its_path() -> None:
    chunks = [CHUNKS[0], replace(CHUNKS[1], headings=("Soup", "Stock"), anchor="stock")]
    found = placed(citation(130), HEADINGS, chunks)
    assert (found.headings, found.anchor) == (("Soup", "Stock"), "stock")


def test_a_quote_outside_every_chunk_stays() -> None:
    assert placed(citation(10), HEADINGS, []).headings == ("?",)


def test_what_is_not_cited_is_numbered_after_what_is() -> None:
    hits = [hit("One.", document="d1"), hit("Two.", document="d2"), hit("Three.", document="d3")]
    left = unused(hits, {passage_key(hits[1])}, offset=1)
    assert [(citation.number, citation.document_id) for citation in left] == [(2, "d1"), (3, "d3")]


def test_one_passage_has_one_number() -> None:
    first, again = hit("One."), replace(hit("One."), query="another query")
    other = hit("Two.", start=50)
    assert distinct([first, again, other]) == [first, other]
    assert [citation.number for citation in unused([first, again, other])] == [1, 2]


def test_a_quote_is_a_stretch_of_its_page() -> None:
    one = hit("It was built in 1889. It is high.", start=100)
    citation = citation_of(4, one, 107, 121)
    assert citation.quote == "built in 1889."
    assert (citation.start, citation.end, citation.number) == (107, 121, 4)
    assert citation.passage == one.context
    assert citation.score == one.fused


def test_without_neighbours_the_chunk_is_read() -> None:
    one = replace(hit("It was built.", start=7), context="", context_start=0, context_end=0)
    assert passage_of(one) == ("It was built.", 7)
    assert passage_key(one) == ("d1", 0, 7, 20)


def pieces_of(text: str, listing: str) -> list[tuple[SentenceKind, str]]:
    """The pieces of a passage in which a listing stands."""
    at = text.index(listing)
    found = sentences_of(replace(hit(text, start=7), code=((at + 7, at + 7 + len(listing)),)))
    assert all(text[one.start - 7 : one.end - 7] == one.text for one in found)
    return [(one.kind, one.text) for one in found]


def test_a_listing_is_whole_and_what_is_around_it_is_no_code() -> None:
    listing = "def count(start):\n    yield start"
    assert pieces_of(f"It counts. Like this:\n\n{listing}\n\nIt never ends.", listing) == [
        (SentenceKind.PROSE, "It counts."),
        (SentenceKind.PROSE, "Like this:"),
        (SentenceKind.CODE, listing),
        (SentenceKind.PROSE, "It never ends."),
    ]


def test_what_leads_from_one_example_to_the_next_is_no_code() -> None:
    first, second = ">>> dump(1)\n'1'", ">>> dump(1, indent=2)\n'1'"
    text = f"{first}\n\nPretty printing:\n\n{second}"
    assert pieces_of(text, text) == [
        (SentenceKind.CODE, first),
        (SentenceKind.PROSE, "Pretty printing:"),
        (SentenceKind.CODE, second),
    ]


def test_fences_tell_where_code_is() -> None:
    text = "It counts.\n\n```\ncount(1)\n```\n\nIt ends."
    assert [kind for kind, _ in pieces_of(text, "```\ncount(1)\n```")] == [
        SentenceKind.PROSE,
        SentenceKind.CODE,
        SentenceKind.PROSE,
    ]


def test_a_listing_before_what_is_read_makes_no_code_of_it() -> None:
    found = sentences_of(replace(hit("It counts.", start=50), code=((7, 30),)))
    assert [(one.kind, one.text) for one in found] == [(SentenceKind.PROSE, "It counts.")]
