"""Pages and chunks come back as they were; text is stored once and erased for good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.types import Block, Chunk, ChunkKind, DocumentKind, Heading, LoadedDocument, Page
from tests.storage.made import cut, loaded, raw_bytes, store

ANY_TEXT = st.text(st.characters(), max_size=60)  # all of Unicode, NUL and surrogates too
SPANS = st.integers(0, 10**6)


@st.composite
def pages(draw: st.DrawFn) -> tuple[Page, ...]:
    ordinals = draw(st.lists(st.integers(0, 10**6), unique=True, max_size=4))
    return tuple(
        Page(
            ordinal,
            draw(ANY_TEXT),
            draw(st.none() | st.integers(1, 9999)),
            tuple(draw(st.lists(st.builds(Heading, SPANS, SPANS, ANY_TEXT, st.none() | ANY_TEXT)))),
            tuple(draw(st.lists(st.builds(Block, SPANS, SPANS, st.sampled_from(ChunkKind))))),
            draw(st.binary(max_size=40)),
            draw(st.floats(0, 1e5)),
            draw(st.floats(0, 1e5)),
            draw(st.booleans()),
        )
        for ordinal in sorted(ordinals)
    )


@st.composite
def documents(draw: st.DrawFn) -> tuple[LoadedDocument, list[Chunk]]:
    document = LoadedDocument(draw(st.sampled_from(DocumentKind)), draw(pages()))
    chunks: list[Chunk] = []
    for page in document.pages:
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, len(page.text)))
            end = draw(st.integers(start, len(page.text)))
            headings = tuple(draw(st.lists(ANY_TEXT, max_size=2)))
            kind, i = draw(st.sampled_from(ChunkKind)), len(chunks)
            text = page.text[start:end]
            anchor = draw(st.none() | st.text("abc#é", max_size=5))
            chunks.append(
                Chunk(
                    f"D:{i}", "D", i, page.ordinal, page.number,
                    start, end, text, headings, anchor, kind,
                )
            )  # fmt: skip
    return document, chunks


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    catalogue = Catalogue(Settings(data_dir=tmp_path_factory.mktemp("shared")))
    yield catalogue
    catalogue.close()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(documents())
def test_what_is_saved_comes_back(
    shared: Catalogue, content: tuple[LoadedDocument, list[Chunk]]
) -> None:
    document, chunks = content
    session_id = shared.sessions.create(shared.owners.create("a" * 64), "").id
    shared.documents.add(session_id, "D", "a", size=1)
    shared.content.save(session_id, "D", document, chunks)
    assert tuple(shared.content.pages(session_id, "D")) == document.pages
    assert shared.content.chunks(session_id, "D") == chunks
    ids = [chunk.id for chunk in chunks]
    assert shared.content.chunks_by_id(session_id, ids) == {chunk.id: chunk for chunk in chunks}
    assert list(shared.content.chunk_ids(session_id, ready_only=False)) == ids
    for page in document.pages:
        assert shared.content.page(session_id, "D", page.ordinal) == page
        of_page = [chunk for chunk in chunks if chunk.page_ordinal == page.ordinal]
        assert shared.content.page_chunks(session_id, "D", page.ordinal) == of_page
    keys = [("D", page.ordinal) for page in document.pages]
    texts = {("D", page.ordinal): page.text for page in document.pages}
    assert shared.content.page_texts(session_id, keys) == texts


def test_unknown_ids_are_left_out(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["some text"])
    ids = ["D:0", "D:1", "D:", "D", "", ":", ":0", "E:0", "D:-1", "D:0x", "D:²", "D:" + "9" * 30]
    assert list(catalogue.content.chunks_by_id(session_id, ids)) == ["D:0"]
    assert catalogue.content.chunks_by_id(session_id, []) == {}
    assert catalogue.content.page_texts(session_id, [("D", 1), ("E", 0)]) == {}
    assert catalogue.content.page(session_id, "D", 7) is None
    assert catalogue.content.pages("no session", "D") == []
    assert catalogue.content.chunks(session_id, "E") == []
    assert catalogue.content.page_chunks(session_id, "E", 0) == []
    assert list(catalogue.content.chunk_ids("no session")) == []


def test_more_ids_than_one_query_takes(catalogue: Catalogue, session_id: str) -> None:
    found: dict[str, Chunk] = {}
    for number in range(3):
        texts = [f"{number} {page} " + "word " * 100 for page in range(30)]
        chunks = store(catalogue, session_id, f"D{number}", texts, size=20)
        found |= {chunk.id: chunk for chunk in chunks}
    assert len(found) > 1500
    assert catalogue.content.chunks_by_id(session_id, list(found)) == found


def test_reading_again_replaces_everything(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["one", "two", "three"], size=2)
    document = loaded("four")
    catalogue.content.save(session_id, "D", document, cut("D", document))
    assert [page.text for page in catalogue.content.pages(session_id, "D")] == ["four"]
    assert [chunk.text for chunk in catalogue.content.chunks(session_id, "D")] == ["four"]


@pytest.mark.parametrize(
    "chunk",
    [
        Chunk("D:0", "D", 0, 0, 1, 0, 4, "fals"),  # not the text of its span
        Chunk("D:0", "D", 0, 7, 1, 0, 4, "some"),  # a page that is not there
        Chunk("E:0", "D", 0, 0, 1, 0, 4, "some"),  # of another document
        Chunk("D:0", "E", 0, 0, 1, 0, 4, "some"),
        Chunk("D:1", "D", 0, 0, 1, 0, 4, "some"),  # of another ordinal
    ],
)
def test_a_wrong_chunk_stores_nothing(catalogue: Catalogue, session_id: str, chunk: Chunk) -> None:
    catalogue.documents.add(session_id, "D", "a", size=1)
    with pytest.raises(ValueError, match="chunk"):
        catalogue.content.save(session_id, "D", loaded("some text"), [chunk])
    assert catalogue.content.pages(session_id, "D") == []


@pytest.mark.sqlite
def test_text_is_stored_once(catalogue: Catalogue, session_id: str, tmp_path: Path) -> None:
    store(catalogue, session_id, "D", ["The heron stands in the reeds. " * 3], size=31)
    catalogue.close()
    assert raw_bytes(tmp_path).count(b"The heron stands") == 3


def test_a_slow_reader_of_ids_holds_up_nobody(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["x" * 50, "y" * 50], size=10)
    ids = catalogue.content.chunk_ids(session_id)
    assert next(ids) == "D:0"
    catalogue.sessions.delete(session_id)
    assert catalogue.database.erased()
    assert len(list(ids)) <= 9


def test_all_passages_in_batches(catalogue: Catalogue, session_id: str) -> None:
    every = {}
    for name, pages in (("D2", 3), ("D1", 5), ("D0", 2)):
        every[name] = store(catalogue, session_id, name, ["word " * 10] * pages, name, size=20)
    catalogue.documents.add(session_id, "D3", "waiting", size=1)
    batches = list(catalogue.content.chunk_batches(session_id, {"D1", "D2", "D3"}, batch=4))
    assert all(0 < len(batch) <= 4 for batch in batches)
    assert [chunk for batch in batches for chunk in batch] == [*every["D2"], *every["D1"]]


def test_passages_of_a_document_that_is_removed_meanwhile(
    catalogue: Catalogue, session_id: str
) -> None:
    store(catalogue, session_id, "D", ["word " * 10], size=10)
    batches = catalogue.content.chunk_batches(session_id, {"D"}, batch=2)
    assert len(next(batches)) == 2
    catalogue.documents.remove(session_id, "D")
    assert list(batches) == []


def test_the_text_of_all_pages_in_batches(catalogue: Catalogue, session_id: str) -> None:
    texts = [f"page {number}" for number in range(5)]
    store(catalogue, session_id, "D", texts)
    store(catalogue, session_id, "other", ["something else"], "other")
    batches = catalogue.content.text_batches(session_id, "D", batch=2)
    assert next(batches) == [(0, "page 0"), (1, "page 1")]
    assert [one for batch in batches for one in batch] == list(enumerate(texts))[2:]
    assert list(catalogue.content.text_batches("another", "D")) == []
