"""One page of a crawl: asked for, read, and kept with what it leads to, or left out and why."""

from __future__ import annotations

import hashlib
import queue
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from core.config import Settings
from core.errors import BadStatus, FetchError, IngestionError
from core.parsing.html.links import PageLinks
from core.parsing.html.web_page import WebPage
from core.parsing.html.worker import Reader, ReadPage
from core.urls import canonical_url, parse_url
from scraper.crawl_plan import Plan, Scope
from scraper.crawl_state import CrawlState, Known, Visited
from scraper.fetch import Fetched, fetch
from scraper.pdf_pages import PdfFolder, is_pdf

_LONGEST_WAIT = 120.0  # seconds, when a site says that it is asked too often
_TRIES = 3
_MOST_WAITING = 20_000  # addresses, or four times what a run may visit: what it never comes to
_MB = 1024 * 1024


@dataclass(slots=True)
class Visitor:
    """Visits pages for a run. `keep` makes a change as one transaction, unless the run ended."""

    plan: Plan
    scope: Scope
    settings: Settings
    state: CrawlState
    reader: Reader
    keep: Callable[[Callable[[], None]], None]
    pdfs: PdfFolder
    ended: Callable[[], bool]
    new_pages: queue.SimpleQueue[WebPage] = field(default_factory=queue.SimpleQueue)
    tries: Counter[str] = field(default_factory=Counter)

    def visit(self, known: Known) -> float:
        """Fetch and read a page, and keep what became of it.

        Gives how many seconds the site asks to be left alone before the same page again, or 0.
        """
        try:
            fetched = self._fetch(known)
        except BadStatus as error:
            if error.status in (429, 503) and self.tries[known.url] < _TRIES - 1:
                self.tries[known.url] += 1
                return min(float(error.retry_after or 10), _LONGEST_WAIT)
            self._failed(known, error, gone=error.status in (404, 410))
        except FetchError as error:
            self._failed(known, error, gone=False)
        else:
            self._read(known, fetched)
        return 0.0

    def _fetch(self, known: Known) -> Fetched:
        headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
        conditions = {name: value for name, value in headers.items() if value and known.has_page}
        limits = self.plan.limits
        pdf = parse_url(known.url).target.partition("?")[0].lower().endswith(".pdf")
        limit = int((limits.pdf_megabytes if pdf else limits.page_megabytes) * _MB)
        return fetch(known.url, self.settings, max_bytes=limit, headers=conditions)

    def _failed(self, known: Known, error: FetchError, *, gone: bool) -> None:
        self._count(1, 0)
        self.keep(partial(self._keep_failure, known, error.message, gone=gone))

    def _keep_failure(self, known: Known, reason: str, *, gone: bool) -> None:
        """What an earlier run knows of the page stands, and what it led to is asked for."""
        if not gone:
            self._follow(self.state.links(known.url), known.depth)
        self.state.failed(known.url, reason, gone=gone)

    def _read(self, known: Known, fetched: Fetched) -> None:
        body_hash = hashlib.sha256(fetched.body).hexdigest()
        if fetched.not_modified or (known.has_page and body_hash == known.body_hash):
            self.keep(lambda: self._unchanged(known, fetched))
            return
        try:
            if is_pdf(fetched.body):
                url = canonical_url(fetched.final_url)
                read = self.pdfs.read(fetched.body, url, self.ended)
            else:
                read = self.reader.read(
                    fetched.body, fetched.final_url, fetched.content_type, fetched.charset
                )
        except IngestionError as error:
            read = ReadPage(None, PageLinks(), error.code, error.message)
        self.keep(lambda: self._new(known, fetched, read, body_hash))

    def _unchanged(self, known: Known, fetched: Fetched) -> None:
        self._count(fetched.requests, fetched.received)
        links = self.state.links(known.url)
        visited = Visited(
            None,
            links,
            fetched.etag or known.etag,
            fetched.last_modified or known.last_modified,
            known.body_hash,
            known.text_hash,
        )
        self.state.done(known.url, known.host, known.depth, visited)
        self._follow(links, known.depth)

    def _new(self, known: Known, fetched: Fetched, read: ReadPage, body_hash: str) -> None:
        self._count(fetched.requests, fetched.received)
        url = _address(fetched, read)
        if url != known.url and (reason := self._elsewhere(url, known)):
            self.state.refused(known.url, reason)
            return
        reason, text_hash = self._not_kept(url, read)
        if reason:
            self.state.refused(known.url, reason)
            if not text_hash:
                self._follow(read.links, known.depth)
            return
        assert read.page is not None  # _not_kept has seen it
        if url != known.url:
            self.state.refused(known.url, f"It leads to {url}, which is kept.")
        page = None if known.has_page and text_hash == known.text_hash else read.page
        visited = Visited(
            page and replace(page, url=url),
            read.links,
            fetched.etag,
            fetched.last_modified,
            body_hash,
            text_hash,
        )
        self.state.done(url, parse_url(url).authority, known.depth, visited)
        if visited.page is not None:
            self.new_pages.put(visited.page)
        self._follow(read.links, known.depth)

    def _elsewhere(self, url: str, known: Known) -> str:
        """Why the page that an address leads to is not kept under its own address."""
        if reason := self.scope.refusal(url, known.depth) or self.plan.refuse(url):
            return f"It leads to another address. {reason}"
        if self.state.known(url) not in ("", "queued"):
            return f"It leads to {url}, which is already there."
        return ""

    def _not_kept(self, url: str, read: ReadPage) -> tuple[str, str]:
        """Why a page is not kept ("" when it is), and the hash of its text.

        The hash is "" where the links of the page are followed all the same.
        """
        if read.page is None:
            return read.message, ""
        if not read.links.index:
            return "The page asks robots not to keep it.", ""
        text = read.page.file or f"{read.page.title}\n{read.page.markdown}"
        text_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if same := self.state.same_text(text_hash, url):
            return f"It has the same text as {same}.", text_hash
        return "", text_hash

    def _follow(self, links: PageLinks, depth: int) -> None:
        self.state.add_to(unusable=links.unusable)
        if links.follow:
            self.enqueue(self.plan.follow(links, depth), depth + 1)

    def enqueue(self, urls: Iterable[str], depth: int) -> None:
        """Put what belongs to the sites into the queue, and note why the rest does not."""
        wanted: list[tuple[str, str]] = []
        unwanted: list[tuple[str, str]] = []
        for url in urls:
            if reason := self.scope.refusal(url, depth) or self.plan.refuse(url):
                unwanted.append((url, reason))
            else:
                wanted.append((url, parse_url(url).authority))
        most = max(_MOST_WAITING, 4 * self.plan.limits.pages)
        room = max(0, most - self.state.count("queued"))
        unwanted += (
            (url, f"More than {most:,} addresses wait already.") for url, _ in wanted[room:]
        )
        self.state.enqueue(wanted[:room], depth)
        self.state.skip(unwanted)

    def _count(self, requests: int, received: int) -> None:
        self.state.add_to(visited=1, requests=requests, bytes=received)


def _address(fetched: Fetched, read: ReadPage) -> str:
    """Under which address a page is kept: where it was found after redirects.

    Its own word counts only between spellings of one path: a site whose pages all name the home
    page as their canonical address would be left with one page.
    """
    found = canonical_url(fetched.final_url)
    own = read.page.url if read.page else found
    return own if own.partition("?")[0] == found.partition("?")[0] else found
