"""Places for files that are read at once, so that what their processes take together is bounded.

Two files may take all the memory that one file may take, and two more only a part of it, which
is enough for most small ones. A session has no more than half of the places that others leave.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import Interrupted

SMALL_BYTES = 1_000_000
"""The largest file that is tried with less memory."""
SMALL_MEMORY_MB = 700
_EACH = 2  # places of either kind
_LOOK_EVERY = 0.2  # seconds between two looks at `cancelled`


class Places:
    """Who reads takes a place and gives it back. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken: Counter[str] = Counter()  # by session
        self._whole = 0  # places with all the memory that are taken
        self._part = 0
        self._waiting_for_whole = 0

    @contextmanager
    def hold(
        self, who: str, *, small: bool, cancelled: Callable[[], bool] | None = None
    ) -> Iterator[bool]:
        """Keep a place during the block; gives whether it is one with all the memory.

        A small file takes one of those as well where no other is free and nobody waits for it.
        Raises `Interrupted` when `cancelled` says so while it waits.
        """
        whole = self._take(who, small, cancelled or (lambda: False))
        try:
            yield whole
        finally:
            with self._changed:
                self._taken[who] -= 1
                self._taken += Counter()  # drops the zeros
                self._whole -= whole
                self._part -= not whole
                self._changed.notify_all()

    def _take(self, who: str, small: bool, cancelled: Callable[[], bool]) -> bool:
        with self._changed:
            self._waiting_for_whole += not small
            try:
                while (whole := self._free(who, small)) is None:
                    if cancelled():
                        raise Interrupted("Reading was stopped.")
                    self._changed.wait(_LOOK_EVERY)
            finally:
                self._waiting_for_whole -= not small
            self._taken[who] += 1
            self._whole += whole
            self._part += not whole
            return whole

    def _free(self, who: str, small: bool) -> bool | None:
        """Whether a place with all the memory is free for them, or one with less; None for none."""
        mine, all_ = self._taken[who], self._taken.total()
        if mine >= max(1, (2 * _EACH - all_ + mine) // 2):
            return None
        if small and self._part < _EACH:
            return False
        if self._whole < _EACH and not (small and self._waiting_for_whole):
            return True
        return None
