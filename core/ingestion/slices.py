"""Turns at computing: by slices, and whoever has had the fewest goes first."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Turn:
    number: int
    had: int = 0  # slices


@dataclass
class Slices:
    """At most `at_once` pieces of work compute; after each slice the others are considered.

    So a small piece, which has had nothing yet, waits for one slice of a long one at most, and
    long ones share what is left. Thread-safe.
    """

    at_once: int
    _free: int = field(init=False)
    _waiting: list[_Turn] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._free = self.at_once

    @contextmanager
    def turn(self) -> Iterator[Callable[[], None]]:
        """Wait for the first slice; call what is given between two slices."""
        turn = _Turn(next(self._numbers))
        self._wait(turn)
        try:
            yield lambda: self._next(turn)
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def _next(self, turn: _Turn) -> None:
        with self._changed:
            turn.had += 1
            if not any(other.had < turn.had for other in self._waiting):
                return
            self._free += 1
            self._changed.notify_all()
        self._wait(turn)

    def _wait(self, turn: _Turn) -> None:
        with self._changed:
            self._waiting.append(turn)
            self._changed.wait_for(lambda: self._free > 0 and self._first() is turn)
            self._waiting.remove(turn)
            self._free -= 1
            self._changed.notify_all()

    def _first(self) -> _Turn:
        return min(self._waiting, key=lambda turn: (turn.had, turn.number))
