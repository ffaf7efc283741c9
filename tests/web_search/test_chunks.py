"""Passages of web pages: cut where the page is divided, none tiny, the nearest of long pages."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import Chunk, DocumentKind, Heading, LoadedDocument, Page
from core.web_search.chunks import LEAST, OVERLAP, SIZE, nearest, web_chunks

SENTENCE = "The lantern house of Velmark was built by the guild of net makers. "


def loaded(text: str, *headings: Heading) -> LoadedDocument:
    return LoadedDocument(DocumentKind.WEB, (Page(0, text, headings=headings),))


def check(chunks: list[Chunk], text: str) -> None:
    """What holds for every page."""
    assert [chunk.id for chunk in chunks] == [f"d:{n}" for n in range(len(chunks))]
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    assert all(at in covered for at, sign in enumerate(text) if not sign.isspace())


def test_a_page_is_cut_at_headings_and_rules() -> None:
    parts = [SENTENCE * 6, SENTENCE * 5, SENTENCE * 4]
    text = f"# One\n\n{parts[0]}\n\n---\n\n{parts[1]}\n\n# Two\n\n{parts[2]}"
    headings = (Heading(0, 1, "One"), Heading(text.index("# Two"), 1, "Two"))
    chunks = web_chunks(loaded(text, *headings), "d")
    check(chunks, text)
    assert [chunk.headings for chunk in chunks] == [("One",), ("One",), ("Two",)]
    assert chunks[1].text.startswith("The lantern house")


def test_passages_are_long_enough_and_not_too_long() -> None:
    text = "\n\n".join([SENTENCE * 40, "Short.", SENTENCE * 3, "Tiny", SENTENCE * 30, "End."])
    chunks = web_chunks(loaded(text), "d")
    check(chunks, text)
    assert all(LEAST <= len(chunk.text) <= SIZE + OVERLAP + LEAST for chunk in chunks)


def test_a_tiny_page_is_one_passage() -> None:
    assert [chunk.text for chunk in web_chunks(loaded("Tiny."), "d")] == ["Tiny."]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from([SENTENCE, "a\n\n", "---\n\n", "\n\n", SENTENCE * 12]), max_size=30)
)
def test_nothing_is_lost_and_nothing_tiny_stays(pieces: list[str]) -> None:
    text = "".join(pieces)
    chunks = web_chunks(loaded(text), "d")
    check(chunks, text)
    if len(text.strip()) > 3 * LEAST:
        assert all(len(chunk.text) >= LEAST for chunk in chunks)


def test_the_nearest_passages_of_a_long_page_keep_their_order() -> None:
    parts = [f"Part {n} says nothing of the matter. " * 25 for n in range(30)]
    parts[7] = "The herring market opens at six. " * 25
    parts[21] = "Herring is smoked over beech. " * 25
    text = "\n\n".join(parts)
    chunks = web_chunks(loaded(text), "d")
    some = nearest(chunks, ["when does the herring market open"], 4)
    check_ids = [chunk.id for chunk in some]
    assert check_ids == ["d:0", "d:1", "d:2", "d:3"]
    assert sum("erring" in chunk.text for chunk in some) == min(
        4, sum("erring" in chunk.text for chunk in chunks)
    )
    assert [chunk.start for chunk in some] == sorted(chunk.start for chunk in some)
    assert nearest(chunks, ["x"], 1000) == chunks
