"""A calendar that goes on for ever ends at the cap of pages, and the report says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B01


def year(path: str, _: Mapping[str, str]) -> Reply:
    number = int(path.partition("=")[2])
    return Reply(text_page(f"Year {number}", f"/cal?y={number + 1}"))


def test_stops_at_the_page_cap(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/cal?y=2026"), "/cal": year}) as site:
        report = crawled(site, tmp_path, pages=12)
        assert report.stopped == "Stopped after 12 pages."
        assert report.pages == 12
        assert report.queued == 1
        assert len([hit for hit in site.hits if hit != "/robots.txt"]) == 12


def test_or_at_the_depth_cap(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/cal?y=2026"), "/cal": year}) as site:
        report = crawled(site, tmp_path, depth=5)
    assert (report.pages, report.stopped) == (6, "")
    assert report.reasons == {"It is more than 5 links away from the start.": 1}
