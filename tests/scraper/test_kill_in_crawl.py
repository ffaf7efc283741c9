"""A crawl that is killed goes on at the page where it was; no page is lost or half there."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from scraper.crawl_state import CrawlState
from tests.scraper.crawling import crawled, text_page
from tests.scraper.site import Reply, Site, serving

pytestmark = pytest.mark.B07

SCRIPT = """
import sys
from pathlib import Path
from core.config import Settings
from scraper.crawl import crawl
from scraper.crawl_plan import Limits, Plan
url, host, folder = sys.argv[1:]
plan = Plan((url,), Limits(delay=0.02, pages=1000), sitemaps=False)
crawl(plan, Path(folder), Settings(allowed_private_hosts=host))
"""


def numbered(path: str, _: Mapping[str, str]) -> Reply:
    number = int(path.strip("/") or 0)
    return Reply(text_page(f"Page {number}", *(f"/{n}" for n in range(number + 1, 30)[:3])))


def kill_after(site: Site, folder: Path, pages: int) -> None:
    """Run a crawl in a process of its own and kill it once so many pages were asked for."""
    arguments = [f"{site.url}/0", site.host, str(folder)]
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments])
    end = time.monotonic() + 30
    while len(site.hits) <= pages and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_resumes_and_asks_for_no_page_twice(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=numbered) as site:
        kill_after(site, tmp_path, 7)
        state = CrawlState(tmp_path)
        kept = [page.url for page in state.pages()]
        assert all(page.markdown.startswith(f"# {page.title}\n\n") for page in state.pages())
        state.close()
        assert 5 <= len(kept) <= 8

        before = len(site.hits)
        site.pages["/"] = numbered
        report = crawled(site, tmp_path, pages=1_000)
        again = site.hits[before:]
        assert not {f"{site.url}{hit}" for hit in again} & set(kept)
    state = CrawlState(tmp_path)
    assert {page.url for page in state.pages()} >= set(kept)
    state.close()
    assert report.queued == 0
    assert report.pages in (30, 31)  # the start of the second run is a page of its own


@pytest.mark.long
def test_killed_again_and_again(tmp_path: Path) -> None:
    with serving({"/robots.txt": ""}, rest=numbered) as site:
        for _ in range(3):
            site.hits.clear()
            kill_after(site, tmp_path, 3)
        report = crawled(site, tmp_path, pages=1_000)
    assert report.queued == 0
    state = CrawlState(tmp_path)
    titles = [page.title for page in state.pages()]
    state.close()
    assert set(titles) == {f"Page {number}" for number in range(30)}
