"""User names, passwords and tokens of an address stay out of everything that is kept."""

from __future__ import annotations

import logging

import pytest

from core.errors import FetchError
from core.urls import canonical_url, shown_url
from scraper.fetch import fetch
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A17


def test_neither_sent_nor_kept(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(rest="page") as site:
        url = f"http://user:pw123@{site.host}/a?token=abc123&page=2"
        fetched = fetch(url, site.settings())
        assert "Authorization" not in site.requests[0][1]
        assert fetched.url == fetched.final_url == f"{site.url}/a?page=2"
    assert "pw123" not in repr(fetched) + caplog.text
    assert "abc123" not in repr(fetched)


def test_not_in_errors_either() -> None:
    with serving(rest=Reply(status=404)) as site, pytest.raises(FetchError) as caught:
        fetch(f"http://user:pw123@{site.host}/a?token=abc123", site.settings())
    assert "pw123" not in str(caught.value)
    assert "abc123" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@e.org/", "https://e.org/"),
        ("https://e.org/?access_token=x&q=1", "https://e.org/?q=1"),
        ("https://e.org/?api_key=x", "https://e.org/"),
        ("https://e.org/?X-Amz-Signature=x&b=%20c", "https://e.org/?b=+c"),
        ("https://e.org/?token_kind=x", "https://e.org/?token_kind=x"),
        ("https://e.org/?q=a+b%2Bc", "https://e.org/?q=a+b%2Bc"),
    ],
)
def test_as_shown_and_cited(url: str, shown: str) -> None:
    assert shown_url(url) == canonical_url(url) == shown
