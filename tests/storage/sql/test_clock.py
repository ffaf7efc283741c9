"""A clock that goes back, years after 2038: order follows numbers, nothing expires."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.storage.sql import conversations, documents, sessions

pytestmark = pytest.mark.F18

START = datetime(2026, 10, 25, 2, 30, tzinfo=UTC)


class Clock(datetime):
    """A clock that goes back a day with each look at it."""

    moments: Iterator[datetime]

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return next(cls.moments)


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock.moments = (START - timedelta(days=day) for day in range(10_000))
    for module in (conversations, documents, sessions):
        monkeypatch.setattr(module, "datetime", Clock)


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    catalogue = Catalogue(Settings(data_dir=tmp_path))
    yield catalogue
    catalogue.close()


@pytest.mark.usefixtures("backwards")
def test_order_when_the_clock_goes_back(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("a" * 64)
    made = [catalogue.sessions.create(owner_id, str(i)).id for i in range(3)]
    assert [session.id for session in catalogue.sessions.list(owner_id)] == made[::-1]
    catalogue.sessions.touch(made[0])
    assert catalogue.sessions.list(owner_id)[0].id == made[0]
    for i in range(4):
        catalogue.documents.add(made[0], f"D{i}", "a", size=1)
    assert [d.id for d in catalogue.documents.list(made[0])] == ["D0", "D1", "D2", "D3"]
    claimed = [catalogue.documents.claim_next() for _ in range(4)]
    assert [document and document.id for document in claimed] == ["D0", "D1", "D2", "D3"]
    talks = [catalogue.conversations.create(made[0], str(i)).id for i in range(3)]
    said = [
        catalogue.conversations.add_message(made[0], talks[0], "user", str(i)) for i in range(4)
    ]
    assert catalogue.conversations.messages(made[0], talks[0]) == said
    assert said[0].created_at > said[-1].created_at
    order = [conversation.id for conversation in catalogue.conversations.list(made[0])]
    assert order == [talks[0], talks[2], talks[1]]


@pytest.mark.parametrize("year", [1970, 2038, 2107])
def test_moments_of_any_year_come_back(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    moment = datetime(year, 1, 19, 3, 14, 8, 999_999, tzinfo=UTC)
    Clock.moments = iter([moment] * 100)
    for module in (conversations, documents, sessions):
        monkeypatch.setattr(module, "datetime", Clock)
    owner_id = catalogue.owners.create("a" * 64)
    session = catalogue.sessions.create(owner_id, "live")
    catalogue.documents.add(session.id, "D", "a", size=1)
    catalogue.documents.mark_ready(session.id, "D", seconds=1)
    document = catalogue.documents.get(session.id, "D")
    assert document is not None
    assert (document.added_at, document.ready_at) == (moment, moment)
    assert catalogue.sessions.get(owner_id, session.id) == session  # no session expires
    assert session.created_at == moment
