"""An image in an answer is never loaded; a placeholder is shown."""

from __future__ import annotations

import json

import pytest

from core.types import Answer
from core.ui.answer.views import answer_view, live_view

pytestmark = pytest.mark.D02

BEACON = "http://127.0.0.1:9/p?q=SECRET"


@pytest.mark.parametrize(
    "text",
    [
        f"![a]({BEACON})",
        f"![a](<{BEACON}> 'title')",
        f"**![a]({BEACON})**",
        f"- ![a]({BEACON})",
        f"| h |\n|---|\n| ![a]({BEACON}) |",
        f"[![a]({BEACON})]({BEACON})",
        "![a](data:image/svg+xml,<svg onload=alert(1)>)",
    ],
)
def test_an_image_becomes_a_placeholder_without_its_address(text: str) -> None:
    for view in (answer_view(Answer("q", text)), live_view("q", text)):
        drawn = json.dumps(view["tree"])
        assert '{"t": "image", "alt": "a"}' in drawn or "data:image" in drawn
        assert '"href"' not in drawn
        assert '"src"' not in drawn
