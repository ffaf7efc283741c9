"""How an answer looks: tables, the words that answer, the end of the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import load_samples, put, wait_until_at_rest, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server

TABLE = """\
| Land | Full day | Transportation reimbursement | Accommodation allowance | Hotel per night |
|---|---|---|---|---|
| Switzerland | 64 EUR | 43 EUR | 180 EUR | 220 EUR [1] |"""

BROKEN_WORDS = """table => {
  const broken = []
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange()
      range.setStart(texts.currentNode, word.index)
      range.setEnd(texts.currentNode, word.index + word[0].length)
      if (range.getClientRects().length > 1) broken.push(word[0])
    }
  }
  return broken
}"""

MARK_CONTRAST = """prose => {
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number)
  const mark = prose.appendChild(document.createElement("mark"))
  const [r, g, b, alpha] = numbers(getComputedStyle(mark).backgroundColor)
  const app = document.querySelector("[data-testid=stApp]")
  const page = numbers(getComputedStyle(app).backgroundColor).slice(0, 3).map(c => c / 255)
  const over = [r, g, b].map((c, at) => c * alpha + page[at] * (1 - alpha))
  const [low, high] = [light(over), light(page)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}"""


def to_the_end(page: Page) -> None:
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    page.wait_for_timeout(300)


@pytest.mark.timeout(300)
def test_a_table_on_a_phone_breaks_no_word_and_scrolls(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser(phone=True)
    load_samples(page, pages)
    put(page, f"ECHO \n{TABLE}")
    sheet = whole(page)
    assert sheet.locator(".prose table").evaluate(BROKEN_WORDS) == []
    place = sheet.locator(".prose .scroll")
    assert place.evaluate("node => node.scrollWidth > node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.timeout(300)
def test_the_cell_that_answers_is_in_sight_on_a_phone(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser(phone=True)
    load_samples(page, pages)
    put(page, f"ECHO \n{TABLE.replace('220', 'MARKED')}")
    expect(whole(page).locator("mark", has_text="MARKED")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.timeout(300)
def test_the_words_that_answer_stand_out(
    pages: Server, open_browser: OpenBrowser, dark: bool
) -> None:
    page = open_browser(dark=dark)
    load_samples(page, pages)
    put(page, "What is carried with every passage?")
    assert whole(page).locator(".prose").evaluate(MARK_CONTRAST) >= 1.35


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.timeout(300)
def test_how_sure_an_answer_is_stands_above_it_and_says_what_it_means(
    pages: Server, open_browser: OpenBrowser, phone: bool
) -> None:
    page = open_browser(phone=phone)
    load_samples(page, pages)
    put(page, "What is fusion?")
    sheet = whole(page)
    wait_until_at_rest(page)
    word, prose = sheet.locator(".word"), sheet.locator(".prose")
    expect(word).to_have_text("Found nearby")
    above, below = word.bounding_box(), prose.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    (word.tap if phone else word.hover)()
    expect(sheet.locator(".card")).to_contain_text("of such answers were right")
    (prose.tap if phone else prose.hover)(position={"x": 5, "y": below["height"] - 5})
    expect(sheet.locator(".card")).to_be_hidden()
    if not phone:
        word.focus()
        page.keyboard.press("Enter")
        expect(sheet.locator(".card")).to_be_visible()
        page.keyboard.press("Escape")
        expect(sheet.locator(".card")).to_be_hidden()


@pytest.mark.timeout(300)
def test_the_nearest_passages_of_a_refusal_unfold_and_open(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, pages)
    put(page, "zebra")
    sheet = whole(page)
    wait_until_at_rest(page)
    passage = sheet.locator("button.source")
    expect(passage).to_have_count(0)
    sheet.locator("summary", has_text="Nearest passages (1)").focus()
    page.keyboard.press("Enter")
    expect(passage).to_be_visible()
    passage.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".evidence")).to_be_visible()


@pytest.mark.timeout(300)
def test_the_sentence_that_comes_nearest_is_in_sight_of_a_refusal_and_opens(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, pages)
    put(page, "okapi")
    sheet = whole(page)
    wait_until_at_rest(page)
    nearest = sheet.locator(".sources", has_text="Nearest sentence")
    expect(nearest).to_contain_text("It looks like a striped horse.")
    sheet.locator("summary", has_text="Nearest passages (1)").click()
    other = sheet.locator("button.source").last
    expect(other).to_contain_text("The catalogue is the truth")
    nearest.locator("button.source").click()
    expect(page.locator(".evidence")).to_contain_text("zoo.pdf")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.timeout(300)
def test_the_end_of_the_page_is_not_an_empty_screen(
    pages: Server, open_browser: OpenBrowser, phone: bool
) -> None:
    page = open_browser(phone=phone)
    load_samples(page, pages)
    for question in ("What is fusion?", "What is carried with every passage?", "zebra"):
        put(page, question)
        sheet = whole(page)
        wait_until_at_rest(page)
        page.wait_for_timeout(1_000)
        top = sheet.bounding_box()
        assert top is not None
        if question != "What is fusion?":
            assert 60 <= top["y"] <= 90, "the question stands at the top"
        to_the_end(page)
        last = page.get_by_role("button", name="Ask again", exact=True)
        expect(last).to_be_in_viewport(ratio=1)


@pytest.mark.timeout(300)
def test_the_next_question_can_be_typed_when_the_answer_is_whole(
    slow_pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, slow_pages)
    for question in ("What is fusion?", "What is carried with every passage?"):
        put(page, question)
        whole(page)
        wait_until_at_rest(page)
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()


@pytest.mark.timeout(300)
def test_a_notice_and_its_cure_are_two_sentences_to_a_reader(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    load_samples(page, pages)
    put(page, "What is fusion?")
    assert "as found. Set RERANKER_MODEL." in str(whole(page).locator(".notice").text_content())
