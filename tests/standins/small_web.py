"""A small web of pages on loopback, with pages that hang, fail, lead astray or blow up."""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from tests.standins.loopback import Loopback

HANG_SECONDS = 60.0
PRIVATE = "http://169.254.169.254/latest/meta-data/"


@dataclass(frozen=True)
class Sent:
    """What the web answers for a path; `seconds` is how long it waits before."""

    body: bytes
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def article(title: str, *paragraphs: str, published: str = "", language: str = "en") -> Sent:
    """A page as sites make them: its text among navigation, a cookie notice and advertising."""
    date = f'<meta property="article:published_time" content="{published}T08:00:00Z">'
    text = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
    name = html.escape(title)
    page = f"""<!doctype html><html lang="{language}"><head><title>{name}</title>
{date if published else ""}<script>var tracked = "script text";</script></head><body>
<nav><a href="/">Start</a> <a href="/shop">Our shop</a> <a href="/login">Log in</a></nav>
<div class="cookie-banner">We use cookies to improve your visit. <button>Accept all</button></div>
<main><article><h1>{name}</h1>{text}</article></main>
<aside class="ad">Buy one, get one free! Subscribe to our newsletter.</aside>
<footer>Imprint · Privacy</footer></body></html>"""
    return Sent(page.encode())


def bomb(megabytes: int = 100) -> Sent:
    """A page of a hundred kilobytes that unpacks to as many megabytes."""
    packed = gzip.compress(b"<p>again and again</p>" * (megabytes * 50_000), 6)
    return Sent(packed, headers={"Content-Encoding": "gzip"})


HANGS = Sent(b"", seconds=HANG_SECONDS)
FAILS = Sent(b"<h1>Internal error</h1>", status=500)
TO_PRIVATE = Sent(b"", status=302, headers={"Location": PRIVATE})

INN = (
    "The lantern house of Velmark was built in 1783 by the guild of net makers.",
    "Its lamp burned whale oil until 1871, and has 214 steps from the door to the gallery.",
    "Since 1996 it has been a museum; the keeper's flat on the third floor is open on Sundays.",
)
PAGES: dict[str, Sent] = {
    "/velmark": article("The lantern house of Velmark", *INN, published="2025-03-04"),
    "/velmark-harbour": article(
        "The harbour of Velmark",
        "The harbour of Velmark has two basins, one for fishing boats and one for ferries.",
        "The ferry to Oststrand leaves every forty minutes in summer, every two hours in winter.",
        published="2019-06-01",
    ),
    "/velmark-food": article(
        "Eating in Velmark",
        "In Velmark people eat smoked herring with rye bread and pickled beetroot.",
        "The market opens on Wednesdays and Saturdays at six in the morning.",
    ),
    "/velmark-de": article(
        "Das Laternenhaus in Velmark",
        "Das Laternenhaus in Velmark wurde 1783 von der Zunft der Netzmacher gebaut.",
        "Bis 1871 brannte darin Waltran.",
        language="de",
    ),
    "/lighthouses": article(
        "Lamps of old lighthouses",
        "Most lighthouses of the eighteenth century burned coal, later whale oil and colza oil.",
        "The Fresnel lens was first used in the lighthouse of Cordouan in 1823.",
    ),
    "/nets": article(
        "How fishing nets are made",
        "A net maker ties the knots with a needle over a gauge, a flat piece of wood.",
        "Hemp was the usual fibre before cotton and nylon came.",
    ),
    "/museums": article(
        "Small museums by the sea",
        "Small museums live from their visitors' book as much as from their collection.",
        "Half of them close between November and March.",
    ),
    "/guilds": article(
        "Guilds in coastal towns",
        "Guilds set prices, trained apprentices and looked after the widows of their members.",
        "Their chests had three locks, and three masters had a key each.",
    ),
    "/whales": article(
        "Whale oil", "Whale oil was pressed from blubber and burned brighter than tallow.",
        "It was replaced by kerosene in the second half of the nineteenth century.",
    ),
    "/stairs": article(
        "Counting steps", "Spiral stairs in towers turn clockwise more often than not.",
        "A step of a tower is between 17 and 21 centimetres high.",
    ),
}  # fmt: skip
"""Ten pages; who built the lantern house of Velmark stands on one of them (and on a German one)."""


class SmallWeb(Loopback):
    """Serves pages on loopback, noting each request. A context manager.

    `wikipedia` are articles by (language, title), as the API of Wikipedia gives them, under
    `/LANGUAGE/w/api.php`.
    """

    def __init__(
        self,
        pages: Mapping[str, Sent] | None = None,
        *,
        wikipedia: Mapping[tuple[str, str], str] | None = None,
        port: int = 0,
    ) -> None:
        self.pages = dict(PAGES if pages is None else pages)
        self.wikipedia = dict(wikipedia or {})
        self.requests: list[str] = []
        super().__init__(_handler(self), port)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def wikipedia_url(self) -> str:
        """What WIKIPEDIA_URL is set to, to read articles here."""
        return self.url + "/{language}/w/api.php"

    def answer(self, target: str) -> Sent:
        """What is sent for a path with its query."""
        parts = urlsplit(target)
        if found := re.fullmatch(r"/(\w+)/w/api\.php", parts.path):
            return self._article(found[1], parse_qs(parts.query))
        return self.pages.get(target) or self.pages.get(
            parts.path, Sent(b"<p>nothing here</p>", 404)
        )

    def _article(self, language: str, asked: Mapping[str, list[str]]) -> Sent:
        title = asked.get("titles", [""])[0].replace("_", " ")
        text = self.wikipedia.get((language, title))
        page = {"ns": 0, "title": title}
        page |= {"missing": True} if text is None else {"pageid": 7, "extract": text}
        body = {"batchcomplete": True, "query": {"pages": [page]}}
        return Sent(json.dumps(body).encode(), content_type="application/json; charset=utf-8")


def _handler(web: SmallWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.requests.append(self.path)
            sent = web.answer(self.path)
            web.wait(sent.seconds)
            self.send_response(sent.status)
            headers = {"Content-Type": sent.content_type, "Content-Length": str(len(sent.body))}
            for name, value in (headers | dict(sent.headers)).items():
                self.send_header(name, value)
            with suppress(OSError):  # the client may have had enough
                self.end_headers()
                self.wfile.write(sent.body)

        def log_message(self, *args: object) -> None:
            pass

    return Handler
