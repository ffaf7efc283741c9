"""The body of a redirect is not read, let alone unpacked."""

from __future__ import annotations

import pytest

from scraper.fetch import fetch
from tests.scraper.memory import gzip_bomb, peak_growth_mb
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A10


def test_memory_stays_flat() -> None:
    bomb = gzip_bomb(1024)
    away = Reply(bomb, status=302, headers={"Location": "/end", "Content-Encoding": "gzip"})
    with serving({"/": away, "/end": "arrived"}) as site:
        growth = peak_growth_mb(
            "from core.config import Settings; from scraper.fetch import fetch;"
            f"assert fetch({site.url + '/'!r},"
            f" Settings(allowed_private_hosts={site.host!r})).body == b'arrived'"
        )
        assert fetch(f"{site.url}/", site.settings()).body == b"arrived"
    assert growth < 60
