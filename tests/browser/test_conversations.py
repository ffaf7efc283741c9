"""Conversations in the side bar, and addresses that open a citation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import put, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server
from tests.browser.test_accessibility import findings


def ask_anew(page: Page, question: str) -> None:
    """Ask in a new conversation."""
    new = page.get_by_role("button", name="New conversation")
    if new.is_enabled():
        new.click()
        expect(new).to_be_disabled()
    put(page, question)
    whole(page)


@pytest.mark.timeout(300)
def test_conversations_are_pinned_and_searched_and_a_citation_is_linked_to(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    page.goto(pages.url)
    for question in ("What is the first question about?", "What is fusion?", "A third one?"):
        ask_anew(page, question)
    side = page.get_by_test_id("stSidebar")
    rows = side.locator("[class*='st-key-conversation-'] button")
    expect(rows).to_have_count(3)
    side.locator("[class*='st-key-menu-']").last.locator("button").first.click()
    page.screenshot(path=artifacts / "conversation-menu.png")
    page.get_by_text("Pin", exact=True).click()
    expect(rows.first).to_contain_text("What is the first")
    expect(side.get_by_text("Pinned", exact=True)).to_be_visible()

    box = side.get_by_role("textbox", name="Search conversations")
    box.fill("What is fusion")
    box.press("Enter")
    expect(rows).to_have_count(1)
    page.screenshot(path=artifacts / "conversation-search.png")
    box.fill("")
    box.press("Enter")
    expect(rows).to_have_count(3)
    assert findings(page) == []

    rows.first.click()
    expect(page.locator(".question").last).to_contain_text("What is the first")
    page.locator("button.chip.cited").filter(has_text="3").first.click()
    title = page.locator(".evidence-title")
    expect(title).to_contain_text("glossary.md")
    expect(page).to_have_url(re.compile(r"&citation=3"))
    address = page.url
    other = page.context.new_page()
    other.goto(address)
    expect(other.locator(".evidence-title")).to_contain_text("glossary.md")
    expect(other.locator("button.chip.cited.on")).to_have_count(1)
    other.screenshot(path=artifacts / "linked-citation.png")
    other.keyboard.press("Escape")
    expect(other.locator(".evidence")).to_have_count(0)
    expect(other).not_to_have_url(re.compile("citation="))
    other.goto(address.replace("citation=3", "citation=77"))
    expect(other.get_by_text("is not in this conversation")).to_be_visible()
    stranger = open_browser()
    stranger.goto(address)
    expect(stranger.get_by_text("leads to nothing that you can open")).to_be_visible()
    expect(stranger.locator(".sheet .prose")).to_have_count(0)
    stranger.screenshot(path=artifacts / "linked-by-a-stranger.png")
