"""Read a whole site, politely: within its rules and our limits, to be stopped and resumed.

`crawl()` visits pages, one request a second to each host, and keeps the text of each in a
folder (`CrawlState`). It never fails as a whole: what could not be read is listed with its
reason. Called again, it goes on where it was stopped, or asks for what has changed since.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from core.config import Settings
from core.errors import AppError, DataDirectoryInUse
from core.parsing.html.worker import Reader
from core.supervision import in_background
from core.urls import canonical_url, parse_url
from scraper.crawl_plan import NOBODY, Observer, Plan, Progress, Report, Scope
from scraper.crawl_state import CrawlState
from scraper.crawl_visit import Visitor
from scraper.fetch import Fetched, fetch
from scraper.pdf_pages import PdfFolder
from scraper.robots import FORBIDDEN, Robots, read_robots
from scraper.sitemap import read_sitemaps

_TICK = 0.1  # seconds between two looks at the threads
_MB = 1024 * 1024


def crawl(
    plan: Plan,
    folder: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    refresh: bool = False,
) -> Report:
    """Visit the site and keep its pages in `folder`.

    A run that was stopped, killed or ended by a limit goes on; after one that was complete, or
    with `refresh`, the next asks every page for what has changed since.

    Pages that a killed run had kept but not handed to its `observer` are in
    `CrawlState(folder).pages()`. Once the observer has cancelled, `crawl` returns within two
    seconds and can be called again to go on.
    Raises `InvalidUrl` for a bad start, `DataDirectoryInUse` when another run is in the folder.
    """
    starts = tuple(canonical_url(url) for url in plan.starts)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "crawl.lock", timeout=0):
            run = _Run(plan, starts, folder, settings)
            try:
                return run.work(observer, refresh)
            finally:
                run.close()
    except Timeout:
        raise DataDirectoryInUse(
            "Another run is already collecting into this folder.", "Wait for it, or stop it first."
        ) from None


@dataclass(slots=True)
class _Run:
    """One run: a thread a host, one reader, one state."""

    plan: Plan
    starts: tuple[str, ...]
    folder: Path
    settings: Settings
    state: CrawlState = field(init=False)
    reader: Reader = field(init=False)
    visitor: Visitor = field(init=False)
    ended: threading.Event = field(default_factory=threading.Event)
    guard: threading.Lock = field(default_factory=threading.Lock)
    stopped: str = ""
    url: str = ""
    began: float = 0.0
    earlier: float = 0.0  # seconds that this run took before it was interrupted

    def __post_init__(self) -> None:
        self.state = CrawlState(self.folder)
        self.reader = Reader(self.settings)
        scope = Scope(self.starts, self.plan.limits, whole_host=self.plan.whole_host)
        self.visitor = Visitor(
            self.plan,
            scope,
            self.settings,
            self.state,
            self.reader,
            self._keep,
            PdfFolder(self.folder, self.settings),
            self.ended.is_set,
        )

    def close(self) -> None:
        self.ended.set()
        with self.guard:  # no thread is in the middle of a page
            self.reader.close()
            self.state.close()

    def work(self, observer: Observer, refresh: bool) -> Report:
        """Visit until the queue is empty or the run is stopped; report progress meanwhile."""
        self.state.begin(refresh=refresh)
        self.began, self.earlier = time.monotonic(), self.state.number("milliseconds") / 1000
        self.visitor.enqueue(self.starts, 0)
        while not self.ended.is_set() and self.state.hosts():
            threads = self._threads()
            reported = 0.0
            while any(thread.is_alive() for thread in threads):
                if observer.cancelled():
                    self.stop("Stopped on request.")
                self._hand_over(observer)
                if time.monotonic() - reported > 0.25:
                    reported = time.monotonic()
                    observer.on_progress(self.progress())
                if self.ended.wait(_TICK):
                    _join(threads, 1.0)  # what takes longer is left alone, its page is not kept
                    break
        with self.guard:
            self.ended.set()
            report = self._report()
        self._hand_over(observer)
        observer.on_progress(self.progress())
        return report

    def _threads(self) -> list[threading.Thread]:
        hosts = queue.SimpleQueue[str]()
        for host in self.state.hosts():
            hosts.put(host)
        threads = [
            in_background("crawl", partial(self._serve, hosts), self._broke)
            for _ in range(min(self.plan.limits.hosts, hosts.qsize()))
        ]
        return threads

    def _broke(self, error: Exception) -> None:
        reason = error.message if isinstance(error, AppError) else type(error).__name__
        self.stop(f"Stopped: a page could not be read ({reason}).")

    def _serve(self, hosts: queue.SimpleQueue[str]) -> None:
        """Visit the pages of one host after another."""
        while not self.ended.is_set():
            try:
                self._host(hosts.get_nowait())
            except queue.Empty:
                return
            except sqlite3.Error:
                if not self.ended.is_set():
                    self.stop("Stopped: what was read could not be stored; is the disk full?")

    def _host(self, host: str) -> None:
        first = self.state.next(host)
        if first is None:
            return
        origin = f"{parse_url(first.url).scheme}://{host}"
        robots = read_robots(origin, self.settings)
        self.state.add_to(requests=1)
        pace = _Pace(max(self.plan.limits.delay, robots.delay), self.ended)
        if self.plan.sitemaps and not robots.closed and self.state.once(f"sitemaps:{host}"):
            self._sitemaps(origin, host, robots, pace)
        while not self.ended.is_set() and (known := self.state.next(host)) is not None:
            if robots.closed:
                self._keep(partial(self.state.failed, known.url, robots.closed, gone=False))
            elif not robots.allows(known.url):
                self._keep(partial(self.state.refused, known.url, FORBIDDEN))
            elif reason := self._limit():
                self.stop(reason)
            elif pace.wait():
                self.url = known.url
                if rest := self.visitor.visit(known):
                    pace.rest(rest)

    def _sitemaps(self, origin: str, host: str, robots: Robots, pace: _Pace) -> None:
        def get(url: str) -> Fetched:
            pace.wait()
            self.state.add_to(requests=1)
            fetched = fetch(url, self.settings)
            self.state.add_to(bytes=fetched.received)
            return fetched

        named = robots.sitemaps or (f"{origin}/sitemap.xml",)
        listed = read_sitemaps(named, host, get, self.ended.is_set)
        with self.guard:
            if not self.ended.is_set():
                self.visitor.enqueue(listed.pages, 1)
                self.state.skip(listed.skipped if robots.sitemaps else ())

    def _keep(self, change: Callable[[], None]) -> None:
        """Make a change as one transaction, unless the run has ended meanwhile."""
        with self.guard:
            if not self.ended.is_set():
                with self.state.transaction():
                    change()
                    self.state.set_number("milliseconds", int(self._seconds() * 1000))

    def _limit(self) -> str:
        """Which limit is reached, in words; "" for none."""
        limits = self.plan.limits
        if self.state.number("visited") >= limits.pages:
            return f"Stopped after {limits.pages:,} pages."
        if self.state.number("bytes") >= limits.megabytes * _MB:
            return f"Stopped after {limits.megabytes:,} MB."
        if time.monotonic() - self.began >= limits.seconds:
            return f"Stopped after {limits.seconds:,.0f} seconds."
        return ""

    def _seconds(self) -> float:
        return self.earlier + time.monotonic() - self.began

    def stop(self, reason: str) -> None:
        """End the run; the first reason stands."""
        with self.guard:
            self.stopped = self.stopped or reason
            self.ended.set()

    def _hand_over(self, observer: Observer) -> None:
        while True:
            try:
                page = self.visitor.new_pages.get_nowait()
            except queue.Empty:
                return
            observer.on_page(page)

    def progress(self) -> Progress:
        """Where the run stands."""
        state, limits, seconds = self.state, self.plan.limits, self._seconds()
        visited, queued = state.number("visited"), state.count("queued")
        to_come = min(queued, max(0, limits.pages - visited))
        left = min(to_come * seconds / visited, limits.seconds) if visited else None
        return Progress(
            pages=state.count("done"),
            visited=visited,
            queued=queued,
            left_out=state.count("skipped") + (failed := state.count("failed")),
            failed=failed,
            requests=state.number("requests"),
            megabytes=state.number("bytes") / _MB,
            seconds=seconds,
            seconds_left=left,
            url=self.url,
        )

    def _report(self) -> Report:
        state = self.state
        queued = state.count("queued")
        left_out = tuple((url, reason) for url, _, reason in state.left_out())
        changed, unchanged = state.changes()
        gone = () if queued else tuple(state.end())
        return Report(
            pages=changed + unchanged,
            changed=changed,
            unchanged=unchanged,
            gone=gone,
            left_out=left_out,
            visited=state.number("visited"),
            queued=queued,
            requests=state.number("requests"),
            received=state.number("bytes"),
            seconds=self._seconds(),
            stopped=self.stopped,
            unusable=state.number("unusable"),
        )


class _Pace:
    """Keeps a distance in time between the requests to one host."""

    def __init__(self, delay: float, ended: threading.Event) -> None:
        self._delay = delay
        self._ended = ended
        self._next = 0.0

    def wait(self) -> bool:
        """Wait for the turn; False when the run has ended meanwhile."""
        ended = self._ended.wait(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self._delay
        return not ended

    def rest(self, seconds: float) -> None:
        """Let the host alone for a while."""
        self._next = time.monotonic() + max(seconds, self._delay)


def _join(threads: Iterable[threading.Thread], seconds: float) -> None:
    end = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
