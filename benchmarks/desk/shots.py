"""Screenshots of every page, to be looked at: desktop, laptop, phone, 200 %, dark.

    python -m benchmarks.desk.shots FOLDER [--only phone dark]

A real server with the sample library; each view has a browser of its own.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.desk.browser import PATIENCE, chromium, rest
from tests.browser.chat import load_samples, put, whole
from tests.browser.servers import Server, footnote_in

VIEWS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "laptop": {"viewport": {"width": 1200, "height": 800}},
    "zoomed": {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
}
QUESTION = "How does Footnote combine dense and lexical search?"
_PAGES = ("Documents", "Collect", "Search?query=reciprocal+rank+fusion", "Evaluation", "Status")


def look(browser: Browser, server: Server, folder: Path, view: str) -> None:
    """Go through the program in one view, and keep what is seen."""
    context = browser.new_context(**VIEWS[view])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    def keep(name: str) -> None:
        rest(page)
        page.wait_for_timeout(800)  # what scrolls has come to rest
        page.screenshot(path=folder / f"{view}-{name}.png")

    page.goto(server.url)
    page.get_by_role("button", name="Load the sample library").wait_for()
    keep("1-first-screen")
    load_samples(page, server)
    keep("2-welcome")
    put(page, QUESTION)
    whole(page)
    keep("3-answer")
    _evidence(page, view, keep)
    for at, name in enumerate(_PAGES, 6):
        page.goto(f"{server.url}/{name}")
        page.get_by_role("heading", level=1).first.wait_for()
        for there, what in (("Documents", ".documents .row"), ("Search", ".hit")):
            if name.startswith(there):
                page.locator(what).first.wait_for()
        keep(f"{at}-{name.partition('?')[0].lower()}")
    context.close()


def _evidence(page: Page, view: str, keep: Callable[[str], None]) -> None:
    chip = page.locator("button.chip.cited").first
    if view == "phone":
        chip.tap()
        page.locator(".card:visible").wait_for()
        keep("4-card")
        page.locator(".card").get_by_role("button", name="Open").tap()
    else:
        chip.hover()
        page.locator(".card:visible").wait_for()
        keep("4-card")
        chip.click()
    page.locator(".evidence").wait_for()
    keep("5-evidence")
    page.keyboard.press("Escape")
    page.locator(".evidence").wait_for(state="detached")


def main() -> None:
    """Make them; each view is a new browser, and so a session of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=VIEWS, default=list(VIEWS))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as name,
        footnote_in(Path(name)) as server,
        chromium() as browser,
    ):
        for view in given.only:
            look(browser, server, given.folder, view)


if __name__ == "__main__":
    main()
