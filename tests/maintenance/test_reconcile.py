"""Mending the indexes: it goes on where it stopped, and brings back nothing that was removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from core.config import Settings
from core.errors import Interrupted
from core.maintenance.checking import check
from core.maintenance.reconcile import Mender, remove_strays
from core.storage.stores import Stores, open_stores
from core.storage.vectors.port import REBUILDING
from core.types import Cut, DocumentState
from tests.storage.made import cut, loaded, store
from tests.support.small_library import HashEmbedder

pytestmark = pytest.mark.F13


class Counting(HashEmbedder):
    """A model that remembers what it was given."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.given: list[str] = []

    def embed(
        self, texts: Sequence[str], *, progress: Callable[[int, int], None] | None = None
    ) -> np.ndarray:
        self.given += texts
        return super().embed(texts, progress=progress)


@pytest.fixture
def model() -> Counting:
    return Counting("model")


@pytest.fixture
def stores(
    settings: Settings, model: Counting, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stores]:
    """Open stores with that model."""
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda _: model)
    stores = open_stores(settings)
    stores.embedder()
    yield stores
    stores.close()


@pytest.fixture
def session_id(stores: Stores) -> str:
    """A session of four documents that are in the catalogue and in no index."""
    session_id = stores.catalogue.sessions.create(stores.catalogue.owners.create("a" * 64), "M").id
    for name in "abcd":
        store(stores.catalogue, session_id, name * 64, [f"Text of document {name}."], name)
        stores.originals.write(session_id, name * 64, b"original")
    return session_id


def is_whole(stores: Stores, session_id: str) -> bool:
    """Whether both indexes hold what the catalogue does, and a check finds nothing."""
    wanted = set(stores.catalogue.content.chunk_ids(session_id))
    found = check(stores)
    return stores.vectors.ids(session_id) == wanted == stores.lexical.ids(session_id) and not found


def test_what_is_missing_is_made_from_the_catalogue(stores: Stores, session_id: str) -> None:
    told: list[tuple[int, int]] = []
    mender = Mender(stores, progress=lambda done, total: told.append((done, total)))
    assert {finding.count for finding in mender.mend(session_id)} == {4}
    assert is_whole(stores, session_id)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert mender.mend(session_id) == []


def test_stopped_it_says_so_and_goes_on_where_it_was(
    stores: Stores, session_id: str, model: Counting
) -> None:
    mender = Mender(stores, stopped=lambda: len(model.given) == 3)
    with pytest.raises(Interrupted):
        mender.mend(session_id)
    made_with = stores.catalogue.cuts.collection(Cut(session_id))
    assert made_with is not None
    assert made_with[1] == REBUILDING, "a search says that it goes by words meanwhile"
    Mender(stores).mend(session_id)
    assert is_whole(stores, session_id)
    assert len(model.given) == 4, "no passage is embedded a second time"
    assert stores.catalogue.cuts.collection(Cut(session_id)) == (
        model.name, model.digest, model.dimension,
    )  # fmt: skip


def test_a_document_removed_meanwhile_does_not_come_back(
    stores: Stores, session_id: str, model: Counting
) -> None:
    def remove_the_last() -> None:  # while its own text is being embedded
        if len(model.given) == 4:
            stores.catalogue.documents.remove(session_id, "d" * 64)

    model.before = remove_the_last
    Mender(stores).mend(session_id)
    assert is_whole(stores, session_id)
    assert not [i for i in stores.vectors.ids(session_id) if i.startswith("d")]


def test_a_document_that_is_not_ready_is_not_indexed(stores: Stores, session_id: str) -> None:
    catalogue = stores.catalogue
    catalogue.documents.add(session_id, "e" * 64, "waiting", size=1)
    catalogue.content.save(session_id, "e" * 64, loaded("half"), cut("e" * 64, loaded("half")))
    catalogue.documents.set_state(session_id, "e" * 64, DocumentState.FAILED, reason="R", cure="C")
    Mender(stores).mend(session_id)
    assert {i.partition(":")[0][0] for i in stores.vectors.ids(session_id)} == set("abcd")
    assert {i.partition(":")[0][0] for i in stores.lexical.ids(session_id)} == set("abcd")


def test_too_many_words_of_a_document_leave_it_found(stores: Stores, session_id: str) -> None:
    Mender(stores).mend(session_id)
    ghost = cut("a" * 64, loaded("x", "words of nowhere"))[1]
    stores.lexical.add(session_id, [ghost], ["Made"])
    Mender(stores).mend(session_id)
    assert is_whole(stores, session_id)
    assert stores.lexical.query(session_id, "nowhere", 5) == []
    assert stores.lexical.query(session_id, "document a", 5)


def test_what_belongs_to_no_session_goes_and_the_rest_stays(
    stores: Stores, session_id: str, model: Counting
) -> None:
    Mender(stores).mend(session_id)
    gone = "3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10"
    stores.originals.write(gone, "f" * 64, b"nobody's")
    stores.vectors.add(gone, ["f:0"], model.embed(["nobody's"]))
    assert remove_strays(stores) == 1
    assert stores.vectors.sessions() == stores.originals.sessions() == {session_id}
    assert is_whole(stores, session_id)
