"""Collecting in a real browser: a small site becomes documents that answer, with their place."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import wait_until_at_rest
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server, footnote_in
from tests.scraper.site import Reply, Site, serving
from tests.scraper.test_python_docs import contents, sphinx, toctree

SLOW = 60_000  # milliseconds
GATE = threading.Event()


def waiting(path: str, headers: object) -> Reply:
    GATE.wait(60)
    return Reply(sphinx("time", "<p>Clocks are read with this module.</p>"))


@pytest.fixture
def docs() -> Iterator[Site]:
    entry = (
        '<dl><dt id="os.system">os.system(command)</dt>'
        "<dd><p>Executes the command in a subshell and waits for its end.</p></dd></dl>"
    )
    pages = {
        "/3/": sphinx("Welcome", contents(Library="library/index.html", News="whatsnew/3.html")),
        "/3/library/index.html": sphinx("Library", toctree("os.html", "time.html", "re.html")),
        "/3/library/os.html": sphinx("os", entry),
        "/3/library/time.html": waiting,
        "/3/library/re.html": sphinx("re", "<p>Regular expressions match text.</p>"),
    }
    with serving(pages) as site:
        yield site
        GATE.set()


@pytest.fixture
def footnote(tmp_path: Path, docs: Site) -> Iterator[Server]:
    with footnote_in(tmp_path, ALLOWED_PRIVATE_HOSTS=docs.host, COLLECT_DELAY="0") as server:
        yield server


def give(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("textbox", name=label)
    box.fill(text)
    box.press("Enter")


@pytest.mark.timeout(300)
def test_a_documentation_from_the_preview_to_the_anchor(
    footnote: Server, docs: Site, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    page.goto(f"{footnote.url}/Collect")
    give(page, "Start page", f"{docs.url}/3/")
    page.get_by_role("button", name="Preview").first.click()
    expect(page.get_by_text("A documentation with 2 sections")).to_be_visible(timeout=SLOW)
    page.screenshot(path=artifacts / "collect-1-preview.png")
    page.get_by_role("button", name="Collect", exact=True).first.click()
    expect(page.get_by_text("in the queue")).to_be_visible(timeout=SLOW)
    page.screenshot(path=artifacts / "collect-2-running.png")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused")).to_be_visible(timeout=SLOW)

    page.reload()  # nothing is lost with the page
    GATE.set()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Done", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("5 new")).to_be_visible()
    page.get_by_role("button", name="Details").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(f"{docs.url}/3/", exact=True)).to_be_visible(timeout=SLOW)
    dialog.get_by_role("tab", name="Skipped").click()
    expect(dialog.get_by_text(f"{docs.url}/3/whatsnew/3.html")).to_be_visible()
    page.screenshot(path=artifacts / "collect-3-details.png")
    page.keyboard.press("Escape")

    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_text("5 ready")).to_be_visible(timeout=SLOW)
    page.get_by_role("link", name="Chat").click()
    page.get_by_test_id("stChatInputTextArea").fill(
        "Which function executes the command in a subshell?"
    )
    page.keyboard.press("Enter")
    page.locator("button.chip.cited").first.wait_for(timeout=SLOW)
    wait_until_at_rest(page)
    page.locator("button.chip.cited").first.click()
    out = page.get_by_role("link", name="Open the page on the web, at the passage")
    there = re.compile(re.escape(f"{docs.url}/3/library/os.html#os.system:~:text="))
    expect(out).to_have_attribute("href", there, timeout=SLOW)
    page.screenshot(path=artifacts / "collect-4-answer.png")
