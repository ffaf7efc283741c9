"""The live web and the documents in one answer, end to end with real parts."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import WebSearchOff
from core.step_text import step_text
from core.text.token_estimate import estimate
from core.types import (
    Document,
    DocumentKind,
    DocumentState,
    LoadedDocument,
    Message,
    ModelChoice,
    Page,
)
from core.ui.chat.web_switch import last_queries
from tests.standins.openai_server import OpenAIStandin
from tests.standins.scripts import Reply
from tests.standins.small_web import (
    FAILS,
    HANGS,
    PAGES,
    TO_PRIVATE,
    Sent,
    article,
    bomb,
)
from tests.web_search.live import LiveWeb, live_web, notice

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENGLISH = tuple(path for path in PAGES if path != "/velmark-de")


def add_document(live: LiveWeb, name: str, text: str) -> Document:
    """A document of the person's own, ready."""
    result = live.service.documents.add_file(live.session, name, text.encode())
    assert result.document is not None
    ingester = live.service.worker.ingester
    claimed = live.service.catalogue.documents.claim_next()
    assert claimed is not None
    ingester.ingest(claimed)
    return live.service.documents.get(live.session, result.document.id)


def test_an_answer_from_one_of_ten_pages(tmp_path: Path) -> None:
    with live_web(tmp_path, found=ENGLISH) as live:
        answer, steps = live.ask_seen()
        cited = answer.citations[0]
        assert "built in 1783 by the guild of net makers" in answer.text
        assert (cited.kind, cited.url) == (DocumentKind.WEB, f"{live.web.url}/velmark")
        assert cited.title == "The lantern house of Velmark"
        assert cited.published == "2025-03-04"
        assert cited.read_on() == datetime.now(UTC).date().isoformat()
        evidence = live.service.documents.evidence(live.session, cited)
        assert cited.quote in evidence.page_text
        assert evidence.link.startswith(f"{live.web.url}/velmark#:~:text=")
        assert "cookies" not in evidence.page_text
        assert "tracked" not in evidence.page_text
    names = [step.name for step in steps]
    assert names[:3] == ["understood", "web queries", "web search"]
    assert names.index("web indexed") < names.index("dense")
    assert answer.search is not None
    assert "web indexed" in [step.name for step in answer.search.steps]


def test_pages_are_not_in_the_library_until_they_are_kept(tmp_path: Path) -> None:
    with live_web(tmp_path, found=("/velmark",)) as live:
        answer = live.ask()
        service, session = live.service, live.session
        assert service.documents.list(session) == []
        page = service.documents.read_pages(session)[0]
        assert page.id == answer.citations[0].document_id
        assert page.expires_at is not None
        assert page.expires_at > datetime.now(UTC) + timedelta(hours=23)
        service.documents.keep_page(session, page.id)
        claimed = service.catalogue.documents.claim_next()
        assert claimed is not None
        service.worker.ingester.ingest(claimed)
        kept = service.documents.list(session)
        assert [(d.id, d.state, d.kind) for d in kept] == [
            (page.id, DocumentState.READY, DocumentKind.WEB)
        ]
        assert (kept[0].published, kept[0].expires_at) == ("2025-03-04", None)
        assert service.documents.evidence(session, answer.citations[0]).missing == ""
        assert live.ask(web=False).citations[0].document_id == page.id


def test_follow_up_questions_use_the_pages_again(tmp_path: Path) -> None:
    with live_web(tmp_path, found=("/velmark",)) as live:
        live.ask()
        requests = len(live.standin.requests), len(live.web.requests)
        answer = live.ask("How many steps does the lantern house of Velmark have?", web=False)
        assert "214 steps" in answer.text
        assert (len(live.standin.requests), len(live.web.requests)) == requests
        _, steps = live.ask_seen("Until when did the lamp of the lantern house burn whale oil?")
        assert len(live.web.requests) == requests[1]  # found again, but read a moment ago
        assert any("read earlier" in step_text(step) for step in steps)


def test_documents_and_web_are_ranked_together(tmp_path: Path) -> None:
    with live_web(tmp_path, found=("/velmark", "/whales")) as live:
        mine = add_document(live, "keeper.txt", "The keeper of the lantern house is Orla Fenn.")
        first = live.ask("Who is the keeper of the lantern house?")
        assert first.citations[0].document_id == mine.id
        assert "Orla Fenn" in first.text
        assert first.search is not None
        kinds = {hit.document.kind for hit in first.search.hits}
        assert kinds == {DocumentKind.TEXT, DocumentKind.WEB}
        assert live.ask().citations[0].kind is DocumentKind.WEB


