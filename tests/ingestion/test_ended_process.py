"""A document that was in work when the process ended gets one more try, alone; then it fails."""

from __future__ import annotations

import threading
import time

import pytest

from core.config import Settings
from core.ids import digest
from core.ingestion import worker
from core.ingestion.worker import Ingester
from core.service import Service
from core.storage.catalogue import Catalogue
from core.types import Document, DocumentState
from tests.conftest import ENDED_TWICE, answer_of, eventually, settled_after_kills

pytestmark = pytest.mark.F21


def test_retry_takes_such_a_document_in(settings: Settings) -> None:
    """As its cure says: what ended the process may have been something else."""
    service = Service(settings, background=False)
    try:
        session = service.sessions.create(service.owners.for_token("somebody"), "Test")
        service.documents.add_file(session, "a.txt", b"The ferry leaves at nine.")
        before = Catalogue(settings)  # of an earlier process
        for _ in range(2):
            assert before.documents.claim_next() is not None
            service.catalogue.documents.resume()
        before.close()
        (failed,) = service.documents.list(session)
        assert (failed.state, failed.reason) == (DocumentState.FAILED, ENDED_TWICE)
        service.worker.start()
        (document,) = settled_after_kills(service, session)
        assert (document.state, document.deaths) == (DocumentState.READY, 0)
        assert "nine" in answer_of(service, session, "When does the ferry leave?").text
    finally:
        service.close()


def test_the_second_try_is_alone(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    catalogue.documents.add(session_id, "0" * 64, "suspect.txt", size=1)
    catalogue.documents.claim_next()
    for number in range(1, 6):  # not a multiple of what a session has in work
        catalogue.documents.add(session_id, str(number) * 64, f"{number}.txt", size=1)
    catalogue.close()

    guard, now, beside = threading.Lock(), list[str](), dict[str, set[str]]()

    def ingest(self: Ingester, document: Document) -> None:
        with guard:
            now.append(document.name)
            seen = set(now)
        time.sleep(0.2)
        with guard:
            beside[document.name] = seen | set(now)
            now.remove(document.name)
        documents = self.stores.catalogue.documents
        documents.mark_ready(document.session_id, document.id, seconds=0.1)

    monkeypatch.setattr(Ingester, "ingest", ingest)
    service = Service(settings, background=False)
    try:
        service.worker.start()
        assert eventually(lambda: len(beside) == 6, 60)
    finally:
        service.close()
    assert beside["suspect.txt"] == {"suspect.txt"}
    assert len(beside) == 6


def test_the_second_try_comes_beside_steady_work(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    catalogue.documents.add(session_id, "0" * 64, "suspect.txt", size=1)
    catalogue.documents.claim_next()
    for number in range(1, 6):
        catalogue.documents.add(session_id, str(number) * 64, f"{number}.txt", size=1)
    catalogue.close()

    guard, now, tried = threading.Lock(), list[str](), list[set[str]]()

    def ingest(self: Ingester, document: Document) -> None:
        documents = self.stores.catalogue.documents
        with guard:
            now.append(document.name)
            beside = set(now)
        following = f"after {document.name}"
        if not tried:  # work never ends, and is never all done at the same moment
            documents.add(session_id, digest(following), following, size=1)
        time.sleep(0.05 * len(beside))
        with guard:
            if document.name == "suspect.txt":
                tried.append(beside | set(now))
            now.remove(document.name)
        documents.mark_ready(document.session_id, document.id, seconds=0.1)

    monkeypatch.setattr(Ingester, "ingest", ingest)
    monkeypatch.setattr(worker, "_PATIENCE", 0.5)
    service = Service(settings, background=False)
    try:
        service.worker.start()
        assert eventually(lambda: bool(tried), 30)
    finally:
        service.close()
    assert tried == [{"suspect.txt"}]


def test_what_is_stopped_in_order_is_taken_up_again_without_blame(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def ingest(self: Ingester, document: Document) -> None:
        begun.set()
        while self.wanted(document):
            time.sleep(0.02)

    monkeypatch.setattr(Ingester, "ingest", ingest)
    service = Service(settings)
    session = service.sessions.create(service.owners.for_token("somebody"), "Test")
    service.documents.add_file(session, "long.txt", b"A long text.")
    assert begun.wait(30)
    service.worker.stop(0.1)
    (document,) = service.catalogue.documents.list(session.id)
    assert (document.state, document.deaths) == (DocumentState.WAITING, 0)
    service.close()
