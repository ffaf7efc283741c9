"""Chunks index into their page, lose nothing, and keep to the structure."""

from __future__ import annotations

import string
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingestion.chunking import chunk_document
from core.models.embedding_text import embedding_text
from core.types import Block, Chunk, ChunkKind, DocumentKind, Heading, LoadedDocument, Page

WORDS = st.text(st.sampled_from(string.ascii_letters + "äé中。.!? \n"), max_size=60)


def document(*pages: Page) -> LoadedDocument:
    return LoadedDocument(DocumentKind.TEXT, pages)


def chunks(*pages: Page, size: int = 200, overlap: int = 40) -> list[Chunk]:
    return chunk_document(document(*pages), "doc", size=size, overlap=overlap)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    text = "".join(draw(st.lists(WORDS, max_size=40)))
    places = st.integers(0, max(len(text), 1))
    headings = tuple(
        Heading(offset, draw(st.integers(1, 4)), "h", draw(st.sampled_from([None, "a"])))
        for offset in sorted(draw(st.sets(places, max_size=5)))
    )
    cuts = sorted(draw(st.sets(places, max_size=6)))
    kinds = st.sampled_from([ChunkKind.TABLE, ChunkKind.CODE])
    blocks = tuple(Block(a, b, draw(kinds)) for a, b in zip(cuts[::2], cuts[1::2], strict=False))
    return Page(draw(st.integers(0, 3)), text, headings=headings, blocks=blocks)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(pages(), st.integers(5, 120), st.integers(0, 60))
def test_nothing_is_lost_and_spans_are_exact(page: Page, size: int, overlap: int) -> None:
    found = chunks(page, size=size, overlap=overlap)
    covered = set[int]()
    for chunk in found:
        assert chunk.text == page.text[chunk.start : chunk.end]
        assert 0 < len(chunk.text) <= size
        assert not chunk.text[0].isspace()
        assert not chunk.text[-1].isspace()
        covered.update(range(chunk.start, chunk.end))
    assert {i for i, char in enumerate(page.text) if not char.isspace()} <= covered
    assert [chunk.id for chunk in found] == [f"doc:{n}" for n in range(len(found))]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(pages(), st.integers(20, 120))
def test_without_overlap_no_character_is_in_two_chunks(page: Page, size: int) -> None:
    ends = [0]
    for chunk in chunks(page, size=size, overlap=0):
        assert chunk.start >= ends[-1]
        ends.append(chunk.end)


def test_an_empty_document_has_no_chunks() -> None:
    assert chunks(Page(0, " \n\n ")) == []
    assert chunks() == []


def test_cuts_fall_between_sentences() -> None:
    text = "The first sentence is here. " * 20
    assert all(chunk.text.endswith(".") for chunk in chunks(Page(0, text), overlap=0))
    assert all(chunk.text.startswith("The first") for chunk in chunks(Page(0, text), overlap=60))


def test_cuts_prefer_the_end_of_a_paragraph() -> None:
    text = "\n\n".join(["word " * 24 + "end."] * 4)
    found = chunks(Page(0, text), size=200, overlap=0)
    assert [chunk.text.count("end.") for chunk in found] == [1, 1, 1, 1]


def test_neighbours_share_whole_sentences() -> None:
    text = " ".join(f"Sentence number {n} stands here." for n in range(40))
    found = chunks(Page(0, text), size=200, overlap=70)
    for first, second in pairwise(found):
        shared = text[second.start : first.end]
        assert 0 < len(shared) <= 70
        assert shared.startswith("Sentence number")


def test_a_chunk_stays_under_its_heading() -> None:
    text = "Alpha\n\n" + "a " * 60 + "\n\nBeta\n\n" + "b " * 60
    beta = text.index("Beta")
    page = Page(0, text, headings=(Heading(0, 1, "Alpha"), Heading(beta, 1, "Beta")))
    first, second = chunks(page)
    assert (first.headings, second.headings) == (("Alpha",), ("Beta",))
    assert second.start == beta


