"""Sitemaps are read nested and packed, and can neither lead away nor blow up."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from core.errors import FetchFailed, FetchTooLarge
from scraper.sitemap import MOST_PAGES, MOST_SITEMAPS, parse_sitemap
from tests.scraper.crawling import crawled, text_page
from tests.scraper.memory import gzip_bomb
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B05

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<urlset><url><loc>http://e.org/&c;</loc></url></urlset>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>http://e.org/&x;</loc></url></urlset>"""


def urlset(*urls: str) -> str:
    entries = "".join(f"<url><loc> {url} </loc><lastmod>2026-01-01</lastmod></url>" for url in urls)
    return f"<?xml version='1.0' encoding='UTF-8'?><urlset {NAMESPACE}>{entries}</urlset>"


def index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex {NAMESPACE}>{entries}</sitemapindex>"


def test_nested_and_packed(tmp_path: Path) -> None:
    with serving({"/": text_page("Home")}) as site, serving(rest=urlset()) as decoy:
        packed = gzip.compress(urlset(f"{site.url}/b", f"{decoy.url}/x").encode())
        site.pages |= {
            "/robots.txt": f"Sitemap: {site.url}/index.xml\n",
            "/index.xml": index(
                f"{site.url}/a.xml", f"{site.url}/b.xml.gz", f"{decoy.url}/evil.xml"
            ),
            "/a.xml": urlset(f"{site.url}/a"),
            "/b.xml.gz": Reply(packed, content_type="application/gzip"),
            "/a": text_page("A"),
            "/b": text_page("B"),
        }
        report = crawled(site, tmp_path, sitemaps=True)
        assert decoy.hits == []
    assert report.pages == 3
    assert report.reasons == {
        "The sitemap is on another host.": 1,
        "It is on another site.": 1,
    }


def test_endless_nesting_ends(tmp_path: Path) -> None:
    with serving({"/": text_page("Home")}) as site:
        site.rest = lambda path, _: Reply(index(f"{site.url}{path}x", f"{site.url}{path}y"))
        site.pages["/robots.txt"] = f"Sitemap: {site.url}/s\n"
        report = crawled(site, tmp_path, sitemaps=True)
        assert len(site.hits) <= MOST_SITEMAPS + 2
    assert report.pages == 1
    assert "Sitemaps nest deeper than 3." in report.reasons


def test_fifty_thousand_and_more() -> None:
    sitemap = urlset(*(f"http://e.org/{number}" for number in range(MOST_PAGES + 5)))
    began = time.thread_time()
    nested, pages = parse_sitemap(sitemap.encode())
    assert (nested, len(pages)) == ([], MOST_PAGES)
    assert time.thread_time() - began < 20


@pytest.mark.parametrize("data", [LAUGHS, OUTSIDE, "<urlset><url>", "<html></html>", "<"])
def test_what_is_no_sitemap(data: str) -> None:
    with pytest.raises(FetchFailed):
        parse_sitemap(data.encode())


def test_packed_bomb() -> None:
    with pytest.raises(FetchTooLarge):
        parse_sitemap(gzip_bomb(1024))


def test_text_sitemap() -> None:
    text = "\ufeffhttp://e.org/a\r\nhttp://e.org/b\nnot an address\n\n"
    assert parse_sitemap(text.encode()) == ([], ["http://e.org/a", "http://e.org/b"])
