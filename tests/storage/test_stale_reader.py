"""What one thread has added is found by another at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.service import Service
from core.types import AskRequest, Session
from tests.conftest import settled

pytestmark = pytest.mark.F05


def test_found_at_once(service: Service, session: Session) -> None:
    service.documents.add_file(session, "a.txt", b"The ferry to Oldham leaves at noon.")
    settled(service, session)
    assert service.search(AskRequest(session, "ferry")).hits
    with ThreadPoolExecutor(1) as other:
        other.submit(
            service.documents.add_file, session, "b.txt", b"The museum opens at ten."
        ).result()
    settled(service, session)
    labels = [
        hit.document.label for hit in service.search(AskRequest(session, "museum opens")).hits
    ]
    assert labels[0] == "b.txt"
