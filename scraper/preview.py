"""A look before the large run: what a site, a dump or a file would give."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from core.config import Settings
from core.parsing.html.links import TitledLink
from core.parsing.html.worker import Reader
from core.urls import canonical_url, parse_url
from scraper import documentation_file
from scraper.collection import sections_of
from scraper.crawl_plan import Limits, Scope
from scraper.dumps import Row, read_rows
from scraper.fetch import Fetched, fetch
from scraper.pair_selection import Choice, fits, question_of
from scraper.qa_pairs import post
from scraper.robots import FORBIDDEN, read_robots
from scraper.sitemap import read_sitemaps

_ROWS = 2_000  # of a dump, at most


@dataclass(frozen=True, slots=True)
class SitePreview:
    """What the first page of a site shows.

    `links` counts those that would be followed from it, `listed` the pages of the sitemaps that
    belong. `sections` are the parts of a documentation made by Sphinx. `closed` says why nothing
    may be read ("" when something may), `delay` the seconds between two requests.
    """

    url: str
    title: str
    text: str
    links: int
    listed: int
    sections: tuple[TitledLink, ...]
    delay: float
    closed: str = ""


@dataclass(frozen=True, slots=True)
class DumpPreview:
    """The first questions of a dump that fit: titles, and one with its text."""

    titles: tuple[str, ...]
    text: str
    rows: int


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a documentation in one file holds: pages by section, and the text of the first."""

    pages: int
    left_out: int
    sections: tuple[tuple[str, int], ...]
    text: str


def preview_site(
    url: str, settings: Settings, *, limits: Limits | None = None, whole_host: bool = False
) -> SitePreview:
    """Read the first page, the rules and the sitemaps of a site.

    Raises `FetchError` and `IngestionError` when the first page cannot be read.
    """
    start = canonical_url(url)
    limits = limits or Limits()
    address = parse_url(start)
    origin = f"{address.scheme}://{address.authority}"
    robots = read_robots(origin, settings)
    delay = max(limits.delay, robots.delay)
    if not robots.allows(start):
        return SitePreview(start, "", "", 0, 0, (), delay, robots.closed or FORBIDDEN)
    scope = Scope((start,), limits, whole_host=whole_host)
    fetched = fetch(start, settings)
    with closing(Reader(settings)) as reader:
        read = reader.read(fetched.body, fetched.final_url, fetched.content_type, fetched.charset)
    page = read.text()

    def get(place: str) -> Fetched:
        return fetch(place, settings)

    named = robots.sitemaps[:3] or (f"{origin}/sitemap.xml",)
    listed = read_sitemaps(named, address.authority, get, lambda: False, most=5)
    return SitePreview(
        url=start,
        title=page.title,
        text=page.markdown[:1_000],
        links=sum(not scope.refusal(link, 1) for link in read.links.every),
        listed=sum(not scope.refusal(link, 1) for link in listed.pages),
        sections=read.links.contents,
        delay=delay,
    )


class _Enough(Exception):
    """Ends the reading of a dump early."""


def preview_dump(path: Path, choice: Choice, *, site: str = "", count: int = 5) -> DumpPreview:
    """The first questions of a dump that fit, from its first rows.

    Raises `DamagedFile` and `UnsupportedType`.
    """
    found: list[Row] = []
    rows = 0

    def look(row: Row) -> None:
        nonlocal rows
        rows += 1
        question = question_of(row)
        if question and fits(question, choice):
            found.append(question)
        if len(found) >= count or rows >= _ROWS:
            raise _Enough

    with suppress(_Enough):
        read_rows(path, look)
    text = post(found[0], site=site or "stackoverflow.com").text if found else ""
    return DumpPreview(tuple(row.get("title", "") for row in found), text[:1_000], rows)


def preview_file(path: Path) -> FilePreview:
    """What a documentation in one file holds. Raises as `documentation_file.read`."""
    with path.open("rb") as stream:
        found = documentation_file.read(stream)
    text = found.pages[0].page.markdown[:1_000]
    return FilePreview(len(found.pages), len(found.left_out), sections_of(found.pages), text)
