"""One of five pages is slow: the answer comes by the deadline and names the missing one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.standins.small_web import HANGS, PAGES
from tests.web_search.live import live_web, notice

pytestmark = pytest.mark.H07

FOUR = ("/velmark", "/velmark-harbour", "/velmark-food", "/whales")


def test_the_other_four_answer(tmp_path: Path) -> None:
    pages = {path: PAGES[path] for path in FOUR} | {"/slow": HANGS}
    with live_web(
        tmp_path, pages=pages, found=(), always=[*FOUR, "/slow"], web_seconds=12.0
    ) as live:
        live.service.stores.embedder()
        began = time.monotonic()
        answer, steps = live.ask_seen()
        took = time.monotonic() - began
        assert len(live.service.documents.read_pages(live.session)) == 4
    assert answer.citations[0].url.endswith("/velmark")
    assert took < 40  # the slow page would take sixty
    told = notice(answer, "web-pages-left-out").text
    assert told.startswith("Left out 1 page of the web")
    assert "/slow (" in told
    indexed = next(step for step in steps if step.name == "web indexed")
    assert indexed.count == 4
