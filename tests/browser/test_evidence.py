"""The evidence beside an answer: how it opens and closes."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.types import DocumentKind, Evidence
from core.ui.answer.evidence import evidence_view
from core.ui.answer.views import answer_view
from tests.browser.chat import SLOW, load_samples, put, wait_until_at_rest, wait_until_still, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import ROOT, Server
from tests.ui.app.fake_service import PAGE_TEXT, a_citation, canned_answer


@pytest.mark.timeout(300)
def test_the_room_of_the_evidence_is_there_at_once(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    load_samples(page, pages)
    put(page, "What is carried with every passage?")
    whole(page)
    wait_until_at_rest(page)
    chip = page.locator(".sheet").last.locator("button.chip.cited").first
    split = chip.evaluate(
        """one => {
          const sheet = one.closest(".sheet")
          one.click()
          const room = sheet.querySelector(".opening")
          const box = room.getBoundingClientRect()
          return [sheet.className, room.ariaBusy, box.left, box.width]
        }"""
    )
    page.screenshot(path=artifacts / "evidence-opening.png")
    page.locator(".evidence").wait_for(timeout=SLOW)
    assert "with-evidence" in split[0]
    assert split[1] == "true"
    assert page.locator(".opening").count() == 0
    drawn = page.locator(".evidence").bounding_box()
    assert drawn is not None
    assert [drawn["x"], drawn["width"]] == pytest.approx(split[2:], abs=1)
    page.keyboard.press("Escape")
    page.locator(".evidence").wait_for(state="detached")
    assert page.locator(".with-evidence, .opening").count() == 0


@pytest.mark.timeout(300)
def test_opening_evidence_draws_the_sheet_and_not_the_page(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, pages)
    for question in ("What is carried with every passage?", "What is fusion?"):
        put(page, question)
        whole(page)
    wait_until_at_rest(page)
    rows = page.get_by_test_id("stSidebar").locator("[class*='st-key-conversation-'] button")
    expect(rows).to_have_count(1)
    other = page.context.new_page()  # asks in a conversation that the page does not know of
    other.goto(pages.url)
    put(other, "What is new?")
    whole(other)

    first, last = page.locator(".sheet").first, page.locator(".sheet").last
    last.locator("button.chip.cited").first.click()
    last.locator(".evidence").wait_for(timeout=SLOW)
    page.keyboard.press("Escape")
    expect(page.locator(".evidence")).to_have_count(0)
    last.locator("button.chip.cited").last.click()
    last.locator(".evidence").wait_for(timeout=SLOW)
    expect(page).to_have_url(re.compile("&citation="))
    wait_until_at_rest(page)
    expect(rows).to_have_count(1)

    first.locator("button.chip.cited").first.click()  # the other sheet has to close its evidence
    first.locator(".evidence").wait_for(timeout=SLOW)
    expect(page.locator(".evidence")).to_have_count(1)
    expect(rows).to_have_count(2)
    main = page.get_by_test_id("stMainBlockContainer")
    assert main.evaluate("node => node.style.maxWidth") == "none"
    page.keyboard.press("Escape")
    expect(page.locator(".with-evidence")).to_have_count(0)
    assert main.evaluate("node => node.style.maxWidth") == ""


@pytest.mark.timeout(300)
def test_the_head_of_the_evidence_is_in_sight_from_the_end_of_the_page(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, pages)
    for question in ("What is fusion?", "What is carried with every passage?"):
        put(page, question)
        whole(page)
    wait_until_at_rest(page)
    chip = page.locator(".sheet").last.locator("button.chip.cited").first
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    chip.evaluate("node => node.click()")
    evidence = page.locator(".evidence")
    evidence.wait_for(timeout=SLOW)
    wait_until_still(evidence)
    head, bar = evidence.bounding_box(), page.get_by_test_id("stHeader").bounding_box()
    assert head is not None
    assert bar is not None
    assert head["y"] >= bar["y"] + bar["height"]


def sheet_script() -> str:
    names = ("dom", "tree", "card", "find", "evidence", "searched", "sheet")
    return "\n".join((ROOT / f"core/ui/web/{name}.js").read_text("utf-8") for name in names)


OVERTAKEN = """async ([script, content]) => {
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })))
  const host = document.body.appendChild(document.createElement("div"))
  const parentElement = host.attachShadow({ mode: "open" })
  parentElement.innerHTML = '<div class="root sheet"></div>'
  const sent = []
  const setTriggerValue = name => sent.push(name)
  const evidence = { label: "a", text: [["words", "mark"]], boxes: [], others: [] }
  const all = { turn: ["tab", 1], content, checks: [] }
  const drawn = opened => module.default({
    data: { ...all, opened, use: opened && 0, evidence: opened && evidence },
    parentElement,
    setTriggerValue,
  })
  const leave = drawn(null)
  drawn("cited-0")
  leave()
  const press = () => window.dispatchEvent(new KeyboardEvent("keydown", { key: "j" }))
  press()
  const cards = parentElement.querySelectorAll(".card").length
  const before = sent.length
  host.remove()
  leave()
  press()
  return [before, sent.length, cards]
}"""
"""The component drawn by hand, and its first drawing left after the second, as Streamlit does where
newer data comes while the first is still being loaded."""


def test_a_drawing_that_newer_data_overtook_takes_neither_keys_nor_card_with_it(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    page.goto(pages.url)
    content = answer_view(canned_answer("What is carried?"))
    sent, after, cards = page.evaluate(OVERTAKEN, [sheet_script(), content])
    assert sent == 1
    assert after == 1, "a sheet that is gone has no keys"
    assert cards == 1


PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)

PANEL = """async ([script, styles, width, evidence]) => {
  const all = script + ";window.made = evidencePanel"
  await import(URL.createObjectURL(new Blob([all], { type: "text/javascript" })))
  const host = document.body.appendChild(document.createElement("div"))
  host.style = `position: fixed; inset: 0 auto 0 0; z-index: 10000000; width: ${width}px`
  const root = host.attachShadow({ mode: "open" })
  root.innerHTML = `<style>${styles}</style>`
  const made = window.made(evidence, () => {}, { count: 0, use: null }, { tool: "", bar: "" })
  root.append(made.panel)
  made.reveal(null)
  const [words, body, box] = [".evidence-words", ".evidence-body", ".box"].map(
    name => root.querySelector(name),
  )
  return {
    hidden: getComputedStyle(words).display === "none",
    said: words.textContent,
    size: parseFloat(getComputedStyle(words).fontSize),
    cut: words.scrollWidth > words.clientWidth,
    place: body.clientWidth,
    line: [box.offsetWidth, box.offsetHeight],
    from: body.scrollLeft,
    page: root.querySelector(".page").offsetWidth,
    together: getComputedStyle(box).opacity === "1" && getComputedStyle(box.parentNode).opacity < 1,
  }
}"""
"""The panel of a page drawn by hand, in a place of a given width."""


@pytest.mark.parametrize(("width", "wider"), [(390, True), (1100, False)])
def test_lines_wider_than_their_place_can_be_read_as_text_too(
    pages: Server, open_browser: OpenBrowser, artifacts: Path, width: int, wider: bool
) -> None:
    citation = a_citation(1, DocumentKind.PDF, "handbook.pdf", "every passage carries")
    image, line = base64.b64decode(PIXEL), (0.12, 0.5, 0.88, 0.514)
    span = (citation.start, citation.end)
    evidence = Evidence(
        citation, PAGE_TEXT, image, 1224, 1584, boxes=(line,), spans=(span,), pages=20
    )
    styles = "".join((ROOT / f"core/ui/web/{name}.css").read_text() for name in ("base", "sheet"))
    page = open_browser()
    page.goto(pages.url)
    drawn = page.evaluate(PANEL, [sheet_script(), styles, width, evidence_view(evidence)])
    page.screenshot(path=artifacts / f"evidence-words-{width}.png")
    across, high = drawn["line"]
    assert high >= 14
    assert (across > drawn["place"]) is wider
    assert drawn["hidden"] is not wider
    assert drawn["said"] == " ".join(PAGE_TEXT[slice(*span)].split())
    assert drawn["size"] >= 14
    assert not drawn["cut"]
    assert drawn["together"], "boxes that overlap are not darker there"


@pytest.mark.parametrize("line", [(0.14, 0.5, 0.7, 0.514), (0.4, 0.5, 0.6, 0.514)])
def test_the_lines_beside_the_marked_one_are_not_cut(
    pages: Server, open_browser: OpenBrowser, line: tuple[float, float, float, float]
) -> None:
    """A line that ends early, or that is marked in the middle, in a column from 0.12 to 0.88."""
    citation = a_citation(1, DocumentKind.PDF, "handbook.pdf", "every passage carries")
    evidence = Evidence(
        citation, PAGE_TEXT, base64.b64decode(PIXEL), 1224, 1584, boxes=(line,), pages=20,
        column=(0.12, 0.88),
    )  # fmt: skip
    styles = "".join((ROOT / f"core/ui/web/{name}.css").read_text() for name in ("base", "sheet"))
    page = open_browser()
    page.goto(pages.url)
    drawn = page.evaluate(PANEL, [sheet_script(), styles, 700, evidence_view(evidence)])
    assert drawn["line"][1] >= 14
    assert drawn["from"] <= 0.12 * drawn["page"]
    assert drawn["from"] + drawn["place"] >= 0.88 * drawn["page"]
