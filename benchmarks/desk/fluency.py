"""How fluent the pages are beside a bare Streamlit app, measured in turns in the same minutes.

    python -m benchmarks.desk.fluency [--rounds 8]

Both run as servers of their own; the times are taken inside of the page, from the input to the
frame that shows what was asked for. Ours has the sample library, the bare app
(`benchmarks/desk/bare`) shows page images of the same PDF from files and echoes a question.
What moves by itself is Chromium's cumulative layout shift.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page

from benchmarks.desk.browser import chromium, opened, rest, shifts, timed, watch_shifts
from tests.browser.chat import load_samples, whole
from tests.browser.servers import ROOT, Server, footnote_in, free_port, running

BARE = ROOT / "benchmarks" / "desk" / "bare" / "app.py"
HANDBOOK = ROOT / "data_main" / "samples" / "footnote-handbook.pdf"
_IMAGES = 24
_OURS = ("Documents", "Search", "Status", "Collect", "Evaluation")
_THEIRS = ("One", "Two")

LIMITS = {
    "page switch": 2.0,
    "chip to evidence": 1.5,
    "next page": 2.0,
    "first words of a quoted answer": 5.0,
}
"""How many times a bare app's time each may take."""
MOST_SHIFT = 0.02

QUESTIONS = (
    "What is carried with every passage?",
    "What is reciprocal rank fusion?",
    "How is a question without an answer recognised?",
    "What does the reranker do?",
    "What is nDCG?",
    "How are citations checked?",
    "What happens after a crash?",
    "What is BM25?",
)


@dataclass
class Measured:
    """Seconds of each measure on both sides; what moved, and what was greyed, on ours."""

    ours: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in LIMITS})
    bare: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in LIMITS})
    shift: dict[str, list[float]] = field(default_factory=dict)
    greyed: dict[str, list[float]] = field(default_factory=dict)


def table(found: Measured) -> str:
    """The figures in Markdown, medians.

    >>> one = Measured(shift={"evidence opens": [0.0]}, greyed={"evidence opens": [0.0]})
    >>> for name in LIMITS:
    ...     one.ours[name], one.bare[name] = [0.3], [0.2]
    >>> print(table(one).splitlines()[2])
    | page switch | 300 ms | 200 ms | 1.5 | 2.0 |
    """
    lines = ["| | ours | bare Streamlit | ratio | at most |", "|---|---|---|---|---|"]
    for name, limit in LIMITS.items():
        ours, bare = statistics.median(found.ours[name]), statistics.median(found.bare[name])
        cells = (
            name,
            f"{1000 * ours:.0f} ms",
            f"{1000 * bare:.0f} ms",
            f"{ours / bare:.1f}",
            limit,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    for name, values in found.shift.items():
        lines.append(f"| layout shift, {name} | {max(values):.4f} | | | {MOST_SHIFT} |")
    for name, values in found.greyed.items():
        lines.append(f"| greyed, {name} | {1000 * max(values):.0f} ms | | | |")
    return "\n".join(lines)


def beyond(found: Measured) -> list[str]:
    """The names of the measures that are over their limits."""
    ratios = {
        name: statistics.median(found.ours[name]) / statistics.median(found.bare[name])
        for name in LIMITS
    }
    late = [name for name, limit in LIMITS.items() if ratios[name] > limit]
    moved = [f"layout shift, {k}" for k, values in found.shift.items() if max(values) > MOST_SHIFT]
    return late + moved


@contextmanager
def bare_app(folder: Path) -> Iterator[Server]:
    """The bare app, with images of the handbook's pages."""
    import pypdfium2

    images = folder / "images"
    images.mkdir()
    book = pypdfium2.PdfDocument(HANDBOOK)
    for at in range(min(_IMAGES, len(book))):
        book[at].render(scale=2).to_pil().save(images / f"{at:03}.png")
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(BARE), "--server.headless", "true"]
    command += ["--client.showSidebarNavigation", "true"]  # ours has a menu of its own
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    with running(command, port, folder / "bare.txt", BARE_IMAGES=str(images)) as server:
        yield server


