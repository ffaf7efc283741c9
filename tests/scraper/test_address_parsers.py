"""What two parsers read in two ways is refused, or checked and dialled as one host."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed, InvalidUrl
from core.urls import parse_url
from scraper.fetch import fetch
from tests.scraper.fetching import Dialled, answers

pytestmark = pytest.mark.A04


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1\\@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://exam\tple.com/",
        "http://exam\nple.com/",
        "http://exam ple.com/",
        "http://example.com%00.evil.org/",
        "http://127.0.0.1%2f@example.com%2f/",
        "http://[::1/",
        "http://[::1%25eth0]/",
        "http://[v1.x]/",
        "http:///example.com/",
        "http://1.2.3.4.5/",
        "http://256.0.0.1/",
        "http://example.com:99999/",
        "http://example.com:0/",
        "http://example.com:8a/",
        "http://-example.com/",
        "http://" + "a" * 64 + ".com/",
        "http://example.com/" + "a" * 9000,
        "http://\ud800.com/",
    ],
)
def test_refused(url: str) -> None:
    with pytest.raises(InvalidUrl):
        fetch(url, Settings())


@pytest.mark.parametrize(
    "url", ["http://127。0。0。1/", "http://①②⑦.0.0.1/", "http://１２７.0.0.1/"]
)
def test_other_digits_and_dots_are_read_before_the_check(url: str) -> None:
    with pytest.raises(AddressNotAllowed):
        fetch(url, Settings())


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.com#@127.0.0.1/", "example.com"),
        ("http://example.com?@127.0.0.1/", "example.com"),
        ("http://127.0.0.1@example.com/", "example.com"),
        ("http://a@127.0.0.1@example.com/", "example.com"),
        ("http://EXAMPLE.com./", "example.com"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
    ],
)
def test_the_host_that_is_checked_is_the_host_that_is_dialled(
    url: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Dialled(monkeypatch, [answers("127.0.0.1")])
    with pytest.raises(AddressNotAllowed):
        fetch(url, Settings())
    assert network.resolved == [host] == [parse_url(url).host]
    assert network.dialled == []
