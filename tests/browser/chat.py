"""What a person does in the chat: loading the samples, asking, waiting for the answer."""

from __future__ import annotations

import time

from playwright.sync_api import Locator, Page, expect

from tests.browser.servers import Server

SLOW = 180_000
"""Milliseconds; reading the samples on a machine that does other things as well takes a while."""

_AT_REST = """
document.querySelector("[data-test-script-state='notRunning']") !== null
    && [...document.querySelectorAll("[data-testid=stElementContainer]")]
        .every(each => each.dataset.stale !== "true" && getComputedStyle(each).opacity === "1")
"""


def wait_until_at_rest(page: Page) -> None:
    """Wait until nothing is being drawn anew: until then it is grey, and what it offers is old."""
    page.wait_for_function(_AT_REST, timeout=SLOW)


def wait_until_still(node: Locator) -> None:
    """Wait until the page has scrolled to a node: it stays where it is for a while."""
    place = None
    while place != (place := node.bounding_box()):
        node.page.wait_for_timeout(300)


def load_samples(page: Page, server: Server) -> None:
    """From the first screen to the suggestions."""
    page.goto(server.url)
    page.get_by_role("button", name="Load the sample library").click()
    page.get_by_text("Try one of these").wait_for(timeout=SLOW)


def put(page: Page, question: str) -> None:
    """Send a question, and see that it is taken."""
    page.get_by_test_id("stChatInputTextArea").fill(question)
    # Until a file beside the question has arrived, Enter does nothing.
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".question").last).to_have_text(question)


def whole(page: Page) -> Locator:
    """The last answer, once each question has one that is whole."""
    questions, answers = page.locator(".question"), page.locator(".sheet footer")
    deadline = time.monotonic() + SLOW / 1000
    while not 0 < questions.count() == answers.count():  # none of either while the page is redrawn
        if time.monotonic() > deadline:
            count = f"{answers.count()} of {questions.count()} answered"
            raise AssertionError(f"{count}; the page shows:\n{page.inner_text('body')}")
        page.wait_for_timeout(100)
    return page.locator(".sheet").last
