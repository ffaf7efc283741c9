"""Citations are given the headings of their places."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from core.citations.placing import place_citations
from core.types import Answer, Chunk, Citation, Heading, Page
from tests.citations.test_passages import CHUNKS, HEADINGS, citation


@dataclass
class Content:
    """Pages in memory, with the places that were read."""

    headings: tuple[Heading, ...] = HEADINGS
    read: list[tuple[str, int]] = field(default_factory=list)

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        self.read.append((document_id, page_ordinal))
        return Page(page_ordinal, "", headings=self.headings) if document_id == "d" else None

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        return CHUNKS


def an_answer(*starts: int) -> Answer:
    made = [replace(citation(start), document_id="d") for start in starts]
    gone: Citation = replace(citation(10), document_id="gone")
    return Answer("q", "a", citations=tuple(made[:1]), unused=(*made[1:], gone))


def test_a_page_with_several_citations_is_read_once() -> None:
    content = Content()
    placed = place_citations(an_answer(10, 60, 130), content, "s")
    assert [one.headings for one in (*placed.citations, *placed.unused)] == [
        ("Bread",), ("Bread", "Baking"), ("Soup",), ("?",)
    ]  # fmt: skip
    assert content.read == [("d", 0), ("gone", 0)]


def test_a_page_without_headings_leaves_what_its_passages_know() -> None:
    placed = place_citations(an_answer(10), Content(headings=()), "s")
    assert placed.citations[0].headings == ("?",)
