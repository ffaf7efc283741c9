"""What a crawl is asked to do and what it reports: limits, plan, scope, progress, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.parsing.html.links import PageLinks
from core.parsing.html.web_page import WebPage
from core.urls import parse_url

_NO_PAGES = frozenset(
    "7z apk avi bin bmp bz2 deb dmg doc docx eot epub exe gif gz ico iso jar jpeg jpg m4a mov mp3"
    " mp4 mpeg msi odp ods odt ogg otf png ppt pptx ps rar rpm svg tar tgz tif tiff ttf wav"
    " webm webp woff woff2 xls xlsx xz zip zst".split()
)
"""Endings of files; those that names of pages have too ("Node.js") are judged by what comes.
PDFs are read."""
_MOST_REPEATS = 3  # of one part of a path; more is a trap


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a crawl goes. `delay` is in seconds between two requests to one host."""

    pages: int = 500
    depth: int = 10
    megabytes: int = 500
    seconds: float = 3600.0
    page_megabytes: float = 5.0
    pdf_megabytes: float = 20.0
    delay: float = 1.0
    hosts: int = 4
    url_length: int = 1_000


def every_link(links: PageLinks, depth: int) -> Iterable[str]:
    """Follow all links of a page."""
    return links.every


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a crawl begins and which links it follows.

    `follow` chooses among the links of a page (with its depth), `refuse` says why an address is
    left out ("" to take it); what lies off the sites of `starts` is always left out.
    """

    starts: tuple[str, ...]
    limits: Limits = Limits()
    sitemaps: bool = True
    whole_host: bool = False
    follow: Callable[[PageLinks, int], Iterable[str]] = every_link
    refuse: Callable[[str], str] = lambda url: ""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands. `pages` counts those that are kept, `visited` all that were asked for.

    `seconds_left` is an estimate, None while there is nothing to estimate it from.
    """

    pages: int
    visited: int
    queued: int
    left_out: int
    requests: int
    megabytes: float
    seconds: float
    seconds_left: float | None
    url: str = ""
    failed: int = 0  # of those left out: what could not be read


@dataclass(frozen=True, slots=True)
class Observer:
    """Follows a run: gets its progress and each new page, and may cancel it.

    `on_page` is given each page that is new or has changed. `cancelled` is asked every tenth of a
    second.
    """

    on_progress: Callable[[Progress], object] = lambda progress: None
    on_page: Callable[[WebPage], object] = lambda page: None
    cancelled: Callable[[], bool] = lambda: False


NOBODY = Observer()


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did. `stopped` says why it ended before the queue did, "" when it did not."""

    pages: int
    changed: int
    unchanged: int
    gone: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    visited: int
    queued: int
    requests: int
    received: int
    seconds: float
    stopped: str = ""
    unusable: int = 0

    @property
    def reasons(self) -> Counter[str]:
        """How many addresses were left out for each reason."""
        return Counter(reason for _, reason in self.left_out)


class Scope:
    """Which addresses belong to the sites that a crawl was asked for."""

    def __init__(self, starts: Iterable[str], limits: Limits, *, whole_host: bool) -> None:
        self._limits = limits
        self._roots: dict[str, list[str]] = {}
        for start in starts:
            address = parse_url(start)
            path = address.target.partition("?")[0]
            root = "/" if whole_host else path[: path.rfind("/") + 1]
            self._roots.setdefault(address.authority, []).append(root)

    def refusal(self, url: str, depth: int) -> str:
        """Why an address is not visited, "" when it is."""
        address = parse_url(url)
        path = address.target.partition("?")[0]
        roots = self._roots.get(address.authority)
        if roots is None:
            return "It is on another site."
        if not any(path.startswith(root) for root in roots):
            return "It is outside the part of the site that was asked for."
        if len(url) > self._limits.url_length:
            return f"The address is longer than {self._limits.url_length:,} characters."
        if depth > self._limits.depth:
            return f"It is more than {self._limits.depth:,} links away from the start."
        ending = path.rpartition("/")[2].rpartition(".")[2].lower() if "." in path else ""
        if ending in _NO_PAGES:
            return f"It is a file ({ending}), not a page."
        parts = Counter(part for part in path.split("/") if part)
        if any(count > _MOST_REPEATS for count in parts.values()):
            return "The address repeats itself."
        return ""
