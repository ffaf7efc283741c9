"""The box for questions: the documents that are asked, files that come along, and Stop."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import load_samples, put, wait_until_at_rest, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server
from tests.browser.test_accessibility import findings


def asking(page: Page) -> Locator:
    """The button that says how many documents are asked."""
    return page.get_by_test_id("stBottom").get_by_role("button", name="Asking")


def within(inner: Locator, outer: Locator) -> bool:
    """Whether an element lies inside another one."""
    small, large = inner.bounding_box(), outer.bounding_box()
    assert small
    assert large
    return (
        small["x"] >= large["x"]
        and small["y"] >= large["y"]
        and small["x"] + small["width"] <= large["x"] + large["width"]
        and small["y"] + small["height"] <= large["y"] + large["height"]
    )


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
@pytest.mark.timeout(300)
def test_documents_are_chosen_files_added_and_an_answer_stopped(
    pages: Server, open_browser: OpenBrowser, artifacts: Path, look: str
) -> None:
    page = open_browser(dark=look == "dark", phone=look == "phone")
    load_samples(page, pages)

    expect(asking(page)).to_contain_text("Asking all 3")
    asking(page).click()
    choice = page.locator(".scope")
    boxes = choice.locator(".list input")
    expect(boxes).to_have_count(3)
    choice.get_by_role("button", name="Markdown").click()
    expect(boxes).to_have_count(1)
    choice.get_by_role("button", name="Markdown").click()
    choice.get_by_label("Find a document").fill("handb")
    expect(boxes).to_have_count(1)
    choice.get_by_role("button", name="None").click()
    choice.get_by_label("Find a document").fill("")
    expect(boxes).to_have_count(3)
    expect(choice.get_by_role("status")).to_have_text("2 of 3 asked")
    page.screenshot(path=artifacts / f"scope-{look}.png")
    page.wait_for_timeout(1_500)  # what is drawn anew is there
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(choice).not_to_be_visible()
    expect(asking(page)).to_contain_text("Asking 2 of 3")

    put(page, "What is carried with every passage?")
    expect(whole(page).locator("footer")).to_contain_text("asked of 2 of 3 documents")
    page.reload()
    expect(asking(page)).to_contain_text("Asking 2 of 3")
    asking(page).click()
    choice.get_by_label("Keep for the next questions").uncheck()
    page.keyboard.press("Escape")
    put(page, "What is carried then?")
    expect(whole(page).locator("footer")).to_contain_text("asked of 2 of 3 documents")
    expect(asking(page)).to_contain_text("Asking all 3")
    page.screenshot(path=artifacts / f"composer-{look}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    box = page.get_by_test_id("stChatInput")
    note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"A note on what is carried."}
    box.locator("input[type=file]").set_input_files([note])
    expect(box.get_by_text("note.txt")).to_be_visible()
    page.screenshot(path=artifacts / f"composer-file-{look}.png")
    put(page, "What is carried in the note?")
    expect(page.get_by_text("1 document added.").first).to_be_visible()
    whole(page)
    expect(asking(page)).to_contain_text("Asking all 4")

    page.get_by_test_id("stChatInputTextArea").fill("ECHO " + "A long answer goes on. " * 80)
    page.keyboard.press("Enter")
    page.locator(".prose.live").wait_for()
    stop = page.get_by_test_id("stBottom").get_by_role("button", name="Stop")
    assert within(stop, box)
    expect(page.get_by_test_id("stChatInputSubmitButton")).not_to_be_visible()
    page.screenshot(path=artifacts / f"composer-stop-{look}.png")
    stop.click()
    expect(page.locator("footer").last).to_contain_text("incomplete")
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_visible()


PASTED = """(box, [name, text]) => {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([text], name, { type: "text/plain" }))
  box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }))
}"""
"""A file out of the clipboard, as the browser tells the page."""


@pytest.mark.timeout(300)
def test_files_are_pasted_into_the_box(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    load_samples(page, pages)
    box, area = page.get_by_test_id("stChatInput"), page.get_by_test_id("stChatInputTextArea")
    for name in ("boats.txt", "sails.txt"):
        area.evaluate(PASTED, [name, f"A note called {name}."])
        expect(box.get_by_text(name)).to_be_visible()
    page.screenshot(path=artifacts / "composer-pasted.png")
    put(page, "What are the notes about?")
    expect(page.get_by_text("2 documents added.").first).to_be_visible()
    whole(page)
    expect(asking(page)).to_contain_text("Asking all 5")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.timeout(300)
def test_a_day_begins_at_midnight_of_the_browser(
    pages: Server, open_browser: OpenBrowser, zone: str
) -> None:
    """14 hours before and 11 hours after UTC: in one of them it is another day now."""
    page = open_browser(zone=zone)
    load_samples(page, pages)
    today = datetime.now(UTC).astimezone(ZoneInfo(zone)).date()
    choice = page.locator(".scope")
    for day, asked in ((today, 3), (today + timedelta(days=1), 0)):
        wait_until_at_rest(page)
        asking(page).click()
        choice.get_by_label("Added since").fill(day.isoformat())
        expect(choice.get_by_role("status")).to_have_text(f"{asked} of 3 asked")
        page.wait_for_timeout(1_500)  # what is drawn anew is there
        page.keyboard.press("Escape")
        expect(asking(page)).to_contain_text(f"Asking {asked} of 3")
        page.reload()
        expect(asking(page)).to_contain_text(f"Asking {asked} of 3")
        wait_until_at_rest(page)
        asking(page).click()
        expect(choice.get_by_label("Added since")).to_have_value(day.isoformat())
        page.keyboard.press("Escape")
