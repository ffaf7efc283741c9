"""Documents in the catalogue: labels, states, the queue, the commit marker, replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from core.config import Settings
from core.errors import DocumentNotFound, NotEnoughSpace, SessionNotFound
from core.storage.catalogue import Catalogue
from core.types import DocumentKind, DocumentState, Notice
from tests.storage.made import cut, loaded, store


def other_session(catalogue: Catalogue) -> str:
    return catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id


def test_a_new_document_waits(catalogue: Catalogue, session_id: str) -> None:
    document = catalogue.documents.add(
        session_id, "D", "a.pdf", size=3_000_000_000, url="http://a/", kind=DocumentKind.WEB
    )
    assert document == catalogue.documents.get(session_id, "D")
    assert (document.state, document.label) == (DocumentState.WAITING, "a.pdf")
    assert (document.size, document.url, document.kind) == (3_000_000_000, "http://a/", "web")
    assert document.added_at is not None
    assert document.added_at.tzinfo is not None
    assert document.ready_at is None
    assert document.searched


def test_adding_again_changes_nothing(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.documents.add(session_id, "D", "a.pdf", size=3)
    assert catalogue.documents.add(session_id, "D", "other name.pdf", size=4) == first
    assert catalogue.documents.list(session_id) == [first]


def test_a_document_needs_its_session(catalogue: Catalogue) -> None:
    with pytest.raises(SessionNotFound):
        catalogue.documents.add("none", "D", "a.pdf", size=3)


def test_the_same_document_in_two_sessions(catalogue: Catalogue, session_id: str) -> None:
    other = other_session(catalogue)
    store(catalogue, session_id, "D", ["mine"])
    store(catalogue, other, "D", ["theirs"])
    assert catalogue.content.chunks_by_id(session_id, ["D:0"])["D:0"].text == "mine"
    assert catalogue.content.chunks_by_id(other, ["D:0"])["D:0"].text == "theirs"
    catalogue.documents.remove(session_id, "D")
    assert catalogue.documents.get(session_id, "D") is None
    assert catalogue.content.page_texts(other, [("D", 0)]) == {("D", 0): "theirs"}


def test_labels_tell_namesakes_apart(catalogue: Catalogue, session_id: str) -> None:
    names = ["q1.pdf", "q1.pdf", "q1.pdf (2)", "q1.pdf"]
    labels = [
        catalogue.documents.add(session_id, str(i), name, size=1).label
        for i, name in enumerate(names)
    ]
    assert labels == ["q1.pdf", "q1.pdf (2)", "q1.pdf (2) (2)", "q1.pdf (3)"]
    catalogue.documents.remove(session_id, "0")
    assert catalogue.documents.add(session_id, "4", "q1.pdf", size=1).label == "q1.pdf"
    named = catalogue.documents.named(session_id, "q1.pdf")
    assert [document.id for document in named] == ["1", "3", "4"]


@examples(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(["a", "a (2)", "b", ""]), st.booleans()), max_size=12))
def test_labels_are_unique_whatever_comes_and_goes(
    catalogue_of_examples: Catalogue, steps: list[tuple[str, bool]]
) -> None:
    catalogue = catalogue_of_examples
    session_id = catalogue.sessions.create(catalogue.owners.create("c" * 64), "").id
    for number, (name, replacing) in enumerate(steps):
        there = catalogue.documents.named(session_id, name)
        replaces = there[0].id if there and replacing else None
        catalogue.documents.add(session_id, f"D{number}", name, size=1, replaces=replaces)
        if number % 3:
            catalogue.documents.mark_ready(session_id, f"D{number}", seconds=0)
    labels = [document.label for document in catalogue.documents.list(session_id)]
    assert len(labels) == len(set(labels))


@pytest.fixture(scope="module")
def catalogue_of_examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    catalogue = Catalogue(Settings(data_dir=tmp_path_factory.mktemp("examples")))
    yield catalogue
    catalogue.close()


def test_only_marked_documents_are_searched(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "half", "half.pdf", size=1)
    half = loaded("not yet")
    catalogue.content.save(session_id, "half", half, cut("half", half))
    chunks = store(catalogue, session_id, "D", ["whole", "document"])
    assert list(catalogue.documents.ready(session_id)) == ["D"]
    assert list(catalogue.content.chunk_ids(session_id)) == [chunk.id for chunk in chunks]
    assert next(catalogue.content.chunk_ids(session_id, ready_only=False)) == "half:0"
    assert catalogue.documents.ready(session_id)["D"].chunks == 2
    state = catalogue.documents.get(session_id, "half")
    assert state is not None
    assert (state.state, state.chunks, state.pages) == (DocumentState.INDEXING, 1, 1)


def test_out_of_the_search_and_in_again(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["text"])
    assert catalogue.documents.set_searched(session_id, ["D", "gone"], False) == 1
    assert catalogue.documents.ready(session_id) == {}
    assert list(catalogue.documents.ready(session_id, searched_only=False)) == ["D"]
    assert catalogue.documents.set_searched(session_id, ["D"], True) == 1
    assert catalogue.documents.set_searched(session_id, ["D"], True) == 0
    assert list(catalogue.documents.ready(session_id)) == ["D"]


def test_tags_are_given_and_taken(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "A", "a.txt", size=1, tags=["contracts", "2024"])
    catalogue.documents.add(session_id, "B", "b.txt", size=1)
    catalogue.documents.add(session_id, "C", "c.txt", size=1)
    tag = catalogue.documents.set_tags
    assert tag(session_id, ["A", "B", "gone"], ["read"], ["2024"]) == 2
    tags = {d.id: d.tags for d in catalogue.documents.list(session_id)}
    assert tags == {"A": ("contracts", "read"), "B": ("read",), "C": ()}
    assert tag(session_id, ["A", "B"], ["read"]) == 0
    assert tag(session_id, ["A"], ["read"], ["read"]) == 0, "what is given stays"
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id
    assert tag(other, ["A"], ["foreign"]) == 0


def test_a_replacement_keeps_the_tags(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "old", ["old text"], name="report.pdf")
    catalogue.documents.set_tags(session_id, ["old"], ["contracts", "2024"])
    catalogue.documents.add(session_id, "new", "report.pdf", size=2, replaces="old", tags=["2024"])
    document = loaded("new text")
    catalogue.content.save(session_id, "new", document, cut("new", document))
    catalogue.documents.mark_ready(session_id, "new", seconds=2.5)
    (only,) = catalogue.documents.list(session_id)
    assert only.tags == ("2024", "contracts")


def test_a_replacement_takes_place_and_label(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "old", ["old text"], name="report.pdf")
    new = catalogue.documents.add(session_id, "new", "report.pdf", size=2, replaces="old")
    assert new.label == "report.pdf (2)"
    assert catalogue.documents.replaces(session_id, "new") == "old"
    document = loaded("new text")
    catalogue.content.save(session_id, "new", document, cut("new", document))
    assert list(catalogue.documents.ready(session_id)) == ["old"]  # until the new one is whole
    catalogue.documents.mark_ready(session_id, "new", seconds=2.5)
    (only,) = catalogue.documents.list(session_id)
    assert (only.id, only.label, only.seconds, only.progress) == ("new", "report.pdf", 2.5, 1.0)
    assert only.ready_at is not None
    assert catalogue.content.pages(session_id, "old") == []
    assert catalogue.documents.replaces(session_id, "new") is None


def test_a_replacement_that_is_not_committed_leaves_the_old_one(
    catalogue: Catalogue, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(catalogue, session_id, "old", ["old text"], name="report.pdf")
    catalogue.documents.add(session_id, "new", "report.pdf", size=2, replaces="old")

    def full(*_: object, **__: object) -> None:
        raise NotEnoughSpace("The disk is full.")

    monkeypatch.setattr("core.storage.sql.documents.change", full)
    with pytest.raises(NotEnoughSpace):
        catalogue.documents.mark_ready(session_id, "new", seconds=1)
    assert list(catalogue.documents.ready(session_id)) == ["old"]
    assert [page.text for page in catalogue.content.pages(session_id, "old")] == ["old text"]


def test_a_replacement_of_a_replacement_leaves_one(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "1", ["one"], name="r.pdf")
    catalogue.documents.add(session_id, "2", "r.pdf", size=1, replaces="1")
    catalogue.documents.add(session_id, "3", "r.pdf", size=1, replaces="2")
    catalogue.documents.mark_ready(session_id, "3", seconds=0, replaces="2")
    (only,) = catalogue.documents.list(session_id)
    assert (only.id, only.label) == ("3", "r.pdf")


def test_two_that_replace_each_other_end(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "1", "r.pdf", size=1, replaces="2")
    catalogue.documents.add(session_id, "2", "r.pdf", size=1, replaces="1")
    catalogue.documents.mark_ready(session_id, "1", seconds=0)
    assert [document.id for document in catalogue.documents.list(session_id)] == ["1"]


def test_what_was_removed_meanwhile(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.set_state(session_id, "gone", DocumentState.FAILED, reason="x")
    catalogue.documents.set_progress(session_id, "gone", 0.5)
    with pytest.raises(DocumentNotFound):
        catalogue.content.save(session_id, "gone", loaded("x"), [])
    with pytest.raises(DocumentNotFound):
        catalogue.documents.mark_ready(session_id, "gone", seconds=1)
    assert catalogue.documents.list(session_id) == []


def test_a_failure_says_why_and_retry_forgets_it(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "D", "a.pdf", size=1)
    catalogue.documents.set_progress(session_id, "D", 0.4)
    catalogue.documents.set_state(
        session_id, "D", DocumentState.FAILED, reason="Broken.", cure="Mend it.", seconds=3.0
    )
    document = catalogue.documents.get(session_id, "D")
    assert document is not None
    assert (document.reason, document.cure, document.seconds) == ("Broken.", "Mend it.", 3.0)
    assert document.progress == 0.4
    assert catalogue.documents.change_states([DocumentState.FAILED], DocumentState.WAITING) == 1
    document = catalogue.documents.get(session_id, "D")
    assert document is not None
    assert (document.reason, document.cure, document.progress) == ("", "", 0.0)


def test_states_change_in_one_session_or_in_all(catalogue: Catalogue, session_id: str) -> None:
    other = other_session(catalogue)
    for session in (session_id, other):
        for i in range(3):
            catalogue.documents.add(session, str(i), "a.pdf", size=1)
    stopped, waiting = DocumentState.STOPPED, DocumentState.WAITING
    assert catalogue.documents.change_states({waiting}, stopped, session_id) == 3
    assert {d.state for d in catalogue.documents.list(other)} == {waiting}
    assert catalogue.documents.change_states([], stopped) == 0
    assert catalogue.documents.change_states(iter([stopped, waiting]), DocumentState.READING) == 6


def test_notices_and_counts_of_pages(catalogue: Catalogue, session_id: str) -> None:
    notices = (Notice("pages-without-text", "2 of 3 pages.", "Turn on OCR.", "info"),)
    document = replace(loaded("a", "", ""), notices=notices, pages_without_text=2)
    pages = (document.pages[0], replace(document.pages[1], ocr=True), document.pages[2])
    catalogue.documents.add(session_id, "D", "a.pdf", size=1)
    catalogue.content.save(session_id, "D", replace(document, pages=pages), [])
    row = catalogue.documents.get(session_id, "D")
    assert row is not None
    assert (row.notices, row.pages_without_text, row.pages_ocr) == (notices, 2, 1)
    assert (row.title, row.language, row.kind) == ("Made", "en", DocumentKind.PDF)


def test_names_that_no_database_takes(catalogue: Catalogue, session_id: str) -> None:
    name = "a\x00b\ud800c'; DROP TABLE documents; --"
    catalogue.documents.add(session_id, "D'\" OR 1=1", name, size=1)
    (document,) = catalogue.documents.named(session_id, name)
    assert document.id == "D'\" OR 1=1"
    assert document.name == "a\ufffdb\ufffdc'; DROP TABLE documents; --"
    assert catalogue.documents.get(session_id, "' OR '1'='1") is None
