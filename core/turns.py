"""Work takes turns: little is worked on at once, and no person keeps the others waiting.

An answer that quotes keeps a processor busy, so as many are made at once as there are processors.
An answer that waits for a language model or for the web has a queue of its own, in which many may
be under way. Who waits is shown the place in the queue; where too many wait, `Busy` is raised.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from core.errors import Busy
from core.types import Step
from core.types.steps import Waiting

BUSY_AT_ONCE = max(2, os.cpu_count() or 2)
WAITING_AT_ONCE = 64
_MOST_WAITING = 250
_MOST_EACH = 40
_LOOK_EVERY = 0.5

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class _Ticket:
    who: str
    called: threading.Event = field(default_factory=threading.Event)


class Turns:
    """A queue with a line for each person; the lines are served in turn. Thread-safe.

    `what` waits is said where too much waits. With `leaves_room`, no person has more than half of
    the places that the others leave: for work that may take long, so that one is always free.
    """

    def __init__(
        self,
        at_once: int,
        *,
        most_waiting: int = _MOST_WAITING,
        most_each: int = _MOST_EACH,
        leaves_room: bool = False,
        what: str = "questions",
    ) -> None:
        self._at_once, self._most_waiting, self._most_each = at_once, most_waiting, most_each
        self._leaves_room, self._what = leaves_room, what
        self._lines: dict[str, deque[_Ticket]] = {}  # in the order in which they are served
        self._working: Counter[str] = Counter()
        self._lock = threading.Lock()

    def waiting(self) -> int:
        """How many wait."""
        with self._lock:
            return sum(map(len, self._lines.values()))

    def working(self) -> int:
        """How many are being worked on."""
        with self._lock:
            return self._working.total()

    def through(self, who: str, work: Callable[[], Iterator[T]]) -> Iterator[T | Step]:
        """Yield what `work` yields once it is its turn; until then a step with each new place.

        Raises `Busy` where too many wait already, of this person or of all.
        """
        with self._turn(who) as ticket:
            began, shown = time.monotonic(), 0
            while not ticket.called.wait(_LOOK_EVERY):
                place = self._place(ticket)
                if place and place != shown:
                    shown = place
                    yield Step("waiting", Waiting(place), time.monotonic() - began)
            yield from work()

    @contextmanager
    def hold(self, who: str) -> Iterator[None]:
        """Wait for a turn and keep it during the block. Raises `Busy`."""
        with self._turn(who) as ticket:
            ticket.called.wait()
            yield

    @contextmanager
    def _turn(self, who: str) -> Iterator[_Ticket]:
        ticket = self._enter(who)
        try:
            yield ticket
        finally:
            self._leave(ticket)

    def _enter(self, who: str) -> _Ticket:
        with self._lock:
            mine, all_ = len(self._lines.get(who, ())), sum(map(len, self._lines.values()))
            if all_ >= self._most_waiting or mine >= self._most_each:
                before = mine if mine >= self._most_each else all_
                whose = "of yours " if mine >= self._most_each else ""
                raise Busy(f"{before} {self._what} {whose}are waiting already.")
            ticket = _Ticket(who)
            self._lines.setdefault(who, deque()).append(ticket)
            self._call_next()
        return ticket

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket.called.is_set():
                self._working[ticket.who] -= 1
                self._working += Counter()  # drops the zeros
            elif ticket in (line := self._lines[ticket.who]):  # the caller stopped waiting
                line.remove(ticket)
                if not line:
                    del self._lines[ticket.who]
            self._call_next()

    def _call_next(self) -> None:
        while (who := next(filter(self._has_place, self._lines), None)) is not None:
            line = self._lines.pop(who)
            ticket = line.popleft()
            if line:
                self._lines[who] = line  # the others first
            self._working[who] += 1
            ticket.called.set()

    def _has_place(self, who: str) -> bool:
        """Whether one more of this person may be worked on."""
        mine, all_ = self._working[who], self._working.total()
        if not self._leaves_room:
            return all_ < self._at_once
        return all_ < self._at_once and mine < max(1, (self._at_once - all_ + mine) // 2)

    def _place(self, ticket: _Ticket) -> int:
        """How many are called before this one, and one; 0 for one that was called."""
        with self._lock:
            if ticket.called.is_set() or ticket.who not in self._lines:
                return 0
            ahead = self._lines[ticket.who].index(ticket)
            place, passed = ahead + 1, False
            for who, line in self._lines.items():
                if who == ticket.who:
                    passed = True
                else:
                    place += min(len(line), ahead if passed else ahead + 1)
            return place


@dataclass(frozen=True)
class Queue:
    """The two queues of a process: for what computes, and for what waits for other servers."""

    busy: Turns = field(default_factory=lambda: Turns(BUSY_AT_ONCE))
    waiting: Turns = field(default_factory=lambda: Turns(WAITING_AT_ONCE, leaves_room=True))

    def of(self, *, waits: bool) -> Turns:
        """The queue for an answer; `waits` says that it waits for a model, or for the web."""
        return self.waiting if waits else self.busy
