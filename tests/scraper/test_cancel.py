"""A crawl that is stopped by hand ends within two seconds and keeps what it has."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from scraper.crawl_state import CrawlState
from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B08


def numbered(path: str, _: Mapping[str, str]) -> Reply:
    number = int(path.strip("/") or 0)
    return Reply(text_page(f"Page {number}", f"/{number + 1}"))


def test_keeps_the_ten_pages(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=numbered) as site:
        asked: list[int] = []

        def cancelled() -> bool:
            if len(site.hits) > 10:
                asked.append(len(site.hits))
            return bool(asked)

        report = crawled(site, tmp_path, pages=1_000, delay=0.05, cancelled=cancelled)
        assert report.stopped == "Stopped on request."
        assert 9 <= report.pages <= 12
        state = CrawlState(tmp_path)
        assert len(list(state.pages())) == report.pages
        state.close()
        assert crawled(site, tmp_path, pages=15).pages == 15


def test_does_not_wait_for_a_page_that_hangs(tmp_path: Path) -> None:
    def hang(path: str, _: Mapping[str, str]) -> Reply:
        time.sleep(4)
        return Reply(text_page("Late"))

    with serving({"/": text_page("Home", "/late"), "/late": hang}) as site:
        began: list[float] = []

        def cancelled() -> bool:
            if "/late" in site.hits and not began:
                began.append(time.monotonic())
            return bool(began) and time.monotonic() - began[0] > 0.3

        report = crawled(site, tmp_path, cancelled=cancelled)
    assert (report.pages, report.queued) == (1, 1)
