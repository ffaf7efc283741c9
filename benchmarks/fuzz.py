"""Random input for what reads the words of others: nothing may crash, hang or break a promise.

`python -m benchmarks.fuzz [--minutes 1] [--target NAME] [--seed 1]` mutates known texts and checks
what must hold for every input. A case that breaks it is printed as Python, ready for a test.
"""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from core.citations.stream import CitationStream
from core.config import Settings
from core.errors import AppError, InvalidUrl, ModelError, WebSearchError
from core.ingestion.chunking import chunk_document
from core.llm.port import ChatMessage
from core.llm.providers import make_chat_model
from core.types import Block, ChunkKind, DocumentKind, Heading, LoadedDocument, ModelChoice, Page
from core.ui.answer.markdown import tree
from core.ui.shell.escaping import escape_markdown
from core.urls import canonical_url, check_ip, parse_url
from core.web_search.results import merged, read_answers

SLOWEST = 30.0
"""Seconds that one input may take, on a busy machine."""
TOKENS = (
    "[Source 1]", "[1]", "[1, 2; 9]", "[Source", "【3】", "[^1]", "[1]: http://x", "```", "~~~",
    "`", "![a](http://127.0.0.1:9/p)", "[x](javascript:alert(1))", "<img src=x>", "<script>",
    "</sources>",
    "http://", "https://", "@", "\\", "[::1]", "127.0.0.1", "0x7f.1", "%2e", "。", "#", "?",
    ":8000",
    "\u200b", "\u202e", "\U000e0041", "\ud800", "\0", "\r\n", "\n\n", "    ", "|---|", "- ", "1. ",
    "Sources:\n", "# H\n", "\\u003c", "&#60;", "é", "字", "🙂", '{"', '"}', "[[", "]]", "null",
    "1e999",
    '{"message":{"content":"x"},"done":true}\n', "data: ", "[DONE]", "<think>", "</think>", "-1",
)  # fmt: skip
SEEDS: dict[str, tuple[str, ...]] = {
    "citations": (
        "The tower was built in 1889 [Source 1]. It is 330 m high [2, 3].\n\nSources:\n[1] a.pdf",
        "Use `a[1]` and:\n```\nx = a[1]\n```\nas [Source 2] says【1】.",
    ),
    "markdown": (
        "# Title\n\n- one [1]\n- two **bold** [x](http://x.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "> quote\n\n1. x\n   ```py\n   ![a](b)\n   ```\n<b>no</b> http://auto.link",
    ),
    "urls": (
        "https://Example.com/a/../b?utm_source=x&amp;page=2#part",
        "http://user:pw@127.0.0.1:8000/x",
        "http://[::ffff:7f00:1]/",
        "http://xn--bcher-kva.example/%e2%82%ac",
    ),
    "searxng": (
        '{"query": "q", "results": [{"url": "https://example.org/", "title": "T", "content": "C", '
        '"engines": ["a"], "score": 1.5, "publishedDate": "2024-01-02T00:00:00"}], "answers": '
        '[{"answer": "42", "url": "https://e.org"}], "infoboxes": [], "suggestions": ["s"], '
        '"unresponsive_engines": [["google", "timeout"]]}',
    ),
    "streams": (
        '{"model":"m","message":{"role":"assistant","content":"Hi"},"done":false}\n'
        '{"model":"m","message":{"content":""},"done":true,"done_reason":"stop"}\n',
        'data: {"choices":[{"delta":{"content":"Hi"},"index":0}]}\n\n'
        'data: {"choices":[{"delta":{},"index":0,"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ),
    "chunks": (
        "# One\n\nSome words. More here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Two\n\nEnd.",
        "word " * 400,
    ),
}  # fmt: skip


def mutated(chance: random.Random, text: str) -> str:
    """The text with a few changes: tokens put in, parts doubled, cut or swapped, signs changed."""
    for _ in range(chance.choice((1, 1, 2, 3, 5, 9))):
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        match chance.randrange(7):
            case 0 | 1:
                text = (
                    text[:at] + chance.choice(TOKENS) * chance.choice((1, 1, 1, 2, 40)) + text[at:]
                )
            case 2:
                text = text[:at] + text[to:]
            case 3:
                text = text[:to] + text[at:to] * chance.choice((1, 2, 30)) + text[to:]
            case 4:
                text = (
                    text[:at] + chr(chance.choice((0, 10, 0x300, 0x5B, 0x202E, 0xFFFF))) + text[at:]
                )
            case 5:
                text = text[at:] + text[:at]
            case _:
                text = text.replace(chance.choice(TOKENS), chance.choice(TOKENS))
    return text[:20_000]


def pieces(chance: random.Random, text: str) -> Iterator[str]:
    """The text in pieces of any size."""
    while text:
        size = chance.choice((1, 2, 3, 7, 50, 1000))
        yield text[:size]
        text = text[size:]


# ------------------------------------------------------------------------------- what must hold


def citations(chance: random.Random, text: str) -> None:
    """However it is cut, the same comes out; numbers name sources, without a gap."""
    known = chance.randrange(1, 5)
    whole = CitationStream.of(known)
    out = whole.feed(text) + whole.finish()
    cut = CitationStream.of(known)
    again = "".join(cut.feed(piece) for piece in pieces(chance, text)) + cut.finish()
    assert again == out, "the cut changes the result"
    assert whole.cited == cut.cited
    assert set(whole.cited) <= set(range(1, known + 1))
    assert len(set(whole.cited)) == len(whole.cited)


def markdown(chance: random.Random, text: str) -> None:
    """Only sources are links, only given numbers are citations; an image is its words alone."""
    source = "https://example.org/allowed"
    nodes = tree(text, {1, 2}, {source})
    for node in _nodes(nodes):
        kind = node["t"]
        assert kind not in ("img", "html", "script", "iframe"), kind
        assert kind != "image" or set(node) == {"t", "alt"}, node
        assert kind != "cite" or node["n"] in (1, 2), node
        assert node.get("href", source) == source, node
    escape_markdown(text)


def _nodes(found: object) -> Iterator[dict[str, Any]]:
    if isinstance(found, dict):
        yield found
        yield from _nodes(found.get("c"))
    elif isinstance(found, list):
        for one in found:
            yield from _nodes(one)


def urls(chance: random.Random, text: str) -> None:
    """Refused or one clear host; the canonical spelling is stable; no private literal passes."""
    try:
        address = parse_url(text)
    except InvalidUrl:
        return
    assert re.fullmatch(r"[a-z0-9._\-:]+", address.host), address.host
    with contextlib.suppress(InvalidUrl):
        once = canonical_url(text)
        assert canonical_url(once) == once, once
    try:
        literal = ipaddress.ip_address(address.host)
    except ValueError:
        return
    with contextlib.suppress(AppError):
        check_ip(address.host, address.host, address.port, frozenset())
        assert literal.is_global, literal


def searxng(chance: random.Random, text: str) -> None:
    """Results with web addresses, or an error of ours."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    try:
        found = read_answers(data, "q", 10)
    except WebSearchError:
        return
    assert len(found.results) <= 10
    for result in merged([found, found]):
        assert result.url.lower().startswith(("http://", "https://"))
        assert "\n" not in result.title


def chunks(chance: random.Random, text: str) -> None:
    """Chunks are spans of their pages, none too long, and no word is lost."""
    half = len(text) // 2
    pages = tuple(
        Page(number, part, number + 1, _headings(chance, part), _blocks(chance, part))
        for number, part in enumerate((text[:half], text[half:]))
    )
    size, overlap = chance.choice(((100, 0), (200, 50), (1000, 150)))
    made = chunk_document(LoadedDocument(DocumentKind.TEXT, pages), "d", size=size, overlap=overlap)
    covered = [set[int](), set[int]()]
    for number, chunk in enumerate(made):
        assert chunk.id == f"d:{number}"
        assert chunk.text == pages[chunk.page_ordinal].text[chunk.start : chunk.end]
        assert len(chunk.text) <= size + 1
        covered[chunk.page_ordinal].update(range(chunk.start, chunk.end))
    for page, seen in zip(pages, covered, strict=True):
        lost = [at for at, c in enumerate(page.text) if c.isalnum() and at not in seen]
        assert not lost, f"lost {page.text[lost[0] : lost[0] + 20]!r}"


def _headings(chance: random.Random, text: str) -> tuple[Heading, ...]:
    places = sorted({chance.randrange(len(text) + 1) for _ in range(chance.randrange(4))})
    return tuple(Heading(at, chance.randrange(1, 5), text[at : at + 9]) for at in places)


def _blocks(chance: random.Random, text: str) -> tuple[Block, ...]:
    ends = sorted({chance.randrange(len(text) + 1) for _ in range(2 * chance.randrange(3))})
    pairs = zip(ends[::2], ends[1::2], strict=False)
    kinds = (ChunkKind.CODE, ChunkKind.TABLE)
    return tuple(Block(a, b, chance.choice(kinds)) for a, b in pairs)


class Streams:
    """A model's server that answers with whatever it is told, over a real socket."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.body = b""
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection, contextlib.suppress(OSError):
                connection.settimeout(5)
                asked = connection.recv(1 << 20)
                path = asked.split(b" ")[1] if b" " in asked else b""
                body = self.body if b"chat" in path else b"{}"
                kind = b"text/event-stream" if b"completions" in path else b"application/x-ndjson"
                head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + kind
                connection.sendall(head + b"\r\n\r\n" + body)

    def check(self, chance: random.Random, text: str) -> None:
        """Text and an end, or an error of ours; never anything else."""
        self.body = text.encode("utf-8", "surrogatepass")
        provider = chance.choice(("ollama", "openai"))
        settings = Settings(
            ollama_url=f"http://127.0.0.1:{self.port}",
            openai_url=f"http://127.0.0.1:{self.port}/v1",
            first_token_seconds=5,
            between_tokens_seconds=5,
        )
        model = make_chat_model(ModelChoice(provider, "m"), settings)
        try:
            with model.stream([ChatMessage("user", "Hello")], max_tokens=50) as stream:
                told = "".join(stream)
                assert isinstance(told, str)
                assert stream.end is not None
        except ModelError:
            return


def targets() -> dict[str, Callable[[random.Random, str], None]]:
    """What is fuzzed, by name."""
    return {
        "citations": citations,
        "markdown": markdown,
        "urls": urls,
        "searxng": searxng,
        "chunks": chunks,
        "streams": Streams().check,
    }


def fuzz(name: str, check: Callable[[random.Random, str], None], seconds: float, seed: int) -> int:
    """Try as many inputs as there is time for; gives how many broke something."""
    check(random.Random(seed), SEEDS[name][0])  # what is loaded at the first use is loaded
    chance, end, tried, broken = random.Random(seed), time.monotonic() + seconds, 0, 0
    known: set[str] = set()
    pool = list(SEEDS[name])
    while time.monotonic() < end:
        text = mutated(chance, chance.choice(pool))
        state, began = chance.getstate(), time.monotonic()
        try:
            check(chance, text)
            took = time.monotonic() - began
            assert took < SLOWEST, f"took {took:.1f} s"
        except Exception as error:  # whatever it is, it is a finding
            kind = f"{type(error).__name__}: {str(error)[:60]}"
            if kind not in known:
                known.add(kind)
                broken += 1
                again = random.Random()
                again.setstate(state)
                print(f"{name}: {kind}\n    {text!r}", flush=True)
        tried += 1
        if tried % 50 == 0 and len(pool) < 200 and len(text) < 5000:
            pool.append(text)
    print(f"{name}: {tried} inputs in {seconds:.0f} s, {broken} kinds of failure", flush=True)
    return broken


def main() -> int:
    """Fuzz every target for the same time; 1 where something broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target")
    parser.add_argument("--target", choices=sorted(SEEDS))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chosen = {n: c for n, c in targets().items() if given.target in (None, n)}
    return int(any([fuzz(n, c, given.minutes * 60, given.seed) for n, c in chosen.items()]))


if __name__ == "__main__":
    raise SystemExit(main())
