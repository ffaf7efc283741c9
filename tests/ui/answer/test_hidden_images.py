"""No way of writing an image or HTML gets through, nor any half of it while it streams."""

from __future__ import annotations

from typing import Any

import pytest

from core.ui.answer.views import live_view

pytestmark = pytest.mark.D03

TEXTS = [
    "![a][r]\n\n[r]: http://127.0.0.1:9/p",
    "![r]\n\n[r]: http://127.0.0.1:9/p",
    "<img src=http://127.0.0.1:9/p>",
    "<http://127.0.0.1:9/p>",
    "http://127.0.0.1:9/p www.evil.example",
    "!\u200b[a](http://127.0.0.1:9/p)",
    "![![a](http://127.0.0.1:9/1)](http://127.0.0.1:9/2)",
    "[a](http://127.0.0.1:9/p 't') <a href='http://127.0.0.1:9/p'>x</a>",
    "&lt;img src=x&gt; &#33;[a](http://127.0.0.1:9/p)",
    "<!-- <img src=http://127.0.0.1:9/p> -->",
    "<style>@import 'http://127.0.0.1:9/p'</style>",
]
KINDS = {"p", "image", "br", "code", "h", "quote", "ul", "li", "tight"}


def kinds(nodes: list[Any]) -> set[str]:
    found = set()
    for node in nodes:
        if isinstance(node, dict):
            found |= {node["t"]} | kinds(node.get("c", []))
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_at_no_moment_of_the_stream_is_anything_live(text: str) -> None:
    for end in range(len(text) + 1):
        assert kinds(live_view("q", text[:end])["tree"]) <= KINDS
