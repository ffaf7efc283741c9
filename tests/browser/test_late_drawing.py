"""An older drawing that reaches the page after a newer one does not take its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import load_samples, put, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server

HELD = """
const held = source => source.replace("export default function", "const drawing = function") + `
let late = false
export default async component => {
  const first = !late
  late = true
  if (first) await new Promise(go => setTimeout(go, 8_000))
  document.body.dataset.handed = first ? "first" : document.body.dataset.handed ?? ""
  return drawing(component)
}`
const Plain = window.Blob
window.Blob = class extends Plain {
  constructor(parts, options) {
    const [source, ...others] = parts
    const module = typeof source === "string" && source.includes("const NAME = ")
    super(module ? [held(source), ...others] : parts, options)
  }
}
"""
"""Holds the first drawing of a component back, as a slow start of its JavaScript does."""


@pytest.fixture
def holding(open_browser: OpenBrowser) -> Callable[[str], Page]:
    """Opens a page that holds back the first drawing of the component with this function."""

    def opened(name: str) -> Page:
        page = open_browser()
        page.add_init_script(HELD.replace("NAME", name))
        return page

    return opened


def wait_for_the_first(page: Page) -> None:
    page.locator("body[data-handed=first]").wait_for(state="attached")
    page.wait_for_timeout(500)  # what it would draw is drawn


def test_the_first_drawing_of_an_answer_comes_last(
    pages: Server, holding: Callable[[str], Page]
) -> None:
    page = holding("answerView")
    load_samples(page, pages)
    put(page, "What is carried with every passage?")
    whole(page)
    wait_for_the_first(page)
    assert page.locator(".sheet footer").count() == 1
    page.locator("button.chip.cited").first.click()
    page.locator(".evidence").wait_for()


def test_the_first_drawing_of_documents_comes_last(
    pages: Server, holding: Callable[[str], Page]
) -> None:
    page = holding("rowLists")
    page.goto(f"{pages.url}/Documents")
    files = [
        {"name": f"{number}.md", "mimeType": "text/plain", "buffer": f"{number}".encode()}
        for number in range(13)
    ]
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.locator(".row.ready")).to_have_count(13)
    page.reload()
    words = page.get_by_placeholder("Find by name")
    words.fill("7.md")
    words.press("Enter")
    expect(page.locator(".row")).to_have_count(1)
    wait_for_the_first(page)
    assert page.locator(".row").count() == 1
