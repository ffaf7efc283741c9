"""Connections that say nothing, half a header or half a body are closed, and one address cannot
take them all; who waits for an answer or holds a WebSocket is left alone."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.sync.client import connect

from core.access.connections import limited
from core.config import Settings
from serve import build, server_config

pytestmark = pytest.mark.K07

SECONDS = 0.5
PER_ADDRESS = 6


async def _slow(request: Request) -> PlainTextResponse:
    await request.body()
    await asyncio.sleep(4 * SECONDS)
    return PlainTextResponse("late")


async def _stream(ws: WebSocket) -> None:
    await ws.accept()
    await asyncio.sleep(4 * SECONDS)
    await ws.send_text("still here")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = Starlette(routes=[Route("/", _slow, methods=["GET", "POST"]),
                            WebSocketRoute("/ws", _stream)])  # fmt: skip
    limits = limited(PER_ADDRESS, 1024, header_seconds=SECONDS, idle_seconds=SECONDS)
    config = uvicorn.Config(app, port=0, http=limits, ws="websockets-sansio", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield int(server.servers[0].sockets[0].getsockname()[1])
    server.should_exit = True
    thread.join(30)


def opened(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 30, (source, 0))


def rest(connection: socket.socket) -> bytes:
    """What comes until the server closes; raises `TimeoutError` where it does not."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            found += piece
    return found


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHos",
    ],
)
def test_what_is_half_sent_is_closed(port: int, sent: bytes) -> None:
    with opened(port) as connection:
        connection.sendall(sent)
        assert b"late" not in rest(connection) or sent.startswith(
            b"GET / HTTP/1.1\r\nHost: a\r\n\r"
        )


def test_who_waits_for_an_answer_gets_it(port: int) -> None:
    with opened(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert rest(connection).endswith(b"late")


def test_an_open_websocket_may_be_silent(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/ws", proxy=None) as quiet:
        assert quiet.recv(30) == "still here"


def test_one_address_does_not_take_them_all(port: int) -> None:
    whole = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with contextlib.ExitStack() as stack:
        first = [stack.enter_context(opened(port)) for _ in range(PER_ADDRESS)]
        for connection in first:
            connection.sendall(whole)
        more = stack.enter_context(opened(port))
        with contextlib.suppress(ConnectionError):
            more.sendall(whole)
        assert rest(more) == b""
        other = stack.enter_context(opened(port, "127.0.0.2"))
        other.sendall(whole)
        assert rest(other).endswith(b"late")
        assert all(rest(connection).endswith(b"late") for connection in first)


def test_the_number_of_files_is_raised_where_it_may_be() -> None:
    code = (
        "import resource as r; _, hard = r.getrlimit(r.RLIMIT_NOFILE);"
        "r.setrlimit(r.RLIMIT_NOFILE, (256, hard));"
        "from core.access.connections import raise_file_limit as up;"
        "print(up(), r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told, soft = map(int, done.stdout.split())
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert told == soft
    assert soft == (16_384 if hard == resource.RLIM_INFINITY else min(16_384, hard))


def test_the_program_is_served_with_these_limits() -> None:
    protocol = server_config(build(), Settings()).http
    assert isinstance(protocol, type)
    assert issubclass(protocol, HttpToolsProtocol)
    assert protocol is not HttpToolsProtocol
