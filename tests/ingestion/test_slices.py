"""Long texts hold up nobody: turns are slices, and small work goes first."""

from __future__ import annotations

import threading

import pytest

from core.ingestion.slices import Slices
from core.service import Service
from core.types import DocumentState, Session
from tests.conftest import eventually

pytestmark = pytest.mark.J07

BUSY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)


def long_text(number: int) -> bytes:
    return "".join(f"Sentence {n} of the long text {number}.\n\n" for n in range(60_000)).encode()


def test_a_small_file_is_ready_while_long_texts_of_another_session_are_read(
    service: Service, session: Session
) -> None:
    other = service.sessions.create(service.owners.for_token("another"), "Other")
    for number in range(3):
        service.documents.add_file(session, f"long-{number}.txt", long_text(number))

    def embedding() -> bool:
        states = [document.state for document in service.documents.list(session)]
        return states.count(DocumentState.INDEXING) >= 2

    assert eventually(embedding, 120)
    for mine in (other, session):
        service.documents.add_file(mine, "small.txt", b"The pier is open.")
    for mine in (other, session):
        assert eventually(lambda mine=mine: small(service, mine) is DocumentState.READY, 120)
    assert {d.state for d in service.documents.list(session) if "long" in d.name} <= set(BUSY)


def small(service: Service, session: Session) -> DocumentState:
    (document,) = [d for d in service.documents.list(session) if d.name == "small.txt"]
    return document.state


def test_who_has_had_the_fewest_slices_goes_first() -> None:
    slices, order, inside = Slices(1), list[str](), threading.Event()
    waiting = threading.Event()

    def long() -> None:
        with slices.turn() as next_slice:
            inside.set()
            waiting.wait(10)
            for _ in range(3):
                order.append("long")
                next_slice()

    def short() -> None:
        with slices.turn() as next_slice:
            order.append("short")
            next_slice()

    threads = [threading.Thread(target=long), threading.Thread(target=short)]
    threads[0].start()
    assert inside.wait(10)
    threads[1].start()
    assert eventually(lambda: bool(slices._waiting))
    waiting.set()
    for thread in threads:
        thread.join(10)
    assert order == ["long", "short", "long", "long"]


def test_slices_come_back_after_a_fault() -> None:
    slices = Slices(1)
    for _ in range(2):
        with pytest.raises(KeyError), slices.turn():
            raise KeyError
