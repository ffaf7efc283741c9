"""A page counts only when it came as long as announced, and never beyond the cap."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from core.errors import FetchFailed, FetchTooLarge
from scraper.fetch import fetch
from tests.scraper.site import allowing, raw_server

pytestmark = pytest.mark.A12


def saying(*pieces: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(b"".join(pieces))

    return talk


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode()


def test_ten_gigabytes_announced_are_refused_at_the_header() -> None:
    with (
        raw_server(saying(head("Content-Length: 10737418240"), b"x" * 1024)) as port,
        pytest.raises(FetchTooLarge),
    ):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_less_than_announced_is_not_kept() -> None:
    with (
        raw_server(saying(head("Content-Length: 2000"), b"x" * 1000)) as port,
        pytest.raises(FetchFailed, match="before the page was complete"),
    ):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_more_than_announced_is_not_kept() -> None:
    with (
        raw_server(saying(head("Content-Length: 10"), b"x" * 1000)) as port,
        pytest.raises(FetchFailed, match="another length"),
    ):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_no_length_reads_to_the_end() -> None:
    with raw_server(saying(head("Content-Type: text/plain"), b"whole")) as port:
        assert fetch(f"http://127.0.0.1:{port}/", allowing(port)).body == b"whole"


def test_interim_answers_are_not_counted() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    with raw_server(saying(early, head("Content-Length: 5"), b"whole")) as port:
        assert fetch(f"http://127.0.0.1:{port}/", allowing(port)).body == b"whole"


def test_chunks_without_end_stop_at_the_cap() -> None:
    def endless(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(head("Transfer-Encoding: chunked"))
        while True:
            connection.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")

    with raw_server(endless) as port, pytest.raises(FetchTooLarge):
        fetch(f"http://127.0.0.1:{port}/", allowing(port, fetch_max_mb=1))


def test_chunks_cut_off_are_not_kept() -> None:
    with (
        raw_server(saying(head("Transfer-Encoding: chunked"), b"5\r\nwhole\r\n")) as port,
        pytest.raises(FetchFailed),
    ):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


@pytest.mark.parametrize(
    "answer", [b"", b"hello\r\n\r\n", head("Content-Length: -5"), b"\x00" * 99]
)
def test_what_is_no_http(answer: bytes) -> None:
    with raw_server(saying(answer)) as port, pytest.raises(FetchFailed):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))


def test_a_head_without_end_is_cut() -> None:
    def endless(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-A: " + b"a" * 1000 + b"\r\n")

    with raw_server(endless) as port, pytest.raises(FetchFailed):
        fetch(f"http://127.0.0.1:{port}/", allowing(port))
