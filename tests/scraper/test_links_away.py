"""Links to other hosts, private addresses and mail are not followed, but counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.B04


def test_not_followed_and_counted(tmp_path: Path) -> None:
    with serving(rest="secret") as decoy:
        home = text_page(
            "Home",
            f"{decoy.url}/admin",
            "http://127.0.0.1:9/",
            "http://[::1]/",
            "https://example.com/",
            "mailto:a@example.com",
            "javascript:alert(1)",
            "tel:123",
            "data:text/html,x",
            "http://a\\b/",
            "/here",
            "/picture.png",
        )
        with serving({"/": home, "/here": text_page("Here")}) as site:
            report = crawled(site, tmp_path)
        assert decoy.hits == []
    assert report.pages == 2
    assert report.unusable == 5
    assert report.reasons == {
        "It is on another site.": 4,
        "It is a file (png), not a page.": 1,
    }


def test_a_redirect_off_the_site_is_not_kept(tmp_path: Path) -> None:
    with serving(rest=text_page("Decoy")) as decoy:
        away = Reply(status=302, headers={"Location": f"{decoy.url}/"})
        with serving({"/": text_page("Home", "/away"), "/away": away}) as site:
            report = crawled(site, tmp_path)
        assert decoy.hits == []
    assert report.pages == 1
    assert [url for url, _ in report.left_out] == [f"{site.url}/away"]
    assert "redirects" in report.left_out[0][1]


def test_the_part_of_the_site_that_was_asked_for(tmp_path: Path) -> None:
    from scraper.crawl import crawl
    from scraper.crawl_plan import Plan
    from tests.scraper.crawling import FAST

    pages = {
        "/docs/": text_page("Docs", "/docs/a", "/blog/b"),
        "/docs/a": text_page("A"),
        "/blog/b": text_page("B"),
    }
    with serving(dict(pages)) as site:
        plan = Plan((f"{site.url}/docs/",), FAST, sitemaps=False)
        report = crawl(plan, tmp_path / "part", site.settings())
        assert report.pages == 2
        assert report.reasons == {"It is outside the part of the site that was asked for.": 1}
        plan = Plan((f"{site.url}/docs/",), FAST, sitemaps=False, whole_host=True)
        assert crawl(plan, tmp_path / "whole", site.settings()).pages == 3
