"""What axe-core finds on every page, in light and in dark: nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import SLOW, load_samples, put, wait_until_at_rest, wait_until_still, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import ROOT, Server

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
FOUND = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"
FOLDED = {
    "Documents": ("Add web pages",),
    "Collect": ("Limits", "Stack Exchange", "Web site"),
    "Status": ("Maintenance", "API keys", "Versions and folders"),
    "Evaluation": ("Run", "Results", "Compare", "Operations", "Conversations", "Ready answers"),
}
"""What is drawn only when it is opened."""


def findings(page: Page) -> list[str]:
    """The findings of axe-core at rest, each with its elements: what is drawn anew is grey."""
    wait_until_at_rest(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert AXE.is_file(), "axe-core is a tool of the tests: run `npm ci`"
    page.evaluate(AXE.read_text("utf-8"))
    return [
        f"{found['id']}: {node['html'][:160]} {node['failureSummary']}"
        for found in page.evaluate(FOUND)
        for node in found["nodes"]
    ]


def shared_answer(page: Page, pages: Server) -> dict[str, list[str]]:
    """The findings of the list of shared answers, of one of them, and of a link to none."""
    page.goto(pages.url)
    put(page, "SHARE What is carried?")
    whole(page)
    wait_until_at_rest(page)
    page.get_by_role("button", name="Shared answers").click()
    link = page.get_by_role("dialog").get_by_role("link", name="SHARE What is carried?")
    expect(link).to_be_visible()
    found = {"list of shared answers": findings(page)}
    link.click()
    page.get_by_role("heading", name="Shared answer").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("button.chip.cited").nth(1).click()
    expect(page.locator(".evidence .box")).to_have_count(1, timeout=SLOW)
    found["shared answer with evidence"] = findings(page)
    page.goto(f"{pages.url}/Answer?shared=gone")
    expect(page.get_by_text("There is no such answer here")).to_be_visible()
    found["shared answer that is gone"] = findings(page)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.timeout(300)
def test_axe_finds_nothing_on_any_page(
    pages: Server, open_browser: OpenBrowser, dark: bool
) -> None:
    page = open_browser(dark=dark)
    page.goto(pages.url)
    expect(page.get_by_role("button", name="Load the sample library")).to_be_visible()
    found = {"first screen": findings(page)}
    load_samples(page, pages)
    found["welcome"] = findings(page)
    put(page, "What is carried with every passage?")
    whole(page)
    wait_until_at_rest(page)
    wait_until_still(page.locator(".sheet").last)
    page.locator("button.chip.cited").nth(1).hover()
    expect(page.locator(".card mark")).to_be_visible()
    found["card"] = findings(page)
    page.locator("button.chip.cited").nth(1).click()
    page.get_by_text("Found but not used").click()
    page.get_by_text("How it searched").click()
    expect(page.locator(".evidence .box")).to_have_count(1, timeout=SLOW)
    found["answer with evidence"] = findings(page)
    for name in ("Documents", "Collect", "Search", "Status", "Evaluation"):
        page.goto(f"{pages.url}/{name}")
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_timeout(1_500)  # what is drawn last is there
        if name == "Search":
            page.get_by_text("Settings", exact=True).click()
            expect(page.get_by_text("Combine both by")).to_be_visible()
            page.wait_for_timeout(1_500)
        found[name] = findings(page)
        for fold in FOLDED.get(name, ()):
            page.get_by_text(fold, exact=True).click()
            found[f"{name}, {fold}"] = findings(page)
    page.goto(f"{pages.url}/Search?query=Which+meanings+are+compared?")
    expect(page.locator(".hit mark").first).to_be_visible()
    found["hits"] = findings(page)
    page.get_by_role("button", name="Open glossary.md").click()
    expect(page.locator(".evidence mark").first).to_be_visible()
    found["hits with evidence"] = findings(page)
    found |= shared_answer(page, pages)
    assert {name: those for name, those in found.items() if those} == {}
