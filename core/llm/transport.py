"""The connection under one request of a client library: watched, bounded, and cut from outside.

LangChain's clients have no way to end a request that another thread is waiting on, hide the
status and `Retry-After` of an error behind exceptions of their own, and read a line of any
length. All three take a transport of httpx (`client_kwargs`, `client_args`, `http_client`), which
is where this one stands. It uses the documented extensions of httpx alone ("trace" for the
sockets, https://www.python-httpx.org/advanced/extensions/).
"""

from __future__ import annotations

import contextlib
import functools
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

CONNECT_SECONDS = 2.5
_ERROR_BYTES = 65_536
_LINE_BYTES = 16_000_000
_CONNECTED = (
    "connection.connect_tcp.complete",
    "connection.start_tls.complete",
    "proxy.start_tls.complete",
)


class Wire(httpx.BaseTransport):
    """A transport for one request. `status`, `headers` and `error_body` are those of its
    answer, `failure` is how the connection broke; `proxy` is the address of one to go through.

    >>> httpx.Client(transport=Wire(30.0))  # doctest: +SKIP
    """

    def __init__(self, read_seconds: float, proxy: str | None = None) -> None:
        self.proxied = proxy is not None
        self.status: int | None = None
        self.headers: Mapping[str, str] = {}
        self.error_body = b""
        self.failure: httpx.TransportError | None = None
        self._inner = httpx.HTTPTransport(
            verify=certificates(), limits=httpx.Limits(max_keepalive_connections=0), proxy=proxy
        )
        self._timeout = httpx.Timeout(read_seconds, connect=CONNECT_SECONDS).as_dict()
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._cut = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request; an error's body is read here, at most 64 KB of it."""
        request.extensions = {
            **request.extensions,
            "trace": self._trace,
            "timeout": self._timeout,
        }
        try:
            response = self._inner.handle_request(request)
        except httpx.TransportError as error:
            self.failure = error
            raise
        self.status, self.headers = response.status_code, response.headers
        if response.status_code >= 300:
            self.error_body = _first_bytes(response)
            response.close()
            headers = {"content-type": response.headers.get("content-type", "")}
            return httpx.Response(response.status_code, headers=headers, content=self.error_body)
        stream = response.stream
        assert isinstance(stream, httpx.SyncByteStream)
        return httpx.Response(
            response.status_code, headers=response.headers, stream=_Watched(stream, self)
        )

    def cut(self) -> None:
        """End the request now, from whichever thread: a read that waits on it fails."""
        with self._lock:
            self._cut = True
            for connected in self._sockets:
                _shut(connected)

    def close(self) -> None:
        """Give the connection back to the system."""
        self._inner.close()

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event not in _CONNECTED:
            return
        connected = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._sockets.append(connected)
            if self._cut:
                _shut(connected)


class _Watched(httpx.SyncByteStream):
    """A body that notes how it failed; a line without an end is an error, not a full memory."""

    def __init__(self, stream: httpx.SyncByteStream, wire: Wire) -> None:
        self._stream = stream
        self._wire = wire

    def __iter__(self) -> Iterator[bytes]:
        since_line = 0
        try:
            for part in self._stream:
                at = part.rfind(b"\n")
                since_line = since_line + len(part) if at < 0 else len(part) - at - 1
                if since_line > _LINE_BYTES:
                    raise httpx.ReadError("a line without an end")
                yield part
        except httpx.TransportError as error:
            self._wire.failure = error
            raise

    def close(self) -> None:
        self._stream.close()


@functools.cache
def certificates() -> ssl.SSLContext:
    """The authorities to trust: 20 ms and more to read, so once a process."""
    return httpx.create_ssl_context()


def _first_bytes(response: httpx.Response) -> bytes:
    body = b""
    with contextlib.suppress(httpx.HTTPError, httpx.StreamError):
        for part in response.iter_bytes():
            body += part
            if len(body) >= _ERROR_BYTES:
                break
    return body[:_ERROR_BYTES]


def _shut(connected: socket.socket) -> None:
    # The method of the plain socket: an SSLSocket's own would pull its state away from the
    # thread that reads it.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def shown_address(url: str) -> str:
    """An address for people: without user, password and query.

    >>> shown_address("http://me:secret@host:11434/?key=x")
    'http://host:11434'
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"
