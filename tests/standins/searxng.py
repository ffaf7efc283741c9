"""A stand-in for SearXNG (August 2026) over a small web on loopback, with a mode for each failure.

python -m tests.standins.searxng --port 8888 --web-port 8889 [--mode limited]

It prints the settings with which the program uses it. Results are ranked by the rare words that
they share with the query, in the two shapes that engines give.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.standins.loopback import Loopback
from tests.standins.small_web import (
    FAILS,
    HANGS,
    PAGES,
    TO_PRIVATE,
    Sent,
    SmallWeb,
    article,
    bomb,
)

MODES = (
    "ok",  # answers as it should
    "old",  # as instances before May 2026: number_of_results, answers as plain strings
    "html-only",  # JSON is not among search.formats: 403
    "limited",  # the limiter: 429
    "limited-after",  # 429 with Retry-After: 7
    "engines-failed",  # 200, no results, unresponsive_engines filled
    "nothing",  # 200, no results, all engines fine
    "html",  # 200 with a page in HTML
    "empty",  # 200 with nothing
    "huge",  # 200 with 30 MB of JSON
    "invalid-json",  # 200, cut off
    "no-results-key",  # 200, JSON of something else
    "error",  # 500
    "redirect",  # 302 to another site
    "hang",  # says nothing
    "drip",  # a byte a second
)
_TAGS = re.compile(r"<(script|style|nav|aside|footer)\b.*?</\1>|<[^>]+>", re.S)
_COMMAND = re.compile(r"(?:^|\s)!!\w+")


@dataclass(frozen=True)
class Found:
    """A page that the stand-in can find: what is shown of it, and the words that find it."""

    url: str
    title: str
    content: str
    words: frozenset[str]
    published: str | None = None


def index(web: SmallWeb, paths: Sequence[str] | None = None) -> list[Found]:
    """The pages of a small web, ready to be found."""
    return [
        _found(web.url + path, sent.body.decode("utf-8", "replace"))
        for path, sent in web.pages.items()
        if (paths is None or path in paths) and sent.status == 200 and not sent.headers
    ]


def _found(url: str, page: str) -> Found:
    title = re.search(r"<title>(.*?)</title>", page, re.S)
    date = re.search(r'published_time" content="([^"]+)"', page)
    text = " ".join(_TAGS.sub(" ", page).split())
    name = title[1] if title else url
    words = frozenset(_words(f"{name} {text}"))
    return Found(url, name, text[:300], words, date[1] if date else None)


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) > 2]


class SearxngStandin(Loopback):
    """Speaks `/search`, `/config` and `/healthz`. A context manager; `mode` may be set any time.

    `always` are addresses that every query finds, before the rest; `raw` replaces the results.
    """

    def __init__(
        self,
        pages: Sequence[Found] = (),
        *,
        mode: str = "ok",
        always: Sequence[str] = (),
        raw: Sequence[dict[str, Any]] | None = None,
        port: int = 0,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"unknown mode {mode!r}; there are {', '.join(MODES)}")
        self.mode = mode
        self.pages = list(pages)
        self.always = list(always)
        self.raw = raw
        self.requests: list[dict[str, str]] = []
        self.times: list[tuple[float, float]] = []
        self.seconds = 0.0
        super().__init__(_handler(self), port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def found(self, query: str) -> dict[str, Any]:
        """The answer to a query in the shape of the API."""
        asked = set(_words(query))
        weights = {word: self._rarity(word) for word in asked}
        ranked = sorted(self.pages, key=lambda p: -sum(weights[w] for w in asked & p.words))
        near = [page for page in ranked if asked & page.words][:30]
        always = [Found(url, url, "", frozenset()) for url in self.always]
        results = [_result(page, place) for place, page in enumerate([*always, *near], 1)]
        return {
            "query": query,
            "results": results if self.raw is None else list(self.raw),
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [f"{query} history"] if results else [],
            "unresponsive_engines": [],
        }

    def _rarity(self, word: str) -> float:
        holders = sum(word in page.words for page in self.pages)
        return math.log(1 + len(self.pages) / (1 + holders))


def _result(page: Found, place: int) -> dict[str, Any]:
    common = {
        "url": page.url,
        "title": f"<b>{page.title}</b>",
        "content": page.content,
        "engine": "standin",
        "template": "default.html",
        "parsed_url": [*urlsplit(page.url), ""],
        "img_src": "",
        "thumbnail": "",
        "priority": "",
        "engines": ["standin"],
        "positions": [place],
        "score": 25.6 / place,
        "category": "general",
        "publishedDate": page.published,
    }
    typed = {"iframe_src": "", "audio_src": "", "pubdate": "", "length": None, "views": "",
             "author": "", "metadata": "", "open_group": False, "close_group": False}  # fmt: skip
    return common if place % 2 else common | typed


class _Reply:
    """One request, answered as the mode says."""

    def __init__(self, handler: BaseHTTPRequestHandler, standin: SearxngStandin) -> None:
        self.handler, self.standin = handler, standin

    def send(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.handler.send_response(status)
        given = {"Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in (given | headers).items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()
        self.handler.wfile.write(body)

    def json(self, data: Any, status: int = 200) -> None:
        self.send(status, "application/json", json.dumps(data).encode())

    def search(self, asked: dict[str, str]) -> None:
        mode, page = self.standin.mode, b"<html><body><h1>SearXNG</h1></body></html>"
        if asked.get("format") != "json" or mode == "html":
            self.send(200, "text/html; charset=utf-8", page)
        elif mode == "html-only":
            self.send(403, "text/html; charset=utf-8", b"<h1>Forbidden</h1>")
        elif mode == "limited":
            self.send(429, "text/html; charset=utf-8", b"Too Many Requests")
        elif mode == "limited-after":
            self.send(429, "text/html", b"Too Many Requests", Retry_After="7")
        elif "q" not in asked:
            self.json({"error": "No query"}, 400)
        elif asked.get("time_range", "day") not in ("day", "week", "month", "year"):
            self.json({"error": f"Invalid value {asked['time_range']}"}, 400)
        elif mode == "redirect" or _COMMAND.search(asked["q"]):
            self.send(302, "text/html", b"", Location="http://127.0.0.1:9/?q=" + asked["q"][:50])
        else:
            self._answer(mode, self.standin.found(asked["q"]))

    def _answer(self, mode: str, data: dict[str, Any]) -> None:
        match mode:
            case "old":
                self.json({**data, "number_of_results": 7, "answers": ["as plain text"]})
            case "engines-failed":
                silent = [["standin", "Zeitüberschreitung"], ["other", "CAPTCHA"]]
                self.json({**data, "results": [], "unresponsive_engines": silent})
            case "nothing":
                self.json({**data, "results": []})
            case "empty":
                self.send(200, "application/json", b"")
            case "huge":
                self.json({**data, "suggestions": ["x" * 1000] * 30_000})
            case "invalid-json":
                self.send(200, "application/json", json.dumps(data).encode()[:-9])
            case "no-results-key":
                self.json({"status": "fine"})
            case "error":
                self.send(500, "text/html", b"<h1>Internal Server Error</h1>")
            case "hang":
                self.standin.wait(60)
            case "drip":
                self._drip(json.dumps(data).encode())
            case _:
                self.json(data)

    def _drip(self, body: bytes) -> None:
        self.handler.send_response(200)
        self.handler.send_header("Content-Type", "application/json")
        self.handler.end_headers()
        for byte in body[:60]:
            self.handler.wfile.write(bytes([byte]))
            self.handler.wfile.flush()
            self.standin.wait(1)


def _handler(standin: SearxngStandin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            began = time.monotonic()
            parts = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            reply = _Reply(self, standin)
            with suppress(OSError):  # the client may have had enough
                if parts.path.endswith("/search"):
                    standin.requests.append(asked)
                    standin.wait(standin.seconds)
                    reply.search(asked)
                    standin.times.append((began, time.monotonic()))
                elif parts.path.endswith("/config"):
                    reply.json({"categories": ["general"], "engines": [{"name": "standin"}]})
                else:
                    reply.send(200, "text/plain", b"OK")

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def from_folder(folder: Path) -> dict[str, Sent]:
    """The pages of a folder: .html as they are, .txt as the text of an article."""
    pages = {}
    for path in sorted(folder.glob("*")):
        if path.suffix == ".html":
            pages[f"/{path.stem}"] = Sent(path.read_bytes())
        elif path.suffix == ".txt":
            lines = path.read_text("utf-8").split("\n")
            pages[f"/{path.stem}"] = article(path.stem, *filter(str.strip, lines))
    return pages


def main() -> None:
    """Serve both until Ctrl-C."""
    parser = argparse.ArgumentParser(description="A stand-in SearXNG with a small web.")
    parser.add_argument("--port", type=int, default=8888)
    parser.add_argument("--web-port", type=int, default=0)
    parser.add_argument("--mode", choices=MODES, default="ok")
    parser.add_argument("--pages", type=Path, help="a folder with .html and .txt to serve")
    parser.add_argument("--bad", action="store_true", help="four bad pages in every result")
    given = parser.parse_args()
    bad = {"/hangs": HANGS, "/fails": FAILS, "/private": TO_PRIVATE, "/bomb": bomb()}
    pages = from_folder(given.pages) if given.pages else PAGES
    with SmallWeb({**pages, **(bad if given.bad else {})}, port=given.web_port) as web:
        always = [web.url + path for path in bad] if given.bad else []
        standin = SearxngStandin(
            index(web, list(pages)),
            mode=given.mode, always=always, port=given.port,
        )  # fmt: skip
        with standin:
            print(f"SEARXNG_URL={standin.url} ALLOWED_PRIVATE_HOSTS={web.host}", flush=True)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()


if __name__ == "__main__":
    main()
