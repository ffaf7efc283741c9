"""HTML, nothing, too much or broken JSON with status 200: an error, not "no results"."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web_search.live import live_web, notice

pytestmark = pytest.mark.H04


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("html", "sends text/html, not results"),
        ("empty", "cannot be read"),
        ("invalid-json", "cannot be read, or it was cut off"),
        ("no-results-key", "is no SearXNG"),
        ("huge", "larger than any"),
    ],
)
def test_each_is_told(tmp_path: Path, mode: str, says: str) -> None:
    with live_web(tmp_path, mode=mode) as live:
        answer = live.ask()
    assert says in notice(answer, "web-search-failed").text
    assert not any(notice.code == "web-nothing-found" for notice in answer.notices)
