"""The HTTP under the stand-ins: replies in order, requests recorded, and who hung up when."""

from __future__ import annotations

import argparse
import json
import re
import select
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from tests.standins.loopback import Loopback
from tests.standins.scripts import Reply, Script, load_script

HANG_SECONDS = 60.0


@dataclass
class Recorded:
    """A request as it came. Times are of `time.monotonic()`: when it came (`at`), when the first
    piece of text went out, when all was sent, and when its client hung up (`gone`)."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    at: float
    first: float | None = None
    ended: float | None = None
    gone: float | None = None


@dataclass
class Frames:
    """A stream in the bytes of one service: `pieces` carry text, `end` is the proper end."""

    content_type: str
    pieces: list[bytes]
    end: list[bytes]
    error: list[bytes] = field(default_factory=list)
    repeated: bytes = b""


class Standin(Loopback):
    """A server on loopback that speaks as one service does. A context manager.

    >>> with OllamaStandin(replies=[Reply(text="Hello")]) as ollama:  # doctest: +SKIP
    ...     ask(ollama.url)
    """

    provider: ClassVar[str]
    usual_model: ClassVar[str] = "standin"

    def __init__(
        self, script: Script | None = None, *, replies: Sequence[Reply] = (), port: int = 0
    ) -> None:
        script = script or Script()
        self.models = list(script.models or (self.usual_model,))
        self.context_length = script.context_length
        self.pull_gap = script.pull_gap
        self._replies = list(replies or script.replies)
        self._lock = threading.Lock()
        self.requests: list[Recorded] = []
        self.embedding: list[str] = []
        """What goes wrong with the next requests for vectors, in turn; "" is nothing."""
        self.counts = True
        """Whether replies with vectors say how many tokens were read: a word is one."""
        super().__init__(_handler_for(self), port, _Server)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.port}"

    def queue(self, *replies: Reply) -> None:
        """Set what is answered from now on."""
        with self._lock:
            self._replies = list(replies)

    def chats(self) -> list[Recorded]:
        """The recorded requests that asked for an answer."""
        return [request for request in self.requests if self.is_chat(request.path)]

    def vectors(self, texts: Sequence[str]) -> list[Any]:
        """A vector of 24 numbers for each text, by its words; spoilt as `embedding` says."""
        wrong = self.embedding.pop(0) if self.embedding else ""
        made: list[Any] = [_vector(text, 23 if wrong == "dimension" else 24) for text in texts]
        match wrong:
            case "few":
                return made[:-1]
            case "zero":
                return [[0.0] * 24 for _ in made]
            case "words":
                return ["no vector"] * len(made)
        return made

    def counted(self, texts: Sequence[str], usage: Callable[[int], Any]) -> Any:
        """`usage` of the tokens of these texts, {} where this server does not count."""
        return usage(sum(len(text.split()) for text in texts)) if self.counts else {}

    def wait_gone(self, seconds: float = 10.0) -> float | None:
        """When the client of the last chat hung up, waiting at most so long for it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if (chats := self.chats()) and chats[-1].gone is not None:
                return chats[-1].gone
            time.sleep(0.01)
        return None

    def take(self) -> Reply:
        """The reply for the next chat; the last one of the queue stays."""
        with self._lock:
            reply = self._replies[0]
            if reply.times is not None and len(self._replies) > 1:
                left = reply.times - 1
                rest = [Reply(**{**reply.__dict__, "times": left})] if left else []
                self._replies[:1] = rest
            return reply

    def serve(self) -> None:
        """Serve here until Ctrl-C."""
        self._server.serve_forever()

    # ------------------------------------------------------------------- what a service adds

    def is_chat(self, path: str) -> bool:
        """Whether a request to this path asks for an answer."""
        raise NotImplementedError

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, Any]:
        """Status and JSON for a GET."""
        raise NotImplementedError

    def post(self, talk: Talk, path: str, body: Any) -> None:
        """Answer a POST that is no chat."""
        talk.json(404, {"error": "not found"})

    def chat(self, talk: Talk, request: Recorded, reply: Reply) -> None:
        """Answer a chat."""
        raise NotImplementedError


def _vector(text: str, dimension: int) -> list[float]:
    numbers = [0.0] * dimension
    for word in re.findall(r"\w+", text.lower()):
        numbers[zlib.crc32(word.encode()) % dimension] += 3.0
    return numbers


