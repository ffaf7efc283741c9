"""Pages of new random text with new links: the caps of pages, bytes and time each hold."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B03


def trap(path: str, _: Mapping[str, str]) -> Reply:
    links = [f"/{secrets.token_hex(8)}" for _ in range(20)]
    words = " ".join(secrets.token_hex(4) for _ in range(12_000))
    return Reply(text_page(secrets.token_hex(4), *links, text=words))


def test_page_cap(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=trap) as site:
        report = crawled(site, tmp_path, pages=5)
    assert (report.pages, report.stopped) == (5, "Stopped after 5 pages.")


def test_byte_cap(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=trap) as site:
        report = crawled(site, tmp_path, pages=1_000, megabytes=1)
    assert report.stopped == "Stopped after 1 MB."
    assert report.received < 2 * 1024 * 1024


def test_time_cap(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=trap) as site:
        report = crawled(site, tmp_path, pages=1_000, seconds=0.5, delay=0.1)
    assert report.stopped == "Stopped after 0 seconds."