def measure(rounds: int, questions: Sequence[str] = QUESTIONS) -> Measured:
    """Both sides in turns."""
    found = Measured()
    with (
        tempfile.TemporaryDirectory() as ours_at,
        tempfile.TemporaryDirectory() as bare_at,
        footnote_in(Path(ours_at)) as footnote,
        bare_app(Path(bare_at)) as bare,
        chromium() as browser,
    ):
        page, other = opened(browser), opened(browser)
        load_samples(page, footnote)
        other.goto(bare.url)
        other.get_by_role("button", name="Open").wait_for()
        for pages, side in ((_OURS, page), (_THEIRS, other)):
            for name in pages:  # what is loaded at the first use is loaded
                switch(side, name)
        switch(page, "Chat", '!!document.querySelector("[data-testid=stChatInputTextArea]")')
        switch(other, "app", _headed("Chat"))
        first_words(page, "What is a chunk?", ".prose", 1)
        whole(page)
        first_words(other, "What is a chunk?", "[data-testid=stChatMessageContent] p", 2)
        for at in range(rounds):
            question = questions[at % len(questions)]
            rest(page)
            seconds = first_words(page, question, ".prose", at + 2)
            found.ours["first words of a quoted answer"].append(seconds)
            whole(page)
            seconds = first_words(
                other, question, "[data-testid=stChatMessageContent] p", 2 * (at + 2)
            )
            found.bare["first words of a quoted answer"].append(seconds)
            _evidence(page, other, found)
        switch(page, "Status")
        for at in range(2 * rounds):
            ours, theirs = _OURS[at % len(_OURS)], _THEIRS[at % len(_THEIRS)]
            found.ours["page switch"].append(switch(page, ours))
            found.bare["page switch"].append(switch(other, theirs))
        _still(page, footnote, found, min(rounds, 3), questions)
    return found


def _headed(name: str) -> str:
    return f'script() && all("h1").some(one => one.textContent.trim() === "{name}")'


def switch(page: Page, name: str, seen: str = "") -> float:
    """Go to a page by the menu, until it is drawn whole."""
    rest(page)
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True)
    return timed(page, link.click, seen or _headed(name))


def first_words(page: Page, question: str, selector: str, count: int) -> float:
    """Send a question, until the first words of the reply stand there."""
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    page.wait_for_timeout(300)  # until the box has taken it, Enter does nothing
    seen = f'all("{selector}").filter(one => one.textContent.trim()).length >= {count}'
    return timed(page, lambda: page.keyboard.press("Enter"), seen)


def _evidence(page: Page, other: Page, found: Measured) -> None:
    """Open the evidence of the last answer if that is a page of a PDF, and turn pages."""
    rest(page)
    rest(other)
    chips = page.locator(".sheet").last.locator("button.chip.cited")
    handbook = [chip for chip in chips.all() if "handbook" in str(chip.get_attribute("aria-label"))]
    if not handbook:
        return
    drawn = 'all(".evidence .page img").some(one => one.complete && one.naturalWidth)'
    found.ours["chip to evidence"].append(timed(page, handbook[0].click, drawn))
    image = 'all("[data-testid=stImage] img").some(one => one.complete && one.naturalWidth)'
    opening = other.get_by_role("button", name="Open")
    found.bare["chip to evidence"].append(timed(other, opening.click, image))
    for _ in range(2):
        rest(page)
        rest(other)
        turn = _turning(page, ".evidence .page img", ".evidence-page")
        found.ours["next page"].append(timed(page, page.get_by_label("Next page").click, turn))
        turn = _turning(other, "[data-testid=stImage] img", "[data-testid=stCaptionContainer]")
        following = other.get_by_role("button", name="Next page")
        found.bare["next page"].append(timed(other, following.click, turn))
    rest(page)
    page.keyboard.press("Escape")
    page.locator(".evidence").wait_for(state="detached")
    other.get_by_role("button", name="Close").click()
    other.get_by_test_id("stImage").wait_for(state="detached")


def _turning(page: Page, image: str, label: str) -> str:
    """That another image and another number stand there than now."""
    source = page.locator(image).first.get_attribute("src")
    number = page.locator(label).first.inner_text()
    return (
        f"all('{image}').some(one => one.complete && one.naturalWidth && "
        f"one.getAttribute('src') !== {source!r}) && "
        f"all('{label}').every(one => one.innerText !== {number!r})"
    )


def _still(
    page: Page, footnote: Server, found: Measured, rounds: int, questions: Sequence[str]
) -> None:
    """What moves and what is greyed, in rounds of their own: looking at it takes time."""
    page.goto(footnote.url)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    rest(page)
    watch_shifts(page)
    before = page.locator(".question").count()

    def note(name: str, act: Callable[[], object]) -> None:
        shifts(page)
        act()
        page.wait_for_timeout(1_000)
        rest(page)
        moved, greyed = shifts(page)
        found.shift.setdefault(name, []).append(moved)
        found.greyed.setdefault(name, []).append(greyed)

    for at in range(rounds):
        first_words(page, f"{questions[at]} Please.", ".prose", before + at + 1)
        note("an answer completes", lambda: whole(page))
        chip = page.locator(".sheet").last.locator("button.chip.cited").first
        if not chip.count():
            continue
        note("evidence opens", functools.partial(_open, page, chip))
        page.keyboard.press("Escape")
        page.locator(".evidence").wait_for(state="detached")
        rest(page)


def _open(page: Page, chip: Locator) -> None:
    chip.click()
    page.locator(".evidence").wait_for()


def main() -> None:
    """Measure, print the table; the status is 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=8)
    found = measure(parser.parse_args().rounds)
    print(table(found))
    if late := beyond(found):
        print(f"Over the limit: {', '.join(late)}.")
        raise SystemExit(1)


if __name__ == "__main__":
    main()