def test_bare_headings_go_with_what_follows() -> None:
    text = "Chapter\n\nSection\n\n" + "s " * 60
    page = Page(0, text, headings=(Heading(0, 1, "Chapter"), Heading(9, 2, "Section", "sec")))
    (chunk,) = chunks(page)
    assert chunk.start == 0
    assert chunk.headings == ("Chapter", "Section")
    assert chunk.anchor == "sec"


def test_a_chunk_is_linked_at_its_innermost_heading() -> None:
    text = "Part\n\n" + "x " * 50 + "\n\nSection\n\n" + "y " * 50
    headings = (Heading(0, 1, "Part", "part"), Heading(text.index("Section"), 2, "Section", "sec"))
    assert [chunk.anchor for chunk in chunks(Page(0, text, headings=headings))] == ["part", "sec"]


def test_tiny_sections_are_joined_but_not_those_with_anchors() -> None:
    text = "A\n\nsmall thing\n\nB\n\nother thing"
    at = text.index("B")
    plain = Page(0, text, headings=(Heading(0, 2, "A"), Heading(at, 2, "B")))
    linked = Page(0, text, headings=(Heading(0, 2, "A", "a"), Heading(at, 2, "B", "b")))
    assert len(chunks(plain)) == 1
    assert [chunk.anchor for chunk in chunks(linked)] == ["a", "b"]


def test_the_heading_path_goes_on_over_pages() -> None:
    first = Page(0, "Top\n\ntext here", number=1, headings=(Heading(0, 1, "Top", "t"),))
    second = Page(1, "more text of it", number=2)
    found = chunks(first, second)
    assert [chunk.headings for chunk in found] == [("Top",), ("Top",)]
    assert [chunk.page_number for chunk in found] == [1, 2]
    assert found[1].anchor == "t"


def test_a_deeper_heading_ends_with_the_next_of_its_level() -> None:
    text = "One\n\n" + "x " * 50 + "\n\nTwo\n\n" + "x " * 50 + "\n\nThree\n\n" + "x " * 50
    headings = (
        Heading(0, 1, "One"),
        Heading(text.index("Two"), 2, "Two"),
        Heading(text.index("Three"), 1, "Three"),
    )
    found = [chunk.headings for chunk in chunks(Page(0, text, headings=headings))]
    assert found == [("One",), ("One", "Two"), ("Three",)]


def test_a_table_that_fits_is_not_cut() -> None:
    table = "\n".join(f"row {n} | value {n}" for n in range(9))
    text = "p " * 60 + "\n\n" + table + "\n\n" + "q " * 60
    start = text.index("row 0")
    page = Page(0, text, blocks=(Block(start, start + len(table), ChunkKind.TABLE),))
    assert [chunk.kind for chunk in chunks(page) if "row 0" in chunk.text] == [ChunkKind.TABLE]
    assert any(table in chunk.text for chunk in chunks(page))


def test_a_table_that_does_not_fit_is_cut_between_rows() -> None:
    table = "\n".join(f"row {n} | value {n}" for n in range(60))
    page = Page(0, table, blocks=(Block(0, len(table), ChunkKind.TABLE),))
    found = chunks(page)
    assert all(chunk.text.startswith("row") for chunk in found)
    assert all(chunk.kind is ChunkKind.TABLE for chunk in found)
    assert all(b.start >= a.end for a, b in pairwise(found))


def test_text_without_spaces_is_cut_hard() -> None:
    assert [len(chunk.text) for chunk in chunks(Page(0, "x" * 450))] == [200, 200, 50]


def test_chinese_is_cut_between_sentences() -> None:
    text = "这是一个句子。" * 60
    assert all(chunk.text.endswith("。") for chunk in chunks(Page(0, text), overlap=0))


def test_title_and_headings_are_embedded_with_the_text() -> None:
    chunk = Chunk("d:0", "d", 0, 0, 1, 0, 4, "text", headings=("Guide", "Part"))
    assert embedding_text(chunk, "Guide") == "Guide > Part\n\ntext"
    assert embedding_text(chunk, "") == "Guide > Part\n\ntext"
    bare = Chunk("d:0", "d", 0, 0, 1, 0, 4, "text")
    assert embedding_text(bare, "") == "text"
