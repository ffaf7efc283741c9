"""No result where engines did not answer is not the same as nothing found."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import IndexDamaged
from core.web_search.page_store import LivePages
from tests.web_search.live import live_web, notice

pytestmark = pytest.mark.H05


def test_the_engines_are_named(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="engines-failed") as live:
        answer = live.ask()
    told = notice(answer, "web-search-failed")
    # It may be two of three that failed: the reply does not say who answered.
    assert "engines behind SearXNG did not answer: standin, other." in told.text
    assert "No engine" not in told.text
    assert "engines" in told.cure
    assert not any(notice.code == "web-nothing-found" for notice in answer.notices)


def test_nothing_found_is_told_as_that(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="nothing") as live:
        answer = live.ask()
    assert notice(answer, "web-nothing-found").text == "The web search found nothing."
    assert not any(notice.code == "web-search-failed" for notice in answer.notices)


def test_nothing_found_is_not_said_beside_something_that_could_not_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexDamaged("Damaged.")

    with live_web(tmp_path, mode="nothing") as live:
        monkeypatch.setattr(LivePages, "forget_old", fail)
        answer = live.ask()
    assert notice(answer, "web-nothing-found")
    text = "Old pages of the web could not be removed: Damaged."
    assert notice(answer, "web-failed").text == text


def test_results_that_were_refused_are_not_nothing(tmp_path: Path) -> None:
    with live_web(tmp_path) as live:
        live.standin.raw = [{"url": "javascript:alert(1)", "title": "x"}]
        answer = live.ask()
    assert "1 result" in notice(answer, "web-results-refused").text
    assert notice(answer, "web-nothing-found").text == "The web search found nothing else."
