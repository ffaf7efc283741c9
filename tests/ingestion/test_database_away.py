"""A catalogue that is away for a while, in the middle of a document, leaves no document behind."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import AppError, DatabaseUnreachable, StorageError
from core.service import Service
from core.supervision import failures
from core.types import DocumentState, Session
from tests.conftest import eventually, settled

pytestmark = pytest.mark.F28


class Away:
    """Makes every read and write of documents fail, from the first progress of one on."""

    def __init__(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, error: type[AppError]
    ) -> None:
        self.is_away, self.begins, self.asked, self.error = False, True, 0, error
        documents = service.catalogue.documents
        for name in ("is_in_work", "set_progress", "set_state", "put_back"):
            monkeypatch.setattr(documents, name, self._failing(name, getattr(documents, name)))

    def _failing(self, name: str, method: Any) -> Any:
        def called(*args: Any, **named: Any) -> Any:
            if name == "set_progress" and self.begins:
                self.is_away, self.begins = True, False
            if self.is_away:
                self.asked += 1
                raise self.error("It does not answer.")
            return method(*args, **named)

        return called


def test_a_document_in_work_waits_again(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures().clear()
    away = Away(service, monkeypatch, DatabaseUnreachable)
    service.documents.add_file(session, "a.txt", b"The pier is open.")
    assert eventually(lambda: away.asked > 5)
    away.is_away = False
    (document,) = settled(service, session)
    assert document.state is DocumentState.READY
    assert failures().all() == []


def test_a_failure_that_cannot_be_recorded_is_recorded_later(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even whether the document is still wanted can be asked at first."""
    away = Away(service, monkeypatch, StorageError)
    service.documents.add_file(session, "a.txt", b"The pier is open.")
    assert eventually(lambda: away.asked > 5)
    away.is_away = False
    (document,) = settled(service, session)
    assert document.state is DocumentState.FAILED
    assert document.reason == "It does not answer."
