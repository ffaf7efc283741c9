"""The indexes in PostgreSQL change with the catalogue, in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from core.errors import StorageError
from core.storage.sql.documents import Documents
from core.storage.sql.room import Overtaken
from core.storage.stores import Stores, open_stores
from core.types import Cut
from tests.conftest import settings_in, settled
from tests.storage.made import cut, loaded
from tests.support.small_library import HashEmbedder, fill, opened

pytestmark = [pytest.mark.grown, pytest.mark.F28]


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    """Open stores; the model is not loaded."""
    stores = open_stores(settings_in(tmp_path))
    yield stores
    stores.close()


@pytest.fixture
def session_id(stores: Stores) -> str:
    return stores.catalogue.sessions.create(stores.catalogue.owners.create("a" * 64), "Mine").id


def put_in(stores: Stores, session_id: str) -> None:
    document = loaded("the lighthouse")
    chunks = cut("D", document)
    vectors = np.ones((len(chunks), 4), np.float32)
    stores.catalogue.content.save(session_id, "D", document, chunks)
    stores.add_to_cut(Cut(session_id), "D", "en", chunks, vectors)


def indexed(stores: Stores, session_id: str) -> tuple[int, int]:
    return len(stores.vectors.ids(session_id)), len(stores.lexical.ids(session_id))


def test_what_fails_leaves_nothing_in_an_index(stores: Stores, session_id: str) -> None:
    stores.catalogue.documents.add(session_id, "D", "a.txt", size=1)

    def work() -> None:
        put_in(stores, session_id)
        assert indexed(stores, session_id) == (1, 1), "it sees its own changes"
        raise StorageError("It ends here.")

    with pytest.raises(StorageError, match="ends here"):
        stores.together(work)
    assert indexed(stores, session_id) == (0, 0)
    assert stores.catalogue.content.chunks(session_id, "D") == []


def test_what_was_overtaken_is_done_again_as_a_whole(stores: Stores, session_id: str) -> None:
    stores.catalogue.documents.add(session_id, "D", "a.txt", size=1)
    tries = []

    def work() -> str:
        put_in(stores, session_id)
        stores.catalogue.documents.mark_ready(session_id, "D", seconds=1.0)
        tries.append(1)
        if len(tries) < 3:
            raise Overtaken("Busy.", 9.0)
        return "done"

    assert stores.together(work) == "done"
    assert len(tries) == 3
    assert indexed(stores, session_id) == (1, 1)
    assert set(stores.catalogue.documents.ready(session_id)) == {"D"}


def test_another_transaction_meanwhile_makes_it_begin_again(
    stores: Stores, session_id: str
) -> None:
    """Both change one row: the method within is not tried alone in a transaction that ended."""
    stores.catalogue.documents.add(session_id, "D", "a.txt", size=1)
    tries = []

    def work() -> None:
        stores.catalogue.documents.get(session_id, "D")  # its moment is now
        tries.append(1)
        if len(tries) == 1:
            other = Thread(
                target=stores.catalogue.documents.set_progress, args=(session_id, "D", 0.5)
            )
            other.start()
            other.join()
        put_in(stores, session_id)
        stores.catalogue.documents.mark_ready(session_id, "D", seconds=1.0)

    stores.together(work)
    assert len(tries) == 2
    assert indexed(stores, session_id) == (1, 1)


def test_what_is_not_marked_ready_is_in_no_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its index rows are of the same transaction: a kill just before leaves none to take out."""
    with opened(settings_in(tmp_path), HashEmbedder("one")) as service:
        session, seen = fill(service), list[tuple[int, int]]()
        before, mark_ready = indexed(service.stores, session.id), Documents.mark_ready

        def looked_at(room: Documents, *ids: str, seconds: float) -> None:
            seen.append(indexed(service.stores, session.id))
            other = Thread(target=lambda: seen.append(indexed(service.stores, session.id)))
            other.start()
            other.join()
            mark_ready(room, *ids, seconds=seconds)

        monkeypatch.setattr(Documents, "mark_ready", looked_at)
        service.documents.add_file(session, "new.txt", b"Amber glue is boiled for nine hours.")
        settled(service, session)
        mine, others = seen
        assert mine == indexed(service.stores, session.id) > before
        assert others == before
