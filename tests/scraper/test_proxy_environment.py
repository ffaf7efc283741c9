"""Proxies of the environment are not used."""

from __future__ import annotations

import pytest

from scraper.fetch import fetch
from tests.scraper.site import serving

pytestmark = pytest.mark.A18


def test_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving(rest="page") as site:
        assert fetch(f"{site.url}/", site.settings()).body == b"page"
        assert site.requests[0][0] == "/"
