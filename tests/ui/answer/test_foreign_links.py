"""Only a source can be a link; of any other the words and the address are shown as text."""

from __future__ import annotations

import json

import pytest

from core.types import Answer, DocumentKind
from core.ui.answer.views import answer_view
from tests.ui.app.fake_service import a_citation

pytestmark = pytest.mark.D04

SOURCE = "https://docs.example.org/page"


def drawn(text: str) -> str:
    citation = a_citation(1, DocumentKind.WEB, "page", "q", url=SOURCE)
    tree = answer_view(Answer("q", text, citations=(citation,)))["tree"]
    return json.dumps(tree, ensure_ascii=False)


@pytest.mark.parametrize(
    "href",
    [
        "http://evil.example/?q=SECRET",
        f"{SOURCE}?q=SECRET",
        f"{SOURCE}@evil.example",
        f"{SOURCE}/../evil",
        "//evil.example",
        "mailto:a@evil.example",
    ],
)
def test_a_foreign_address_is_text(href: str) -> None:
    found = drawn(f"[click]({href})")
    assert '"link"' not in found
    assert f"click ({href})" in found


@pytest.mark.parametrize("href", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_a_script_address_stays_as_it_was_typed(href: str) -> None:
    assert drawn(f"[click]({href})") == json.dumps([{"t": "p", "c": [f"[click]({href})"]}])


def test_a_source_is_live() -> None:
    assert f'{{"t": "link", "href": "{SOURCE}", "c": ["click"]}}' in drawn(f"[click]({SOURCE})")
