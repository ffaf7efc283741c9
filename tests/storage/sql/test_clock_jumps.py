"""A clock that is years wrong for a while: what it let be noted neither lasts nor is forgotten."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, tzinfo
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from core.access.rate_limiter import RateLimiter
from core.errors import TooManyRequests
from core.storage.catalogue import Catalogue
from core.storage.sql import collect_runs, documents, keys, owners, ready, web_pages
from core.types import (
    CollectKind,
    CollectRequest,
    CollectRun,
    CollectState,
    DocumentKind,
    LoadedDocument,
    Page,
    RefreshEvery,
)
from core.web_search import page_store
from core.web_search.page_store import LivePages
from tests.storage.made import cut

pytestmark = pytest.mark.F26

MODULES: tuple[ModuleType, ...] = (
    collect_runs,
    documents,
    keys,
    owners,
    page_store,
    ready,
    web_pages,
)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
YEARS = timedelta(days=365 * 14)
DAY = timedelta(days=1)


class Clock(datetime):
    """A clock that is set."""

    moment = NOW

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return cls.moment


def at(moment: datetime) -> None:
    Clock.moment = moment


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    at(NOW)
    for module in MODULES:
        monkeypatch.setattr(module, "datetime", Clock)


def read(catalogue: Catalogue, session_id: str, name: str) -> None:
    """A page of the web is read for an answer, to be searched for a day."""
    loaded = LoadedDocument(DocumentKind.WEB, (Page(0, f"Text of {name}."),), title=name)
    catalogue.web_pages.add(
        session_id, name, name, size=9, url="http://e.org/", kind=DocumentKind.WEB,
        expires_at=Clock.moment + DAY,
    )  # fmt: skip
    catalogue.content.save(session_id, name, loaded, cut(name, loaded))
    catalogue.documents.mark_ready(session_id, name, seconds=0.1)


def searched(catalogue: Catalogue, session_id: str) -> tuple[list[str], int, bool]:
    """What a search looks into, how many it says it does, and whether the page counts as fresh."""
    settings = SimpleNamespace(web_hours=24.0)
    live = LivePages(cast(Any, SimpleNamespace(catalogue=catalogue, settings=settings)))
    names = list(catalogue.documents.ready(session_id))
    is_fresh = live.fresh(session_id, "http://e.org/") is not None
    return names, len(catalogue.documents.ready(session_id)), is_fresh


HERE, GONE = (["A"], 1, True), ([], 0, False)


@pytest.mark.parametrize(
    ("jump", "found"),
    [
        (timedelta(minutes=-30), HERE),  # a clock that is corrected
        (timedelta(hours=23), HERE),
        (timedelta(days=-2), GONE),
        (-YEARS, GONE),
        (timedelta(hours=25), GONE),
        (YEARS, GONE),
    ],
)
def test_a_page_lasts_a_day_whatever_the_clock_did(
    catalogue: Catalogue, session_id: str, jump: timedelta, found: tuple[list[str], int, bool]
) -> None:
    read(catalogue, session_id, "A")
    assert searched(catalogue, session_id) == HERE
    at(NOW + jump)
    assert searched(catalogue, session_id) == found
    gone = catalogue.web_pages.forget(session_id, Clock.moment, 100)
    assert [document.id for document in gone] == ([] if found is HERE else ["A"])


def test_a_page_that_is_read_again_with_the_right_clock_is_searched(
    catalogue: Catalogue, session_id: str
) -> None:
    at(NOW + YEARS)
    read(catalogue, session_id, "A")
    at(NOW)
    assert searched(catalogue, session_id) == GONE
    read(catalogue, session_id, "A")
    assert searched(catalogue, session_id) == HERE


@pytest.mark.parametrize("wrong", [-YEARS, YEARS])
def test_an_ended_sign_in_stays_ended(catalogue: Catalogue, wrong: timedelta) -> None:
    catalogue.owners.end_sign_in("a" * 64)
    at(NOW + wrong)
    catalogue.owners.end_sign_in("b" * 64)
    at(NOW)
    catalogue.owners.end_sign_in("c" * 64)
    assert all(catalogue.owners.sign_in_ended(name * 64) for name in "abc")


def test_the_last_use_of_a_key_is_right_again(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("a" * 64)
    catalogue.keys.create(owner_id, "1" * 64, "Assistant")
    at(NOW + YEARS)
    catalogue.keys.use("1" * 64)
    at(NOW)
    assert catalogue.keys.use("1" * 64) is not None
    assert catalogue.keys.list(owner_id)[0].last_used_at == NOW


SITE = CollectRequest(CollectKind.SITE, ("http://e.org/",))


def looked(catalogue: Catalogue, session_id: str) -> tuple[int, CollectRun]:
    """How many refreshes a look puts into the queue, and the newest run after it."""
    started = [catalogue.collect_runs.refresh_due(r, SITE) for r in catalogue.collect_runs.due()]
    newest = catalogue.collect_runs.list(session_id)[0]
    if any(started):
        catalogue.collect_runs.move(newest.id, [CollectState.WAITING], CollectState.DONE)
    return sum(started), newest


@pytest.mark.parametrize("wrong", [-YEARS, YEARS])
def test_a_refresh_is_never_more_than_an_interval_away(
    catalogue: Catalogue, session_id: str, wrong: timedelta
) -> None:
    run = catalogue.collect_runs.add(session_id, "site-1", SITE)
    catalogue.collect_runs.move(run.id, [CollectState.WAITING], CollectState.DONE)
    catalogue.collect_runs.schedule(session_id, run.id, RefreshEvery.DAY)
    at(NOW + wrong)
    looked(catalogue, session_id)
    assert looked(catalogue, session_id)[1].next_refresh_at == Clock.moment + DAY
    at(NOW)
    looked(catalogue, session_id)
    assert looked(catalogue, session_id)[1].next_refresh_at == NOW + DAY
    at(NOW + DAY)
    assert looked(catalogue, session_id)[0] == 1
    assert looked(catalogue, session_id)[0] == 0


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_limits_do_not_look_at_the_clock_on_the_wall(
    monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    limiter, wall = RateLimiter(), time.time()
    limiter.take("ida", 1)
    monkeypatch.setattr(time, "time", lambda: wall + jump)
    with pytest.raises(TooManyRequests) as caught:
        limiter.take("ida", 1)
    assert 50 < caught.value.retry_after <= 60
