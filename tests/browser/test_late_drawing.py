"""An older drawing that reaches the page after a newer one does not take its place."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.chat import load_samples, put, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server

HELD = """
const Plain = window.Blob
window.Blob = class extends Plain {
  constructor(parts, options) {
    const [source, ...others] = parts
    const module = typeof source === "string" && source.includes("const answerView")
    super(module ? [held(source), ...others] : parts, options)
  }
}
const held = source => source.replace("export default function", "const drawing = function") + `
let late = false
export default async component => {
  const first = !late
  late = true
  if (first) await new Promise(go => setTimeout(go, 8_000))
  document.body.dataset.handed = first ? "first" : document.body.dataset.handed ?? ""
  return drawing(component)
}`
"""
"""Holds the first drawing of the first sheet back, as a slow start of its JavaScript does."""


def ask(page: Page, pages: Server) -> None:
    load_samples(page, pages)
    put(page, "What is carried with every passage?")
    whole(page)


def test_the_first_drawing_comes_last(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.add_init_script(HELD)
    ask(page, pages)
    page.locator("body[data-handed=first]").wait_for(state="attached")
    page.wait_for_timeout(500)  # what it would draw is drawn
    assert page.locator(".sheet footer").count() == 1
    page.locator("button.chip.cited").first.click()
    page.locator(".evidence").wait_for()
