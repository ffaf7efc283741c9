"""Collecting a site: runs that are started, paused, resumed, repeated, and remembered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.collecting.sources import Gathered, gather
from core.config import Settings
from core.errors import InvalidId, InvalidRequest, InvalidUrl, RunNotFound
from core.service import Service
from core.types import (
    CollectKind,
    CollectRequest,
    CollectState,
    DocumentKind,
    DocumentState,
    Session,
)
from scraper.preview import SitePreview
from tests.collecting.runs import BOATS, Gate, ended, of_site, text_page, titles
from tests.conftest import answer_of, eventually, settled
from tests.parsing.files import pdf
from tests.scraper.site import Reply, Site


def test_a_site_becomes_documents(service: Service, session: Session, site: Site) -> None:
    run = ended(service, session, service.collecting.start(session, of_site(site)))
    assert run.state is CollectState.DONE
    assert (run.progress.found, run.progress.added, run.progress.queued) == (3, 3, 0)
    assert titles(service, session) == {"Start", "Apples", "Boats"}
    gave = service.collecting.outcome(session, run.id)
    assert (f"{site.url}/x", "It is outside the part of the site that was asked for.") in (
        gave.left_out
    )
    found = answer_of(service, session, "Where are apples stored?")
    assert found.citations[0].url == f"{site.url}/docs/a.html"
    stored = service.collecting.stored(session, run.id)
    assert stored is not None
    assert "western pier" in stored.read_text("utf-8")


def test_a_refresh_takes_in_what_has_changed_alone(
    service: Service, session: Session, site: Site
) -> None:
    first = ended(service, session, service.collecting.start(session, of_site(site)))
    before = {d.url: d for d in settled(service, session)}
    site.pages["/docs/a.html"] = text_page("Apples", "Apples went to the market of Port Amber.")
    site.pages["/docs/"] = text_page("Start", "The first page of the harbour.", "a.html", "c.html")
    site.pages["/docs/c.html"] = text_page("Crabs", "Crabs are caught with lamps at night.")
    del site.pages["/docs/b.html"]
    run = ended(service, session, service.collecting.again(session, first.id))
    assert run.state is CollectState.DONE, run
    assert run.id != first.id
    progress = run.progress
    assert (progress.added, progress.changed, progress.same, progress.gone) == (1, 2, 0, 1)
    after = {d.url: d for d in settled(service, session)}
    assert {d.title for d in after.values()} == {"Start", "Apples", "Crabs"}
    assert after[f"{site.url}/docs/a.html"].id != before[f"{site.url}/docs/a.html"].id
    assert "market" in answer_of(service, session, "Where did the apples go?").text
    third = ended(service, session, service.collecting.again(session, first.id))
    assert (third.progress.changed, third.progress.added, third.progress.same) == (0, 0, 3)
    again = {d.url: d.ready_at for d in settled(service, session)}
    assert again == {url: d.ready_at for url, d in after.items()}, "nothing was indexed again"


def test_paused_in_another_process(
    service: Service, session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.collecting.run._NOTED_EVERY", 0.0)
    boats, crabs = Gate("Boats", BOATS), Gate("Crabs", BOATS)
    site.pages["/docs/"] = text_page("Start", "The harbour.", "b.html", "c.html")
    site.pages |= {"/docs/b.html": boats, "/docs/c.html": crabs}
    run = service.collecting.start(session, of_site(site))
    assert eventually(lambda: "/docs/b.html" in site.hits, 60)
    runs = service.catalogue.collect_runs  # as another process has them
    assert runs.move(run.id, [CollectState.RUNNING], CollectState.PAUSED)
    (work,) = service.collecting._at_work
    boats.open()
    assert eventually(work.cancelled.is_set)  # so it ends soon, as if it were paused here
    crabs.open()
    assert work.done.wait(60)


def test_paused_in_another_process_when_everything_is_read(
    service: Service, session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left to go on with, so the run ends; the pages are added after the reading."""
    monkeypatch.setattr("core.collecting.run._NOTED_EVERY", 0.0)
    runs = service.catalogue.collect_runs

    def read(*args: Any, **options: Any) -> Gathered:
        *first, callbacks = args
        gathered = gather(*first, replace(callbacks, page=lambda page: None), **options)
        (run,) = service.collecting.runs(session)
        assert runs.move(run.id, [CollectState.RUNNING], CollectState.PAUSED)
        return gathered

    monkeypatch.setattr("core.collecting.run.gather", read)
    run = ended(service, session, service.collecting.start(session, of_site(site)))
    assert run.state is CollectState.DONE
    assert titles(service, session) == {"Start", "Apples", "Boats"}


