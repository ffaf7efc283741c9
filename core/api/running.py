"""Answers in the making: the service works on a thread, what it makes comes out as it is made.

Answers that quote keep a processor busy, so few of them run at once and the rest wait their turn:
a hundred of them would starve everything else. Answers that a language model writes mostly wait
for it, so many may run. Neither takes a thread that other requests need.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_BUSY_AT_ONCE = max(2, os.cpu_count() or 2)
_WAITING_AT_ONCE = 64

T = TypeVar("T")
Stopped = Callable[[], bool]
"""Whether whoever asked has left, or the time is over."""


class Runner:
    """The threads on which answers are made."""

    def __init__(self) -> None:
        self._busy = ThreadPoolExecutor(_BUSY_AT_ONCE, "api-busy")
        self._waiting = ThreadPoolExecutor(_WAITING_AT_ONCE, "api-waiting")

    async def call(self, function: Callable[[], T]) -> T:
        """The result of a function that keeps a processor busy."""
        return await asyncio.get_running_loop().run_in_executor(self._busy, function)

    async def relay(
        self, work: Callable[[Stopped], Iterator[T]], *, waits: bool, seconds: float, beat: float
    ) -> AsyncIterator[T | None]:
        """What `work` makes, and None whenever `beat` seconds passed without anything.

        `waits` says that it waits for a model. When whoever iterates stops, or after `seconds`,
        the work is told to end; it is never just dropped, so that it can keep what is there.
        Raises what the work raises.
        """
        loop = asyncio.get_running_loop()
        made: asyncio.Queue[T | None] = asyncio.Queue()
        left = threading.Event()
        end = time.monotonic() + seconds

        def stopped() -> bool:
            return left.is_set() or time.monotonic() > end

        def follow() -> None:
            for one in work(stopped):
                loop.call_soon_threadsafe(made.put_nowait, one)

        done = loop.run_in_executor(self._waiting if waits else self._busy, follow)
        done.add_done_callback(lambda _: made.put_nowait(None))
        try:
            while not (done.done() and made.empty()):
                try:
                    async with asyncio.timeout(beat):
                        one = await made.get()
                except TimeoutError:
                    yield None
                    continue
                if one is not None:
                    yield one
            done.result()
        finally:
            left.set()
            done.cancel()
