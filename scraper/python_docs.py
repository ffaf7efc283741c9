"""The documentation of Python, or another made by Sphinx, section by section.

`python -m scraper.python_docs --base-url https://docs.python.org/3/ --out data_main` writes
`python_docs.json` (pages with section, text, headings and source) and `python_docs.txt` (the
text in order of reading). Called again, it fetches only what has changed.
"""

from __future__ import annotations

import argparse
import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from core.config import Settings, load_settings
from core.parsing.html.links import PageLinks, TitledLink
from core.urls import canonical_url, parse_url
from scraper.collection import (
    Collected,
    CollectReport,
    sections_of,
    state_folder,
    write_json,
    write_text,
)
from scraper.console import CrawlBar, print_report, run_job
from scraper.crawl import crawl
from scraper.crawl_plan import NOBODY, Limits, Observer, Plan
from scraper.crawl_state import CrawlState

DEFAULT_LIMITS = Limits(pages=5_000, depth=50)

_LISTS = re.compile(
    r"(^|/)(genindex(-[^/]*)?|py-modindex|modindex|search|contents|c-modindex)(\.html|/)?$"
)
_WHATS_NEW = re.compile(r"(?i)(^|/)whats[-_]?new(/|\.html|$)")
_SOURCES = re.compile(r"(^|/)(_sources|_modules|_static|_images|_downloads)/")


def collect(
    base_url: str,
    out: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    whats_new: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    refresh: bool = False,
) -> CollectReport:
    """Read the documentation below `base_url` and write both files into the folder `out`.

    Its state is kept beside them, so that a stopped run goes on and a later one fetches only
    what has changed. Raises `InvalidUrl` and `DataDirectoryInUse`.
    """
    start = canonical_url(base_url)
    plan = Plan(
        starts=(start,),
        limits=limits,
        sitemaps=False,
        follow=documentation_links,
        refuse=lambda url: refusal(url, start, whats_new=whats_new),
    )
    folder = state_folder(out, "python_docs", start)
    run = crawl(plan, folder, settings, observer, refresh=refresh)
    with closing(CrawlState(folder)) as state:
        pages = list(in_order(state, start))
        missed = _missed(state, pages, start, whats_new=whats_new)
    if pages:
        write_json(pages, out / "python_docs.json", source=start)
        write_text(pages, out / "python_docs.txt")
    return CollectReport(run, sections_of(pages), (*run.left_out, *missed))


def documentation_links(links: PageLinks, depth: int) -> Iterable[str]:
    """The links that make up a documentation.

    The tables of the start page, the lists of sub-pages, and the page that follows: pages that
    no visible list names (hidden ones of Sphinx) still have their place in the order of reading.
    """
    return [link.url for link in (*links.contents, *links.toctree, *links.next)]


def refusal(url: str, start: str, *, whats_new: bool) -> str:
    """Why a page is no part of the documentation as it is wanted, "" when it is."""
    path = parse_url(url).target.partition("?")[0]
    root = parse_url(start).target.partition("?")[0]
    inner = path.removeprefix(root[: root.rfind("/") + 1])
    if _LISTS.search(inner):
        return "It is an index or a search page, without text of its own."
    if _SOURCES.search(inner):
        return "It is a source or a picture of the documentation."
    if not whats_new and _WHATS_NEW.search(inner):
        return "What's New is left out unless asked for."
    return ""


def in_order(state: CrawlState, start: str) -> Iterator[Collected]:
    """The pages in the order of reading, each in the section where it comes first."""
    walk = _Walk(state)
    walk.into(start, "")
    for link in state.links(start).contents:
        walk.into(link.url, link.title)
    walk.hidden()
    for position, (url, section) in enumerate(walk.found.items()):
        if (page := state.page(url)) is not None:
            yield Collected(section or page.title, position, page)


class _Walk:
    """Goes through lists of sub-pages depth first, without recursion."""

    def __init__(self, state: CrawlState) -> None:
        self.found: dict[str, str] = {}
        self._state = state

    def into(self, url: str, section: str) -> None:
        stack = [url]
        while stack:
            url = stack.pop()
            if url in self.found or self._state.page(url) is None:
                continue
            self.found[url] = section
            stack.extend(link.url for link in reversed(self._state.links(url).toctree))

    def hidden(self) -> None:
        """Pages that only the order of reading leads to: a section for each folder."""
        waiting = deque(self.found)
        while waiting:
            url = waiting.popleft()
            for following in self._state.links(url).next:
                if following.url not in self.found:
                    same_folder = _folder(following.url) == _folder(url)
                    section = self.found[url] if same_folder else self._title(following)
                    before = len(self.found)
                    self.into(following.url, section)
                    waiting.extend(islice(self.found, before, None))

    def _title(self, link: TitledLink) -> str:
        page = self._state.page(link.url)
        return link.title or (page.title if page else "")


def _folder(url: str) -> str:
    return url[: url.rfind("/") + 1]


def _missed(
    state: CrawlState, pages: list[Collected], start: str, *, whats_new: bool
) -> list[tuple[str, str]]:
    """Pages of the documentation that its text links to but no table of contents leads to."""
    known = {page.page.url for page in pages} | {url for url, _, _ in state.left_out()}
    root = _folder(start)
    missed: dict[str, str] = {}
    for page in pages:
        for url in state.links(page.page.url).every:
            if url.startswith(root) and url not in known and url not in missed:
                reason = refusal(url, start, whats_new=whats_new)
                missed[url] = reason or "No table of contents leads to it."
    return list(missed.items())


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when the run came to its end."""
    parser = argparse.ArgumentParser(prog="python -m scraper.python_docs", description=__doc__)
    parser.add_argument("--base-url", default="https://docs.python.org/3/", metavar="URL")
    parser.add_argument("--out", type=Path, default=Path("data_main"), metavar="DIR")
    parser.add_argument("--whats-new", action="store_true", help="take in What's New as well")
    parser.add_argument("--refresh", action="store_true", help="begin again: what has changed?")
    parser.add_argument("--pages", type=int, default=DEFAULT_LIMITS.pages, help="at most so many")
    parser.add_argument(
        "--delay", type=float, default=DEFAULT_LIMITS.delay, help="seconds between two requests"
    )
    given = parser.parse_args(arguments)
    limits = replace(DEFAULT_LIMITS, pages=given.pages, delay=given.delay)

    def work(bar: CrawlBar) -> int:
        report = collect(
            given.base_url,
            given.out,
            load_settings(),
            Observer(on_progress=bar.show, cancelled=bar.cancelled),
            whats_new=given.whats_new,
            limits=limits,
            refresh=given.refresh,
        )
        bar.close()
        print_report(report.run, report.left_out)
        for section, count in report.sections:
            print(f"{count:6,}  {section}")
        return 1 if report.run.stopped or not report.sections else 0

    return run_job(work)


if __name__ == "__main__":
    raise SystemExit(main())
