"""Answers in the making: the service works on a thread, what it makes comes out as it is made.

How many are worked on at once is for the service to say, which lets people take turns: here is a
thread for each that works or waits, and none of them is one that other requests need. So whatever
may wait for another server runs here, never on the threads of the framework.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from core.telemetry.tracing import carried

_AT_ONCE = 600
"""More than the service lets wait and work (`core.turns`), so that none waits for a thread."""

T = TypeVar("T")
Stopped = Callable[[], bool]
"""Whether the caller has disconnected, or the time is over."""


class Runner:
    """The threads on which answers are made."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, "api-answers")

    async def call(self, function: Callable[[], T]) -> T:
        """The result of a function that may wait for another server."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, carried(function))

    async def relay(
        self, work: Callable[[Stopped], Iterator[T]], *, seconds: float, beat: float
    ) -> AsyncGenerator[T | None, None]:
        """What `work` makes, and None whenever `beat` seconds passed without anything.

        When the iteration stops, or after `seconds`, the work is asked to end; it is never just
        dropped, so that it can keep what is there. Raises what the work raises.
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

        done = loop.run_in_executor(self._threads, carried(follow))
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
