"""A small site, and settings that may read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from tests.collecting.runs import BOATS, collecting, text_page
from tests.scraper.site import Site, serving


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {
        "/docs/": text_page("Start", "The first page of the harbour.", "a.html", "b.html", "/x"),
        "/docs/a.html": text_page("Apples", "Apples are stored in the cellar of Ida Holm."),
        "/docs/b.html": text_page("Boats", BOATS),
    }
    with serving(pages) as site:
        yield site


@pytest.fixture
def settings(tmp_path: Path, site: Site) -> Settings:
    return collecting(tmp_path, site)
