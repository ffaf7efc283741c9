"""What a search may look into is right after every change, though it is not read every time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

import pytest

from core.storage.catalogue import Catalogue
from core.storage.sql import documents, ready
from core.storage.sql.database import Database
from core.types import DocumentState
from tests.storage.made import store


def test_each_change_is_seen(catalogue: Catalogue, session_id: str) -> None:
    assert catalogue.documents.ready(session_id) == {}
    store(catalogue, session_id, "A", ["a"])
    store(catalogue, session_id, "B", ["b"])
    assert list(catalogue.documents.ready(session_id)) == ["A", "B"]
    catalogue.documents.set_searched(session_id, ["A"], False)
    assert list(catalogue.documents.ready(session_id)) == ["B"]
    assert list(catalogue.documents.ready(session_id, searched_only=False)) == ["A", "B"]
    catalogue.documents.change_states([DocumentState.READY], DocumentState.WAITING, session_id)
    assert catalogue.documents.ready(session_id) == {}
    catalogue.documents.mark_ready(session_id, "A", seconds=2.0)
    assert catalogue.documents.ready(session_id, searched_only=False)["A"].seconds == 2.0
    catalogue.sessions.delete(session_id)
    assert catalogue.documents.ready(session_id, searched_only=False) == {}


@pytest.mark.sqlite
def test_nothing_is_read_while_nothing_changes(
    catalogue: Catalogue, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(catalogue, session_id, "A", ["a"])
    before = catalogue.documents.ready(session_id)
    before.clear()  # what a caller does with its dictionary is its own affair
    monkeypatch.delattr(Database, "reading")
    assert list(catalogue.documents.ready(session_id)) == ["A"]


def test_a_page_of_the_web_expires_in_between(
    catalogue: Catalogue, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expires = datetime.now(UTC) + timedelta(hours=1)
    store(catalogue, session_id, "A", ["a"])
    values = {"expires_at": expires}
    catalogue.database.write(documents.change, session_id, "A", **values)
    assert list(catalogue.documents.ready(session_id)) == ["A"]

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Later:
            return cls.fromtimestamp(expires.timestamp() + 1, tz)

    for module in (ready, documents):  # what reads them, and what keeps them
        monkeypatch.setattr(module, "datetime", Later)
    assert catalogue.documents.ready(session_id) == {}