def test_bad_pages_are_named_and_the_rest_answers_in_time(tmp_path: Path) -> None:
    bad = {"/hangs": HANGS, "/fails": FAILS, "/private": TO_PRIVATE, "/bomb": bomb()}
    with live_web(
        tmp_path, pages={**PAGES, **bad}, found=ENGLISH, always=list(bad), web_seconds=20.0
    ) as live:
        live.service.stores.embedder()
        began = time.monotonic()
        answer = live.ask()
        took = time.monotonic() - began
        assert answer.citations[0].url == f"{live.web.url}/velmark"
    assert took < 50  # the page that hangs would take sixty
    told = notice(answer, "web-pages-left-out").text
    assert told.startswith("Left out 4 pages of the web")
    for path, reason in (
        ("/hangs", "did not send the"), ("/fails", "status 500"),
        ("/private", "redirects to an address that is refused"), ("/bomb", "too large"),
    ):  # fmt: skip
        assert f"{path} (" in told
        assert reason in told


def test_the_person_writes_the_queries(tmp_path: Path) -> None:
    with live_web(tmp_path, found=("/velmark",)) as live:
        _, steps = live.ask_seen(queries=["velmark guild", "net makers"])
        assert [request["q"] for request in live.standin.requests] == [
            "velmark guild", "net makers"
        ]  # fmt: skip
    detail = next(step_text(step) for step in steps if step.name == "web queries")
    assert detail == "velmark guild | net makers (yours)"


def test_a_query_keeps_its_bars_and_brackets(tmp_path: Path) -> None:
    queries = ("postgres | mysql replication (2024)", "velmark guild")
    with live_web(tmp_path, found=("/velmark",)) as live:
        answer = live.ask(queries=queries)
    assert answer.search is not None
    sent = [query for query in answer.search.sent if query.where == "web"]
    assert [(query.text, query.why) for query in sent] == [(text, "yours") for text in queries]
    assert sent[1].found == 1
    assert last_queries([Message(1, "assistant", answer.text, NOW, answer)]) == list(queries)


def test_without_a_model_the_words_of_the_question_are_asked_for(tmp_path: Path) -> None:
    with live_web(tmp_path) as live:
        live.ask("Who built the lantern house of Velmark this week?")
        assert live.standin.requests[0]["q"] == "built lantern house Velmark week"
        assert live.standin.requests[0]["time_range"] == "week"
        assert len(live.standin.requests) == 1
        live.standin.mode = "nothing"
        live.ask("What was new in Velmark this year?")
        assert [request.get("time_range") for request in live.standin.requests[1:]] == [
            "year", None
        ]  # fmt: skip


def test_wikipedia_is_read_through_its_api(tmp_path: Path) -> None:
    text = "Velmark is a town.\n\n\n== History ==\nThe town was founded in 1204 by monks.\n"
    with live_web(
        tmp_path,
        pages={},
        always=["https://en.wikipedia.org/wiki/Velmark_(town)"],
        wikipedia={("en", "Velmark (town)"): text},
    ) as live:
        answer = live.ask("When was the town of Velmark founded?")
        assert answer.citations[0].url == "https://en.wikipedia.org/wiki/Velmark_(town)"
        assert answer.citations[0].headings == ("Velmark (town)", "History")
        assert "1204" in answer.text
        assert "CC BY-SA" in answer.citations[0].attribution
        assert len(live.web.requests) == 1


def test_a_pdf_of_the_web_is_read_and_shown_as_a_page(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream)
    canvas.drawString(72, 720, "The lantern house of Velmark was built by the guild in 1783.")
    canvas.save()
    pdf = Sent(stream.getvalue(), content_type="application/pdf")
    with live_web(tmp_path, pages={"/velmark.pdf": pdf}, found=(), always=["/velmark.pdf"]) as live:
        answer = live.ask()
        cited = answer.citations[0]
        assert (cited.kind, cited.page_number) == (DocumentKind.PDF, 1)
        assert cited.url == f"{live.web.url}/velmark.pdf"
        assert live.service.documents.evidence(live.session, cited).image.startswith(b"\x89PNG")
        live.service.documents.keep_page(live.session, cited.document_id)
        claimed = live.service.catalogue.documents.claim_next()
        assert claimed is not None
        live.service.worker.ingester.ingest(claimed)
        assert live.service.documents.list(live.session)[0].state is DocumentState.READY


