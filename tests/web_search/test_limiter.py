"""SearXNG's limiter answers 429: everybody here waits, and fifty sessions make no storm."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import WebSearchError, WebSearchLimited
from core.web_search.searxng import SearXNG
from tests.standins.searxng import SearxngStandin
from tests.web_search.live import live_web, notice

pytestmark = pytest.mark.H03

SESSIONS = 50


def test_fifty_sessions_send_one_query(tmp_path: Path) -> None:
    with SearxngStandin(mode="limited") as standin:
        client = SearXNG(Settings(searxng_url=standin.url, searxng_pause=0))
        errors: list[str] = []

        def ask(number: int) -> None:
            try:
                client.search(f"query {number}")
            except WebSearchError as error:
                errors.append(error.code)

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(SESSIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(standin.requests) == 1
    assert errors == ["WebSearchLimited"] * SESSIONS


def test_retry_after_is_believed() -> None:
    with SearxngStandin(mode="limited-after") as standin:
        client = SearXNG(Settings(searxng_url=standin.url, searxng_pause=0))
        now = [0.0]
        client.breaker.clock = lambda: now[0]
        with pytest.raises(WebSearchLimited):
            client.search("one")
        standin.mode = "ok"
        now[0] = 59.0  # the usual pause is longer than the seven seconds that it asked for
        with pytest.raises(WebSearchLimited, match="asked again in 1 seconds"):
            client.search("two")
        now[0] = 61.0
        assert client.search("three").query == "three"
        assert len(standin.requests) == 2


def test_the_answer_says_so(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="limited") as live:
        first, second = live.ask(), live.ask("What is smoked in Velmark?")
        assert len(live.standin.requests) == 1
    assert "429" in notice(first, "web-search-failed").text
    assert "asked again in" in notice(second, "web-search-failed").text
