"""Crawls: politeness, second runs, what is handed over, several hosts, one run a folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DataDirectoryInUse, InvalidUrl
from core.parsing.html.web_page import WebPage
from scraper.crawl import crawl
from scraper.crawl_plan import Observer, Plan, Progress
from scraper.crawl_state import CrawlState
from tests.scraper.crawling import FAST, crawled, text_page
from tests.scraper.site import Reply, Site, serving


def versioned(site: Site, path: str, body: str) -> None:
    """Serve a page with an ETag that is kept to."""

    def answer(_: str, headers: Mapping[str, str]) -> Reply:
        mark = f'"{hash(body)}"'
        if headers.get("If-None-Match") == mark:
            return Reply(status=304, headers={"ETag": mark})
        return Reply(body, headers={"ETag": mark})

    site.pages[path] = answer


def test_a_second_run_asks_but_gets_no_body_again(tmp_path: Path) -> None:
    with serving({}) as site:
        versioned(site, "/", text_page("Home", "/a", "/b", "/c"))
        for name in "abc":
            versioned(site, f"/{name}", text_page(name.upper(), text=f"About {name}. " * 99))
        first = crawled(site, tmp_path)
        assert (first.pages, first.changed, first.unchanged) == (4, 4, 0)

        second = crawled(site, tmp_path)
        assert (second.pages, second.changed, second.unchanged) == (4, 0, 4)
        assert second.received < first.received / 2

        versioned(site, "/b", text_page("B", text="Something new."))
        site.pages["/c"] = Reply(status=404)
        handed: list[WebPage] = []
        plan = Plan((f"{site.url}/",), FAST, sitemaps=False)
        third = crawl(plan, tmp_path, site.settings(), Observer(on_page=handed.append))
        assert (third.pages, third.changed, third.unchanged) == (3, 1, 2)
        assert [page.url for page in handed] == [f"{site.url}/b"]
        assert "Something new." in handed[0].markdown

        versioned(site, "/", text_page("Home", "/b"))
        fourth = crawled(site, tmp_path)
        assert fourth.gone == (f"{site.url}/a",)
    state = CrawlState(tmp_path)
    assert [page.url for page in state.pages()] == [f"{site.url}/", f"{site.url}/b"]
    state.close()


def test_without_marks_of_the_server_the_text_decides(tmp_path: Path) -> None:
    pages = {"/": text_page("Home", "/a"), "/a": text_page("A")}
    with serving(dict(pages)) as site:
        crawled(site, tmp_path)
        site.pages["/a"] = pages["/a"].replace("</body>", "<!-- served at noon --></body>")
        report = crawled(site, tmp_path)
    assert (report.changed, report.unchanged) == (0, 2)


def test_a_server_that_fails_for_a_while_costs_no_page(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/a"), "/a": text_page("A")}) as site:
        crawled(site, tmp_path)
        site.pages["/a"] = Reply(status=500)
        report = crawled(site, tmp_path)
        assert [(url, "500" in reason) for url, reason in report.left_out] == [
            (f"{site.url}/a", True)
        ]
    state = CrawlState(tmp_path)
    assert state.page(f"{site.url}/a") is not None
    state.close()


def test_one_request_a_time_with_its_delay(tmp_path: Path) -> None:
    times: list[float] = []

    def noted(path: str, _: Mapping[str, str]) -> Reply:
        times.append(time.monotonic())
        number = int(path.strip("/") or 0)
        return Reply(text_page(f"Page {number}", f"/{number + 1}"))

    with serving({"/robots.txt": ""}, rest=noted) as site:
        crawled(site, tmp_path, pages=4, delay=0.25)
    assert times[-1] - times[0] > 0.6  # three delays, less what the first request was late


def test_too_many_requests_are_answered_with_patience(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/busy")}) as site:
        answers = iter([Reply(status=429, headers={"Retry-After": "1"}), Reply(text_page("Busy"))])
        site.pages["/busy"] = lambda path, headers: next(answers)
        began = time.monotonic()
        report = crawled(site, tmp_path)
        assert time.monotonic() - began > 1
    assert report.pages == 2


def test_two_hosts_at_once(tmp_path: Path) -> None:
    def slow(path: str, _: Mapping[str, str]) -> Reply:
        time.sleep(0.2)
        number = int(path.strip("/") or 0)
        return Reply(text_page(f"{path} {threading.get_ident()}", f"/{number + 1}"))

    with (
        serving({"/robots.txt": ""}, rest=slow) as one,
        serving({"/robots.txt": ""}, rest=slow) as two,
    ):
        settings = one.settings().model_copy(
            update={"allowed_private_hosts": f"{one.host},{two.host}"}
        )
        plan = Plan((f"{one.url}/", f"{two.url}/"), replace(FAST, pages=8), sitemaps=False)
        report = crawl(plan, tmp_path, settings)
        assert len(one.hits) > 2
        assert len(two.hits) > 2
    assert report.stopped == "Stopped after 8 pages."


def test_the_address_after_a_redirect_is_kept_once(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/old", "/new", "/older")}) as site:
        site.pages |= {
            "/old": Reply(status=301, headers={"Location": "/new"}),
            "/older": Reply(status=301, headers={"Location": "/old"}),
            "/new": text_page("New"),
        }
        report = crawled(site, tmp_path)
    assert report.pages == 2
    assert sorted(url.removeprefix(site.url) for url, _ in report.left_out) == ["/old", "/older"]


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[Progress] = []
    with serving({"/": text_page("Home", "/a"), "/a": text_page("A")}) as site:
        plan = Plan((f"{site.url}/",), FAST, sitemaps=False)
        crawl(plan, tmp_path, site.settings(), Observer(on_progress=told.append))
    last = told[-1]
    assert (last.pages, last.visited, last.queued, last.left_out) == (2, 2, 0, 0)
    assert last.requests == 3
    assert last.seconds > 0


def test_one_run_a_folder(tmp_path: Path) -> None:
    inside: list[type[Exception]] = []
    with serving({"/": text_page("Home")}) as site:
        plan = Plan((f"{site.url}/",), FAST, sitemaps=False)

        def again(_: Progress) -> None:
            try:
                crawl(plan, tmp_path, site.settings())
            except DataDirectoryInUse as error:
                inside.append(type(error))

        crawl(plan, tmp_path, site.settings(), Observer(on_progress=again))
    assert inside


def test_a_bad_start_is_said_at_once(tmp_path: Path) -> None:
    with serving({}) as site, pytest.raises(InvalidUrl):
        crawl(Plan(("ftp://e.org/",)), tmp_path, site.settings())


def test_a_site_that_is_down_loses_no_page(tmp_path: Path) -> None:
    pages = {"/": text_page("Home", "/a"), "/a": text_page("A", "/b"), "/b": text_page("B")}
    with serving(dict(pages)) as site:
        assert crawled(site, tmp_path).pages == 3
        site.pages["/robots.txt"] = Reply(status=503)
        down = crawled(site, tmp_path)
        assert (down.pages, down.gone) == (0, ())
        site.pages["/robots.txt"] = Reply(status=404)
        site.pages["/a"] = Reply(status=502)
        half = crawled(site, tmp_path)
        assert (half.pages, half.gone) == (2, ())
    state = CrawlState(tmp_path)
    assert len(list(state.pages())) == 3
    state.close()


def test_names_like_files_are_judged_by_what_comes(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/wiki/Node.js", "/data.json")}) as site:
        site.pages["/wiki/Node.js"] = text_page("Node.js")
        site.pages["/data.json"] = Reply('{"a": 1}', content_type="application/json")
        report = crawled(site, tmp_path)
    assert report.pages == 2
    assert report.reasons == {"The address leads to data (application/json), not to a page.": 1}
