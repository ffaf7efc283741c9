"""An answer about Markdown, HTML or regular expressions is readable, unchanged."""

from __future__ import annotations

import pytest

from core.ui.answer.markdown import tree

pytestmark = pytest.mark.D05


@pytest.mark.parametrize(
    "code",
    [
        "![x](http://example.org/a.png)",
        "<a href='x'>y</a>",
        "^<a>[^<]*</a>$",
        "[1] first\n[2] second",
        "$x$ :tada: **no**",
        "[r]: http://example.org",
    ],
)
def test_code_is_shown_unchanged(code: str) -> None:
    assert tree(f"```\n{code}\n```", {1, 2}) == [{"t": "code", "text": f"{code}\n", "lang": ""}]
    if "\n" not in code:
        assert tree(f"`{code}`", {1, 2}) == [{"t": "p", "c": [{"t": "span", "text": code}]}]


@pytest.mark.parametrize(
    "text",
    ["Use <b> for bold.", "if a < b and c > d", "It costs $5, not $6.", "List[int] and a[0]"],
)
def test_running_text_is_shown_unchanged(text: str) -> None:
    assert tree(text, {1}) == [{"t": "p", "c": [text]}]
