"""Nothing but http and https."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import InvalidUrl
from scraper.fetch import fetch

pytestmark = pytest.mark.A05


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://127.0.0.1:6379/_INFO",
        "data:text/html,hello",
        "javascript:alert(1)",
        "jar:http://example.com/a.jar!/",
        "//example.com/",
        "example.com",
        "",
    ],
)
def test_refused(url: str) -> None:
    with pytest.raises(InvalidUrl, match="Only http and https links can be added") as caught:
        fetch(url, Settings())
    assert "http://" in caught.value.cure