def test_expired_pages_are_neither_searched_nor_kept(tmp_path: Path) -> None:
    with live_web(tmp_path, found=("/velmark",), web_hours=1e-7) as live:
        live.ask()
        assert live.service.catalogue.documents.ready(live.session.id) == {}
        page = live.service.documents.read_pages(live.session)[0]
        live.service.live.forget_expired()
        assert live.service.documents.read_pages(live.session) == []
        assert not live.service.stores.originals.has(live.session.id, page.id)
        assert live.service.stores.vectors.ids(live.session.id) == set()
        assert live.service.stores.lexical.ids(live.session.id) == set()


def test_newer_pages_come_first_only_where_the_question_asks(tmp_path: Path) -> None:
    year = datetime.now(UTC).year
    pages = {
        f"/{date}": article(
            f"Release of {date}",
            f"The version of Velmark that came out is {number}.",
            published=date,
        )
        for number, date in ((1, "2001-01-01"), (2, "2009-01-01"), (3, f"{year}-01-01"))
    }
    with live_web(tmp_path, pages=pages) as live:
        answer = live.ask("Which is the latest version of Velmark?")
        assert answer.search is not None
        assert answer.search.hits[0].document.published == f"{year}-01-01"


def test_a_long_page_gives_its_nearest_passages(tmp_path: Path) -> None:
    filler = [f"Paragraph {n} speaks of other matters at some length. " * 15 for n in range(80)]
    filler[50] = "The lantern house of Velmark was built by the guild of net makers. " * 5
    with live_web(tmp_path, pages={"/long": article("Long", *filler)}, web_chunks=5) as live:
        answer = live.ask()
        assert "guild of net makers" in answer.text
        page = live.service.documents.read_pages(live.session)[0]
        assert page.chunks == 5
        assert len(live.service.documents.pages(live.session, page.id)[0].text) > 40_000


def test_rules_drop_menus_and_say_so(tmp_path: Path) -> None:
    menu = "\n".join(["Home", "Shop", "News", "About", "Contact"] * 30)
    good = "\n\n".join(f"The lantern house of Velmark, part {n}. " * 20 for n in range(3))
    with live_web(tmp_path, web_quality="rules") as live:
        page = Page(0, f"{good}\n\n{menu}")
        from core.web_search.page_store import live_page

        made = live_page("http://e.org/", LoadedDocument(DocumentKind.WEB, (page,)))
        filtered = live.service.web.quality(made.chunks)
    assert filtered.words == "1 of a few words a line"
    assert all("Home" not in chunk.text for chunk in filtered.kept)


def test_the_live_web_preset_with_a_model(tmp_path: Path) -> None:
    queries = Reply(
        text='{"queries": ["Velmark lantern house guild", "site:e.org velmark"]}', times=1
    )
    with (
        OpenAIStandin(replies=[queries, Reply("quote", times=None)]) as model,
        live_web(tmp_path, found=ENGLISH, openai_url=model.url) as live,
    ):
        choice = ModelChoice("openai", "standin")
        answer = live.ask(model=choice, preset="live-web")
        assert [request["q"] for request in live.standin.requests] == [
            "Velmark lantern house guild", "site:e.org velmark"
        ]  # fmt: skip
        system, task = (message["content"] for message in model.chats()[1].body["messages"])
    assert "found on the web a moment ago" in system
    assert "say what is not there" in system
    first = next(line for line in task.splitlines() if 'date="2025-03-04"' in line)
    assert 'id="' in first
    assert 'title="' in first
    assert estimate(system) + estimate(task) <= 4_096
    assert answer.answerer != "extractive"
    assert answer.citations[0].url


def test_the_web_that_is_not_set_up_is_an_error(tmp_path: Path) -> None:
    with live_web(tmp_path, searxng_url="") as live, pytest.raises(WebSearchOff):
        live.ask()


def test_nothing_found_is_said(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="nothing") as live:
        answer = live.ask()
    assert notice(answer, "web-nothing-found").level == "info"
    assert answer.abstention is not None
