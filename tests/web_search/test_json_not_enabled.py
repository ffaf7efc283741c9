"""SearXNG answers 403 because JSON is not among its formats: the cure names the setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.maintenance.doctor import examine
from tests.web_search.live import live_web, notice
from tests.web_search.test_live_web import add_document

pytestmark = pytest.mark.H02


def test_the_cure_names_the_setting(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="html-only") as live:
        add_document(live, "keeper.txt", "The keeper of the lantern house is Orla Fenn.")
        answer = live.ask("Who is the keeper of the lantern house?")
        row = next(row for row in examine(live.service) if row.name == "Live web")
    told = notice(answer, "web-search-failed")
    assert "403" in told.text
    assert "`json`" in told.cure
    assert "search.formats" in told.cure
    assert "Orla Fenn" in answer.text
    assert (row.state, "search.formats" in row.cure) == ("error", True)
