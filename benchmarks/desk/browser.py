"""Chromium beside a server, and times that are taken inside of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.browser.servers import launched

PATIENCE = 300_000
"""Milliseconds until a page that does not get on is given up."""

AT_REST = (
    "document.querySelector(\"[data-test-script-state='notRunning']\") !== null && "
    '[...document.querySelectorAll("[data-testid=stElementContainer]")]'
    '.every(one => one.dataset.stale !== "true" && getComputedStyle(one).opacity === "1")'
)

_TIMED = """() => {
  const all = selector => {
    const found = [...document.querySelectorAll(selector)]
    for (const node of document.querySelectorAll("*"))
      if (node.shadowRoot) found.push(...node.shadowRoot.querySelectorAll(selector))
    return found
  }
  const script = () => document.querySelector("[data-test-script-state='notRunning']") !== null
  window.timed = new Promise(resolve => {
    let began = 0
    const begin = () => { began ||= performance.now() }
    for (const kind of ["pointerdown", "keydown"])
      window.addEventListener(kind, begin, { capture: true, once: true })
    const look = () =>
      began && (%s) ? resolve((performance.now() - began) / 1000) : requestAnimationFrame(look)
    look()
  })
}"""

_SHIFTS = """() => {
  window.shifts = 0
  window.greyed = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value
  }).observe({ type: "layout-shift" })
  let before = performance.now()
  const look = now => {
    const main = document.querySelector("[data-testid=stMain]")
    const parts = [...(main?.querySelectorAll("[data-testid=stElementContainer]") ?? [])]
    if (parts.some(part => part.clientHeight && getComputedStyle(part).opacity < 0.99))
      window.greyed += (now - before) / 1000
    before = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, given much time."""
    expect.set_options(timeout=PATIENCE)
    with launched() as browser:
        yield browser


def opened(browser: Browser, width: int = 1440, height: int = 900) -> Page:
    """A page with cookies of its own."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def rest(page: Page) -> None:
    """Wait until nothing is drawn anew."""
    page.wait_for_function(AT_REST, timeout=PATIENCE)


def timed(page: Page, act: Callable[[], object], seen: str) -> float:
    """The seconds from the first input of `act` until `seen` holds, looked at in every frame.

    `seen` is JavaScript; `all(selector)` looks into components too, `script()` is whether the
    script of the page has ended.
    """
    page.evaluate(_TIMED % seen)
    act()
    return float(page.evaluate("window.timed"))


def watch_shifts(page: Page) -> None:
    """Add up what moves by itself, and for how long something is greyed, until the page is left."""
    page.evaluate(_SHIFTS)


def shifts(page: Page) -> tuple[float, float]:
    """The cumulative layout shift and the seconds greyed since the last look."""
    found = page.evaluate("[window.shifts, window.greyed]")
    page.evaluate("window.shifts = window.greyed = 0")
    return float(found[0]), float(found[1])
