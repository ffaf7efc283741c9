"""The deadline holds for the whole fetch, whatever drips."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

import pytest

from core.errors import FetchTimeout
from scraper.fetch import fetch
from tests.scraper.site import allowing, raw_server

pytestmark = pytest.mark.A13

SECONDS = 0.5


def dripping(start: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(start)
        while True:
            time.sleep(0.05)
            connection.sendall(drop)

    return talk


@pytest.mark.parametrize(
    ("scheme", "start", "drop"),
    [
        ("http", b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        ("http", b"HTTP/1.1 200 OK\r\nX-A: ", b"x"),
        ("http", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        ("https", b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc", b"\x00"),
    ],
    ids=["body", "headers", "chunks", "handshake"],
)
def test_dripping(scheme: str, start: bytes, drop: bytes) -> None:
    with raw_server(dripping(start, drop)) as port:
        began = time.monotonic()
        with pytest.raises(FetchTimeout):
            fetch(f"{scheme}://127.0.0.1:{port}/", allowing(port, fetch_seconds=SECONDS))
        assert time.monotonic() - began < 8


def test_silence_after_the_connection() -> None:
    with raw_server(lambda connection: time.sleep(8)) as port:
        began = time.monotonic()
        with pytest.raises(FetchTimeout):
            fetch(f"https://127.0.0.1:{port}/", allowing(port, fetch_seconds=SECONDS))
        assert time.monotonic() - began < 8


def test_a_resolver_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(8))
    began = time.monotonic()
    with pytest.raises(FetchTimeout):
        fetch("http://slow.example/", allowing(1, fetch_seconds=SECONDS))
    assert time.monotonic() - began < 8


def test_the_deadline_of_the_caller_wins() -> None:
    with raw_server(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x")) as port:
        began = time.monotonic()
        with pytest.raises(FetchTimeout):
            fetch(f"http://127.0.0.1:{port}/", allowing(port), deadline=began + SECONDS)
        assert time.monotonic() - began < 8
