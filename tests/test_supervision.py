"""No thread ends by what it works on; one that ends all the same begins again, and it is shown."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import StorageError
from core.ingestion.worker import Ingester
from core.service import Service
from core.supervision import Unrecorded, Worker, failures, in_background, isolated
from core.types import CollectState, Document, DocumentState, Session
from tests.collecting.runs import ended
from tests.collecting.test_dumps import asking, dump_in
from tests.conftest import ROOT, eventually, settings_in, settled

pytestmark = [pytest.mark.F22, pytest.mark.F27]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path, dumps_dir=str(tmp_path / "dumps"))


@pytest.fixture(autouse=True)
def _no_failures() -> Iterator[None]:
    failures().clear()
    yield
    failures().clear()


def test_a_thread_that_ends_begins_again() -> None:
    ending, began, second = threading.Event(), [0], threading.Event()

    def work() -> None:
        began[0] += 1
        if began[0] == 1:
            raise RecursionError
        second.set()
        ending.wait(10)

    worker = Worker("a worker", work, ending).start()
    assert second.wait(10)
    (failure,) = failures().all()
    assert (failure.thread, failure.error, failure.times) == ("a worker", "RecursionError", 1)
    ending.set()
    worker.join(10)
    assert not worker.is_alive()
    assert began[0] == 2


def test_a_thread_that_returns_is_at_its_end() -> None:
    worker = Worker("a worker", lambda: None, threading.Event()).start()
    worker.join(10)
    assert not worker.is_alive()
    assert failures().all() == []


def test_a_fault_is_given_to_the_work_that_had_it() -> None:
    found: list[Exception] = []

    def work() -> None:
        raise MemoryError

    def failed(error: Exception) -> None:
        found.append(error)
        raise KeyError  # this too ends nothing

    assert not isolated("work", work, failed)
    assert isolated("work", lambda: None, failed)
    in_background("work", work, failed).join(10)
    assert [type(error) for error in found] == [MemoryError, MemoryError]


def test_a_fault_in_a_document_ends_no_thread(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Ingester.ingest

    def ingest(self: Ingester, document: Document) -> None:
        if document.name.startswith("bad"):
            raise RecursionError
        whole(self, document)

    monkeypatch.setattr(Ingester, "ingest", ingest)
    for number in range(2 * service.worker.threads):
        service.documents.add_file(session, f"bad-{number}.txt", f"Bad {number}.".encode())
    service.documents.add_file(session, "good.txt", b"The pier is open.")
    states = {document.name: document.state for document in settled(service, session)}
    assert states.pop("good.txt") is DocumentState.READY
    assert set(states.values()) == {DocumentState.FAILED}


def test_a_thread_of_the_queue_that_ends_is_shown_on_status_and_goes_on(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, broken = service.catalogue.documents, [True]
    claim_next = documents.claim_next

    def claim(*limits: object) -> Document | None:
        if broken[0]:
            raise KeyError("a fault of ours")
        return claim_next()

    monkeypatch.setattr(documents, "claim_next", claim)
    service.worker.wake()
    assert eventually(lambda: bool(failures().all()))
    broken[0] = False
    service.documents.add_file(session, "good.txt", b"The pier is open.")
    assert settled(service, session)[0].state is DocumentState.READY
    (part,) = [part for part in service.health() if part.name == "Background work"]
    assert part.state == "warning"
    assert "ingest-" in part.detail
    assert "KeyError" in part.detail


def test_dumps_that_are_nested_deeply_end_no_thread_of_collecting(
    service: Service, session: Session, tmp_path: Path
) -> None:
    for number in range(3):  # more than there are threads
        dump_in(tmp_path, f"deep-{number}.json", '[{"body": ' + "[" * 100_000)
    dump_in(tmp_path)
    for number in range(3):
        run = service.collecting.start(session, asking(f"deep-{number}.json"))
        assert ended(service, session, run).state is CollectState.FAILED
    run = ended(service, session, service.collecting.start(session, asking("so/Posts.xml")))
    assert run.state is CollectState.DONE


def test_threads_are_started_by_the_supervision() -> None:
    """The others end by what they foresee: each waits for one thing, and for nothing of ours."""
    found = {
        str(path.relative_to(ROOT))
        for folder in ("core", "scraper")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "threading.Thread"
    }
    assert found == {
        "core/supervision.py",
        "core/llm/stream.py",  # gives every fault to whoever reads the answer
        "core/maintenance/__main__.py",  # a command's own watch
        "core/parsing/child.py",  # ends the child with its parent
        "scraper/connection.py",  # a resolver, which nobody waits for longer than it may take
    }


def test_what_could_not_be_recorded_is_tried_again() -> None:
    full, noted = [True], list[str]()

    def note(what: str) -> None:
        if full[0]:
            raise StorageError("The disk is full.")
        noted.append(what)

    unrecorded = Unrecorded()
    unrecorded.record(lambda: note("first"))
    unrecorded.record(lambda: note("second"))
    assert not unrecorded.again()
    assert noted == []
    full[0] = False
    assert unrecorded.again()
    assert noted == ["first", "second"]
    assert unrecorded.again()
    assert noted == ["first", "second"]
