"""Thousands of new links on every page, redirects to ever new addresses, paths that nest without
end: what a run keeps of them, and what it asks for, stays within its limits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from scraper import crawl_visit
from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B09

fresh = itertools.count()


def thousands(path: str, _: Mapping[str, str]) -> Reply:
    """A page that leads to very many others, none of which was met before."""
    return Reply(text_page(f"At {path}", *(f"/{next(fresh)}" for _ in range(400))))


def hops(path: str, _: Mapping[str, str]) -> Reply:
    """Five addresses before each page, and the page leads to the next five."""
    number, _, hop = path.strip("/").partition("-")
    if int(hop or 0) < 5:
        return Reply(status=302, headers={"Location": f"/{number}-{int(hop or 0) + 1}"})
    return Reply(text_page(f"Page {number}", f"/{int(number) + 1}"))


def never_there(path: str, _: Mapping[str, str]) -> Reply:
    """Every address leads to another one that nobody has seen."""
    return Reply(status=302, headers={"Location": f"{path}x"})


def nested(path: str, _: Mapping[str, str]) -> Reply:
    """Relative links: each page has one below itself and one beside."""
    return Reply(text_page(f"At {path}", "a/", "b/", f"c{len(path)}/"))


def test_addresses_that_wait_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_visit, "_MOST_WAITING", 1_000)
    with serving({"/robots.txt": ""}, rest=thousands) as site:
        report = crawled(site, tmp_path, pages=12)
    assert report.stopped == "Stopped after 12 pages."
    assert 900 < report.queued <= 1_000
    assert report.reasons["More than 1,000 addresses wait already."] > 3_000


def test_a_run_of_many_pages_has_room_for_them(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=thousands) as site:
        report = crawled(site, tmp_path, pages=3)
    assert report.queued == 3 * 400 + 1 - 3
    assert report.reasons == {}


def test_redirects_to_ever_new_addresses(tmp_path: Path) -> None:
    with serving({"/robots.txt": "", "/": text_page("Home", "/1")}, rest=hops) as site:
        report = crawled(site, tmp_path, pages=4)
        assert (report.visited, report.stopped) == (4, "Stopped after 4 pages.")
        assert len(site.hits) <= 1 + 1 + 3 * 6  # robots.txt, home, and three pages


def test_redirects_without_end_cost_a_page_each(tmp_path: Path) -> None:
    home = text_page("Home", *(f"/{number}/" for number in range(50)))
    with serving({"/robots.txt": "", "/": home}, rest=never_there) as site:
        report = crawled(site, tmp_path, pages=6)
        assert (report.pages, report.visited) == (1, 6)
        assert len(site.hits) <= 1 + 1 + 5 * 6


def test_paths_that_nest_end(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=nested) as site:
        report = crawled(site, tmp_path, pages=60, depth=6)
    assert report.visited == 60
    assert report.reasons["The address repeats itself."] > 0
