"""Fetching: conditions, what is told of the answer, and that no foreign exception leaves."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import httpcore
import pytest

from core.config import Settings
from core.errors import FetchFailed, SettingsError
from core.urls import parse_allowed
from scraper import fetch as module
from scraper.fetch import fetch
from tests.scraper.site import Reply, allowing, raw_server, serving


def versioned(_: str, headers: Mapping[str, str]) -> Reply:
    marks = {"ETag": '"v1"', "Last-Modified": "Wed, 21 Oct 2026 07:28:00 GMT"}
    if headers.get("If-None-Match") == '"v1"':
        return Reply(status=304, headers=marks)
    return Reply("page", content_type="Text/HTML; Charset='Latin-1'", headers=marks)


def test_what_came() -> None:
    with serving({"/": versioned}) as site:
        fetched = fetch(f"{site.url}/", site.settings())
    assert (fetched.status, fetched.body) == (200, b"page")
    assert (fetched.content_type, fetched.charset) == ("text/html", "latin-1")
    assert fetched.etag == '"v1"'
    assert fetched.last_modified.startswith("Wed")
    assert fetched.received > len(fetched.body)


def test_not_modified() -> None:
    with serving({"/": versioned}) as site:
        fetched = fetch(f"{site.url}/", site.settings(), headers={"If-None-Match": '"v1"'})
    assert fetched.not_modified
    assert (fetched.status, fetched.body) == (304, b"")


def test_no_cookie_is_kept_and_no_referrer_sent() -> None:
    reply = Reply("page", headers={"Set-Cookie": "id=1"})
    with serving(rest=reply) as site:
        for _ in range(2):
            fetch(f"{site.url}/", site.settings())
        for _, headers in site.requests:
            assert not {"Cookie", "Referer"} & headers.keys()
            assert headers["User-Agent"].startswith("Footnote/")


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(FetchFailed, match="nothing answers"):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_a_server_that_hangs_up() -> None:
    with raw_server(lambda connection: None) as port, pytest.raises(FetchFailed):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_a_header_that_cannot_be_sent() -> None:
    with serving(rest="page") as site, pytest.raises(FetchFailed):
        fetch(f"{site.url}/", site.settings(), headers={"X-A": "a\r\nX-B: b"})


def test_a_certificate_that_nobody_vouches_for() -> None:
    with serving(rest="page") as site, pytest.raises(FetchFailed):
        fetch(f"https://{site.host}/", site.settings())


def test_every_exception_of_httpcore_is_mapped() -> None:
    caught = (*module._FAILURES, httpcore.TimeoutException)
    exceptions = [
        thing
        for thing in vars(httpcore).values()
        if isinstance(thing, type) and issubclass(thing, Exception)
    ]
    assert len(exceptions) >= 12
    assert [one for one in exceptions if not issubclass(one, caught)] == []


def test_a_bad_list_of_hosts_is_said() -> None:
    for listed in ("http://a/", "a:b", "a b", "[::1"):
        with pytest.raises(SettingsError, match="ALLOWED_PRIVATE_HOSTS"):
            parse_allowed(listed)
    settings = Settings(allowed_private_hosts=" Wiki.Local , [::1]:80,")
    assert parse_allowed(settings.allowed_private_hosts) == {("wiki.local", None), ("::1", 80)}
