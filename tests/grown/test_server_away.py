"""A PostgreSQL that crashes and comes back while documents are read: all become ready."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import DatabaseUnreachable
from core.service import Service
from core.supervision import failures
from core.types import DocumentState
from tests.conftest import answer_of, eventually, settings_in, settled
from tests.grown.server import Server, running

pytestmark = [pytest.mark.grown, pytest.mark.F03, pytest.mark.F28]


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that only this test uses."""
    with running() as server:
        yield server


def test_a_server_that_crashes_and_comes_back(own: Server, tmp_path: Path) -> None:
    failures().clear()
    service = Service(settings_in(tmp_path, database_url=own.database("library")))
    try:
        assert service.wait_ready(60)
        session = service.sessions.create(service.owners.for_token("somebody"), "Mine")
        for number in range(12):
            service.documents.add_file(session, f"{number}.txt", f"Pier {number} is open.".encode())
        own.stop(signal.SIGQUIT)
        assert eventually(lambda: not service.ready())
        with pytest.raises(DatabaseUnreachable):
            service.documents.list(session)
        own.start()
        assert eventually(service.ready)
        documents = settled(service, session)
        assert {document.state for document in documents} == {DocumentState.READY}
        assert len(documents) == 12
        assert "Pier 7 is open" in answer_of(service, session, "Which pier is open? Pier 7?").text
        assert failures().all() == []
    finally:
        service.close()
