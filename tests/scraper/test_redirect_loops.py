"""Redirects end after five."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.errors import FetchFailed
from scraper.fetch import fetch
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A09


def countdown(path: str, _: Mapping[str, str]) -> Reply:
    left = int(path.partition("=")[2])
    return Reply(status=302, headers={"Location": f"/r?n={left - 1}"}) if left else Reply("there")


def test_loop() -> None:
    with serving({"/loop": Reply(status=302, headers={"Location": "/loop"})}) as site:
        with pytest.raises(FetchFailed, match="redirects too often"):
            fetch(f"{site.url}/loop", site.settings())
        assert len(site.hits) == 6


def test_five_are_followed_and_no_more() -> None:
    with serving({"/r": countdown}) as site:
        fetched = fetch(f"{site.url}/r?n=5", site.settings())
        assert (fetched.body, fetched.requests) == (b"there", 6)
        assert fetched.url == f"{site.url}/r?n=5"
        assert fetched.final_url == f"{site.url}/r?n=0"
        with pytest.raises(FetchFailed, match="redirects too often"):
            fetch(f"{site.url}/r?n=50", site.settings())