class Talk:
    """The connection of one request, with the ways in which it can go wrong."""

    def __init__(self, handler: BaseHTTPRequestHandler, standin: Standin, request: Recorded):
        self._handler = handler
        self._standin = standin
        self._request = request
        self._chunked = False

    def header(self, name: str) -> str:
        """A header of the request, "" where it is missing."""
        return self._request.headers.get(name, "")

    def json(self, status: int, data: Any, retry_after: str = "") -> None:
        """A whole answer in JSON."""
        self.whole(status, "application/json", json.dumps(data).encode(), retry_after)

    def whole(self, status: int, content_type: str, body: bytes, retry_after: str = "") -> None:
        """A whole answer."""
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        self._handler.send_header("Content-Length", str(len(body)))
        if retry_after:
            self._handler.send_header("Retry-After", retry_after)
        self._handler.end_headers()
        self._handler.wfile.write(body)
        self._request.ended = time.monotonic()

    def stream(self, frames: Frames, reply: Reply) -> None:
        """Send frames as the reply's mode says."""
        if reply.mode == "hang-first":
            self.hang()
            return
        self.wait(reply.delay)
        self._begin(frames.content_type)
        for frame in self._frames(frames, reply):
            self._request.first = self._request.first or time.monotonic()
            if not self._send(frame, split=reply.mode == "split"):
                return
            self.wait(reply.gap)
            if self._request.gone is not None:
                return
        self._finish(reply, frames)

    def hang(self) -> None:
        """Say nothing until the client goes, at most `HANG_SECONDS`."""
        self.wait(HANG_SECONDS)
        self._handler.close_connection = True

    def wait(self, seconds: float) -> None:
        """Wait, noting when the client hangs up."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._standin._stop.is_set():
            readable, _, _ = select.select([self._handler.connection], [], [], min(left, 0.02))
            if readable and self._hung_up():
                self._gone()
                return

    def _hung_up(self) -> bool:
        try:
            return self._handler.connection.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    def _gone(self) -> None:
        if self._request.gone is None:
            self._request.gone = time.monotonic()
        self._handler.close_connection = True

    def _begin(self, content_type: str) -> None:
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", content_type)
        self._handler.send_header("Transfer-Encoding", "chunked")
        self._handler.end_headers()
        self._chunked = True

    def _frames(self, frames: Frames, reply: Reply) -> Iterator[bytes]:
        if reply.mode == "repeat":
            while not self._standin._stop.is_set():
                yield frames.repeated
        if reply.mode == "two-objects":
            yield b"".join(piece.rstrip(b"\n") for piece in frames.pieces) + b"\n"
        else:
            yield from frames.pieces
        if reply.mode == "invalid-json":
            yield frames.pieces[-1][: len(frames.pieces[-1]) // 2] + b"\n\n"
        elif reply.mode == "error-in-stream":
            yield from frames.error
        elif reply.mode not in ("hang-middle", "eof", "rst", "cut-chunk"):
            yield from frames.end

    def _send(self, data: bytes, *, split: bool) -> bool:
        """Send one HTTP chunk, or many of three bytes; False once the client is gone."""
        step = 3 if split else max(len(data), 1)
        try:
            for at in range(0, len(data), step):
                part = data[at : at + step]
                self._handler.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
                self._handler.wfile.flush()
                if split:
                    time.sleep(0.0005)
        except OSError:
            self._gone()
            return False
        return True

    def _finish(self, reply: Reply, frames: Frames) -> None:
        if reply.mode == "hang-middle":
            self.hang()
            return
        try:
            if reply.mode == "rst":
                linger = struct.pack("ii", 1, 0)
                self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self._handler.close_connection = True
                self._handler.connection.close()
            elif reply.mode == "cut-chunk":
                self._handler.wfile.write(b"ff\r\n{")
                self._handler.close_connection = True
            else:
                self._handler.wfile.write(b"0\r\n\r\n")
                self._request.ended = time.monotonic()
        except OSError:
            self._gone()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what many tests want: say nothing."""


def _handler_for(standin: Standin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:
            """Silence: the requests are recorded."""

        def do_GET(self) -> None:
            request = self._record(None)
            status, data = standin.get(request.path.partition("?")[0], request.headers)
            Talk(self, standin, request).json(status, data)

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = self._record(json.loads(raw or b"null"))
            talk = Talk(self, standin, request)
            path = request.path.partition("?")[0]
            if not standin.is_chat(request.path):
                standin.post(talk, path, request.body)
                return
            reply = standin.take()
            if reply.mode == "html":
                page = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
                talk.whole(reply.status, "text/html", page, reply.retry_after)
            else:
                standin.chat(talk, request, reply)

        def _record(self, body: Any) -> Recorded:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Recorded(self.command, self.path, headers, body, time.monotonic())
            standin.requests.append(request)
            return request

    return Handler


def main(kind: type[Standin], default_port: int) -> None:
    """Run one stand-in from the shell until Ctrl-C."""
    parser = argparse.ArgumentParser(description=f"A stand-in for {kind.provider} on loopback.")
    parser.add_argument("--port", type=int, default=default_port)
    parser.add_argument("--script", type=Path, help="JSON: models, context_length, replies")
    arguments = parser.parse_args()
    script = load_script(arguments.script) if arguments.script else Script()
    standin = kind(script, port=arguments.port)
    print(f"{kind.provider} stand-in at {standin.url}", flush=True)
    try:
        standin.serve()
    except KeyboardInterrupt:
        standin.close()
