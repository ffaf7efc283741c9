"""Search in the document whose evidence is open: from match to match, and back to the citation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.chat import load_samples, wait_until_still
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server
from tests.browser.test_accessibility import findings

SEARCH = "Search in this document"
WORDS = "Words to find in this document"


def open_evidence(page: Page, server: Server) -> Locator:
    """The handbook's page 3, with the passage of the second citation marked."""
    load_samples(page, server)
    page.get_by_role("button", name="What is carried").click()
    page.locator("button.chip.cited").nth(1).wait_for()
    page.wait_for_timeout(1_000)  # the page moves up to the new answer
    page.locator("button.chip.cited").nth(1).click()
    evidence = page.locator(".evidence")
    if not evidence.count() and page.locator(".card").is_visible():
        page.locator(".card").get_by_role("button", name="Open").click()
    expect(evidence.locator(".box")).to_have_count(1)
    wait_until_still(evidence)
    return evidence


def outline(place: Locator) -> FloatRect:
    found = place.bounding_box()
    assert found
    return found


def is_focused(node: Locator) -> bool:
    return bool(node.evaluate("node => node === node.getRootNode().activeElement"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_are_found_on_every_page_and_the_citation_comes_back(
    pages: Server, open_browser: OpenBrowser, artifacts: Path, dark: bool
) -> None:
    page = open_browser(dark=dark)
    evidence = open_evidence(page, pages)
    body, cited = evidence.locator(".evidence-body"), evidence.locator(".box:not(.found)")
    before = [outline(body), outline(cited)]
    evidence.get_by_label(SEARCH).click()
    box = evidence.get_by_label(WORDS)
    assert is_focused(box)
    assert [outline(body), outline(cited)] == before  # nothing moves

    box.press_sequentially("jk/ PASSAGES")  # letters of the box, no keys of the page
    expect(box).to_have_value("jk/ PASSAGES")
    box.press("Enter")
    said = evidence.get_by_role("status")
    expect(said).to_have_text("Not in this document")
    expect(evidence.locator(".evidence-page")).to_have_text("Page 3 of 20")

    box.fill("DOCUMENTS the page")
    box.press("Enter")
    expect(said).to_have_text("2 of 10, page 3")
    now = evidence.locator(".box.now")
    expect(now).to_have_count(1)
    expect(now).to_be_in_viewport()
    expect(cited).to_have_count(1)
    colours = [
        box.evaluate("node => getComputedStyle(node).backgroundColor") for box in (now, cited)
    ]
    assert len(set(colours)) == 2
    page.screenshot(path=artifacts / f"search-in-document-{'dark' if dark else 'light'}.png")
    assert findings(page) == []

    evidence.get_by_label("Larger").click()
    zoom = evidence.locator(".zoom").inner_text()
    box.press("Enter")
    expect(said).to_have_text("3 of 10, page 5")
    expect(evidence.locator(".zoom")).to_have_text(zoom)  # as chosen, on another page
    expect(evidence.locator(".evidence-page")).to_have_text("Page 5 of 20")
    expect(now).to_be_in_viewport()
    expect(cited).to_have_count(0)
    assert is_focused(box)
    box.press("Shift+Enter")
    expect(said).to_have_text("2 of 10, page 3")
    evidence.get_by_label("Previous match").click()
    expect(evidence.locator(".evidence-page")).to_have_text("Page 1 of 20")
    assert is_focused(evidence.get_by_label("Previous match"))

    box.press("Escape")
    expect(box).to_be_hidden()
    expect(evidence.locator(".evidence-page")).to_have_text("Page 3 of 20")
    expect(evidence.locator(".box")).to_have_count(1)
    assert is_focused(evidence.get_by_label(SEARCH))
    page.keyboard.press("Escape")
    expect(evidence).to_have_count(0)


def test_a_text_is_searched_and_another_citation_ends_the_search(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    evidence = open_evidence(page, pages)
    page.locator("button.source[data-source=cited-2]").click()
    expect(evidence.locator("mark")).to_have_text(re.compile("^Reciprocal rank fusion"))
    evidence.get_by_label(SEARCH).click()
    box = evidence.get_by_label(WORDS)
    box.fill("retrieval")
    box.press("Enter")
    expect(evidence.get_by_role("status")).to_have_text("1 of 2")
    expect(evidence.locator("mark.found")).to_have_text(["retrieval", "retrieval"])
    expect(evidence.locator("mark.now")).to_have_text("retrieval")
    assert is_focused(box)
    evidence.get_by_label("Next match").click()
    expect(evidence.get_by_role("status")).to_have_text("2 of 2")
    page.locator("button.chip.cited").nth(1).click()
    expect(evidence.locator(".evidence-title")).to_contain_text("handbook.pdf")
    expect(evidence.get_by_label(WORDS)).to_be_hidden()
    expect(evidence.locator(".box")).to_have_count(1)


def test_the_sheet_of_a_phone_has_the_search(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser(phone=True)
    evidence = open_evidence(page, pages)
    evidence.get_by_label(SEARCH).tap()
    box = evidence.get_by_label(WORDS)
    box.fill("fusion")
    box.press("Enter")
    expect(evidence.get_by_role("status")).to_have_text("2 of 10, page 3")
    for _ in range(2):
        evidence.get_by_label("Next match").tap()
    expect(evidence.get_by_role("status")).to_have_text("4 of 10, page 7")
    expect(evidence.locator(".box.now")).to_be_in_viewport()
    tools = evidence.locator(".evidence-tools > button")
    assert tools.count() > 8
    assert len({round(outline(tool)["y"]) for tool in tools.all()}) == 1, "the tools are one line"
    around = outline(evidence.locator(".find"))
    assert around["x"] >= 0
    assert around["x"] + around["width"] <= 390
    page.screenshot(path=artifacts / "search-in-document-phone.png")
    assert findings(page) == []
    evidence.get_by_label("Close the search").tap()
    expect(evidence.locator(".evidence-page")).to_have_text("Page 3 of 20")
