"""SearXNG is down, has no name, or says nothing: the documents answer all the same."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.web_search.live import live_web, notice
from tests.web_search.test_live_web import add_document

pytestmark = pytest.mark.H01

QUESTION = "Who is the keeper of the lantern house?"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:9", "cannot be reached"),
        ("http://no-such-host.invalid", "is not known"),
        ("http://127.0.0.1:99999", "no address that can be reached"),
    ],
)
def test_what_cannot_be_reached(tmp_path: Path, url: str, says: str) -> None:
    with live_web(tmp_path, searxng_url=url) as live:
        mine = add_document(live, "keeper.txt", "The keeper of the lantern house is Orla Fenn.")
        answer = live.ask(QUESTION)
    assert answer.citations[0].document_id == mine.id
    assert "Orla Fenn" in answer.text
    told = notice(answer, "web-search-failed")
    assert told.text.startswith("Web search is unavailable: ")
    assert says in told.text
    assert "SEARXNG_URL" in told.cure


def test_what_never_answers(tmp_path: Path) -> None:
    with live_web(tmp_path, mode="hang", searxng_seconds=1.0) as live:
        add_document(live, "keeper.txt", "The keeper of the lantern house is Orla Fenn.")
        began = time.monotonic()
        answer = live.ask(QUESTION)
        took = time.monotonic() - began
    assert "Orla Fenn" in answer.text
    assert "did not send" in notice(answer, "web-search-failed").text
    assert took < 20  # the instance would take sixty
