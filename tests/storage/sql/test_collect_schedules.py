"""What is refreshed on a schedule: once when it is due, whatever was missed, until it is gone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

import pytest
from sqlalchemy import func, select

from core.storage.catalogue import Catalogue
from core.storage.sql import collect_runs
from core.storage.sql.collect_runs import KEPT_RUNS
from core.storage.sql.schema import collect_schedules
from core.types import CollectKind, CollectRequest, CollectRun, CollectState, RefreshEvery

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SITE = CollectRequest(CollectKind.SITE, ("http://e.org/",), pages=7)
INTERVALS = {RefreshEvery.DAY: 1, RefreshEvery.WEEK: 7, RefreshEvery.MONTH: 30}


class Clock(datetime):
    """A clock that is set."""

    moment = NOW

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return cls.moment


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock.moment = NOW
    monkeypatch.setattr(collect_runs, "datetime", Clock)


def collected(catalogue: Catalogue, session_id: str, source: str = "site-1") -> CollectRun:
    """A run that is done."""
    run = catalogue.collect_runs.add(session_id, source, SITE)
    catalogue.collect_runs.move(run.id, [CollectState.WAITING], CollectState.DONE)
    return run


def daily(catalogue: Catalogue, session_id: str, source: str = "site-1") -> CollectRun:
    """A run that is done, and refreshed every day."""
    run = collected(catalogue, session_id, source)
    catalogue.collect_runs.schedule(session_id, run.id, RefreshEvery.DAY)
    return run


def look(catalogue: Catalogue) -> int:
    """Put what is due into the queue; gives how many."""
    return sum(catalogue.collect_runs.refresh_due(r, SITE) for r in catalogue.collect_runs.due())


@pytest.mark.parametrize("every", INTERVALS)
def test_it_is_due_after_each_interval(
    catalogue: Catalogue, session_id: str, every: RefreshEvery
) -> None:
    run, interval = collected(catalogue, session_id), timedelta(days=INTERVALS[every])
    assert (run.refresh_every, run.next_refresh_at) == (RefreshEvery.NEVER, None)
    catalogue.collect_runs.schedule(session_id, run.id, every)
    found = catalogue.collect_runs.get(session_id, run.id)
    assert found is not None
    assert (found.refresh_every, found.next_refresh_at) == (every, NOW + interval)
    Clock.moment = NOW + interval - timedelta(seconds=1)
    assert look(catalogue) == 0
    Clock.moment = NOW + interval
    assert look(catalogue) == 1
    newest = catalogue.collect_runs.list(session_id)[0]
    assert (newest.refresh, newest.state, newest.request) == (True, CollectState.WAITING, SITE)
    assert (newest.refresh_every, newest.next_refresh_at) == (every, NOW + 2 * interval)


def test_what_was_missed_is_made_up_once(catalogue: Catalogue, session_id: str) -> None:
    run = daily(catalogue, session_id)
    Clock.moment = NOW + 5.5 * DAY
    assert (look(catalogue), look(catalogue)) == (1, 0)
    assert len(catalogue.collect_runs.list(session_id)) == 2
    newest = catalogue.collect_runs.list(session_id)[0]
    assert newest.id != run.id
    assert newest.next_refresh_at == NOW + 6.5 * DAY


def test_two_that_look_at_once_start_one(catalogue: Catalogue, session_id: str) -> None:
    daily(catalogue, session_id)
    Clock.moment = NOW + DAY
    (seen,) = catalogue.collect_runs.due()
    assert catalogue.collect_runs.refresh_due(seen, SITE)
    newest = catalogue.collect_runs.list(session_id)[0]
    catalogue.collect_runs.move(newest.id, [CollectState.WAITING], CollectState.DONE)
    Clock.moment = NOW + 1.5 * DAY
    assert not catalogue.collect_runs.refresh_due(seen, SITE)
    assert len(catalogue.collect_runs.list(session_id)) == 2
    assert catalogue.collect_runs.list(session_id)[0].next_refresh_at == NOW + 2 * DAY


@pytest.mark.parametrize("state", [CollectState.RUNNING, CollectState.PAUSED])
def test_a_run_that_is_not_at_its_end_is_not_started_again(
    catalogue: Catalogue, session_id: str, state: CollectState
) -> None:
    run = daily(catalogue, session_id)
    catalogue.collect_runs.move(run.id, [CollectState.DONE], state)
    Clock.moment = NOW + DAY
    look(catalogue)
    (found,) = catalogue.collect_runs.list(session_id)
    assert (found.id, found.state) == (run.id, state)
    assert found.next_refresh_at == NOW + 2 * DAY


def test_one_that_failed_is_tried_again_after_an_interval(
    catalogue: Catalogue, session_id: str
) -> None:
    daily(catalogue, session_id)
    for day in (1, 2):
        Clock.moment = NOW + day * DAY
        assert look(catalogue) == 1
        newest = catalogue.collect_runs.list(session_id)[0]
        catalogue.collect_runs.move(
            newest.id, [CollectState.WAITING], CollectState.FAILED, reason="It answered 404."
        )
        assert look(catalogue) == 0
    assert len(catalogue.collect_runs.list(session_id)) == 3


def test_the_same_choice_again_puts_nothing_off(catalogue: Catalogue, session_id: str) -> None:
    run = daily(catalogue, session_id)
    Clock.moment = NOW + 0.5 * DAY
    catalogue.collect_runs.schedule(session_id, run.id, RefreshEvery.DAY)
    found = catalogue.collect_runs.get(session_id, run.id)
    assert found is not None
    assert found.next_refresh_at == NOW + DAY
    catalogue.collect_runs.schedule(session_id, run.id, RefreshEvery.NEVER)
    Clock.moment = NOW + 9 * DAY
    assert look(catalogue) == 0
    catalogue.collect_runs.schedule(session_id, run.id, RefreshEvery.WEEK)
    found = catalogue.collect_runs.get(session_id, run.id)
    assert found is not None
    assert found.next_refresh_at == NOW + 16 * DAY


def test_each_run_of_a_source_has_its_schedule_and_the_newest_is_repeated(
    catalogue: Catalogue, session_id: str
) -> None:
    first = daily(catalogue, session_id)
    wider = CollectRequest(CollectKind.SITE, SITE.urls, pages=9)
    second = catalogue.collect_runs.add(session_id, "site-1", wider)
    other = collected(catalogue, session_id, "site-2")
    every = {run.id: run.refresh_every for run in catalogue.collect_runs.list(session_id)}
    assert every == {first.id: "day", second.id: "day", other.id: "never"}
    Clock.moment = NOW + DAY
    assert [run.id for run in catalogue.collect_runs.due()] == [second.id]
    assert second.request == wider


def test_the_schedule_goes_with_the_last_run_or_the_session(
    catalogue: Catalogue, session_id: str
) -> None:
    first, second = daily(catalogue, session_id), collected(catalogue, session_id)
    other = catalogue.sessions.create(catalogue.owners.create("f" * 64), "Other").id
    daily(catalogue, other)
    Clock.moment = NOW + DAY
    catalogue.collect_runs.remove(session_id, second.id)
    assert {run.id for run in catalogue.collect_runs.due()} >= {first.id}
    catalogue.collect_runs.remove(session_id, first.id)
    assert [run.session_id for run in catalogue.collect_runs.due()] == [other]
    seen = catalogue.collect_runs.due()[0]
    catalogue.sessions.delete(other)
    assert not catalogue.collect_runs.refresh_due(seen, SITE)
    left = select(func.count()).select_from(collect_schedules)
    assert catalogue.database.read(lambda connection: connection.scalar(left)) == 0
    again = collected(catalogue, session_id)
    assert again.refresh_every is RefreshEvery.NEVER, "collected anew, it has no schedule"


def test_what_is_refreshed_rarely_is_not_forgotten_for_what_is_refreshed_often(
    catalogue: Catalogue, session_id: str
) -> None:
    rare = daily(catalogue, session_id, "rare")
    for _ in range(KEPT_RUNS + 1):
        collected(catalogue, session_id, "often")
    assert rare.id in {run.id for run in catalogue.collect_runs.list(session_id)}
    Clock.moment = NOW + DAY
    assert [run.id for run in catalogue.collect_runs.due()] == [rare.id]
