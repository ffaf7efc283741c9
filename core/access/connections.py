"""Connections that say nothing, or half of something, are closed; no address takes them all.

uvicorn bounds the time between two requests and nothing else: a client that sends half a header, or
half a body, keeps its connection for as long as it likes.
"""

from __future__ import annotations

import logging
import resource
from asyncio import BaseTransport, TimerHandle, Transport
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

log = logging.getLogger(__name__)

HEADER_SECONDS = 20.0
"""For a whole header, from its first byte or from the connection on."""
IDLE_SECONDS = 30.0
"""Between two pieces of a body."""
_WANTED_FILES = 16_384
_OTHER_FILES = 256
"""What the process needs besides connections: databases, indexes, models, pipes to children."""


def raise_file_limit() -> int:
    """Raise the number of files that this process may open; returns how many it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _WANTED_FILES if hard == resource.RLIM_INFINITY else min(_WANTED_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def limited(
    per_address: int,
    files: int,
    *,
    header_seconds: float = HEADER_SECONDS,
    idle_seconds: float = IDLE_SECONDS,
) -> type[HttpToolsProtocol]:
    """Return the protocol for uvicorn (`http=`) with these limits.

    `files` is what the process may open, from `raise_file_limit`.
    """
    most = max(_OTHER_FILES, files - _OTHER_FILES)

    class Limited(HttpToolsProtocol):
        _waiting: TimerHandle | None = None
        _headers_due = False
        _body_due = False
        _heard = 0.0

        def connection_made(self, transport: BaseTransport) -> None:
            super().connection_made(cast(Transport, transport))
            if self._too_many():
                self.transport.abort()
                return
            self._headers_due = True
            self._heard = self.loop.time()
            self._wait(header_seconds)

        def _too_many(self) -> bool:
            if len(self.connections) > most:
                log.warning("More than %d connections are open: another one was refused.", most)
                return True
            if self.client is None:
                return False
            clients = [getattr(one, "client", None) for one in self.connections]
            same = sum(1 for client in clients if client and client[0] == self.client[0])
            if same > per_address:
                log.warning("More than %d connections of one address: refused.", per_address)
            return same > per_address

        def _wait(self, seconds: float) -> None:
            self._stop_waiting()
            self._waiting = self.loop.call_later(seconds, self._look)

        def _stop_waiting(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _look(self) -> None:
            """Close the connection if what is due has not come; look again otherwise."""
            self._waiting = None
            if self.transport.is_closing():
                return
            if self._headers_due:
                self.transport.abort()
            elif self._body_due:
                silent = self.loop.time() - self._heard
                if self.flow.read_paused:  # it is this side that does not read
                    self._wait(idle_seconds)
                elif silent < idle_seconds:
                    self._wait(idle_seconds - silent)
                else:
                    self.transport.abort()

        def data_received(self, data: bytes) -> None:
            self._heard = self.loop.time()
            if not self._headers_due and not self._body_due:  # another request begins
                self._headers_due = True
                self._wait(header_seconds)
            super().data_received(data)

        def on_headers_complete(self) -> None:
            self._headers_due = False
            self._body_due = True
            self._wait(idle_seconds)
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self._body_due = False
            self._stop_waiting()
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self._stop_waiting()
            super().handle_websocket_upgrade()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

    return Limited
