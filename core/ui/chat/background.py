"""Answers that are being written, apart from the page that shows them.

A page is run again at every click, and a reload makes a new one. So the work is done on a thread
of its own, which the page only looks at: whatever happens to the page, the question is answered
once, and a page that comes back finds the answer where it is. Nothing here imports Streamlit.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.errors import AppError
from core.supervision import in_background
from core.telemetry import tracing
from core.types import Answer, AskRequest, Event, Step, TextPiece

log = logging.getLogger(__name__)

Ask = Callable[[AskRequest], Iterator[Event]]
"""Given a question: the events of its answer."""

_KEPT = 100
"""Runs that are done and still remembered, so that their errors can be shown."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run has brought so far: a picture of one moment."""

    question: str
    steps: tuple[Step, ...] = ()
    text: str = ""
    answer: Answer | None = None
    error: AppError | None = None
    done: bool = False
    stopping: bool = False


@dataclass(slots=True)
class Run:
    """One answer in the making."""

    question: str
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    quotes: bool = False
    """Whether no language model writes it."""
    _steps: list[Step] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _answer: Answer | None = None
    _error: AppError | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)
    _worded: threading.Event = field(default_factory=threading.Event)

    def progress(self) -> Progress:
        """How far it is."""
        with self._lock:
            return Progress(
                self.question,
                tuple(self._steps),
                "".join(self._text),
                self._answer,
                self._error,
                self._done.is_set(),
                self._stop.is_set(),
            )

    def stop(self) -> None:
        """Ask it to end soon; what is there then is kept."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, at most so long."""
        return self._done.wait(seconds)

    def wait_for_words(self, seconds: float) -> bool:
        """Wait until the first words are there or it is done, at most so long."""
        return self._worded.wait(seconds)

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not."""
        return self._done.is_set()

    def follow(self, ask: Ask, request: AskRequest) -> None:
        """Take the events of the answer to their end (on the thread that calls)."""
        tracing.begin()
        try:
            for event in ask(replace(request, cancelled=self._stop.is_set)):
                with self._lock:
                    self._take(event)
        except AppError as error:
            log.info("An answer failed: %s", error.code)
            with self._lock:
                self._error = error
        self._end()

    def broke(self, error: Exception) -> None:
        """End it after a fault that was not foreseen."""
        with self._lock:
            self._error = AppError(
                f"The answer failed unexpectedly ({type(error).__name__}).",
                "Ask again. If it happens again, look in the log.",
            )
        self._end()

    def _end(self) -> None:
        self._done.set()
        self._worded.set()

    def _take(self, event: Event) -> None:
        match event:
            case Step():
                self._steps.append(event)
            case TextPiece(text=text, withdraws=withdraws):
                if withdraws:
                    self._text.clear()
                self._text.append(text)
                if text:
                    self._worded.set()
            case Answer():
                self._answer = event


class Runs:
    """The runs of this process, by session and conversation: one at a time in each."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], Run] = {}
        self._lock = threading.Lock()

    def start(self, request: AskRequest, ask: Ask) -> Run:
        """Begin an answer; where one is being written already, that one is given."""
        key = (request.session.id, request.conversation_id or "")
        with self._lock:
            current = self._runs.pop(key, None)
            if current is not None and not current.done:
                self._runs[key] = current
                return current
            run = self._runs[key] = Run(
                request.question, quotes=request.model is None or not request.model.provider
            )
            self._forget_old()
        in_background("answer", lambda: run.follow(ask, request), run.broke)
        return run

    def get(self, session_id: str, conversation_id: str) -> Run | None:
        """The last run of a conversation, done or not."""
        with self._lock:
            return self._runs.get((session_id, conversation_id))

    def forget(self, session_id: str, conversation_id: str | None = None) -> None:
        """Stop what runs in a conversation (or a session) that is deleted, and forget it."""
        with self._lock:
            gone = [
                key
                for key in self._runs
                if key[0] == session_id and conversation_id in (None, key[1])
            ]
            stopped = [self._runs.pop(key) for key in gone]
        for run in stopped:
            run.stop()

    def _forget_old(self) -> None:
        done = [key for key, run in self._runs.items() if run.done]
        for key in done[:-_KEPT]:
            del self._runs[key]


@functools.cache
def runs() -> Runs:
    """The registry of this process. Its entries are found by a `Session` only."""
    return Runs()
