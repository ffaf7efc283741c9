"""Threads that what they work on cannot end: the one place where every exception is caught.

A fault in one document, dump or question is that work's failure (`isolated`). A thread that ends
all the same begins again (`Worker`), and the Status page shows it (`failures`).
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.errors import AppError

log = logging.getLogger(__name__)

_FIRST_PAUSE = 0.5  # seconds before a thread that ended begins again; twice as long each time
_LONGEST_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A thread that ended by a fault: how often so far, by what, and when the last time."""

    thread: str
    error: str
    times: int
    last: datetime


@dataclass
class Failures:
    """The threads of this process that ended by a fault. Thread-safe."""

    _of: dict[str, Failure] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, thread: str, error: Exception) -> None:
        """Count one more."""
        now = datetime.now(UTC)
        with self._lock:
            before = self._of.get(thread, Failure(thread, "", 0, now))
            name = type(error).__name__
            self._of[thread] = replace(before, error=name, times=before.times + 1, last=now)

    def all(self) -> list[Failure]:
        """Every thread that ended at least once, the last one first."""
        with self._lock:
            return sorted(self._of.values(), key=lambda failure: failure.last, reverse=True)

    def clear(self) -> None:
        """Forget them."""
        with self._lock:
            self._of.clear()


@functools.cache
def failures() -> Failures:
    """The record of this process."""
    return Failures()


def isolated(
    name: str, work: Callable[[], None], failed: Callable[[Exception], None] = lambda error: None
) -> bool:
    """Do the work and return True; a fault is logged and given to `failed`.

    What `failed` raises is logged too. The work itself catches the errors that it foresees.
    """
    try:
        work()
    except Exception as error:  # no fault of one piece of work may end its thread
        log.exception("A fault in %s", name)
        try:
            failed(error)
        except Exception:  # a fault in recording must not end it either
            log.exception("A fault in %s could not be recorded", name)
        return False
    return True


class Unrecorded:
    """What could not be recorded, on a full disk for example, and is tried again. Thread-safe.

    Without it a run that failed there would be shown as running until the next start.
    """

    def __init__(self) -> None:
        self._left: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def record(self, what: Callable[[], object]) -> None:
        """Record something now, or else when `again` is called."""
        try:
            what()
        except AppError as error:
            log.warning("What became of some work could not be recorded: %s", error.message)
            with self._lock:
                self._left.append(what)

    def again(self) -> bool:
        """Try what is left; returns whether nothing is left any more."""
        with self._lock:
            left, self._left = self._left, []
        for what in left:
            self.record(what)
        with self._lock:
            return not self._left


class Worker:
    """A thread that runs `work` until that returns, and begins it again after a fault.

    `ending` ends the pause before the next try, and no other begins after it is set.
    """

    def __init__(self, name: str, work: Callable[[], None], ending: threading.Event) -> None:
        self.name, self._work, self._ending = name, work, ending
        self._thread = threading.Thread(target=self._keep_on, name=name, daemon=True)

    def start(self) -> Worker:
        """Begin."""
        self._thread.start()
        return self

    def join(self, seconds: float) -> None:
        """Wait for the end of the work, at most so long."""
        self._thread.join(seconds)

    def is_alive(self) -> bool:
        """Return whether the thread runs."""
        return self._thread.is_alive()

    def _keep_on(self) -> None:
        pause = _FIRST_PAUSE
        while not isolated(self.name, self._work, self._note) and not self._ending.wait(pause):
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _note(self, error: Exception) -> None:
        failures().note(self.name, error)


def in_background(
    name: str, work: Callable[[], None], failed: Callable[[Exception], None] = lambda error: None
) -> threading.Thread:
    """Do one piece of work on a thread of its own, which is given back; see `isolated`."""
    thread = threading.Thread(target=isolated, args=(name, work, failed), name=name, daemon=True)
    thread.start()
    return thread
