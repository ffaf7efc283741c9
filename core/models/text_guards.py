"""Guards over a model's text as it streams (pure): thoughts removed, loops and floods ended."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<(think|thinking|reasoning|thought)>", re.I)
_OPENERS = ("<think>", "<thinking>", "<reasoning>", "<thought>")


class ThoughtFilter:
    """Removes blocks like `<think>...</think>` that stand before the answer.

    Only there: an answer that speaks about the tag keeps it. An unclosed block is all thought.

    >>> thoughts = ThoughtFilter()
    >>> [thoughts.feed(piece) for piece in ("<thi", "nk>Hm", "m</think>", " Yes.")]
    ['', '', '', ' Yes.']
    """

    def __init__(self) -> None:
        self.thought = False
        self._held = ""
        self._closing: re.Pattern[str] | None = None
        self._answering = False

    def feed(self, piece: str) -> str:
        """The part of the text so far that is certainly answer."""
        if self._answering:
            return piece
        self._held += piece
        while True:
            if self._closing is not None:
                closed = self._closing.search(self._held)
                if closed is None:
                    self._held = self._held[-16:]  # the closing tag may be cut in two
                    return ""
                self._held, self._closing = self._held[closed.end() :], None
            start = self._held.lstrip()
            opened = _OPEN.match(start)
            if opened is None:
                break
            self.thought = True
            self._closing = re.compile(rf"</{opened[1]}>", re.I)
            self._held = start[opened.end() :]
        if any(opener.startswith(start.lower()) for opener in _OPENERS):
            return ""  # empty so far, or the beginning of a tag
        self._answering = True
        return self.finish()

    def finish(self) -> str:
        """What was held back and is no thought."""
        held = "" if self._closing is not None else self._held
        self._held = ""
        return held


class LoopGuard:
    """Sees a text that repeats itself or grows past its limit; `limit` in characters.

    >>> guard = LoopGuard(limit=100_000)
    >>> guard.repeats("the same line\\n" * 100)
    True
    """

    _WINDOW = 1_600
    _LEAST = 640  # this much of the end must be one period over and over
    _TIMES = 6
    _EVERY = 160

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._tail = ""
        self._unseen = 0

    def allowed(self, piece: str) -> str:
        """The part of a piece that is within the limit."""
        piece = piece[: self._left]
        self._left -= len(piece)
        return piece

    @property
    def full(self) -> bool:
        """Whether the limit is reached."""
        return self._left <= 0

    def repeats(self, piece: str) -> bool:
        """Whether the text ends in at least six repetitions of one stretch."""
        self._tail = (self._tail + piece)[-self._WINDOW :]
        self._unseen += len(piece)
        if self._unseen < self._EVERY:
            return False
        self._unseen = 0
        return _longest_periodic_end(self._tail, self._TIMES) >= self._LEAST


def _longest_periodic_end(text: str, times: int) -> int:
    """The length of the longest end of `text` that is at least `times` of one period.

    By the prefix function of the reversed text (Knuth, Morris and Pratt): the first n characters
    have the smallest period n - pi[n - 1].
    """
    reversed_text = text[::-1]
    pi = [0] * len(reversed_text)
    longest = 0
    for i in range(1, len(reversed_text)):
        k = pi[i - 1]
        while k and reversed_text[i] != reversed_text[k]:
            k = pi[k - 1]
        pi[i] = k + (reversed_text[i] == reversed_text[k])
        period = i + 1 - pi[i]
        if period * times <= i + 1:
            longest = i + 1
    return longest