def test_paused_resumed_and_stopped(service: Service, session: Session, site: Site) -> None:
    gate = Gate("Boats", BOATS)
    site.pages["/docs/"] = text_page("Start", "The harbour.", "a.html", "b.html", "c.html")
    site.pages["/docs/b.html"] = gate
    site.pages["/docs/c.html"] = text_page("Crabs", "Crabs are caught with lamps at night.")
    collector = service.collecting
    run = collector.start(session, of_site(site))
    assert eventually(lambda: "/docs/b.html" in site.hits, 60)
    assert collector.start(session, of_site(site)).id == run.id, "it runs already"
    collector.pause(session, run.id)
    paused = collector.run(session, run.id)
    assert paused.state is CollectState.PAUSED
    gate.open()
    asked = len(site.hits)
    collector.resume(session, run.id)
    done = ended(service, session, run)
    assert done.state is CollectState.DONE
    assert done.legs == 2
    assert titles(service, session) == {"Start", "Apples", "Boats", "Crabs"}
    kept = [path for path in site.hits[asked:] if path in ("/docs/", "/docs/a.html")]
    assert kept == [], "pages that were kept are not fetched again"
    collector.stop(session, run.id)
    assert collector.run(session, run.id).state is CollectState.DONE, "a run ends once"


def test_a_stopped_run_keeps_what_it_has(service: Service, session: Session, site: Site) -> None:
    gate = Gate("Boats", BOATS)
    site.pages["/docs/b.html"] = gate
    run = service.collecting.start(session, of_site(site))
    assert eventually(lambda: len(service.documents.list(session)) == 2, 60)
    service.collecting.stop(session, run.id)
    assert eventually(lambda: not service.collecting._at_work, 60)
    gate.open()
    assert ended(service, session, run).state is CollectState.STOPPED
    assert titles(service, session) == {"Start", "Apples"}


def test_a_restart_goes_on_with_what_was_interrupted(settings: Settings, site: Site) -> None:
    """The first service is left as a killed process leaves it: its row says running."""
    gate = Gate("Boats", BOATS)
    site.pages["/docs/b.html"] = gate
    first = Service(settings)
    assert first.wait_ready(60)
    session = first.sessions.create(first.owners.for_token("somebody"), "Test")
    run = first.collecting.start(session, of_site(site))
    assert eventually(lambda: len(first.documents.list(session)) == 2, 60)
    first.close()
    gate.open()
    asked = len(site.hits)
    again = Service(settings)
    found = again.collecting.run(session, run.id)
    assert found.state in (CollectState.RUNNING, CollectState.WAITING, CollectState.DONE)
    assert again.wait_ready(60)
    done = ended(again, session, run)
    assert (done.state, done.legs) == (CollectState.DONE, 2)
    assert titles(again, session) == {"Start", "Apples", "Boats"}
    assert not {"/docs/", "/docs/a.html"} & set(site.hits[asked:])
    again.close()


def test_limits_end_a_run_with_a_reason(service: Service, session: Session, site: Site) -> None:
    run = ended(service, session, service.collecting.start(session, of_site(site, pages=2)))
    assert (run.state, run.reason) == (CollectState.STOPPED, "Stopped after 2 pages.")
    more = ended(service, session, service.collecting.start(session, of_site(site, pages=9)))
    assert more.state is CollectState.DONE
    assert site.hits.count("/docs/") == 1, "it went on from there"
    assert len(titles(service, session)) == 3


def test_a_site_that_cannot_be_read_says_why(
    service: Service, session: Session, site: Site
) -> None:
    run = ended(service, session, service.collecting.start(session, of_site(site, "/none/")))
    assert run.state is CollectState.FAILED
    assert "404" in run.reason
    assert run.cure


