"""Web servers on loopback for tests: one that speaks HTTP, one that speaks whatever it is told."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from core.config import Settings


@dataclass
class Reply:
    """What the site answers; a body of a callable gets the path with its query."""

    body: bytes | str = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Reply | str | bytes | Callable[[str, Mapping[str, str]], Reply]


class Site:
    """Answers from `pages` (path to answer, or a function for the rest), noting each request."""

    def __init__(self, pages: dict[str, Answer], rest: Answer | None = None) -> None:
        self.pages = pages
        self.rest = rest
        self.hits: list[str] = []
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port: int = self._server.server_port
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def settings(self, **values: object) -> Settings:
        """Settings that let the program fetch from this site."""
        return Settings(allowed_private_hosts=self.host, **values)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, path: str, headers: Mapping[str, str]) -> Reply:
        found = self.pages.get(path, self.pages.get(path.partition("?")[0], self.rest))
        if found is None:
            return Reply("nothing here", status=404)
        if isinstance(found, Reply):
            return found
        return found(path, headers) if callable(found) else Reply(found)


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.hits.append(self.path)
            site.requests.append((self.path, dict(self.headers)))
            reply = site.answer(self.path, self.headers)
            body = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            headers = {"Content-Type": reply.content_type, "Content-Length": str(len(body))}
            for name, value in (headers | dict(reply.headers)).items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(ConnectionError):  # the client may have had enough
                self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    return Handler


@contextmanager
def serving(pages: dict[str, Answer] | None = None, rest: Answer | None = None) -> Iterator[Site]:
    """A site for the length of a block."""
    site = Site(pages or {}, rest)
    try:
        yield site
    finally:
        site.close()


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port on loopback where `talk` is called with each connection, after its request."""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def accept() -> None:
        while not ended.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            talk(connection)

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        ended.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(2)


def allowing(port: int, **values: object) -> Settings:
    """Settings that let the program fetch from a port on loopback."""
    return Settings(allowed_private_hosts=f"127.0.0.1:{port}", **values)
