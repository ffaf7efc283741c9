"""Guards over a model's text as it streams (pure): thoughts removed, loops and floods ended."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<(think|thinking|reasoning|thought)>", re.I)
_OPENERS = ("<think>", "<thinking>", "<reasoning>", "<thought>")
_CLOSERS = ("</think>", "</thinking>", "</reasoning>", "</thought>")
_CLOSER = "</(?:think|thinking|reasoning|thought)>"
_ALONE = re.compile(rf"(?:^|(?<=\n))[ \t]*{_CLOSER}|{_CLOSER}(?=[ \t]*\n)", re.I)
"""A closing tag at the beginning or the end of a line; one within a line is spoken about."""
_ALONE_AT_END = re.compile(rf"{_CLOSER}\s*\Z", re.I)
_PENDING = re.compile(rf"(?:{_CLOSER}[ \t]*|</?[a-z]{{0,9}})\Z", re.I)
"""What may become such a tag with what comes."""
_MARGIN = 80  # characters of white space before such a tag that were given already


class ThoughtFilter:
    """Removes blocks like `<think>...</think>` that stand before the answer.

    Only there: an answer that speaks about the tag keeps it. An unclosed block is all thought.
    Where a model's template opens the block, only its end is in the text: what was given before a
    `</think>` at the edge of a line, outside of code, was thought; `withdrawn` is True from then.

    >>> thoughts = ThoughtFilter()
    >>> [thoughts.feed(piece) for piece in ("<thi", "nk>Hm", "m</think>", " Yes.")]
    ['', '', '', ' Yes.']
    """

    def __init__(self) -> None:
        self.thought = False
        self.withdrawn = False
        self._held = ""
        self._given = ""
        self._closing: re.Pattern[str] | None = None
        self._answering = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be the answer."""
        self._held += piece
        if self._answering:
            return self._watched()
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
        if any(tag.startswith(start.lower()) for tag in (*_OPENERS, *_CLOSERS)):
            return ""  # empty so far, or the beginning of a tag
        self._answering = True
        return self._watched()

    def finish(self) -> str:
        """Return the text that was held back, unless it is a thought."""
        if self._closing is None and not self.thought:
            text = self._given + self._held
            closed = _ALONE_AT_END.search(text)
            if closed and not _in_code(text[: closed.start()]):
                self._withdraw("")
        held = "" if self._closing is not None else self._held
        self._held = ""
        return held

    def _watched(self) -> str:
        """What may be given of the answer: all but what may become a lone closing tag."""
        if self.thought:  # a thought had both its tags: a further one is text
            given, self._held = self._held, ""
            return given
        text = self._given + self._held
        for closed in _ALONE.finditer(text, max(0, len(self._given) - _MARGIN)):
            if not _in_code(text[: closed.start()]):
                return self._withdraw(text[closed.end() :])
        pending = _PENDING.search(text, len(self._given))
        end = pending.start() if pending else len(text)
        given, self._held = text[len(self._given) : end], text[end:]
        self._given += given
        return given

    def _withdraw(self, rest: str) -> str:
        """All before was thought; `rest` is the beginning of the answer."""
        self.thought = True
        self.withdrawn = bool(self._given.strip())
        self._held = ""
        return rest


def _in_code(text: str) -> bool:
    return text.count("```") % 2 == 1


class LoopGuard:
    """Detects a text that repeats itself or exceeds `limit` characters.

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
