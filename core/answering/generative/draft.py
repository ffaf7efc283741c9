"""The draft of an answer: a model's stream turned into text that may be shown (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.answering.generative.refusal import RefusalFilter
from core.answering.generative.repeats import RepeatFilter
from core.answering.generative.thinking import ThinkingFilter
from core.answering.generative.unwrapping import FenceFilter, JsonFilter
from core.citations.mark_parser import unfinished_mark
from core.citations.stream import CitationStream
from core.errors import ModelError
from core.llm.port import ChatEnd
from core.types import Hit, Notice

_CURE = "Press Retry."
STOPPED = Notice("stopped", "This answer was stopped before its end.", _CURE, "info")
_ENDS = {
    "length": Notice(
        "answer-cut",
        "The answer was cut at the limit of tokens.",
        "Raise ANSWER_TOKENS, or ask for less at once.",
    ),
    "repetition": Notice("repetition", "The model began to repeat itself and was stopped.", _CURE),
    "too long": Notice("too-long", "The model wrote on past its limit and was stopped.", _CURE),
    "cancelled": STOPPED,
}

_WITHDRAWN = Notice(
    "thoughts-withdrawn",
    "The first words on the screen were the model's thinking; they were taken back.",
    "Let its server part thoughts from answers (vLLM: --reasoning-parser).",
    "info",
)


class _Filter(Protocol):
    def feed(self, piece: str) -> str: ...

    def finish(self) -> str: ...


class Draft:
    """Turns the pieces of a model into the pieces that a reader sees.

    `text` is what was given so far; `failure` and `end` are set by the reader of the stream.
    """

    def __init__(self, sources: Sequence[Hit]) -> None:
        self.failure: ModelError | None = None
        self.end: ChatEnd | None = None
        self.withdrawn = False
        self._documents = [hit.document for hit in sources]
        self._begin()

    def restart(self) -> None:
        """Forget what was given so far: it was the model's thinking."""
        self.withdrawn = True
        self._begin()

    def _begin(self) -> None:
        self.text = ""
        self._tail = ""
        self._refusals = RefusalFilter()
        self._filters: tuple[_Filter, ...] = (
            JsonFilter(), FenceFilter(), ThinkingFilter(), self._refusals, RepeatFilter(),
        )  # fmt: skip
        titles = [document.title for document in self._documents]
        self._citations = CitationStream(self._documents, titles)

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that may be shown."""
        for one in self._filters:
            piece = one.feed(piece)
        text = self._tail + piece
        end = unfinished_mark(text)
        self._tail = text[end:]
        return self._given(self._citations.feed(text[:end]))

    def finish(self) -> str:
        """Return the rest; half a mark at the end is dropped, as its number is incomplete."""
        rest = ""
        for one in self._filters:
            rest = one.feed(rest) + one.finish()
        rest = self._tail + rest
        if not self.complete:
            rest = rest[: unfinished_mark(rest)]
        return self._given(self._citations.feed(rest) + self._citations.finish())

    @property
    def refused(self) -> bool:
        """Whether the model said that the sources do not hold the answer, and nothing else."""
        return self._refusals.refused

    @property
    def says_not_found(self) -> bool:
        """Whether the phrase of refusal stands in the text, beside something else."""
        return self._refusals.said

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the sources (from 1) in the order in which the text cites them."""
        return self._citations.cited

    @property
    def complete(self) -> bool:
        """Whether the model ended the answer itself."""
        return self.failure is None and self.end is not None and self.end.finish == "stop"

    @property
    def stopped(self) -> bool:
        """Whether the person stopped it."""
        return self.end is not None and self.end.finish == "cancelled"

    def notices(self) -> tuple[Notice, ...]:
        """What ended the text, where it was not the model."""
        withdrawn = (_WITHDRAWN,) if self.withdrawn else ()
        if self.failure is not None:
            cure = self.failure.cure or _CURE
            return (*withdrawn, Notice("interrupted", self.failure.message, cure, "error"))
        found = _ENDS.get(self.end.finish) if self.end else None
        return (*withdrawn, found) if found else withdrawn

    def _given(self, text: str) -> str:
        self.text += text
        return text
