"""The same bytes under another name, or twice at once, are one set of chunks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.service import Service
from core.types import AddOutcome, DocumentKind, DocumentState, LoadedDocument, Page, Session
from tests.conftest import settled

pytestmark = pytest.mark.C04

TEXT = b"The harbour fee of Port Amber is 12 crowns."


def test_twice_at_once(service: Service, session: Session) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(
            pool.map(lambda n: service.documents.add_file(session, f"{n}.txt", TEXT), range(4))
        )
    (document,) = settled(service, session)
    assert document.chunks == 1
    assert {r.document.id for r in results if r.document} == {document.id}
    assert service.stores.vectors.ids(session.id) == {f"{document.id}:0"}


def test_another_name_says_where_it_is(service: Service, session: Session) -> None:
    service.documents.add_file(session, "a.txt", TEXT)
    again = service.documents.add_file(session, "b.txt", TEXT)
    assert again.outcome is AddOutcome.DUPLICATE
    assert "already there as a.txt" in again.reason


def test_what_failed_is_read_again_when_the_same_text_comes(
    service: Service, session: Session
) -> None:
    loaded = LoadedDocument(DocumentKind.WEB, (Page(0, TEXT.decode()),), title="Fees")
    where = {"name": "Fees", "url": "https://example.org/fees"}
    service.documents.add_loaded(session, loaded, **where)
    (document,) = settled(service, session)
    service.catalogue.documents.set_state(
        session.id, document.id, DocumentState.FAILED, reason="The disk is full."
    )
    again = service.documents.add_loaded(session, loaded, **where)
    assert again.outcome is AddOutcome.DUPLICATE
    assert [one.state for one in settled(service, session)] == [DocumentState.READY]
