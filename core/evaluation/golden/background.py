"""Generate golden sets in the background, each on a thread of its own, stored as it grows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.errors import AppError
from core.evaluation.golden.by_rule import by_rule
from core.evaluation.golden.generating import (
    EmbedQuestions,
    Made,
    Source,
    Writer,
    spread,
    without_near_duplicates,
)
from core.evaluation.golden.sets import GoldenItem

log = logging.getLogger(__name__)

Save = Callable[[Sequence[GoldenItem]], None]
_SAVED_EVERY = 5
_SHOWN_DROPPED = 50


@dataclass(frozen=True, slots=True)
class MakingProgress:
    """The progress of a generation: questions kept of those wanted, and why others were dropped."""

    wanted: int
    kept: int
    dropped: tuple[str, ...]
    done: bool
    problem: str = ""


@dataclass
class Making:
    """The generation of one golden set. `stop()` keeps the questions made so far."""

    wanted: int
    _kept: list[GoldenItem] = field(default_factory=list)
    _dropped: list[str] = field(default_factory=list)
    _problem: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)

    def progress(self) -> MakingProgress:
        """Return the current progress."""
        dropped = tuple(self._dropped[-_SHOWN_DROPPED:])
        return MakingProgress(
            self.wanted, len(self._kept), dropped, self._done.is_set(), self._problem
        )

    def stop(self) -> None:
        """Stop after the current question."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, up to `seconds`."""
        return self._done.wait(seconds)

    def follow(self, made: Iterator[Made], embed: EmbedQuestions, save: Save) -> None:
        """Make all questions on the calling thread; a failure is stored as the problem.

        The questions kept so far are saved in any case.
        """
        try:
            try:
                for one in made:
                    self._take(one, embed)
                    if one.item is not None and len(self._kept) % _SAVED_EVERY == 0:
                        save(self._kept)
            finally:
                if self._kept:
                    save(self._kept)
            if not self._kept:
                self._problem = "No question could be made of these documents."
        except AppError as error:
            log.info("Generating failed: %s", error.code)
            self._problem = f"{error.message} {error.cure}".strip()
        finally:
            self._done.set()

    def broke(self, error: Exception) -> None:
        """Record an unforeseen fault; the questions so far are saved already."""
        self._problem = f"It ended in a way that was not foreseen ({type(error).__name__})."

    def _take(self, one: Made, embed: EmbedQuestions) -> None:
        if one.item is None:
            self._dropped.append(one.dropped)
            return
        kept = without_near_duplicates([*self._kept, one.item], embed)
        if len(kept) == len(self._kept):
            self._dropped.append(f"Asked already: {one.item.question}")
        self._kept = kept


def questions_of(
    sources: Sequence[Source], most: int, find_writer: Callable[[], Writer | None]
) -> Iterator[Made]:
    """Make questions from passages of all documents: by a model, or by rule without a writer.

    Everything slow, such as loading the writer's model, is done when the first one is requested.
    """
    writer = find_writer()
    if writer is None:
        yield from map(Made, by_rule(spread(sources), most))
    else:
        yield from writer.make(spread(sources), most)
