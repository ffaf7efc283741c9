"""A language model in the browser: missing, downloaded, streaming, stopped, interrupted, cut.

The stand-in for Ollama runs as a person would start it, with a script.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.chat import SLOW, load_samples, put, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import ROOT, Server, footnote_in, free_port

SCRIPT = {
    "models": ["other:3b"],
    "context_length": 4096,
    "pull_gap": 2.5,
    "replies": [
        {"mode": "quote", "gap": 0.15},
        {"mode": "quote", "gap": 0.6},
        {
            "mode": "hang-middle",
            "text": "Rank fusion adds what each list says [Source 1], and then",
        },
        {"mode": "overflow", "text": "Fusion adds ranks [Source 1].", "prompt_tokens": 60},
        {
            "mode": "unopened-thought",
            "gap": 1.2,
            "text": "Both lists are fused into one [Source 1].",
        },
    ],
}


@pytest.fixture
def ollama(tmp_path: Path) -> Iterator[str]:
    """The address of the stand-in, in a process of its own."""
    script, port = tmp_path / "script.json", free_port()
    script.write_text(json.dumps(SCRIPT))
    command = [sys.executable, "-m", "tests.standins.ollama", "--port", str(port)]
    process = subprocess.Popen([*command, "--script", str(script)], cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            httpx.get(url, timeout=2, trust_env=False)
            break
        except httpx.TransportError:
            time.sleep(0.1)
    yield url
    process.terminate()
    process.wait(10)


@pytest.fixture
def footnote(tmp_path: Path, ollama: str) -> Iterator[Server]:
    with footnote_in(
        tmp_path,
        OLLAMA_URL=ollama,
        CHAT_PROVIDER="ollama",
        CHAT_MODEL="tiny:1b",
        CONTEXT_TOKENS="2600",
        BETWEEN_TOKENS_SECONDS="4",
    ) as server:
        yield server


@pytest.mark.timeout(420)
def test_a_model_from_missing_to_its_answers(
    footnote: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    load_samples(page, footnote)

    # Missing: the answer quotes, and says what to do.
    put(page, "What does reciprocal rank fusion add?")
    answer = whole(page)
    expect(answer).to_contain_text("Ollama does not have the model tiny:1b.")
    expect(answer).to_contain_text("ollama pull tiny:1b")
    expect(answer.locator("button.chip.cited").first).to_be_visible()
    page.screenshot(path=artifacts / "20-model-missing.png")

    # Downloaded from the page, with progress; then asked again.
    page.get_by_text("Language model", exact=True).click()
    page.get_by_role("button", name=re.compile("Download tiny")).click()
    progress = page.get_by_text(re.compile(r"tiny.*pulling.*MB"))
    expect(progress).to_be_visible()
    page.screenshot(path=artifacts / "21-download.png")
    expect(progress).to_have_count(0, timeout=SLOW)
    expect(page.get_by_text(re.compile("does not offer"))).to_have_count(0)
    page.get_by_role("button", name="Retry").click()
    written: set[str] = set()
    page.get_by_text("Writing").wait_for(timeout=SLOW)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        written.add(page.locator(".prose").last.inner_text())
        page.wait_for_timeout(200)
    page.screenshot(path=artifacts / "22-streaming.png")
    assert len(written) > 2, "it is shown as it is written"
    expect(whole(page)).to_contain_text("tiny:1b")
    expect(page.get_by_text(re.compile(r"Context: [\d,]+ of [\d,]+ tokens"))).to_be_in_viewport()
    page.screenshot(path=artifacts / "23-answered.png")

    # Stopped by the person.
    put(page, "How is a session deleted?")
    page.get_by_text("Writing").wait_for(timeout=SLOW)
    page.get_by_test_id("stBottom").get_by_role("button", name="Stop").click()
    expect(whole(page)).to_contain_text("stopped before its end")
    page.screenshot(path=artifacts / "24-stopped.png")

    # Interrupted by the server: what came is kept, and marked.
    put(page, "What is rank fusion?")
    answer = whole(page)
    expect(answer).to_contain_text("The answer was interrupted.")
    expect(answer).to_contain_text("adds what each list says")
    expect(page.get_by_role("button", name="Retry")).to_be_in_viewport()
    page.screenshot(path=artifacts / "25-interrupted.png")

    # The server cut the prompt in silence, and not all passages fitted.
    put(page, "What is fused?")
    answer = whole(page)
    expect(answer).to_contain_text("read only 60 of about")
    expect(answer).to_contain_text(re.compile(r"\d of \d passages fitted"))
    page.screenshot(path=artifacts / "26-cut.png")

    # A thought whose beginning is not marked is taken back.
    put(page, "How are both lists joined?")
    page.get_by_text("Hm, let me see").wait_for(timeout=SLOW)
    answer = whole(page)
    expect(answer.locator(".prose")).not_to_contain_text("Hm, let")
    expect(answer).to_contain_text("Both lists are fused into one")
    expect(answer).to_contain_text("were the model's thinking")
    page.screenshot(path=artifacts / "27-thought.png")
    page.goto(f"{page.url}{'&' if '?' in page.url else '?'}debug=true")
    expect(page.get_by_text(re.compile(r"Context: [\d,]+ of"))).to_be_visible()
    page.wait_for_timeout(1_000)  # the page has come to rest: a click now opens what it hits
    prompt = page.get_by_test_id("stExpander").filter(has_text="The exact prompt").last
    prompt.locator("summary").click()
    expect(prompt).to_contain_text("Answer from the sources above")
    page.screenshot(path=artifacts / "28-prompt.png")
    assert "Traceback" not in footnote.said()
