"""Connections that are checked where they are made: one resolution, every answer judged.

`GuardedBackend` is the network of the HTTP client. It dials the IP address that it has checked,
while TLS still verifies the name, and it holds every step to one deadline: a timeout for each
read alone lets a server that sends a byte a second go on for ever.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import httpcore

from core.errors import FetchFailed, FetchTimeout
from core.urls import AllowedHosts, check_ip

_CONNECT_SECONDS = 10.0  # for one of several addresses, so that a dead one leaves time for others
_HEAD_BYTES = 262_144

T = TypeVar("T")


class Deadline:
    """The instant, on the monotonic clock, by which everything must be done."""

    def __init__(self, at: float, what: str) -> None:
        self._at = at
        self._what = what

    def left(self) -> float:
        """Seconds left, more than 0. Raises `FetchTimeout` when there are none."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def missed(self) -> FetchTimeout:
        return FetchTimeout(f"{self._what} did not send the whole page in time.")


class GuardedBackend(httpcore.NetworkBackend):
    """Opens connections to checked addresses alone, for one fetch."""

    def __init__(self, allowed: AllowedHosts, deadline: Deadline) -> None:
        self._allowed = allowed
        self._deadline = deadline
        self.streams: list[GuardedStream] = []

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        answers = resolve(host, port, self._deadline)
        for *_, sockaddr in answers:
            check_ip(str(sockaddr[0]), host, port, self._allowed)
        for place, (family, kind, protocol, _, sockaddr) in enumerate(answers, start=1):
            sock = socket.socket(family, kind, protocol)
            left = self._deadline.left()
            sock.settimeout(left if place == len(answers) else min(left, _CONNECT_SECONDS))
            try:
                sock.connect(sockaddr)
            except OSError:
                sock.close()
                continue
            self.streams.append(GuardedStream(sock, self._deadline))
            return self.streams[-1]
        self._deadline.left()
        raise FetchFailed(f"{host} cannot be reached: nothing answers on port {port}.")


class GuardedStream(httpcore.NetworkStream):
    """A socket that obeys the deadline and counts what comes in (`received`, in bytes)."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self.received = 0
        self._head = b""
        self._head_length: int | None = None

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._do(lambda: self._sock.recv(max_bytes))
        self.received += len(data)
        if self._head_length is None and len(self._head) < _HEAD_BYTES:
            self._head += data
            self._head_length = _length_of_heads(self._head)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._do(lambda: self._sock.sendall(buffer))

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        self._sock = self._do(
            lambda: ssl_context.wrap_socket(self._sock, server_hostname=server_hostname)
        )
        return self

    def get_extra_info(self, info: str) -> Any:
        return {"socket": self._sock, "is_readable": False}.get(info)

    @property
    def body_received(self) -> int | None:
        """Bytes that came after the head of the response, None while the head is not complete."""
        return None if self._head_length is None else self.received - self._head_length

    def _do(self, act: Callable[[], T]) -> T:
        """Do one step within the deadline; the system's errors become ours."""
        self._sock.settimeout(self._deadline.left())
        try:
            return act()
        except TimeoutError:
            raise self._deadline.missed() from None
        except ssl.SSLCertVerificationError:
            raise FetchFailed("The certificate of the server is not valid.") from None
        except OSError:
            raise FetchFailed("The server broke off the connection.") from None


def resolve(host: str, port: int, deadline: Deadline) -> list[Any]:
    """The system's answers for a name, as from `socket.getaddrinfo`, never empty.

    The resolver knows no timeout, so it works in a thread that is left alone when it takes too
    long. Raises `FetchFailed` and `FetchTimeout`.
    """
    answers: queue.Queue[list[Any] | OSError | UnicodeError] = queue.Queue()

    def ask() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, name="resolver", daemon=True).start()
    try:
        found = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise deadline.missed() from None
    if isinstance(found, Exception) or not found:
        raise FetchFailed(f"The name {host} is not known: it leads to no address.")
    return found


def _length_of_heads(data: bytes) -> int | None:
    """How long the head of a response is, with interim (1xx) ones before it; None if unfinished.

    >>> _length_of_heads(b"HTTP/1.1 200 OK\\r\\n\\r\\nbody")
    19
    """
    start = 0
    while True:
        end = data.find(b"\r\n\r\n", start)
        if end < 0:
            return None
        interim = data[start:].split(b" ", 2)[1:2]
        start = end + 4
        if not (interim and interim[0].startswith(b"1")):
            return start
