"""What a site asks of robots is kept to; where it cannot be asked, nothing is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from scraper.robots import parse_robots, read_robots
from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B06

PAGES = {"/": text_page("Home", "/a"), "/a": text_page("A")}


@pytest.mark.parametrize("status", [500, 503, 429])
def test_no_answer_means_no_reading(status: int, tmp_path: Path) -> None:
    with serving({**PAGES, "/robots.txt": Reply(status=status)}) as site:
        report = crawled(site, tmp_path)
        assert site.hits == ["/robots.txt"]
    assert report.pages == 0
    assert f"status {status}" in report.left_out[0][1]


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_no_rules_allow_all(status: int, tmp_path: Path) -> None:
    with serving({**PAGES, "/robots.txt": Reply(status=status)}) as site:
        assert crawled(site, tmp_path).pages == 2


def test_ten_megabytes_of_rules_are_not_read(tmp_path: Path) -> None:
    rules = Reply("User-agent: *\n" + "Disallow: /x\n" * 800_000, content_type="text/plain")
    with serving({**PAGES, "/robots.txt": rules}) as site:
        robots = read_robots(site.url, site.settings())
    assert "too large" in robots.closed
    assert not robots.allows(f"{site.url}/")


def test_disallow_all(tmp_path: Path) -> None:
    with serving({**PAGES, "/robots.txt": "User-agent: *\nDisallow: /\n"}) as site:
        report = crawled(site, tmp_path)
        assert site.hits == ["/robots.txt"]
    assert report.reasons == {"The site asks robots not to read it (robots.txt).": 1}


def test_rules_for_this_program_come_first(tmp_path: Path) -> None:
    rules = "User-agent: *\nDisallow: /\n\nUser-agent: footnote\nDisallow: /a\nCrawl-delay: 0.01\n"
    with serving({**PAGES, "/robots.txt": rules}) as site:
        report = crawled(site, tmp_path)
        assert site.hits == ["/robots.txt", "/"]
    assert (report.pages, len(report.left_out)) == (1, 1)


def test_longest_rule_wins_and_patterns_count() -> None:
    robots = parse_robots("User-agent: *\nDisallow: /p\nAllow: /p/ok*.html$\nCrawl-delay: 900\n")
    assert robots.allows("http://e.org/p/ok1.html")
    assert not robots.allows("http://e.org/p/ok1.htmlx")
    assert not robots.allows("http://e.org/private")
    assert robots.delay == 30


def test_pages_may_ask_too(tmp_path: Path) -> None:
    hidden = text_page("Hidden", "/b").replace(
        "<head>", '<head><meta name="ROBOTS" content="none">'
    )
    listed = text_page("List", "/c").replace("<head>", "<head><meta name=robots content=noindex>")
    pages = {"/": text_page("Home", "/h", "/l"), "/h": hidden, "/l": listed}
    with serving({**pages, "/b": text_page("B"), "/c": text_page("C")}) as site:
        report = crawled(site, tmp_path)
        assert "/b" not in site.hits
    assert report.pages == 2
    assert report.reasons == {"The page asks robots not to keep it.": 2}
