"""What was collected is refreshed when it is due, by the program itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

import pytest

from core.config import Settings
from core.errors import InvalidRequest, NotAllowed, RunNotFound
from core.ids import new_id
from core.service import Service
from core.storage.sql import collect_runs
from core.types import CollectKind, CollectRequest, CollectRun, CollectState, RefreshEvery, Role
from tests.collecting.runs import BOATS, Gate, ended, of_site, text_page, titles
from tests.conftest import eventually
from tests.scraper.site import Site

DAY = timedelta(days=1)


class Clock(datetime):
    """A clock that is some days ahead."""

    ahead = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime.now(tz) + cls.ahead


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock.ahead = timedelta()
    monkeypatch.setattr(collect_runs, "datetime", Clock)


def newest(service: Service, session_id: str, count: int) -> CollectRun:
    """The newest run, once there are so many and it has ended."""
    runs = service.catalogue.collect_runs
    done = (CollectState.DONE, CollectState.FAILED)

    def there() -> bool:
        found = runs.list(session_id)
        return len(found) == count and found[0].state in done

    assert eventually(there, 60), runs.list(session_id)
    return runs.list(session_id)[0]


def test_it_is_refreshed_when_it_is_due_and_again_after_a_restart(
    settings: Settings, site: Site
) -> None:
    service = Service(settings)
    try:
        assert service.wait_ready(60)
        session = service.sessions.create(service.owners.for_token("somebody"), "Test")
        first = ended(service, session, service.collecting.start(session, of_site(site)))
        planned = service.collecting.schedule(session, first.id, RefreshEvery.DAY)
        assert planned.next_refresh_at is not None
        assert DAY - timedelta(minutes=5) < planned.next_refresh_at - datetime.now(UTC) <= DAY
        site.pages["/docs/a.html"] = text_page("Plums", "Plums went to the market of Port Amber.")
        Clock.ahead = DAY
        run = newest(service, session.id, 2)
        assert (run.state, run.refresh, run.progress.changed) == (CollectState.DONE, True, 1)
        assert titles(service, session) == {"Start", "Plums", "Boats"}
    finally:
        service.close()
    Clock.ahead = 9.5 * DAY
    again = Service(settings)
    try:
        assert again.wait_ready(60)
        run = newest(again, session.id, 3)
        assert run.next_refresh_at is not None
        assert run.next_refresh_at > datetime.now(UTC) + 10 * DAY, "eight were missed, one is made"
        del site.pages["/docs/"]
        Clock.ahead = 10.6 * DAY
        assert newest(again, session.id, 4).progress.errors == 1
        Clock.ahead = 11.7 * DAY
        newest(again, session.id, 5)
    finally:
        again.close()


def test_one_that_is_still_going_is_not_started_twice(settings: Settings, site: Site) -> None:
    gate = Gate("Boats", BOATS)
    site.pages["/docs/b.html"] = gate
    service = Service(settings)
    try:
        assert service.wait_ready(60)
        session = service.sessions.create(service.owners.for_token("somebody"), "Test")
        run = service.collecting.start(session, of_site(site))
        assert eventually(lambda: "/docs/b.html" in site.hits, 60)
        service.collecting.schedule(session, run.id, RefreshEvery.DAY)
        Clock.ahead = DAY

        def moved_on() -> bool:
            planned = service.collecting.run(session, run.id).next_refresh_at
            return planned is not None and planned > datetime.now(UTC) + 1.5 * DAY

        assert eventually(moved_on, 30)
        assert [one.id for one in service.collecting.runs(session)] == [run.id]
        gate.open()
        assert ended(service, session, run).state is CollectState.DONE
        service.collecting.forget(session, run.id)
        Clock.ahead = 5 * DAY
        assert service.catalogue.collect_runs.due() == ()
    finally:
        gate.open()
        service.close()


def test_a_dump_has_no_schedule_and_readers_set_none(service: Service, site: Site) -> None:
    ida = service.owners.for_token("somebody")
    session = service.sessions.create(ida, "Test")
    request = CollectRequest(CollectKind.STACK_EXCHANGE, files=("no.xml",))
    run = service.catalogue.collect_runs.add(session.id, "dump", request)
    with pytest.raises(InvalidRequest, match="A file cannot be refreshed"):
        service.collecting.schedule(session, run.id, RefreshEvery.DAY)
    with pytest.raises(RunNotFound):
        service.collecting.schedule(session, new_id(), RefreshEvery.DAY)
    nils = service.owners.for_token("nils")
    service.catalogue.owners.sign_in(nils, "Nils", "nils@example.org")
    service.catalogue.sharing.set_member(session.id, "nils@example.org", Role.READER)
    service.people.accept(nils, session.id)
    theirs = service.sessions.get(nils, session.id)
    assert [one.id for one in service.collecting.runs(theirs)] == [run.id]
    with pytest.raises(NotAllowed):
        service.collecting.schedule(theirs, run.id, RefreshEvery.DAY)


def test_an_address_that_is_no_longer_taken_fails_alone(service: Service, site: Site) -> None:
    session = service.sessions.create(service.owners.for_token("somebody"), "Test")
    runs = service.catalogue.collect_runs
    for name, url in (("bad", "nonsense"), ("good", f"{site.url}/docs/")):
        run = runs.add(session.id, name, CollectRequest(CollectKind.SITE, (url,)))
        assert eventually(lambda run=run: service.collecting.run(session, run.id).ended_at, 60)
        service.collecting.schedule(session, run.id, RefreshEvery.DAY)
    Clock.ahead = DAY
    newest(service, session.id, 4)
    assert eventually(lambda: all(run.ended_at for run in service.collecting.runs(session)), 60)
    state = {run.source: (run.state, run.reason) for run in service.collecting.runs(session)[:2]}
    assert state["good"] == (CollectState.DONE, "")
    assert state["bad"][0] is CollectState.FAILED
    assert state["bad"][1]
