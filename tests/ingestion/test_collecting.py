"""Collecting into a session: runs that are started, paused, resumed, repeated, and remembered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import InvalidId, InvalidRequest, InvalidUrl, RunNotFound
from core.service import Service
from core.types import (
    CollectKind,
    CollectRequest,
    CollectRun,
    CollectState,
    DocumentKind,
    DocumentState,
    Session,
)
from scraper.preview import DumpPreview, SitePreview
from tests.conftest import answer_of, eventually, settled
from tests.ingestion.making import pdf
from tests.scraper.site import Reply, Site, serving
from tests.scraper.test_python_docs import contents, sphinx, toctree
from tests.scraper.test_stack_overflow import answer, dump, question

ENDED = (CollectState.DONE, CollectState.STOPPED, CollectState.FAILED)


def text_page(title: str, text: str, *links: str) -> str:
    anchors = "".join(f'<p>See <a href="{link}">{link}</a> as well.</p>' for link in links)
    return (
        f"<html lang='en'><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p>{text}</p><p>{text} Said twice, so that there is text enough.</p>{anchors}"
        "</main></body></html>"
    )


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {
        "/docs/": text_page("Start", "The first page of the harbour.", "a.html", "b.html", "/x"),
        "/docs/a.html": text_page("Apples", "Apples are stored in the cellar of Ida Holm."),
        "/docs/b.html": text_page("Boats", "Boats leave at nine from the western pier."),
    }
    with serving(pages) as site:
        yield site


@pytest.fixture
def settings(tmp_path: Path, site: Site) -> Settings:
    from tests.conftest import MODELS

    return site.settings(
        data_dir=tmp_path / "data",
        chroma_dir=tmp_path / "chroma",
        models_dir=MODELS,
        min_free_mb=1,
        reranker_model="",
        collect_delay=0.0,
        dumps_dir=str(tmp_path / "dumps"),
    )


def of_site(site: Site, path: str = "/docs/", **values: object) -> CollectRequest:
    return CollectRequest(CollectKind.SITE, (f"{site.url}{path}",), **values)  # type: ignore[arg-type]


def ended(service: Service, session: Session, run: CollectRun) -> CollectRun:
    """Wait for the end of a run."""
    there = eventually(lambda: service.collector.run(session, run.id).state in ENDED, 90)
    found = service.collector.run(session, run.id)
    assert there, found
    return found


def titles(service: Service, session: Session) -> set[str]:
    return {d.title for d in settled(service, session) if d.state is DocumentState.READY}


# ------------------------------------------------------------------------------------- a site


def test_a_site_becomes_documents(service: Service, session: Session, site: Site) -> None:
    run = ended(service, session, service.collector.start(session, of_site(site)))
    assert run.state is CollectState.DONE
    assert (run.progress.found, run.progress.added, run.progress.queued) == (3, 3, 0)
    assert titles(service, session) == {"Start", "Apples", "Boats"}
    gave = service.collector.outcome(session, run.id)
    assert (f"{site.url}/x", "It is outside the part of the site that was asked for.") in (
        gave.left_out
    )
    found = answer_of(service, session, "Where are apples stored?")
    assert found.citations[0].url == f"{site.url}/docs/a.html"
    stored = service.collector.stored(session, run.id)
    assert stored is not None
    assert "western pier" in stored.read_text("utf-8")


def test_a_refresh_takes_in_what_has_changed_alone(
    service: Service, session: Session, site: Site
) -> None:
    first = ended(service, session, service.collector.start(session, of_site(site)))
    before = {d.url: d for d in settled(service, session)}
    site.pages["/docs/a.html"] = text_page("Apples", "Apples went to the market of Port Amber.")
    site.pages["/docs/"] = text_page("Start", "The first page of the harbour.", "a.html", "c.html")
    site.pages["/docs/c.html"] = text_page("Crabs", "Crabs are caught with lamps at night.")
    del site.pages["/docs/b.html"]
    run = ended(service, session, service.collector.again(session, first.id))
    assert run.state is CollectState.DONE, run
    assert run.id != first.id
    progress = run.progress
    assert (progress.added, progress.changed, progress.same, progress.gone) == (1, 2, 0, 1)
    after = {d.url: d for d in settled(service, session)}
    assert {d.title for d in after.values()} == {"Start", "Apples", "Crabs"}
    assert after[f"{site.url}/docs/a.html"].id != before[f"{site.url}/docs/a.html"].id
    assert "market" in answer_of(service, session, "Where did the apples go?").text
    third = ended(service, session, service.collector.again(session, first.id))
    assert (third.progress.changed, third.progress.added, third.progress.same) == (0, 0, 3)
    again = {d.url: d.ready_at for d in settled(service, session)}
    assert again == {url: d.ready_at for url, d in after.items()}, "nothing was indexed again"


def test_paused_resumed_and_stopped(service: Service, session: Session, site: Site) -> None:
    gate = threading.Event()

    def slow(path: str, headers: object) -> Reply:
        gate.wait(10)
        return Reply(text_page("Boats", "Boats leave at nine from the western pier."))

    site.pages["/docs/"] = text_page("Start", "The harbour.", "a.html", "b.html", "c.html")
    site.pages["/docs/b.html"] = slow
    site.pages["/docs/c.html"] = text_page("Crabs", "Crabs are caught with lamps at night.")
    collector = service.collector
    run = collector.start(session, of_site(site))
    assert eventually(lambda: "/docs/b.html" in site.hits, 60)
    assert collector.start(session, of_site(site)).id == run.id, "it runs already"
    collector.pause(session, run.id)
    paused = collector.run(session, run.id)
    assert paused.state is CollectState.PAUSED
    gate.set()
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
    gate = threading.Event()

    def slow(path: str, headers: object) -> Reply:
        gate.wait(10)
        return Reply(text_page("Boats", "Boats leave at nine."))

    site.pages["/docs/b.html"] = slow
    run = service.collector.start(session, of_site(site))
    assert eventually(lambda: len(service.documents(session)) == 2, 60)
    service.collector.stop(session, run.id)
    assert eventually(lambda: not service.collector._at_work, 60)
    gate.set()
    assert ended(service, session, run).state is CollectState.STOPPED
    assert titles(service, session) == {"Start", "Apples"}


def test_a_restart_goes_on_with_what_was_interrupted(settings: Settings, site: Site) -> None:
    """The first service is left as a killed process leaves it: its row says running."""
    gate = threading.Event()

    def slow(path: str, headers: object) -> Reply:
        gate.wait(10)
        return Reply(text_page("Boats", "Boats leave at nine from the western pier."))

    site.pages["/docs/b.html"] = slow
    first = Service(settings)
    assert first.wait_ready(60)
    session = first.create_session(first.owner_for_token("somebody"), "Test")
    run = first.collector.start(session, of_site(site))
    assert eventually(lambda: len(first.documents(session)) == 2, 60)
    first.close()
    gate.set()
    asked = len(site.hits)
    again = Service(settings)
    found = again.collector.run(session, run.id)
    assert found.state in (CollectState.RUNNING, CollectState.WAITING, CollectState.DONE)
    assert again.wait_ready(60)
    done = ended(again, session, run)
    assert (done.state, done.legs) == (CollectState.DONE, 2)
    assert titles(again, session) == {"Start", "Apples", "Boats"}
    assert not {"/docs/", "/docs/a.html"} & set(site.hits[asked:])
    again.close()


def test_limits_end_a_run_with_a_reason(service: Service, session: Session, site: Site) -> None:
    run = ended(service, session, service.collector.start(session, of_site(site, pages=2)))
    assert (run.state, run.reason) == (CollectState.STOPPED, "Stopped after 2 pages.")
    more = ended(service, session, service.collector.start(session, of_site(site, pages=9)))
    assert more.state is CollectState.DONE
    assert site.hits.count("/docs/") == 1, "it went on from there"
    assert len(titles(service, session)) == 3


def test_a_site_that_cannot_be_read_says_why(
    service: Service, session: Session, site: Site
) -> None:
    run = ended(service, session, service.collector.start(session, of_site(site, "/none/")))
    assert run.state is CollectState.FAILED
    assert "404" in run.reason
    assert run.cure


def test_the_operator_decides_about_limits_and_hosts(
    service: Service, session: Session, site: Site
) -> None:
    with pytest.raises(InvalidUrl):
        service.collector.start(session, CollectRequest(CollectKind.SITE, ("file:///etc/passwd",)))
    with pytest.raises(InvalidRequest):
        service.collector.start(session, CollectRequest(CollectKind.SITE, (" ",)))
    inside = CollectRequest(CollectKind.SITE, ("http://127.0.0.1:1/",))
    run = ended(service, session, service.collector.start(session, inside))
    assert run.state is CollectState.FAILED
    assert service.documents(session) == []
    run = service.collector.start(session, of_site(site, pages=10**9))
    assert run.request.pages == service.settings.collect_pages
    ended(service, session, run)


def test_runs_are_of_their_session_alone(service: Service, session: Session, site: Site) -> None:
    run = service.collector.start(session, of_site(site))
    other = service.create_session(service.owner_for_token("other"), "Other")
    for act in (service.collector.run, service.collector.stop, service.collector.stored):
        with pytest.raises(RunNotFound):
            act(other, run.id)
        with pytest.raises(InvalidId):
            act(session, "../../etc")
    ended(service, session, run)
    service.collector.forget(session, run.id)
    assert service.collector.runs(session) == []
    assert len(service.documents(session)) == 3


def test_a_deleted_session_leaves_nothing(
    service: Service, session: Session, site: Site, settings: Settings
) -> None:
    gate = threading.Event()

    def slow(path: str, headers: object) -> Reply:
        gate.wait(10)
        return Reply(text_page("Boats", "Boats leave at nine."))

    site.pages["/docs/b.html"] = slow
    service.collector.start(session, of_site(site))
    assert eventually(lambda: "/docs/b.html" in site.hits, 60)
    service.delete_session(session)
    gate.set()
    assert not (settings.sessions_dir / session.id).exists()
    assert not eventually(lambda: (settings.sessions_dir / session.id).exists(), 1.0)


def test_a_look_at_a_site_before_the_run(service: Service, session: Session, site: Site) -> None:
    look = service.collector.preview(session, of_site(site))
    assert isinstance(look, SitePreview)
    assert (look.title, look.links) == ("Start", 2)
    assert "harbour" in look.text
    assert service.documents(session) == []


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
    run = ended(service, session, service.collector.start(session, of_site(site)))
    assert (run.state, run.progress.added) == (CollectState.DONE, 2)
    left_out = dict(service.collector.outcome(session, run.id).left_out)
    assert set(left_out) == {f"{site.url}/docs/broken.pdf"}
    document = next(d for d in settled(service, session) if d.kind is DocumentKind.PDF)
    assert (document.state, document.pages) == (DocumentState.READY, 2)
    found = answer_of(service, session, "How much does the crane of pier seven lift?")
    citation = found.citations[0]
    assert (citation.url, citation.page_number) == (f"{site.url}/docs/report.pdf", 2)
    evidence = service.evidence(session, citation)
    assert evidence.image
    assert evidence.link == f"{site.url}/docs/report.pdf#page=2"
    stored = service.collector.browse(session, run.id)
    assert "lifts forty tons" in next(p.text for p in stored if p.url.endswith("report.pdf"))
    again = ended(service, session, service.collector.again(session, run.id))
    assert (again.progress.same, again.progress.changed, again.progress.gone) == (2, 0, 0)
    shorter = a_pdf(tmp_path / "b.pdf", "Only one page is left of the report.")
    site.pages["/docs/report.pdf"] = Reply(shorter, content_type="application/pdf")
    third = ended(service, session, service.collector.again(session, run.id))
    assert third.progress.changed == 1
    assert {d.pages for d in settled(service, session) if d.kind is DocumentKind.PDF} == {1}


# ---------------------------------------------------------------------------- a documentation


@pytest.fixture
def docs(site: Site) -> CollectRequest:
    listed = (
        '<dl><dt id="os.system">os.system(command)</dt>'
        "<dd><p>Executes the command in a {}.</p></dd></dl>"
    )
    site.pages |= {
        "/3/": sphinx("Welcome", contents(Library="library/index.html", News="whatsnew/3.html")),
        "/3/library/index.html": sphinx("Library", toctree("os.html", "re.html")),
        "/3/library/os.html": sphinx("os", listed.format("subshell")),
        "/3/library/re.html": sphinx("re", "<p>Regular expressions match text.</p>"),
        "/3/whatsnew/3.html": sphinx("News", "<p>New things.</p>"),
    }
    return CollectRequest(CollectKind.PYTHON_DOCS, (f"{site.url}/3/",))


def test_citations_of_a_documentation_lead_to_the_anchor(
    service: Service, session: Session, site: Site, docs: CollectRequest
) -> None:
    run = ended(service, session, service.collector.start(session, docs))
    assert run.state is CollectState.DONE
    assert service.collector.outcome(session, run.id).sections == (("Welcome", 1), ("Library", 3))
    settled(service, session)
    found = answer_of(service, session, "Which function executes the command in a subshell?")
    citation = found.citations[0]
    assert (citation.url, citation.anchor) == (f"{site.url}/3/library/os.html", "os.system")
    link = service.evidence(session, citation).link
    assert link.startswith(f"{site.url}/3/library/os.html#os.system:~:text=")


def test_one_changed_page_is_indexed_alone(
    service: Service, session: Session, site: Site, docs: CollectRequest
) -> None:
    first = ended(service, session, service.collector.start(session, docs))
    before = {d.url: d.ready_at for d in settled(service, session)}
    site.pages["/3/library/re.html"] = sphinx("re", "<p>Patterns match text in other ways.</p>")
    run = ended(service, session, service.collector.again(session, first.id))
    assert (run.progress.changed, run.progress.same, run.progress.gone) == (1, 3, 0)
    after = {d.url: d.ready_at for d in settled(service, session)}
    assert [url for url in after if after[url] != before[url]] == [f"{site.url}/3/library/re.html"]


# --------------------------------------------------------------------------------------- dumps


POSTS = dump(
    question(1, AcceptedAnswerId="3", Score="5", Title="How to join two paths of a file system?",
             Body="<p>I have two parts of a path.</p>"),
    answer(3, 1, Body="<p>The portable way is the function join of the module os.path.</p>"
           "<pre><code>import os\nprint(os.path.join('a', 'b'))\n</code></pre>"),
    question(5, Tags="<java>", Title="How to sort an array of numbers in Java?"),
    answer(6, 5, Body="<p>Call sort of java.util.Arrays.</p>"),
)  # fmt: skip
PAIRS = CollectRequest(CollectKind.STACK_EXCHANGE, tag="python", site="stackoverflow.com")


def dump_in(folder: Path, name: str = "so/Posts.xml", text: str = POSTS) -> Path:
    path = folder / "dumps" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def asking(*files: str, **values: object) -> CollectRequest:
    from dataclasses import replace

    return replace(PAIRS, files=files, **values)  # type: ignore[arg-type]


def test_pairs_of_a_dump_with_anchor_and_attribution(
    service: Service, session: Session, tmp_path: Path
) -> None:
    dump_in(tmp_path)
    assert service.collector.dumps() == ["so/Posts.xml"]
    look = service.collector.preview(session, asking("so/Posts.xml"))
    assert isinstance(look, DumpPreview)
    assert look.titles == ("How to join two paths of a file system?",)
    run = ended(service, session, service.collector.start(session, asking("so/Posts.xml")))
    assert (run.state, run.progress.added) == (CollectState.DONE, 1)
    document = settled(service, session)[0]
    assert "answer by Ada (2019-01-01, score 1), CC BY-SA" in document.attribution
    found = answer_of(service, session, "What is the portable way to join paths?")
    citation = found.citations[0]
    assert (citation.url, citation.anchor) == ("https://stackoverflow.com/questions/1", "3")
    assert citation.attribution == document.attribution
    link = service.evidence(session, citation).link
    assert link.startswith("https://stackoverflow.com/questions/1#3:~:text=")
    code = "import os\nprint(os.path.join('a', 'b'))"
    assert f"```\n{code}\n```" in found.text, "the code right below the sentence, whole"
    asked = answer_of(service, session, "How do I join two parts of a path?")
    assert "I have two parts" not in asked.text, "a question is no answer"
    assert asked.citations[0].anchor == "3"
    talk = service.create_conversation(session, "t")
    service.catalogue.add_message(session.id, talk.id, "assistant", found.text, found)
    for form in ("markdown", "json"):
        assert "answer by Ada" in service.export_conversation(session, talk.id, form)  # type: ignore[arg-type]


def test_an_uploaded_dump_and_its_next_version(service: Service, session: Session) -> None:
    name = service.collector.keep_upload(session, "../Posts.xml", BytesIO(POSTS.encode()))
    run = ended(service, session, service.collector.start(session, asking(name, tag="")))
    assert (run.state, run.progress.added) == (CollectState.DONE, 2)
    settled(service, session)
    fewer = ended(service, session, service.collector.start(session, asking(name, tag="", limit=1)))
    assert (fewer.progress.same, fewer.progress.gone) == (1, 1)
    assert [d.title[:11] for d in settled(service, session)] == ["How to join"]
    other = service.create_session(session.owner_id, "Other")
    with pytest.raises(InvalidRequest):
        service.collector.start(other, asking(name))


def test_pairs_without_an_address_are_documents_too(service: Service, session: Session) -> None:
    table = b"title,body,answer,tags\nHow to sing?,How?,Open your mouth and sing.,python\n"
    name = service.collector.keep_upload(session, "pairs.csv", BytesIO(table))
    run = ended(service, session, service.collector.start(session, asking(name)))
    assert run.state is CollectState.DONE
    assert titles(service, session) == {"How to sing?"}
    again = ended(service, session, service.collector.again(session, run.id))
    assert (again.progress.same, again.progress.gone) == (1, 0)


@pytest.mark.parametrize(
    "name", ["../secret.xml", "/etc/passwd", "so/../../secret.xml", "link.xml", "", "upload:x:y"]
)
def test_only_dumps_of_the_operators_folder(
    service: Service, session: Session, tmp_path: Path, name: str
) -> None:
    dump_in(tmp_path)
    (tmp_path / "secret.xml").write_text(POSTS)
    (tmp_path / "dumps" / "link.xml").symlink_to(tmp_path / "secret.xml")
    with pytest.raises((InvalidRequest, InvalidId)):
        service.collector.start(session, asking(name))


def test_a_broken_dump_says_so(service: Service, session: Session, tmp_path: Path) -> None:
    dump_in(tmp_path, text=POSTS[: len(POSTS) // 2])
    run = ended(service, session, service.collector.start(session, asking("so/Posts.xml")))
    assert run.state is CollectState.FAILED
    assert "cut off" in run.reason
