"""Addresses that grow, number the visit or repeat themselves do not multiply pages."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.urls import canonical_url
from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B02


def deeper(path: str, _: Mapping[str, str]) -> Reply:
    return Reply(text_page(f"At {path}", path.rstrip("/") + "/a/"))


def numbered(path: str, _: Mapping[str, str]) -> Reply:
    return Reply(text_page("The one page", f"/page?sid={secrets.token_hex(16)}"))


def short_numbers(path: str, _: Mapping[str, str]) -> Reply:
    return Reply(text_page("The one page", f"/page?visit={secrets.randbelow(10**9)}"))


def escaped(path: str, _: Mapping[str, str]) -> Reply:
    return Reply(text_page("List", path.replace("&", "&amp;amp;") + "&amp;amp;sort=up"))


def growing(path: str, _: Mapping[str, str]) -> Reply:
    return Reply(text_page(f"Page {len(path)}", path + secrets.token_hex(150)))


def test_path_that_repeats_itself(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/a/")}, rest=deeper) as site:
        report = crawled(site, tmp_path)
    assert report.pages == 4
    assert report.reasons == {"The address repeats itself.": 1}


def test_session_ids_are_taken_out_of_the_address(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/page?sid=" + "0" * 32), "/page": numbered}) as site:
        report = crawled(site, tmp_path)
        assert [hit for hit in site.hits if hit.startswith("/page")] == ["/page"]
    assert (report.pages, report.queued) == (2, 0)


def test_other_numbers_end_with_the_second_page_of_the_same_text(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/page?visit=1"), "/page": short_numbers}) as site:
        report = crawled(site, tmp_path)
        assert len([hit for hit in site.hits if hit.startswith("/page")]) <= 3
    assert report.pages == 2
    assert any(reason.startswith("It has the same text as") for reason in report.reasons)


def test_ampersands_that_grow(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/list?a=1"), "/list": escaped}) as site:
        report = crawled(site, tmp_path)
        assert len([hit for hit in site.hits if hit.startswith("/list")]) <= 4
    assert report.queued == 0


def test_addresses_that_are_too_long(tmp_path: Path) -> None:
    with serving({"/": text_page("Home", "/x/")}, rest=growing) as site:
        report = crawled(site, tmp_path)
    assert report.queued == 0
    assert "The address is longer than 1,000 characters." in report.reasons


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://Example.COM:80/a/./b/../c#top", "http://example.com/a/c"),
        ("http://example.com//a//b", "http://example.com//a//b"),
        ("http://example.com/?utm_source=x&b=2&fbclid=y", "http://example.com/?b=2"),
        ("http://example.com/a;jsessionid=0123?b=1", "http://example.com/a?b=1"),
        ("http://example.com/?a=1&amp;amp;b=2", "http://example.com/?a=1&b=2"),
        ("http://example.com/?PHPSESSID=abc", "http://example.com/"),
        ("http://example.com/?sid=7", "http://example.com/?sid=7"),
        ("http://example.com/é?ü=ß", "http://example.com/%C3%A9?%C3%BC=%C3%9F"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com/?", "http://example.com/"),
    ],
)
def test_one_spelling(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical
