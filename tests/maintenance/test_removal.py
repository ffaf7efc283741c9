"""Removing a document or a session: nothing of it stays in any store, and nothing else goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import NotEnoughSpace, StorageError
from core.maintenance.checking import Trouble, check
from core.maintenance.reconcile import Mender
from core.maintenance.removal import Remover
from core.maintenance.tasks import Upkeep
from core.storage.files.reserve import Reserve
from core.storage.sql.documents import Documents
from core.storage.sql.sessions import Sessions
from core.storage.stores import Stores, open_stores
from tests.storage.made import store
from tests.support.small_library import HashEmbedder

pytestmark = pytest.mark.F12

MODEL = HashEmbedder("model")
A, B = "a" * 64, "b" * 64
TEXTS = {A: "The ferry to Port Amber leaves at nine.", B: "Bread is baked for forty minutes."}


@pytest.fixture
def stores(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stores]:
    """Open stores with a model that is there at once."""
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda _: MODEL)
    stores = open_stores(settings)
    stores.embedder()
    yield stores
    stores.close()


@pytest.fixture
def remover(stores: Stores, settings: Settings) -> Remover:
    return Remover(stores, Reserve(settings))


@pytest.fixture
def session_id(stores: Stores) -> str:
    """A session with two documents in all stores."""
    session_id = stores.catalogue.sessions.create(stores.catalogue.owners.create("a" * 64), "M").id
    for document_id, text in TEXTS.items():
        chunks = store(stores.catalogue, session_id, document_id, [text], f"{document_id[0]}.txt")
        stores.vectors.add(session_id, [chunk.id for chunk in chunks], MODEL.embed([text]))
        stores.lexical.add(session_id, chunks, ["Made"] * len(chunks))
        stores.originals.write(session_id, document_id, text.encode())
    return session_id


def documents_in(stores: Stores, session_id: str) -> dict[str, set[str]]:
    """The documents that each store has something of."""
    return {
        "catalogue": {d.id for d in stores.catalogue.documents.list(session_id)},
        "vectors": {i.partition(":")[0] for i in stores.vectors.ids(session_id)},
        "words": {i.partition(":")[0] for i in stores.lexical.ids(session_id)},
        "originals": stores.originals.ids(session_id),
    }


def everywhere(*document_ids: str) -> dict[str, set[str]]:
    return {kind: set(document_ids) for kind in ("catalogue", "vectors", "words", "originals")}


def test_a_document_goes_from_every_store_and_the_other_stays(
    stores: Stores, remover: Remover, session_id: str
) -> None:
    assert documents_in(stores, session_id) == everywhere(A, B)
    remover.document(session_id, A)
    assert documents_in(stores, session_id) == everywhere(B)
    remover.document(session_id, A)  # twice is no error
    assert documents_in(stores, session_id) == everywhere(B)


def test_a_session_goes_from_every_store_and_the_other_stays(
    stores: Stores, remover: Remover, session_id: str
) -> None:
    other = stores.catalogue.sessions.create(stores.catalogue.owners.create("b" * 64), "O").id
    chunks = store(stores.catalogue, other, A, [TEXTS[A]])
    stores.vectors.add(other, [chunk.id for chunk in chunks], MODEL.embed([TEXTS[A]]))
    stores.lexical.add(other, chunks, ["Made"])
    stores.originals.write(other, A, TEXTS[A].encode())
    left: list[dict[str, set[str]]] = []
    remover.session(session_id, lambda: left.append(documents_in(stores, session_id)))
    assert left[0]["catalogue"] == set(), "nothing is found while work in the session ends"
    assert left[0]["vectors"] == {A, B}, "what that work added meanwhile goes as well"
    assert documents_in(stores, session_id) == everywhere()
    assert stores.catalogue.sessions.ids() == [other]
    assert stores.vectors.sessions() == {other}
    assert stores.originals.sessions() == {other}
    assert documents_in(stores, other) == everywhere(A)


def damaged(*_: object) -> None:
    raise StorageError("The vector store is damaged or cannot be written.")


@pytest.mark.sqlite
def test_an_index_that_fails_leaves_nothing_to_be_found_and_is_mended_later(
    stores: Stores, remover: Remover, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(stores.vectors, "delete_document", damaged)
        remover.document(session_id, A)
    assert documents_in(stores, session_id) == {**everywhere(B), "vectors": {A, B}}
    assert [found.trouble for found in check(stores)] == [Trouble.STRAY_VECTOR]
    Mender(stores).mend(session_id)
    assert documents_in(stores, session_id) == everywhere(B)


@pytest.mark.grown
def test_an_index_in_the_catalogues_database_that_fails_leaves_all_as_it_was(
    stores: Stores, remover: Remover, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(stores.vectors, "delete_document", damaged)
        with pytest.raises(StorageError, match="damaged"):
            remover.document(session_id, A)
    assert documents_in(stores, session_id) == everywhere(A, B)
    remover.document(session_id, A)
    assert documents_in(stores, session_id) == everywhere(B)


@pytest.mark.parametrize("what", ["document", "session"])
@pytest.mark.F07
@pytest.mark.sqlite
def test_on_a_full_disk_files_go_first(
    stores: Stores,
    remover: Remover,
    session_id: str,
    what: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalogue, original = stores.catalogue, Path(stores.originals.path(session_id, A))
    room = catalogue.documents if what == "document" else catalogue.sessions
    kind, name = type(room), "remove" if what == "document" else "delete"
    remove, seen = getattr(kind, name), list[bool]()

    def with_files_gone(self: object, *ids: str) -> None:
        seen.append(original.exists())
        if original.exists():
            raise NotEnoughSpace("The catalogue cannot be written: the disk is full.")
        remove(self, *ids)

    monkeypatch.setattr(kind, name, with_files_gone)
    remover.reserve.fill()
    if what == "document":
        remover.document(session_id, A)
    else:
        remover.session(session_id)
    assert seen == [True, False]
    assert documents_in(stores, session_id) == everywhere(*([B] if what == "document" else []))
    assert remover.reserve.path.exists()


def test_a_disk_without_any_room_says_so_and_keeps_the_document(
    stores: Stores, remover: Remover, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NotEnoughSpace("The catalogue cannot be written: the disk is full.")

    monkeypatch.setattr(type(stores.catalogue.documents), "remove", full)
    with pytest.raises(NotEnoughSpace):
        remover.document(session_id, A)
    assert {d.id for d in stores.catalogue.documents.list(session_id)} == {A, B}


@pytest.mark.grown
@pytest.mark.parametrize("what", ["document", "session"])
@pytest.mark.F07
def test_where_the_database_has_no_room_everything_stays(
    stores: Stores,
    remover: Remover,
    session_id: str,
    what: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise NotEnoughSpace("The catalogue cannot be written: its database's disk is full.")

    room, name, remove = {
        "document": (Documents, "remove", lambda: remover.document(session_id, A)),
        "session": (Sessions, "delete", lambda: remover.session(session_id)),
    }[what]
    with monkeypatch.context() as patch:
        patch.setattr(room, name, full)
        with pytest.raises(NotEnoughSpace):
            remove()
    assert documents_in(stores, session_id) == everywhere(A, B)
    remover.document(session_id, A)
    assert documents_in(stores, session_id) == everywhere(B)


@pytest.mark.sqlite
def test_words_that_an_ended_process_left_are_erased_by_the_next(
    stores: Stores, remover: Remover, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.storage.lexical.tantivy.index._SETTLED", -1.0)
    for number in range(12):  # enough that one part of the index holds several
        document_id, text = f"{number:064x}", f"Note {number} speaks of the weather."
        chunks = store(stores.catalogue, session_id, document_id, [text], f"{number}.txt")
        stores.vectors.add(session_id, [chunk.id for chunk in chunks], MODEL.embed([text]))
        stores.lexical.add(session_id, chunks, ["Made"])
        stores.originals.write(session_id, document_id, text.encode())
    remover.document(session_id, A)
    assert stores.lexical.holds_deleted(session_id)
    stores.lexical._deleted.clear()  # a process that begins knows of no deletion
    upkeep = Upkeep(stores)
    upkeep.run("start")
    assert stores.lexical.to_erase() == [session_id]
    upkeep.tidy()
    assert not stores.lexical.holds_deleted(session_id)
    assert documents_in(stores, session_id)["words"] == {B, *(f"{n:064x}" for n in range(12))}
