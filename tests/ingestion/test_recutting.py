"""A session indexed again for another preset: beside the old index, switched at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.config import Settings
from core.errors import InvalidRequest, NotEnoughSpace
from core.ingestion import worker as worker_module
from core.models.port import Progress, Vectors
from core.retrieval.presets import PRESETS
from core.service import Service
from core.storage.lexical.port import LexicalIndex
from core.storage.sql.cuts import Cuts
from core.storage.vectors.chroma.store import ChromaStore
from core.storage.vectors.port import VectorStore
from core.types import (
    SPAN,
    AskRequest,
    Chunk,
    Cut,
    Document,
    DocumentKind,
    Heading,
    Hit,
    Indexing,
    LoadedDocument,
    Page,
    QueryOptions,
    SearchOptions,
    SearchResult,
    Session,
)
from tests.conftest import ROOT, eventually, settled
from tests.support.small_library import (
    QUESTIONS,
    HashEmbedder,
    all_found,
    fill,
    opened,
    the_session,
    troubles,
)

pytestmark = pytest.mark.F29

LONG = "A sentence of some words stands here, and it says little. " * 80


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """A service with a small model; cuts that were searched go at once."""
    with opened(settings, HashEmbedder("one")) as service:
        service.recutter.grace = 0.0
        yield service


@pytest.fixture
def library(service: Service) -> Session:
    """Three facts and a long text."""
    session = fill(service)
    service.documents.add_file(session, "long.txt", LONG.encode())
    settled(service, session)
    return session


def embedder_of(service: Service) -> HashEmbedder:
    """The model of a service that `opened` gave."""
    found = service.stores.embedder()
    assert isinstance(found, HashEmbedder)
    return found


def lengths(service: Service, session: Session) -> list[int]:
    """The lengths of the chunks of the long document."""
    (long,) = (one for one in service.documents.list(session) if one.name == "long.txt")
    return [len(chunk.text) for chunk in service.documents.chunks(session, long.id)]


def numbers(service: Service, session: Session) -> list[int]:
    """The numbers of the cuts that stand, the one in force first."""
    return [cut.number for cut in service.catalogue.cuts.standing(session.id)]


def wait_whole(service: Service, session: Session, cuts: int = 1) -> None:
    """Wait until the session is indexed as it should be, and only so many cuts stand."""

    def done() -> bool:
        whole = service.sessions.indexing(session).whole
        return whole and len(numbers(service, session)) == cuts

    assert eventually(done), (service.sessions.indexing(session), numbers(service, session))


def lexical_indexes(service: Service, session: Session) -> set[str]:
    """The lexical indexes of a session: folders, or those of which PostgreSQL has rows."""
    if service.settings.in_postgresql:
        return _with_rows(service.stores.lexical, session)
    of = service.settings.sessions_dir / session.id
    names = {path.name.removeprefix("lexical") for path in of.glob("lexical*")}
    return {f"{session.id}{name}" for name in names}


def vector_indexes(service: Service, session: Session) -> set[str]:
    """The vector indexes: collections of any session, or those of which PostgreSQL has rows."""
    store = service.stores.vectors
    if service.settings.in_postgresql:
        return _with_rows(store, session) | store.sessions() - {session.id}
    assert isinstance(store, ChromaStore)
    return {one.name.partition(".")[0] for one in store._open().list_collections()}


def _with_rows(index: VectorStore | LexicalIndex, session: Session) -> set[str]:
    names = (Cut(session.id, number).index for number in range(4))
    return {name for name in names if index.ids(name)}


def test_a_preset_cuts_the_documents_anew_without_parsing_them(
    service: Service, library: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, chunks = lengths(service, library), service.documents.list(library)[-1].chunks
    monkeypatch.setattr(worker_module, "load_in_child", None)  # parsing again would fail
    service.sessions.choose_preset(library, "documents")
    wait_whole(service, library)
    after = lengths(service, library)
    assert len(after) > len(before)  # an overlap of half a chunk
    document = service.documents.list(library)[-1]
    assert (document.chunks, chunks) == (len(after), len(before))
    assert all(c.ordinal >= SPAN for c in service.documents.chunks(library, document.id))
    assert all_found(service, library)
    assert numbers(service, library) == [1]
    assert lexical_indexes(service, library) == {f"{library.id}-1"}
    assert vector_indexes(service, library) == {f"{library.id}-1"}
    assert troubles(service) == []


def test_switching_back_finds_everything_again(service: Service, library: Session) -> None:
    before = lengths(service, library)
    service.sessions.choose_preset(library, "documents")
    wait_whole(service, library)
    service.sessions.choose_preset(library, "balanced")
    wait_whole(service, library)
    assert lengths(service, library) == before
    assert all_found(service, library)
    assert troubles(service) == []


class Held:
    """Embedding that waits, so that a test can do something in the middle of indexing again."""

    def __init__(self, service: Service) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self._model = embedder_of(service)
        self._model.before = self._wait

    def _wait(self) -> None:
        if threading.current_thread().name == "recutting":
            self.begun.set()
            assert self.go.wait(30)

    def release(self) -> None:
        """Let it go on, and every later one."""
        self._model.before = lambda: None
        self.go.set()


def half_way(service: Service, session: Session, preset: str) -> Held:
    """Choose a preset and stop in the middle of the work."""
    held = Held(service)
    service.sessions.choose_preset(session, preset)
    assert held.begun.wait(30)
    return held


def first(service: Service, session: Session, words: str, preset: str | None = None) -> Hit:
    """The best passage by words."""
    search = replace(SearchOptions(), mode="lexical")
    options = QueryOptions(search, preset=preset)
    return service.search(AskRequest(session, words, options=options)).hits[0]


def asked(service: Service, session: Session, preset: str | None = None) -> SearchResult:
    """A search for one of the facts."""
    options = QueryOptions(preset=preset)
    return service.search(AskRequest(session, QUESTIONS["bread.txt"], options=options))


def test_searches_go_on_meanwhile_and_say_so(service: Service, library: Session) -> None:
    before = lengths(service, library)
    held = half_way(service, library, "documents")
    assert lengths(service, library) == before
    result = asked(service, library)
    assert result.hits[0].document.name == "bread.txt"
    assert "other-cut" in {notice.code for notice in result.notices}
    state = service.sessions.indexing(library)
    assert (state.preset, state.whole, state.total) == ("documents", False, 4)
    assert state.done < 4
    held.release()
    wait_whole(service, library)
    assert "other-cut" not in {notice.code for notice in asked(service, library).notices}


def test_a_search_that_began_before_the_switch_ends_in_its_cut(
    service: Service, library: Session
) -> None:
    service.recutter.grace = 3600.0
    before = service.catalogue.cuts.in_force(library.id)
    passages = service.stores.lexical.ids(before.index)
    service.sessions.choose_preset(library, "documents")
    wait_in_force(service, library.id)
    wait_whole(service, library, cuts=2)
    assert service.recutter.settle() is not None  # it looks again when the time is over
    assert service.stores.lexical.ids(before.index) == passages
    assert numbers(service, library) == [1, 0]
    service.recutter.grace = 0.0
    service.recutter.wake()
    wait_whole(service, library)
    assert service.stores.lexical.ids(before.index) == set()


def test_another_wish_in_the_middle_is_the_one_that_counts(
    service: Service, library: Session
) -> None:
    held = half_way(service, library, "documents")
    service.sessions.choose_preset(library, "live-web")
    service.sessions.choose_preset(library, "python-docs")
    held.release()
    wait_whole(service, library)
    (cut,) = service.catalogue.cuts.standing(library.id)
    assert cut.cutting == PRESETS["python-docs"].cutting
    assert all_found(service, library)
    assert troubles(service) == []
    assert len(lexical_indexes(service, library)) == 1
    assert len(vector_indexes(service, library)) == 1


def test_back_in_the_middle_leaves_everything_as_it_was(service: Service, library: Session) -> None:
    before = lengths(service, library)
    held = half_way(service, library, "documents")
    service.sessions.choose_preset(library, "balanced")
    held.release()
    wait_whole(service, library)
    assert (numbers(service, library), lengths(service, library)) == ([0], before)
    assert all_found(service, library)
    assert troubles(service) == []


def test_a_document_removed_in_the_middle_is_not_found(service: Service, library: Session) -> None:
    held = half_way(service, library, "documents")
    for document in service.documents.list(library):
        if document.name in ("bread.txt", "long.txt"):
            service.documents.remove(library, document.id)
    held.release()
    wait_whole(service, library)
    names = {hit.document.name for hit in asked(service, library).hits}
    assert names == {"lighthouse.txt", "whales.txt"}
    assert troubles(service) == []


def test_a_document_removed_while_it_is_embedded_is_not_indexed(
    service: Service, library: Session
) -> None:
    """It is looked at again under the session's lock, where its chunks would be stored."""
    embedded, removed = service.recutter._embedded, list[str]()

    def remove(cut: Cut, document: Document, chunks: list[Chunk]) -> Vectors:
        found = embedded(cut, document, chunks)
        if not removed:
            removed.append(document.name)
            service.documents.remove(library, document.id)
        return found

    object.__setattr__(service.recutter, "_embedded", remove)
    service.sessions.choose_preset(library, "documents")
    wait_whole(service, library)
    assert removed
    assert removed[0] not in {one.name for one in service.documents.list(library)}
    cut = service.catalogue.cuts.in_force(library.id)
    left = sum(one.chunks for one in service.documents.list(library))
    assert len(service.stores.lexical.ids(cut.index)) == left
    assert troubles(service) == []