def test_the_operator_decides_about_limits_and_hosts(
    service: Service, session: Session, site: Site
) -> None:
    with pytest.raises(InvalidUrl):
        service.collecting.start(session, CollectRequest(CollectKind.SITE, ("file:///etc/passwd",)))
    with pytest.raises(InvalidRequest):
        service.collecting.start(session, CollectRequest(CollectKind.SITE, (" ",)))
    inside = CollectRequest(CollectKind.SITE, ("http://127.0.0.1:1/",))
    run = ended(service, session, service.collecting.start(session, inside))
    assert run.state is CollectState.FAILED
    assert service.documents.list(session) == []
    run = service.collecting.start(session, of_site(site, pages=10**9))
    assert run.request.pages == service.settings.collect_pages
    ended(service, session, run)


def test_runs_are_of_their_session_alone(service: Service, session: Session, site: Site) -> None:
    run = service.collecting.start(session, of_site(site))
    other = service.sessions.create(service.owners.for_token("other"), "Other")
    for act in (service.collecting.run, service.collecting.stop, service.collecting.stored):
        with pytest.raises(RunNotFound):
            act(other, run.id)
        with pytest.raises(InvalidId):
            act(session, "../../etc")
    ended(service, session, run)
    service.collecting.forget(session, run.id)
    assert service.collecting.runs(session) == []
    assert len(service.documents.list(session)) == 3


def test_a_deleted_session_leaves_nothing(
    service: Service, session: Session, site: Site, settings: Settings
) -> None:
    gate = Gate("Boats", BOATS)
    site.pages["/docs/b.html"] = gate
    service.collecting.start(session, of_site(site))
    assert eventually(lambda: "/docs/b.html" in site.hits, 60)
    service.sessions.delete(session)
    gate.open()
    assert not (settings.sessions_dir / session.id).exists()
    assert not eventually(lambda: (settings.sessions_dir / session.id).exists(), 1.0)


def test_a_look_at_a_site_before_the_run(service: Service, session: Session, site: Site) -> None:
    look = service.collecting.preview(session, of_site(site))
    assert isinstance(look, SitePreview)
    assert (look.title, look.links) == ("Start", 2)
    assert "harbour" in look.text
    assert service.documents.list(session) == []


def a_pdf(path: Path, *pages: str) -> bytes:
    return pdf(path, *([page] for page in pages)).read_bytes()


def test_pdfs_of_a_site_are_read_with_their_pages(
    service: Service, session: Session, site: Site, tmp_path: Path
) -> None:
    site.pages["/docs/"] = text_page("Start", "The harbour.", "report.pdf", "broken.pdf")
    report = a_pdf(
        tmp_path / "a.pdf", "The harbour report.", "The crane of pier seven lifts forty tons."
    )
    site.pages["/docs/report.pdf"] = Reply(report, content_type="application/pdf")
    site.pages["/docs/broken.pdf"] = Reply(b"%PDF-1.7 nothing", content_type="application/pdf")
    run = ended(service, session, service.collecting.start(session, of_site(site)))
    assert (run.state, run.progress.added) == (CollectState.DONE, 2)
    left_out = dict(service.collecting.outcome(session, run.id).left_out)
    assert set(left_out) == {f"{site.url}/docs/broken.pdf"}
    document = next(d for d in settled(service, session) if d.kind is DocumentKind.PDF)
    assert (document.state, document.pages) == (DocumentState.READY, 2)
    found = answer_of(service, session, "How much does the crane of pier seven lift?")
    citation = found.citations[0]
    assert (citation.url, citation.page_number) == (f"{site.url}/docs/report.pdf", 2)
    evidence = service.documents.evidence(session, citation)
    assert evidence.image
    assert evidence.link == f"{site.url}/docs/report.pdf#page=2"
    stored = service.collecting.browse(session, run.id)
    assert "lifts forty tons" in next(p.text for p in stored if p.url.endswith("report.pdf"))
    again = ended(service, session, service.collecting.again(session, run.id))
    assert (again.progress.same, again.progress.changed, again.progress.gone) == (2, 0, 0)
    shorter = a_pdf(tmp_path / "b.pdf", "Only one page is left of the report.")
    site.pages["/docs/report.pdf"] = Reply(shorter, content_type="application/pdf")
    third = ended(service, session, service.collecting.again(session, run.id))
    assert third.progress.changed == 1
    assert {d.pages for d in settled(service, session) if d.kind is DocumentKind.PDF} == {1}
