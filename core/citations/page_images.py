"""Images of the pages of PDFs: few are drawn at once, the last ones are kept.

Drawing takes a process of its own and, for some pages, as long as it is allowed to. So it has
places of its own, which are fair between people; it never takes those of reading or answering.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from core.config import Settings
from core.errors import AppError, Busy, DamagedFile, ParserDied, TooComplex
from core.parsing.sandbox import render_page
from core.supervision import in_background
from core.turns import Turns

SCALE = 2.0  # pixels for each PDF point: readable on a dense screen
_AT_ONCE = 2
_MOST_WAITING = 16
_MOST_EACH = 4  # of one person, waiting
_MOST_SHARED = 8  # callers that wait for an image which another one has drawn
_SECONDS = 15
_MEMORY_MB = 800
_KEPT_BYTES = 48_000_000
_FAILED_SECONDS = 60.0  # in which a page that could not be drawn is not tried again
_MOST_AHEAD = 8  # pages that are to be drawn before somebody opens them
_CURE = "Open it again in a few seconds; its text can be read meanwhile."


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of a file as it is now: a document that is read again has another time or size."""

    path: Path
    changed: int
    size: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class _Failure:
    error: AppError
    at: float


class PageImages:
    """Draws pages, a page once however many ask for it. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        memory = min(settings.parse_memory_mb, _MEMORY_MB)
        seconds = min(settings.parse_seconds, _SECONDS)
        self._settings = settings.model_copy(
            update={
                "parse_memory_mb": memory,
                "parse_seconds": seconds,
                "parse_cpu_seconds": min(settings.parse_cpu_seconds, _SECONDS),
            }
        )
        self._places = Turns(
            _AT_ONCE,
            most_waiting=_MOST_WAITING,
            most_each=_MOST_EACH,
            leaves_room=True,
            what="pages to draw",
        )
        self._lock = threading.Lock()
        self._drawn: OrderedDict[_Page, bytes | _Failure] = OrderedDict()
        self._bytes = 0
        self._drawing: dict[_Page, Future[bytes]] = {}
        self._shared = 0
        self._ahead: deque[tuple[Path, int, str]] = deque(maxlen=_MOST_AHEAD)
        self._going_ahead = False

    def draw(self, path: Path, ordinal: int, who: str) -> bytes:
        """The image (PNG) of a page of a PDF, for the person `who`.

        Raises `Busy` where too many wait, and as `render_page` does.
        """
        try:
            state = path.stat()
        except OSError:
            raise DamagedFile("The original file is not there any more.") from None
        page = _Page(path, state.st_mtime_ns, state.st_size, ordinal)
        with self._lock:
            if (kept := self._kept(page)) is not None:
                return kept
            drawing, mine = self._drawing.get(page), Future[bytes]()
            if drawing is None:
                self._drawing[page] = mine
            elif self._shared >= _MOST_SHARED:
                raise Busy("Too many wait for this page.", _CURE, retry_after=5.0)
            else:
                self._shared += 1
        if drawing is None:
            return self._draw(page, who, mine)
        try:
            return drawing.result()
        finally:
            with self._lock:
                self._shared -= 1

    def draw_ahead(self, path: Path, ordinals: Sequence[int], who: str) -> None:
        """Draw pages that are likely to be opened next, in the background, one at a time.

        None is begun while somebody waits for another one. What cannot be drawn is left: who
        opens it is told why.
        """
        with self._lock:
            self._ahead.extend((path, ordinal, who) for ordinal in ordinals)
            begins, self._going_ahead = not self._going_ahead, True
        if begins:
            in_background("drawing pages ahead", self._go_ahead)

    def _go_ahead(self) -> None:
        try:
            while True:
                with self._lock:
                    if not self._ahead:
                        return
                    path, ordinal, who = self._ahead.popleft()
                    if self._drawing:
                        continue
                with contextlib.suppress(AppError):
                    self.draw(path, ordinal, who)
        finally:
            with self._lock:
                self._going_ahead = False

    def _draw(self, page: _Page, who: str, done: Future[bytes]) -> bytes:
        drawn: bytes | _Failure | None = None
        try:
            with self._places.hold(who):
                drawn = image = render_page(
                    page.path, page.ordinal, scale=SCALE, settings=self._settings
                )
            done.set_result(image)
            return image
        except AppError as error:
            said = _said(error)
            if isinstance(said, TooComplex | DamagedFile | ParserDied):
                drawn = _Failure(said, time.monotonic())
            done.set_exception(said)
            raise said from None
        finally:
            with self._lock:
                del self._drawing[page]
                if drawn is not None:
                    self._keep(page, drawn)
            if not done.done():  # a fault: those who wait for it must not wait for ever
                done.set_exception(DamagedFile("The page cannot be drawn."))

    def _kept(self, page: _Page) -> bytes | None:
        """The image that is kept, None without one. Raises why it could not be drawn just now."""
        kept = self._drawn.get(page)
        if isinstance(kept, _Failure):
            if time.monotonic() - kept.at < _FAILED_SECONDS:
                raise type(kept.error)(kept.error.message, kept.error.cure)
            return None
        if kept is not None:
            self._drawn.move_to_end(page)
        return kept

    def _keep(self, page: _Page, drawn: bytes | _Failure) -> None:
        self._bytes += _cost(drawn) - _cost(self._drawn.pop(page, b""))
        self._drawn[page] = drawn
        while self._bytes > _KEPT_BYTES:
            self._bytes -= _cost(self._drawn.popitem(last=False)[1])


def _said(error: AppError) -> AppError:
    """The error in words for a page that is drawn."""
    if isinstance(error, TooComplex):
        return TooComplex("This page is too complex to be drawn.", "Download the original.")
    if isinstance(error, Busy):
        return Busy(error.message, _CURE, retry_after=5.0)
    return error


def _cost(drawn: bytes | _Failure) -> int:
    """Bytes that are counted: a failure is small, but never nothing."""
    return len(drawn) if isinstance(drawn, bytes) else 1_000
