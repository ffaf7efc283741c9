"""Hostile results: other schemes, private addresses, markup, megabytes, duplicates, holes."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.step_text import step_text
from core.ui.answer.views import answer_view
from tests.standins.small_web import PAGES, SmallWeb, article
from tests.web_search.live import live_web, notice

pytestmark = pytest.mark.H06

SCRIPT = "<script>alert(1)</script>"


def test_only_harmless_pages_are_read(tmp_path: Path) -> None:
    hostile = article(
        f"Velmark {SCRIPT}", f"The lantern house of Velmark was built in 1783. {SCRIPT}"
    )
    with SmallWeb({}) as decoy, live_web(tmp_path, pages={**PAGES, "/x": hostile}) as live:
        good = f"{live.web.url}/velmark"
        live.standin.raw = [
            {"url": "javascript:alert(1)", "title": "x"},
            {"url": "file:///etc/passwd", "title": "x"},
            {"url": "http://169.254.169.254/latest/", "title": "x", "content": "y"},
            {"url": decoy.url + "/secret", "title": "private"},
            {"title": "no address"}, 7, None,
            {"url": good, "title": f"{SCRIPT}Velmark", "content": "z" * 2_000_000},
            {"url": f"{good}?utm_source=a", "title": "the same"},
            {"url": f"{live.web.url}/x", "title": SCRIPT},
        ]  # fmt: skip
        answer, steps = live.ask_seen()
        assert decoy.requests == []
        assert sorted(live.web.requests) == ["/velmark", "/x"]
    left_out = notice(answer, "web-pages-left-out").text
    assert "169.254.169.254" in left_out
    assert "not allowed" in left_out
    assert "3 results" in notice(answer, "web-results-refused").text
    assert all(len(step_text(step)) < 2_000 for step in steps)
    assert answer.citations
    view = str(answer_view(answer))
    assert "javascript:" not in view.replace("javascript:alert(1): ", "")
