"""A real Chromium, and servers for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.servers import ROOT, Server, footnote_in, free_port, launched, running

ARTIFACTS = ROOT / "artifacts"

OpenBrowser = Callable[..., Page]
expect.set_options(timeout=30_000)  # a machine with much to do is slow, not wrong


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs Chromium."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium.

    Playwright holds an event loop of this thread while it runs, so it ends with each module:
    tests that need a loop of their own may come after.
    """
    with launched() as browser:
        yield browser


@pytest.fixture
def open_browser(chromium: Browser) -> Iterator[OpenBrowser]:
    """Opens a new browser with cookies of its own, and gives its first page."""
    contexts = []

    def opened(*, phone: bool = False, dark: bool = False, zone: str | None = None) -> Page:
        context = chromium.new_context(
            viewport={"width": 390, "height": 844} if phone else {"width": 1440, "height": 900},
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            timezone_id=zone,
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def footnote(tmp_path: Path) -> Iterator[Server]:
    """The real program, as `make run` starts it; modules have their own where it needs more."""
    with footnote_in(tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The pages with the fake service behind them."""
    with _pages_in(tmp_path_factory.mktemp("pages"), pace=0.05) as server:
        yield server


@pytest.fixture
def slow_pages(tmp_path: Path) -> Iterator[Server]:
    """The same, where an answer takes its time: the first words of a new server come late."""
    with _pages_in(tmp_path, pace=0.25) as server:
        yield server


def _pages_in(folder: Path, pace: float) -> AbstractContextManager[Server]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "tests/ui/app/fake_server.py"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    return running(command, port, folder / "log.txt", PACE=str(pace))


@pytest.fixture
def artifacts() -> Path:
    """Where screenshots are kept to be looked at."""
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS
