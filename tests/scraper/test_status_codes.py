"""An error is shown with its code, and the text of an error page is never kept."""

from __future__ import annotations

import pytest

from core.errors import BadStatus
from scraper.fetch import fetch
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A15


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 504, 999])
def test_shown_with_its_code(status: int) -> None:
    with serving(rest=Reply("text of the error page", status=status)) as site:
        with pytest.raises(BadStatus, match=str(status)) as caught:
            fetch(f"{site.url}/gone", site.settings())
        assert caught.value.status == status
        assert "text of the error page" not in caught.value.message + caught.value.cure


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("-1", None),
        ("9" * 99, None),
        ("\xb2", None),
    ],
)
def test_when_to_come_back(header: str, seconds: int | None) -> None:
    reply = Reply(status=429, headers={"Retry-After": header})
    with serving(rest=reply) as site, pytest.raises(BadStatus) as caught:
        fetch(f"{site.url}/", site.settings())
    assert caught.value.retry_after == seconds
    assert ("again in 120 seconds" in caught.value.message) == (seconds == 120)
