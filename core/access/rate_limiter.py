"""How often something may be done: a token bucket for each name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from core.errors import TooManyRequests

_REMEMBERED = 10_000


class RateLimiter:
    """Allows each name `per_minute` at once, and as many again in each minute. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str, per_minute: int) -> None:
        """Take one. Raises `TooManyRequests` with the seconds to wait when none is left."""
        with self._lock:
            now = self._clock()
            left, at = self._left.pop(name, (float(per_minute), now))
            left = min(per_minute, left + (now - at) * per_minute / 60)
            self._left[name] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > _REMEMBERED:
                del self._left[next(iter(self._left))]
        if left < 1:
            wait = (1 - left) * 60 / per_minute
            raise TooManyRequests("That were too many requests.", retry_after=wait)
