"""Documents cut as a preset describes: at separators, with short ones joined, or kept apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter

from core.errors import TooLarge
from core.ingestion.cutting import cut_document, in_cut
from core.types import (
    SPAN,
    Block,
    Chunk,
    ChunkKind,
    Cut,
    Cutting,
    DocumentKind,
    Heading,
    LoadedDocument,
    Page,
)

SEPARATORS = ("\n\n", "\n", " ", "")


def cut(page: Page, cutting: Cutting) -> list[Chunk]:
    """The chunks of a document of this page."""
    loaded = LoadedDocument(DocumentKind.TEXT, (page,))
    return cut_document(loaded, "d", cutting, size=200, overlap=20)


TEXTS = st.lists(st.sampled_from(["a", "bb", "ccc", " ", "\n", "\n\n", "\t"]), max_size=80)


@given(TEXTS.map("".join), st.integers(2, 30), st.integers(0, 29))
def test_separators_cut_as_langchain_does(text: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, separators=list(SEPARATORS)
    )
    chunks = cut(Page(0, text), Cutting(size, overlap, SEPARATORS))
    assert [chunk.text for chunk in chunks] == splitter.split_text(text)
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert [chunk.id for chunk in chunks] == [f"d:{n}" for n in range(len(chunks))]


def test_a_chunk_at_separators_has_the_headings_above_its_beginning() -> None:
    text = "Intro words.\n\nOne\n\nFirst words.\n\nTwo\n\nSecond words."
    headings = (Heading(text.index("One"), 1, "One"), Heading(text.index("Two"), 2, "Two", "two"))
    chunks = cut(Page(0, text, headings=headings), Cutting(16, 0, SEPARATORS))
    assert [(chunk.text, chunk.headings) for chunk in chunks] == [
        ("Intro words.", ()),
        ("One", ("One",)),
        ("First words.", ("One",)),
        ("Two", ("One", "Two")),
        ("Second words.", ("One", "Two")),
    ]
    assert chunks[-1].anchor == "two"


LISTING = "import os\nprint(os.name)"
SHORT = "x = 1"


def pair() -> Page:
    """A question with a listing and a line of code, and a short answer."""
    title, question, answer = "How?\n\n", f"I ask so:\n\n{LISTING}\n\nor {SHORT}\n\nWhy?\n\n", "So."
    text = f"{title}{question}{answer}"
    blocks = tuple(
        Block(text.index(code), text.index(code) + len(code), ChunkKind.CODE)
        for code in (LISTING, SHORT)
    )
    headings = (Heading(0, 1, "How?"), Heading(text.index(answer), 2, "Answer", "a1"))
    return Page(0, text, headings=headings, blocks=blocks)


def test_question_answer_and_each_listing_are_chunks_of_their_own() -> None:
    chunks = cut(pair(), Cutting(200, 0, apart=True))
    assert [chunk.text for chunk in chunks] == [
        "How?\n\nI ask so:",
        LISTING,
        f"or {SHORT}\n\nWhy?",
        "So.",
    ]
    assert [chunk.kind for chunk in chunks][1] is ChunkKind.CODE
    assert chunks[-1].headings == ("How?", "Answer")


def test_together_they_fill_chunks() -> None:
    assert len(cut(pair(), Cutting(200, 0))) < 4


def test_what_is_short_is_joined_with_its_neighbour() -> None:
    text = "Tiny one.\n\n" + "A long sentence of many words, again and again. " * 5
    chunks = cut(Page(0, text), Cutting(100, 0, least=60))
    assert all(len(chunk.text) >= 60 for chunk in chunks)
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)


def test_sizes_are_those_of_the_settings_unless_the_cutting_has_its_own() -> None:
    page = Page(0, "Short words. " * 70)
    assert max(len(chunk.text) for chunk in cut(page, Cutting())) <= 200
    assert max(len(chunk.text) for chunk in cut(page, Cutting(400))) > 200
    assert cut(page, Cutting())[1].start < cut(page, Cutting())[0].end
    assert cut(page, Cutting(overlap=0))[1].start > cut(page, Cutting(overlap=0))[0].end


def test_ids_of_a_cut_are_its_own() -> None:
    chunks = cut(Page(0, "Some words stand here. " * 40), Cutting())
    numbered = in_cut(chunks, Cut("s", 2))
    assert [chunk.ordinal for chunk in numbered] == [2 * SPAN + n for n in range(len(chunks))]
    assert numbered[1].id == f"d:{2 * SPAN + 1}"
    assert all(Cut("s", 2).holds(chunk.id) for chunk in numbered)
    assert not any(Cut("s").holds(chunk.id) for chunk in numbered)
    assert (Cut("s").index, Cut("s", 2).index) == ("s", "s-2")


def test_more_chunks_than_a_cut_has_ordinals_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.ingestion.cutting.SPAN", 3)
    with pytest.raises(TooLarge):
        in_cut(cut(Page(0, "Some words stand here. " * 40), Cutting()), Cut("s"))
