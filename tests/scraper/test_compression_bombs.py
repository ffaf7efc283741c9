"""Packed pages are unpacked up to the cap and no byte further."""

from __future__ import annotations

import gzip

import pytest

from core.errors import FetchFailed, FetchTooLarge
from scraper.fetch import fetch
from tests.scraper.memory import gzip_bomb, nested, peak_growth_mb
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A11


def test_gzip_bomb_stops_at_the_cap() -> None:
    bomb = Reply(gzip_bomb(1024), headers={"Content-Encoding": "gzip"})
    with serving({"/": bomb}) as site:
        with pytest.raises(FetchTooLarge, match="too large"):
            fetch(f"{site.url}/", site.settings())
        growth = peak_growth_mb(
            "from core.config import Settings; from scraper.fetch import fetch\n"
            "from core.errors import FetchTooLarge\n"
            f"try: fetch({site.url + '/'!r}, Settings(allowed_private_hosts={site.host!r}))\n"
            "except FetchTooLarge: pass\n"
            "else: raise AssertionError"
        )
    assert growth < 60


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "deflate", "gzip, br", "x"])
def test_packings_that_nobody_asked_for(encoding: str) -> None:
    body = nested(gzip_bomb(64))
    with (
        serving({"/": Reply(body, headers={"Content-Encoding": encoding})}) as site,
        pytest.raises(FetchFailed, match="packed"),
    ):
        fetch(f"{site.url}/", site.settings())


def test_honest_gzip_is_unpacked_in_several_members_too() -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two" * 100_000)
    with serving({"/": Reply(body, headers={"Content-Encoding": "gzip"})}) as site:
        assert fetch(f"{site.url}/", site.settings()).body == b"one " + b"two" * 100_000
        assert "br" not in site.requests[0][1]["Accept-Encoding"]


@pytest.mark.parametrize("cut", [5, 200, -1])
def test_packed_page_cut_off(cut: int) -> None:
    body = gzip.compress(bytes(range(256)) * 400)[:cut]
    with (
        serving({"/": Reply(body, headers={"Content-Encoding": "gzip"})}) as site,
        pytest.raises(FetchFailed),
    ):
        fetch(f"{site.url}/", site.settings())


def test_damaged_gzip() -> None:
    with (
        serving({"/": Reply(b"not gzip", headers={"Content-Encoding": "gzip"})}) as site,
        pytest.raises(FetchFailed, match="damaged"),
    ):
        fetch(f"{site.url}/", site.settings())


def test_the_cap_is_exact() -> None:
    packed = Reply(gzip.compress(b"x" * 1000), headers={"Content-Encoding": "gzip"})
    with serving({"/packed": packed, "/plain": "x" * 1000}) as site:
        for path in ("/packed", "/plain"):
            assert len(fetch(site.url + path, site.settings(), max_bytes=1000).body) == 1000
            with pytest.raises(FetchTooLarge):
                fetch(site.url + path, site.settings(), max_bytes=999)
