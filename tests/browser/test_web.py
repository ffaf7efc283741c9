"""The live web in the browser: a question whose answer stands on one of ten pages, and bad ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server, footnote_in
from tests.standins.searxng import SearxngStandin, index
from tests.standins.small_web import FAILS, HANGS, PAGES, TO_PRIVATE, SmallWeb, bomb

QUESTION = "Who built the lantern house of Velmark?"
BAD = {"/hangs": HANGS, "/fails": FAILS, "/private": TO_PRIVATE, "/bomb": bomb()}

SLOW = 120_000  # milliseconds


@pytest.fixture
def footnote(tmp_path: Path) -> Iterator[Server]:
    """The real server, with a SearXNG that always finds four bad pages."""
    with SmallWeb({**PAGES, **BAD}) as web, SearxngStandin(index(web, ())) as searxng:
        searxng.always = [web.url + path for path in (*BAD, *PAGES)]
        with footnote_in(
            tmp_path,
            SEARXNG_URL=searxng.url,
            ALLOWED_PRIVATE_HOSTS=web.host,
            WEB_PAGES="14",
            WEB_PER_HOST="6",
            WEB_SECONDS="45",  # of a machine that runs other tests beside this one
        ) as server:
            yield server


def ask(page: Page, question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


@pytest.mark.timeout(300)
def test_a_page_of_the_web_is_cited_and_kept(
    footnote: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    page.goto(footnote.url)
    page.get_by_text("Search the web").click(timeout=SLOW)
    expect(page.get_by_text("Queries")).to_be_visible()
    ask(page, QUESTION)
    expect(page.get_by_text(re.compile(r"web search|web page|web queries")).first).to_be_visible(
        timeout=SLOW
    )
    chip = page.locator(".chip.cited").first
    expect(chip).to_be_visible(timeout=SLOW)
    expect(page.locator(".prose")).to_contain_text("built in 1783 by the guild of net makers")
    told = page.locator(".notice", has_text="Left out 4 pages of the web")
    for path, reason in (
        ("/hangs", "did not send"), ("/fails", "500"), ("/private", "redirects"), ("/bomb", "large")
    ):  # fmt: skip
        expect(told).to_contain_text(path)
        expect(told).to_contain_text(reason)
    page.screenshot(path=artifacts / "web-answer.png")

    page.get_by_text("How it searched").click()
    for step in ("web queries", "web search", "web page", "web indexed"):
        expect(
            page.locator(".steps, .searched").get_by_text(step, exact=True).first
        ).to_be_visible()
    page.screenshot(path=artifacts / "web-steps.png", full_page=True)

    chip.click()
    panel = page.locator(".evidence")
    expect(panel.locator("mark")).to_contain_text("guild of net makers")
    expect(panel).to_contain_text("published 2025-03-04")
    link = panel.get_by_label("Open the page on the web, at the passage")
    assert "#:~:text=" in (link.get_attribute("href") or "")
    page.screenshot(path=artifacts / "web-evidence.png")
    panel.get_by_role("button", name="Keep in library").click()
    expect(page.get_by_text("Kept in your library")).to_be_visible()

    page.goto(f"{footnote.url}/Documents")
    expect(page.get_by_text("The lantern house of Velmark")).to_be_visible(timeout=SLOW)
    page.goto(f"{footnote.url}/Status")
    expect(page.get_by_text("answers in JSON")).to_be_visible(timeout=SLOW)
