"""Who takes part: ordinary people, and those who attack. Each does one act after another."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import random
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any

import httpx
from reportlab.pdfgen.canvas import Canvas

from benchmarks.attack.files import HOSTILE, nonce
from benchmarks.attack.seen import Seen, planted
from benchmarks.attack.server import Server
from benchmarks.fuzz import TOKENS, mutated

_ENDED = {"ready", "failed", "stopped"}
_ENDED_TWICE = "The program ended twice while it was working on this document."
_MOST_WAITING = 12  # documents of an ordinary person that are not read yet
_MOST_KEPT = 120  # documents that an ordinary person keeps
_WAITS_FOR_OTHERS = ("/query", "/search", "/chat/completions", "/status", "/ingest-urls")
_FILLER = "This line of {name} says little that matters to anybody, and is number {line}.\n\n"


@dataclass
class Person:
    """Somebody with a key, and what they were told; everything that comes back is looked through.

    A request that fails while the server is being killed is nobody's fault and is not counted.
    """

    who: str
    key: str
    server: Server
    seen: Seen
    chance: random.Random
    session: str = ""

    @cached_property
    def client(self) -> httpx.Client:
        """Speaks to `/api`."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.Client(
            base_url=f"{self.server.url}/api", headers=headers, trust_env=False, timeout=120
        )

    def send(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Send a request; None where no answer came."""
        if not self.server.wait():
            return None
        life, began = self.server.life, time.monotonic()
        try:
            response = self.client.request(method, path, **more)
        except httpx.TimeoutException:
            self._undisturbed(life, "no answer in time", f"{self.who}: {method} {path[:200]}", path)
            return None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, UnicodeError) as error:
            self._undisturbed(life, "no answer", f"{self.who}: {method} {path[:200]} {error!r}")
            return None
        self.seen.time(f"{self.who.rstrip('0123456789')}'s requests", time.monotonic() - began)
        self.seen.count(f"status {response.status_code}")
        where = f"{method} {path[:200]}"
        self.seen.check_leak(self.who, where, response.text)
        if response.status_code >= 500 and not _says_when(response):
            self.seen.finding("neither 2xx nor 4xx", f"{where}: {response.status_code} "
                              f"{response.text[:300]}")  # fmt: skip
        return response

    def _undisturbed(self, life: int, kind: str, detail: str, path: str = "") -> None:
        """Something that counts only where the server was up all the time."""
        if path and any(part in path for part in _WAITS_FOR_OTHERS):
            self.seen.count("gave up waiting for a model")
        elif self.server.up and self.server.life == life:
            self.seen.finding(kind, detail)
        else:
            self.seen.count("cut by a kill")

    def begin(self) -> None:
        """Make a session."""
        while not self.session:
            made = self.send("POST", "/sessions", json={"name": f"Of {self.who}"})
            if made is not None and made.status_code == 201:
                self.session = made.json()["id"]

    def documents(self) -> list[dict[str, Any]] | None:
        """All documents of the session; None where no answer came."""
        params = {"limit": 5000}
        found = self.send("GET", f"/sessions/{self.session}/documents", params=params)
        return found.json()["documents"] if found is not None and found.is_success else None

    def add(self, name: str, data: bytes) -> dict[str, Any] | None:
        """Add a file; what became of it, or None where it was not acknowledged."""
        came = self.send(
            "POST", "/ingest-files/", files={"files": (name, data)},
            data={"session_id": self.session},
        )  # fmt: skip
        if came is None or came.status_code != 202:
            return None
        return came.json()["results"][0]


def _says_when(response: httpx.Response) -> bool:
    """Whether it is a refusal that says when to come back, or one of a full disk."""
    return response.status_code == 503 and "retry-after" in response.headers


def text_with(word: str, name: str, lines: int) -> str:
    """A text that tells its own word."""
    head = f"The code of {name} is {word}.\n\n"
    return head + "".join(_FILLER.format(name=name, line=line) for line in range(lines))


def pdf_of(text: str) -> bytes:
    """A PDF of such a text."""
    stream = BytesIO()
    canvas = Canvas(stream)
    lines = [line for line in text.splitlines() if line]
    for at in range(0, len(lines), 45):
        for number, line in enumerate(lines[at : at + 45]):
            canvas.drawString(60, 790 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


@dataclass
class Asker(Person):
    """Adds documents, asks about them, removes some, and looks whether all are there."""

    kept: dict[str, str] = field(default_factory=dict)
    """The word of each document that was acknowledged and not removed, by its name."""
    removed: set[str] = field(default_factory=set)
    made: int = 0

    def act(self) -> None:
        """One ordinary thing."""
        acts: list[Callable[[], None]] = [self._add, self._ask, self._look, self._remove]
        self.chance.choices(acts, (3, 5, 2, 1 if len(self.kept) < _MOST_KEPT else 4))[0]()
        time.sleep(self.chance.uniform(0.2, 1.5))

    def _add(self) -> None:
        there = self.documents()
        if there is None or sum(d["state"] not in _ENDED for d in there) > _MOST_WAITING:
            return
        self.made += 1
        word, name = planted(self.who, self.made), f"{self.who}-{self.made}"
        text = text_with(word, name, self.chance.choice((3, 40, 40, 400)))
        data, ending = (pdf_of(text), "pdf") if self.chance.random() < 0.2 else (text, "txt")
        name = f"{name}.{ending}"
        result = self.add(name, data if isinstance(data, bytes) else data.encode())
        if result is not None and result["outcome"] == "accepted":
            self.kept[name] = word
            self.seen.count("documents acknowledged")

    def _ask(self) -> None:
        if not self.kept:
            return
        name = self.chance.choice(list(self.kept))
        stem = name.partition(".")[0]
        body = {"session_id": self.session, "question": f"What is the code of {stem}?",
                "provider": ""}  # fmt: skip
        began = time.monotonic()
        answer = self.send("POST", "/query", json=body)
        if answer is not None and answer.is_success:
            self.seen.time("answers", time.monotonic() - began)

    def _look(self) -> None:
        if (there := self.documents()) is not None:
            self.compare(there)

    def _remove(self) -> None:
        there = self.documents()
        known = [d for d in there or () if d["name"] in self.kept and d["state"] in _ENDED]
        if not known:
            return
        document = self.chance.choice(known)
        word = self.kept.pop(document["name"])  # until it is acknowledged, nobody knows
        path = f"/sessions/{self.session}/documents/{document['id']}"
        gone = self.send("DELETE", path)
        if gone is not None and gone.status_code == 204:
            self.removed.add(document["name"])
            self.seen.count("documents removed")
        elif gone is not None:
            self.kept[document["name"]] = word

    def compare(self, there: list[dict[str, Any]]) -> None:
        """What was acknowledged is listed, what was removed is not."""
        names = {document["name"] for document in there}
        for name in [name for name in self.kept if name not in names]:
            self.seen.finding("lost", f"{name} of {self.who} is not listed")
            del self.kept[name]
        for name in self.removed & names:
            self.seen.finding("came back", f"{name} of {self.who}")
        self.removed -= names

    def settle(self, seconds: float) -> None:
        """At the end: everything is read, its text is whole, and a search finds it."""
        for document in self._settled(seconds):
            if document["reason"].startswith(_ENDED_TWICE):  # said, with Retry as its cure
                self.seen.count("documents retried by hand")
                path = f"/sessions/{self.session}/documents/{document['id']}/retry"
                self.send("POST", path)
        there = {document["name"]: document for document in self._settled(seconds)}
        self.compare(list(there.values()))
        for name, word in self.kept.items():
            document = there[name]
            if document["state"] != "ready":
                self.seen.finding("lost", f"{name}: {document['state']} {document['reason']}")
                continue
            path = f"/sessions/{self.session}/documents/{document['id']}/text"
            whole = self.send("GET", path)
            if whole is None or word not in whole.text:
                self.seen.finding("lost", f"{name} has not its text any more")
            self.seen.count("documents proved")
        for name in self.chance.sample(sorted(self.kept), min(20, len(self.kept))):
            body = {"session_id": self.session, "question": self.kept[name], "level": "as typed"}
            found = self.send("POST", "/search", json=body)
            if found is None or self.kept[name] not in found.text:
                self.seen.finding("lost", f"{name} is not found by its word")
            self.seen.count("documents searched for")

    def _settled(self, seconds: float) -> list[dict[str, Any]]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            there = self.documents()
            if there is not None and all(d["state"] in _ENDED for d in there):
                return there
            time.sleep(1)
        self.seen.finding("not read in the end", self.who)
        return self.documents() or []


@dataclass
class Uploader(Person):
    """Adds hostile files, has their pages drawn, and makes room for more."""

    _files: dict[str, bytes] = field(default_factory=dict)  # some take seconds to make

    def act(self) -> None:
        """One file."""
        name = self.chance.choice(list(HOSTILE))
        if name not in self._files:
            self._files[name] = HOSTILE[name](self.chance)
        result = self.add(name, nonce(self._files[name], self.chance))
        if result is not None:
            self.seen.count(f"hostile files {result['outcome']}")
        there = self.documents() or []
        pdfs = [d for d in there if d["name"].endswith(".pdf")]
        for document in self.chance.sample(pdfs, min(3, len(pdfs))):
            path = f"/sessions/{self.session}/documents/{document['id']}/pages"
            image = self.send("GET", f"{path}/{self.chance.randrange(3)}/image")
            if image is not None:
                self.seen.count(f"pages drawn: {image.status_code}")
        for document in there[:-15]:
            self.seen.count(f"hostile documents {document['state']}")
            self.send("DELETE", f"/sessions/{self.session}/documents/{document['id']}")
        time.sleep(self.chance.uniform(0.5, 3.0))

    def leave(self) -> None:
        """Delete the session, whatever is in work in it."""
        self.send("DELETE", f"/sessions/{self.session}")


@dataclass
class Fuzzer(Person):
    """Sends anything to any route, with ids of its own, of others and of nobody."""

    sessions_of_others: Callable[[], list[str]] = list
    routes: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    def learn(self, described: dict[str, Any]) -> None:
        """The routes of the OpenAPI document, with the properties of their bodies."""
        schemas = described["components"]["schemas"]
        for path, methods in described["paths"].items():
            for method, route in methods.items():
                body = route.get("requestBody", {}).get("content", {}).get("application/json", {})
                name = str(body.get("schema", {}).get("$ref", "")).rpartition("/")[2]
                properties = schemas.get(name, {}).get("properties", {})
                self.routes.append((method.upper(), path.removeprefix("/api"), properties))

    def act(self) -> None:
        """One request."""
        method, path, properties = self.chance.choice(self.routes)
        if self.chance.random() < 0.1:
            method = self.chance.choice(("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "TRACE"))
        while "{" in path:
            before, _, rest = path.partition("{")
            path = before + self._value(in_path=True) + rest.partition("}")[2]
        more: dict[str, Any] = {"timeout": 20.0, "headers": self._headers()}
        if self.chance.random() < 0.4:
            more["params"] = {self._name(properties): self._value() for _ in range(2)}
        if method in ("POST", "PUT", "PATCH"):
            more["content"] = self._body(properties)
        if self.chance.random() < 0.05:
            path = f"/{self._value(in_path=True)}"
        self.send(method, path, **more)
        if self.chance.random() < 0.02:  # it may have deleted its own
            self.session = ""
            self.begin()
        time.sleep(self.chance.uniform(0.0, 0.15))

    def _headers(self) -> dict[str, str]:
        kinds = ("application/json",) * 8 + ("text/plain", "multipart/form-data; boundary=x", "x")
        chosen = {"Content-Type": self.chance.choice(kinds)}
        if self.chance.random() < 0.1:
            odd = {"Range": "bytes=5-1", "Accept": "x" * 5000, "X-Request-Id": "x" * 300,
                   "Expect": "100-continue", "Origin": "null", "Cookie": "a=" + "b" * 3000,
                   "If-None-Match": "*", "Authorization": "Bearer fn_" + "x" * 200}  # fmt: skip
            name = self.chance.choice(list(odd))
            chosen[name] = odd[name]
        return chosen

    def _name(self, properties: dict[str, Any]) -> str:
        return self.chance.choice([*properties, "limit", "offset", "session_id", "x", "answers"])

    def _value(self, in_path: bool = False) -> str:
        others = self.sessions_of_others()
        values = [self.session, "0" * 64, "f" * 64, "0", "-1", "9" * 30, "%00", "..%2f..%2fetc",
                  "a%0ab", "%ff%fe", "x" * 3000, "%F0%9F%99%82", *others, *others]  # fmt: skip
        value = self.chance.choice(values)
        if not in_path and self.chance.random() < 0.3:
            return mutated(self.chance, value)[:2000].encode("utf-8", "replace").decode()
        return value

    def _body(self, properties: dict[str, Any]) -> bytes:
        kind = self.chance.random()
        if kind < 0.1:
            return self.chance.choice((b"[" * 50_000, b'{"a":' * 50_000, b"", b"null", b"\xff\xfe",
                                       b"NaN", b'"' + b"x" * 2_000_000, b"{" * 3))  # fmt: skip
        body = {name: self._json() for name in properties if self.chance.random() < 0.7}
        if "session_id" in properties and self.chance.random() < 0.7:
            body["session_id"] = self.session
        if "question" in properties and self.chance.random() < 0.7:
            body["question"] = "What is the code of all?" + self.chance.choice(TOKENS)
        data = json.dumps(body).encode("utf-8", "replace")
        return (
            mutated(self.chance, data.decode()).encode("utf-8", "replace") if kind < 0.3 else data
        )

    def _json(self, depth: int = 0) -> Any:
        match self.chance.randrange(9 if depth < 3 else 7):
            case 0 | 1:
                return self._value()
            case 2:
                return self.chance.choice((0, -1, 1, 2**63, 1e308, 0.5))
            case 3:
                return self.chance.choice((True, False, None))
            case 4 | 5:
                return self.chance.choice(TOKENS) * self.chance.choice((1, 1, 50))
            case 6:
                return self.chance.choice(("http://127.0.0.1:22/", "http://169.254.169.254/",
                                           "file:///etc/passwd", "as typed", "openai"))  # fmt: skip
            case 7:
                return [self._json(depth + 1) for _ in range(self.chance.randrange(5))]
            case _:
                return {str(n): self._json(depth + 1) for n in range(self.chance.randrange(4))}


@dataclass
class Waiter(Person):
    """Asks a model whose server hangs, and hangs up at some time."""

    def act(self) -> None:
        """One question."""
        path = self.chance.choice(("/query", "/query", "/search"))
        body = {"session_id": self.session, "question": "Who built it?", "provider": "openai",
                "model": "hangs", "level": "rewritten"}  # fmt: skip
        self.send("POST", path, json=body, timeout=self.chance.uniform(3, 40))
        time.sleep(self.chance.uniform(0, 2))


@dataclass
class Stranger(Person):
    """Somebody without a key, or a page of another site: no door may open."""

    def act(self) -> None:
        """One try at one door."""
        others = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        doors: list[tuple[str, str, dict[str, Any]]] = [
            ("GET", "/api/sessions", {}),
            ("POST", "/api/sessions", {"json": {"name": "x"}, "headers": others}),
            ("GET", "/api/metrics", {"headers": others}),
            ("GET", "/_stcore/metrics", {}),
            ("POST", "/mcp", {"json": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}}),
            ("PUT", f"/_stcore/upload_file/{os.urandom(8).hex()}/1", {"content": b"x" * 4_000_000}),
            ("PUT", "/_stcore/upload_file/a/1", {"content": b"x" * 100_000, "headers": others}),
            ("GET", "/", {"headers": {"Host": "evil.example"}}),
            ("GET", "/api/sessions", {"headers": {"Authorization": f"Bearer fn_{'a' * 43}"}}),
            ("GET", "/api/sessions", {"headers": {"X-Forwarded-For": "127.0.0.1"}}),
        ]
        method, path, more = self.chance.choice(doors)
        if self.chance.random() < 0.2:
            self._handshake()
        else:
            came = self.send(method, f"{self.server.url}{path}", **more)
            if came is not None and came.status_code < 400:
                self.seen.finding("strangers let in", f"{method} {path}: {came.status_code}")
            self.seen.count("tries of strangers")
        time.sleep(self.chance.uniform(0.1, 0.8))

    def _handshake(self) -> None:
        """A page of another site opens the WebSocket of the pages."""
        if not self.server.wait():
            return
        origin = self.chance.choice(("https://evil.example", "http://localhost:1", "null"))
        head = (
            f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
            f"Origin: {origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        with contextlib.suppress(OSError), _connected(self.server.port) as connection:
            connection.sendall(head.encode())
            if b" 101 " in connection.recv(200):
                self.seen.finding("strangers let in", f"WebSocket from {origin}")
            self.seen.count("tries of strangers")


_POST = b"POST /api/%b HTTP/1.1\r\nHost: 127.0.0.1\r\n%b\r\n\r\n"
_HALVES = (
    b"",
    b"GET / HT",
    b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ",
    _POST % (b"query", b"Content-Length: 1000") + b"{",
    _POST % (b"ingest-files/", b"Transfer-Encoding: chunked") + b"5\r\n",
)
_CLOSED_WITHIN = 75.0  # a header has 20 seconds, a body pauses of 30, on a busy machine


@dataclass
class HalfOpen(Person):
    """Opens many connections, sends half of something, and waits until they are closed."""

    def act(self) -> None:
        """A wave of them, from several addresses."""
        if not self.server.wait():
            return
        life, open_ = self.server.life, []
        for number in range(100):
            with contextlib.suppress(OSError):
                source = f"127.0.0.{2 + number % 20}"
                connection = _connected(self.server.port, source)
                connection.sendall(self.chance.choice(_HALVES))
                connection.setblocking(False)
                open_.append(connection)
        self.seen.count("half-open connections", len(open_))
        end = time.monotonic() + _CLOSED_WITHIN
        while open_ and time.monotonic() < end and self.server.life == life and self.server.up:
            open_ = [connection for connection in open_ if not _closed(connection)]
            time.sleep(0.5)
        if open_ and self.server.life == life and self.server.up:
            self.seen.finding("half-open connections left open", str(len(open_)))
        for connection in open_:
            connection.close()


def _connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, (source, 0))


def _closed(connection: socket.socket) -> bool:
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    connection.close()
    return True