def test_a_document_added_in_the_middle_is_in_both(service: Service, library: Session) -> None:
    held = half_way(service, library, "documents")
    service.documents.add_file(library, "new.txt", b"Amber glue is boiled for nine hours.")
    settled(service, library)
    assert first(service, library, "amber glue boiled").document.name == "new.txt"
    held.release()
    wait_whole(service, library)
    assert first(service, library, "amber glue boiled").document.name == "new.txt"
    assert troubles(service) == []


def test_a_document_that_is_ready_at_the_last_moment_is_cut_before_the_switch(
    service: Service, library: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of what is missing is looked at again under the session's lock."""
    missing, asked = Cuts.missing, list[Cut]()

    def without_the_last(cuts: Cuts, cut: Cut) -> list[str]:
        found = missing(cuts, cut)
        if threading.current_thread().name != "recutting":
            return found
        asked.append(cut)
        return found[:-1] if len(asked) == 1 else found

    monkeypatch.setattr(Cuts, "missing", without_the_last)
    service.sessions.choose_preset(library, "documents")
    wait_whole(service, library)
    for document in service.documents.list(library):
        assert document.chunks == len(service.documents.chunks(library, document.id)) > 0
    assert all_found(service, library)
    assert troubles(service) == []


def test_a_preset_chosen_while_a_document_is_read(service: Service, library: Session) -> None:
    """The cuts change between its reading and its commit: it is in the one that counts."""
    session_id, ingester = library.id, service.worker.ingester
    done = ingester._embed
    switched: list[bool] = []

    def embed(*given: Any) -> Vectors:
        found = done(*given)
        if not switched:
            switched.append(True)
            service.sessions.choose_preset(library, "documents")
            wait_in_force(service, session_id)
        return found

    object.__setattr__(ingester, "_embed", embed)
    service.documents.add_file(library, "late.txt", b"The late ferry leaves at midnight.")
    settled(service, library)
    wait_whole(service, library)
    hit = first(service, library, "late ferry midnight")
    assert (hit.document.name, hit.chunk.ordinal) == ("late.txt", SPAN)
    assert troubles(service) == []


def wait_in_force(service: Service, session_id: str) -> None:
    """Wait until the second cut is searched."""
    assert eventually(lambda: service.catalogue.cuts.in_force(session_id).number == 1)


def test_a_session_deleted_in_the_middle_leaves_nothing(service: Service, library: Session) -> None:
    held = half_way(service, library, "documents")
    service.sessions.delete(library)
    held.release()
    service.recutter.stop()
    assert not (service.settings.sessions_dir / library.id).exists()
    assert vector_indexes(service, library) == set()
    assert service.catalogue.cuts.unsettled() == []
    assert troubles(service) == []


def test_two_presets_side_by_side(service: Service, library: Session) -> None:
    service.sessions.choose_preset(library, "balanced", beside=["documents"])
    wait_whole(service, library, cuts=2)
    search = replace(SearchOptions(), mode="lexical", join_neighbours=False)
    found = {}
    for preset in ("balanced", "documents"):
        options = QueryOptions(search, preset=preset)
        result = service.search(AskRequest(library, "a sentence of some words", options=options))
        found[preset] = {hit.chunk.ordinal // SPAN for hit in result.hits}
        assert "other-cut" not in {notice.code for notice in result.notices}
    assert found == {"balanced": {0}, "documents": {1}}
    service.documents.add_file(library, "new.txt", b"Amber glue is boiled for nine hours.")
    settled(service, library)
    for preset in ("balanced", "documents"):
        assert first(service, library, "amber glue", preset).document.name == "new.txt"
    made = embedder_of(service)
    made.before = lambda: pytest.fail("switching to it embeds nothing")
    service.sessions.choose_preset(library, "documents", beside=["balanced"])
    wait_whole(service, library, cuts=2)
    assert numbers(service, library)[0] == 1
    assert troubles(service) == []


def test_what_is_the_same_is_not_embedded_again(
    service: Service, library: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = embedder_of(service)
    texts: list[str] = []
    embed = model.embed

    def counted(given: Sequence[str], *, progress: Progress | None = None) -> np.ndarray:
        texts.extend(given)
        return embed(given, progress=progress)

    monkeypatch.setattr(model, "embed", counted)
    service.sessions.choose_preset(library, "python-docs")
    wait_whole(service, library)
    assert texts
    assert not any("lighthouse" in text for text in texts)


@pytest.mark.timeout(400)
def test_killed_in_the_middle_the_next_start_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [settings.data_dir, settings.chroma_dir, settings.models_dir]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ingestion.recut_and_wait", *map(str, folders)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    try:
        assert "in the middle" in process.stdout.readline()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    model, texts = HashEmbedder("one"), list[str]()
    embed = model.embed

    def counted(given: Sequence[str], *, progress: Progress | None = None) -> np.ndarray:
        texts.extend(given)
        return embed(given, progress=progress)

    monkeypatch.setattr(model, "embed", counted)
    with opened(settings, model) as service:
        service.recutter.grace = 0.0
        service.recutter.wake()
        session = the_session(service)
        wait_whole(service, session)
        assert service.catalogue.cuts.in_force(session.id).number == 1
        assert all_found(service, session)
        assert troubles(service) == []
        chunks = sum(document.chunks for document in service.documents.list(session))
    assert 0 < len(texts) < chunks / 1.2  # what was done before the kill is not done again
    assert {text[:13] for text in texts if "long-0" in text} == set()


def test_mending_mends_every_cut(settings: Settings) -> None:
    with opened(settings, HashEmbedder("one")) as service:
        session = fill(service)
        service.sessions.choose_preset(session, "balanced", beside=["documents"])
        wait_whole(service, session, cuts=2)
        beside = service.catalogue.cuts.standing(session.id)[1]
        service.stores.vectors.delete_index(beside.index)
        service.stores.lexical.delete_index(beside.index)
        assert len(troubles(service)) == 2
        service.upkeep.run("mend")
        assert troubles(service) == []
        service.upkeep.run("rebuild")
        service.upkeep.run("vacuum")
        assert troubles(service) == []
        assert first(service, session, "bread baked", "documents").chunk.ordinal == SPAN


def test_a_failure_is_said_and_tried_again(
    service: Service, library: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(needed: int) -> None:
        raise NotEnoughSpace("Not enough space on the disk.")

    monkeypatch.setattr(service.stores.originals, "check_space", full)
    service.sessions.choose_preset(library, "documents")
    assert eventually(lambda: "space" in service.sessions.indexing(library).reason)
    assert all_found(service, library)
    monkeypatch.undo()
    service.recutter.wake()
    wait_whole(service, library)
    assert eventually(lambda: service.recutter.failure(library.id) is None)


def test_a_collected_pair_is_cut_apart(service: Service) -> None:
    session = service.sessions.create(service.owners.for_token("x"), "", "stack-overflow")
    text = "How do I open a file?\n\nUse `open`.\n\n"
    answer = "Answer\n\nCall open with a name.\n\n"
    headings = (Heading(0, 1, "How do I open a file?"), Heading(len(text), 2, "Answer"))
    page = Page(0, text + answer, headings=headings)
    loaded = LoadedDocument(DocumentKind.WEB, (page,), title="How do I open a file?")
    service.documents.add_loaded(session, loaded, name="pair", url="https://e.org/q/1")
    settled(service, session)
    (document,) = service.documents.list(session)
    wait_whole(service, session)
    found = [chunk.headings for chunk in service.documents.chunks(session, document.id)]
    assert found == [("How do I open a file?",), ("How do I open a file?", "Answer")]


def test_a_session_from_before_is_indexed_when_its_preset_is_chosen_again(
    service: Service, library: Session
) -> None:
    service.sessions.set_preferences(library, {"preset": "documents"})
    state = service.sessions.indexing(library)
    assert not state.whole
    assert "Choose the preset again" in state.cure
    assert service.sessions.search_options(library) == PRESETS["documents"].search
    service.sessions.choose_preset(library, "documents")
    wait_whole(service, library)


def test_a_preset_that_there_is_not(service: Service, library: Session) -> None:
    with pytest.raises(InvalidRequest) as caught:
        service.sessions.choose_preset(library, "balanced", beside=["none"])
    assert "live-web" in caught.value.cure
    assert service.sessions.indexing(library) == Indexing("balanced")


def test_settings_of_the_search_go_with_another_preset(service: Service, library: Session) -> None:
    service.sessions.set_preferences(library, {"search": {"top_k": 3}})
    assert service.sessions.search_options(library).top_k == 3
    service.sessions.choose_preset(library, "balanced", beside=["live-web"])
    assert service.sessions.search_options(library).top_k == 3
    service.sessions.choose_preset(library, "live-web")
    assert service.sessions.search_options(library) == PRESETS["live-web"].search
