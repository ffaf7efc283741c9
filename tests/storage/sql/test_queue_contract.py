"""What the queue of documents does: the same tests over SQLite and over PostgreSQL.

What only several processes on one queue show is in tests/grown/test_claims.py.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DocumentNotFound
from core.storage.catalogue import Catalogue
from core.storage.sql.documents import SMALL, ClaimLimits
from core.types import Document, DocumentState
from tests.conftest import ENDED_TWICE

pytestmark = [pytest.mark.F21, pytest.mark.F28]

NO_LIMITS = ClaimLimits()


@pytest.fixture
def other(catalogue: Catalogue) -> str:
    return catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id


def claimed(catalogue: Catalogue, limits: ClaimLimits = NO_LIMITS) -> str:
    found = catalogue.documents.claim_next(limits)
    return found.id if found else ""


def row(catalogue: Catalogue, session_id: str, document_id: str = "D") -> Document:
    found = catalogue.documents.get(session_id, document_id)
    assert found is not None
    return found


def test_what_waits_and_what_is_read_is_counted_over_all_sessions(
    catalogue: Catalogue, session_id: str, other: str
) -> None:
    assert catalogue.documents.in_queue() == (0, 0)
    for number in range(3):
        catalogue.documents.add(session_id, f"D{number}", "a", size=1)
    catalogue.documents.add(other, "E", "a", size=1)
    assert catalogue.documents.in_queue() == (4, 0)
    assert {claimed(catalogue), claimed(catalogue)} == {"D0", "E"}
    catalogue.documents.set_state(other, "E", DocumentState.INDEXING)
    assert catalogue.documents.in_queue() == (2, 2)
    catalogue.documents.set_state(other, "E", DocumentState.FAILED)
    assert catalogue.documents.in_queue() == (2, 1)


def test_sessions_take_turns(catalogue: Catalogue, session_id: str, other: str) -> None:
    for i in range(4):
        catalogue.documents.add(session_id, f"mine{i}", "a", size=1)
    for i in range(2):
        catalogue.documents.add(other, f"theirs{i}", "a", size=1)
    order = [catalogue.documents.claim_next() for _ in range(7)]
    assert [document and document.id for document in order] == [
        "mine0", "theirs0", "mine1", "theirs1", "mine2", "mine3", None,
    ]  # fmt: skip
    assert all(d is None or d.state is DocumentState.READING for d in order)


def test_of_one_session_small_ones_go_first(catalogue: Catalogue, session_id: str) -> None:
    for name, size in (("large", SMALL + 1), ("first", SMALL), ("second", 1)):
        catalogue.documents.add(session_id, name, name, size=size)
    assert [claimed(catalogue) for _ in range(4)] == ["first", "second", "large", ""]


def test_what_may_be_claimed_beside_what_is_in_work(
    catalogue: Catalogue, session_id: str, other: str
) -> None:
    for name, size in (("large", SMALL + 1), ("small", SMALL)):
        catalogue.documents.add(session_id, name, name, size=size)
    catalogue.documents.add(other, "theirs", "theirs", size=SMALL + 1)
    assert claimed(catalogue, ClaimLimits(full=[session_id, other])) == ""
    assert claimed(catalogue, ClaimLimits(only_small=True)) == "small"
    assert claimed(catalogue, ClaimLimits(only_small=True)) == ""
    assert claimed(catalogue, ClaimLimits(full_of_long=[session_id])) == "theirs"
    assert claimed(catalogue) == "large"


def test_threads_claim_each_document_once(
    catalogue: Catalogue, session_id: str, other: str
) -> None:
    counted = Counter[str]()
    for i in range(60):
        catalogue.documents.add(other if i % 2 else session_id, f"D{i}", "a", size=1)

    def work() -> None:
        while (document := catalogue.documents.claim_next()) is not None:
            counted[document.id] += 1
            catalogue.documents.set_progress(document.session_id, document.id, 0.5)
            catalogue.documents.list(document.session_id)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted == Counter({f"D{i}": 1 for i in range(60)})


def test_what_was_in_work_twice_at_an_end_has_failed(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "D", "bad.html", size=1)
    for deaths in (1, 2):
        assert claimed(catalogue) == "D"
        catalogue.documents.resume()  # as the next process does
        assert row(catalogue, session_id).deaths == deaths
        assert claimed(catalogue, ClaimLimits(troubled=False)) == ""
        assert catalogue.documents.troubled_waits() == (deaths == 1)
    failed = row(catalogue, session_id)
    assert failed.state is DocumentState.FAILED
    assert failed.reason == ENDED_TWICE
    assert "Retry" in failed.cure
    catalogue.documents.set_state(session_id, "D", DocumentState.WAITING)
    again = row(catalogue, session_id)
    assert (again.deaths, again.reason) == (0, "")


def test_what_was_in_work_at_an_end_goes_last(
    catalogue: Catalogue, session_id: str, other: str
) -> None:
    catalogue.documents.add(session_id, "D", "a", size=1)
    claimed(catalogue)
    catalogue.documents.resume()
    catalogue.documents.add(session_id, "E", "b", size=SMALL + 1)
    catalogue.documents.add(other, "F", "c", size=1)
    assert [claimed(catalogue) for _ in range(4)] == ["F", "E", "D", ""]


def test_what_was_put_back_is_not_blamed(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "D", "good.html", size=1)
    claimed(catalogue)
    assert catalogue.documents.is_in_work(session_id, "D")
    catalogue.documents.set_progress(session_id, "D", 0.5)
    catalogue.documents.put_back(session_id, "D")
    catalogue.documents.resume()
    waiting = row(catalogue, session_id)
    assert (waiting.state, waiting.deaths, waiting.progress) == (DocumentState.WAITING, 0, 0.0)
    assert not catalogue.documents.is_in_work(session_id, "D")
    assert claimed(catalogue) == "D"


def test_what_is_not_in_work_is_left_where_it_is(catalogue: Catalogue, session_id: str) -> None:
    for name in ("ready", "failed", "stopped"):
        catalogue.documents.add(session_id, name, name, size=1)
        claimed(catalogue)
    catalogue.documents.mark_ready(session_id, "ready", seconds=1.0)
    catalogue.documents.set_state(session_id, "failed", DocumentState.FAILED, reason="Broken.")
    catalogue.documents.set_state(session_id, "stopped", DocumentState.STOPPED)
    for name in ("ready", "failed", "stopped"):
        catalogue.documents.put_back(session_id, name)
    catalogue.documents.resume()
    states = [row(catalogue, session_id, name).state for name in ("ready", "failed", "stopped")]
    assert states == [DocumentState.READY, DocumentState.FAILED, DocumentState.STOPPED]
    assert claimed(catalogue) == ""


def test_what_is_removed_is_neither_claimed_nor_made_ready(
    catalogue: Catalogue, session_id: str
) -> None:
    for name in ("D", "E"):
        catalogue.documents.add(session_id, name, name, size=1)
    assert claimed(catalogue) == "D"
    for name in ("D", "E"):
        catalogue.documents.remove(session_id, name)
    assert claimed(catalogue) == ""
    assert not catalogue.documents.is_in_work(session_id, "D")
    with pytest.raises(DocumentNotFound):
        catalogue.documents.mark_ready(session_id, "D", seconds=1.0)


def test_what_waits_and_whose_turn_it_is_outlive_the_process(
    catalogue: Catalogue, session_id: str, other: str, tmp_path: Path
) -> None:
    for session, name in ((session_id, "A"), (session_id, "B"), (other, "C")):
        catalogue.documents.add(session, name, name, size=1)
    assert claimed(catalogue) == "A"
    catalogue.documents.mark_ready(session_id, "A", seconds=1.0)
    catalogue.close()
    again = Catalogue(Settings(data_dir=tmp_path / "data"))
    try:
        again.documents.resume()
        assert [claimed(again) for _ in range(3)] == ["C", "B", ""]
    finally:
        again.close()
