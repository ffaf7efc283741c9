"""Read web pages in parallel, a few of one host at a time, all by one deadline.

Pages are fetched by the scraper (checked addresses, limited size). HTML is read in child
processes that stay warm, PDFs in the sandbox for uploaded files. A page that fails does not
affect the others.
"""

from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.config import Settings
from core.errors import (
    AppError,
    FetchError,
    FetchFailed,
    FetchTimeout,
    Interrupted,
    NoReadableText,
    TooComplex,
)
from core.parsing.html.web_page import to_loaded
from core.parsing.html.worker import Reader
from core.parsing.language import detect_language
from core.parsing.sandbox import load_in_child
from core.supervision import in_background
from core.types import LoadedDocument
from core.urls import canonical_url, parse_url
from core.web_search.page_store import LivePage, live_page
from core.web_search.wikipedia import article_of, read_article
from scraper.fetch import Fetched, fetch

_READERS = 2  # child processes that turn HTML into text
_AT_ONCE = 24  # pages that are fetched at the same time in this process
_SHARE = 0.5  # of the whole time that one page may take, so that one that hangs leaves some
_SMALL = b"<html><body><article><p>One paragraph of text.</p></article></body></html>"
_TICK = 0.25  # seconds between checks for a stop
_GRACE = 0.5  # seconds after the deadline in which a page may still report an error


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one address: the page, or why there is none."""

    url: str
    page: LivePage | None
    error: AppError | None = None
    seconds: float = 0.0


class PageReader:
    """Reads web pages; one for each process. Thread-safe; call `close()` when done."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._readers: queue.Queue[Reader] = queue.Queue()
        self._all = [Reader(settings) for _ in range(_READERS)]
        for reader in self._all:
            self._readers.put(reader)
        self._room = threading.BoundedSemaphore(_AT_ONCE)
        self._warmed = threading.Lock()

    def read_all(
        self,
        urls: Sequence[str],
        seconds: float,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[list[Outcome]]:
        """Yield the outcome of each address as soon as it is known, all within `seconds`.

        Outcomes that arrive while the caller is busy are yielded together.
        """
        until = time.monotonic() + seconds
        hosts: dict[str, threading.Semaphore] = defaultdict(
            lambda: threading.Semaphore(self.settings.web_per_host)
        )
        done: queue.Queue[Outcome] = queue.Queue()
        waiting = dict.fromkeys(urls)
        for url in waiting:
            host = hosts[_host(url)]
            work = partial(self._one, url, host, until, seconds * _SHARE, done)
            in_background("web-page", work, partial(_broke, url, done))
        while waiting and not cancelled():
            left = until + _GRACE - time.monotonic()
            if left <= 0:
                break
            if found := _taken(done, min(left, _TICK)):
                for outcome in found:
                    waiting.pop(outcome.url)
                yield found
        if waiting:
            yield [Outcome(url, None, _late(url), seconds) for url in waiting]

    def warm(self) -> None:
        """Start the child processes in the background: their libraries take a second to load."""
        if self._warmed.acquire(blocking=False):  # never released: once for each process
            in_background("web-readers", self._load)

    def _load(self) -> None:
        for _ in self._all:
            reader = self._readers.get()
            try:
                reader.read(_SMALL, "http://localhost/", "text/html", "utf-8")
            except AppError:
                continue
            finally:
                self._readers.put(reader)

    def close(self) -> None:
        """End the child processes."""
        for reader in self._all:
            reader.close()

    def _one(
        self,
        url: str,
        host: threading.Semaphore,
        until: float,
        share: float,
        done: queue.Queue[Outcome],
    ) -> None:
        began = time.monotonic()
        page, error = None, None
        try:
            with _turn(host, until, url), _turn(self._room, until, url):
                began = time.monotonic()
                page = self._page(url, min(until, began + share))
        except AppError as failure:
            error = failure
        done.put(Outcome(url, page, error, time.monotonic() - began))

    def _page(self, url: str, until: float) -> LivePage:
        if self.settings.wikipedia_url and article_of(url):
            try:
                return live_page(canonical_url(url), read_article(url, self.settings, until))
            except (FetchError, NoReadableText):  # then it is read like any other page
                _left(until, url)
        fetched = fetch(url, self.settings, deadline=until)
        if fetched.body[:1024].lstrip()[:5] == b"%PDF-":
            loaded = self._pdf(fetched, until)
            return live_page(canonical_url(fetched.final_url), loaded, fetched.body)
        loaded, address = self._html(fetched, until)
        return live_page(address, loaded)

    def _html(self, fetched: Fetched, until: float) -> tuple[LoadedDocument, str]:
        url = fetched.final_url
        try:
            reader = self._readers.get(timeout=_left(until, url))
        except queue.Empty:
            raise _late(url) from None
        try:
            read = reader.read(
                fetched.body,
                url,
                fetched.content_type,
                fetched.charset,
                seconds=_left(until, url),
            )
        finally:
            self._readers.put(reader)
        page = read.text()
        loaded = to_loaded(page)
        language = detect_language(loaded.pages) or loaded.language
        return replace(loaded, language=language), page.url

    def _pdf(self, fetched: Fetched, until: float) -> LoadedDocument:
        seconds = max(1, int(_left(until, fetched.final_url)))
        settings = self.settings.model_copy(update={"parse_seconds": seconds, "ocr": False})
        scratch = settings.scratch_dir
        scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="web-", dir=scratch) as folder:
            path = Path(folder) / "page.pdf"
            path.write_bytes(fetched.body)
            name = fetched.final_url.rpartition("/")[2] or "page.pdf"
            try:
                loaded = load_in_child(
                    path, name=name, settings=settings, cancelled=lambda: time.monotonic() > until
                )
            except Interrupted:  # others are being read
                raise _late(fetched.final_url) from None
            except TooComplex as error:
                raise TooComplex(error.message, "Add the PDF on the Documents page.") from None
        return loaded


def _taken(done: queue.Queue[Outcome], seconds: float) -> list[Outcome]:
    """Return all that is in the queue, after waiting for the first item."""
    found: list[Outcome] = []
    try:
        found.append(done.get(timeout=seconds))
        while True:
            found.append(done.get_nowait())
    except queue.Empty:
        return found


@contextmanager
def _turn(room: threading.Semaphore, until: float, url: str) -> Iterator[None]:
    if not room.acquire(timeout=_left(until, url)):
        raise _late(url)
    try:
        yield
    finally:
        room.release()


def _left(until: float, url: str) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise _late(url)
    return left


def _broke(url: str, done: queue.Queue[Outcome], error: Exception) -> None:
    failed = FetchFailed(f"{_host(url)} could not be read ({type(error).__name__}).")
    done.put(Outcome(url, None, failed, 0.0))


def _late(url: str) -> FetchTimeout:
    return FetchTimeout(f"{_host(url)} did not send the page by the deadline.")


def _host(url: str) -> str:
    try:
        return parse_url(url).authority
    except AppError:
        return url[:60]
