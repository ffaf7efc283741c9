"""The evidence beside an answer: how it opens and closes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chat import SLOW, load_samples, put, wait_until_at_rest, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server


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
