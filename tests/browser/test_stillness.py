"""Nothing moves by itself while an answer is written and when it is whole."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from benchmarks.desk.browser import shifts, watch_shifts
from benchmarks.desk.fluency import MOST_SHIFT, QUESTIONS
from tests.browser.chat import load_samples, put, wait_until_at_rest, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import ROOT, Server, footnote_in, free_port

_LINE = "Rank fusion adds what list {} says of a passage [Source 1]."
_WORDS = re.compile(r"\w")
STREAMED = " ".join(map(_LINE.format, range(9)))
SCRIPT = {
    "models": ["tiny:1b"],
    "context_length": 4096,
    "replies": [{"mode": "text", "gap": 0.02, "text": STREAMED, "times": None}],
}


@pytest.fixture
def streaming(tmp_path: Path) -> Iterator[Server]:
    """The real program with a language model that writes word by word."""
    script, port = tmp_path / "script.json", free_port()
    script.write_text(json.dumps(SCRIPT))
    command = [sys.executable, "-m", "tests.standins.ollama", "--port", str(port)]
    process = subprocess.Popen([*command, "--script", str(script)], cwd=ROOT)
    try:
        model = {"CHAT_PROVIDER": "ollama", "CHAT_MODEL": "tiny:1b"}
        with footnote_in(tmp_path, OLLAMA_URL=f"http://127.0.0.1:{port}", **model) as server:
            yield server
    finally:
        process.terminate()
        process.wait(10)


def moved(page: Page, server: Server) -> list[float]:
    """The layout shift of each of three answers, from its first words to the page at rest."""
    load_samples(page, server)
    put(page, "What is a chunk?")
    whole(page)
    wait_until_at_rest(page)
    watch_shifts(page)
    found = []
    for question in QUESTIONS[:3]:
        before = page.locator(".prose").filter(has_text=_WORDS).count()
        put(page, question)
        page.locator(".prose").filter(has_text=_WORDS).nth(before).wait_for()  # its first words
        shifts(page)
        whole(page)
        wait_until_at_rest(page)
        page.wait_for_timeout(500)
        found.append(shifts(page)[0])
    return found


@pytest.mark.timeout(300)
def test_nothing_moves_when_a_quoted_answer_is_whole(
    footnote: Server, open_browser: OpenBrowser
) -> None:
    assert max(moved(open_browser(), footnote)) < MOST_SHIFT


@pytest.mark.timeout(300)
def test_nothing_moves_when_a_streamed_answer_is_whole(
    streaming: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    found = moved(page, streaming)
    assert "says of a passage" in page.locator(".prose").last.inner_text()
    assert max(found) < MOST_SHIFT
