"""The documentation of Python, or another made by Sphinx, section by section.

`python -m scraper.python_docs --base-url https://docs.python.org/3/ --out data_main` writes
`python_docs.json` (pages with section, text, headings and source) and `python_docs.txt` (the
text in order of reading). Called again, it fetches only what has changed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.config import Settings, load_settings
from core.errors import DamagedFile
from core.types import LoadedDocument
from scraper.console import CrawlBar, print_report, run_job
from scraper.crawl import crawl
from scraper.crawl_plan import Limits, Plan, Progress, Report
from scraper.crawl_state import CrawlState
from scraper.extract import WebPage, to_loaded
from scraper.links import PageLinks, TitledLink
from scraper.url_safety import canonical_url, parse_url

DEFAULT_LIMITS = Limits(pages=5_000, depth=50)

_LISTS = re.compile(
    r"(^|/)(genindex(-[^/]*)?|py-modindex|modindex|search|contents|c-modindex)(\.html|/)?$"
)
_WHATS_NEW = re.compile(r"(?i)(^|/)whats[-_]?new(/|\.html|$)")
_SOURCES = re.compile(r"(^|/)(_sources|_modules|_static|_images|_downloads)/")


@dataclass(frozen=True, slots=True)
class DocsPage:
    """A page of a documentation, `position` counting from 0 in the order of reading."""

    section: str
    position: int
    page: WebPage


@dataclass(frozen=True, slots=True)
class DocsReport:
    """What a run gave. `left_out` has (address, reason), the crawl's own reasons included."""

    run: Report
    sections: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, str], ...]


_WEB_PAGE: TypeAdapter[WebPage] = TypeAdapter(WebPage)


def collect(
    base_url: str,
    out: Path,
    settings: Settings,
    *,
    whats_new: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    refresh: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> DocsReport:
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
    folder = out / "python_docs.crawl"
    run = crawl(
        plan, folder, settings, on_progress=on_progress, cancelled=cancelled, refresh=refresh
    )
    state = CrawlState(folder)
    try:
        pages = list(in_order(state, start))
        missed = _missed(state, pages, start, whats_new=whats_new)
    finally:
        state.close()
    if pages:
        write_json(pages, out / "python_docs.json", source=start)
        write_text(pages, out / "python_docs.txt")
    sections: dict[str, int] = {}
    for page in pages:
        sections[page.section] = sections.get(page.section, 0) + 1
    return DocsReport(run, tuple(sections.items()), (*run.left_out, *missed))


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


def in_order(state: CrawlState, start: str) -> Iterator[DocsPage]:
    """The pages in the order of reading, each in the section where it comes first."""
    walk = _Walk(state)
    walk.into(start, "")
    for link in state.links(start).contents:
        walk.into(link.url, link.title)
    walk.hidden()
    for position, (url, section) in enumerate(walk.found.items()):
        if (page := state.page(url)) is not None:
            yield DocsPage(section or page.title, position, page)


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
    state: CrawlState, pages: list[DocsPage], start: str, *, whats_new: bool
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


def write_json(pages: list[DocsPage], path: Path, *, source: str) -> None:
    """Write the pages with their metadata, replacing an earlier file as a whole."""
    entries = [
        {
            "section": page.section,
            "title": page.page.title,
            "text": page.page.markdown,
            "metadata": {"source": source, "url": page.page.url, "position": page.position},
            "page": _WEB_PAGE.dump_python(page.page, mode="json", exclude={"markdown"}),
        }
        for page in pages
    ]
    data = {"format": "footnote-docs-1", "source": source, "pages": entries}
    replace_file(path, json.dumps(data, ensure_ascii=False, indent=1))


def write_text(pages: list[DocsPage], path: Path) -> None:
    """Write the text of all pages in order, under the titles of their sections."""
    pieces: list[str] = []
    section = None
    for page in pages:
        if page.section != section:
            section = page.section
            pieces.append(f"{section}\n{'=' * len(section)}\n")
        pieces.append(f"{page.page.url}\n\n{page.page.markdown}\n")
    replace_file(path, "\n".join(pieces))


def replace_file(path: Path, text: str) -> None:
    """Put a whole new file in the place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8", newline="\n")
    fresh.replace(path)


def read_json(path: Path) -> list[DocsPage]:
    """The inverse of `write_json`. Raises `DamagedFile`."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return [_docs_page(entry) for entry in data["pages"]]
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        raise DamagedFile(f"{path.name} is not what this program writes, or cut off.") from None


def _docs_page(entry: dict[str, Any]) -> DocsPage:
    page = _WEB_PAGE.validate_python({**entry["page"], "markdown": entry["text"]})
    return DocsPage(entry["section"], int(entry["metadata"]["position"]), page)


def loaded_pages(pages: Iterable[DocsPage]) -> Iterator[tuple[str, str, LoadedDocument]]:
    """(name, address, document) of each page, as the worker takes them in."""
    for page in pages:
        yield page.page.title, page.page.url, to_loaded(page.page)


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
            whats_new=given.whats_new,
            limits=limits,
            refresh=given.refresh,
            on_progress=bar.show,
            cancelled=bar.cancelled,
        )
        bar.close()
        print_report(report.run, report.left_out)
        for section, count in report.sections:
            print(f"{count:6,}  {section}")
        return 1 if report.run.stopped or not report.sections else 0

    return run_job(work)


if __name__ == "__main__":
    raise SystemExit(main())
