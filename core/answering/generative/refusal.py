"""Detects a refusal in a model's stream; `NOT_FOUND` never reaches a reader (pure)."""

from __future__ import annotations

import re

from core.answering.generative.prompts import NOT_FOUND
from core.citations.mark_parser import has_mark

_LEADING = " \t\r\n*_`\"'“”«»[(#>-"
_TRAILING = " \t\r\n*_`\"'”’».:,;)]-"
_SAID = re.compile(NOT_FOUND, re.I)
INSTEAD = "the sources do not say"


class RefusalFilter:
    """Holds back what may be the beginning of `NOT_FOUND`.

    A text that begins with it is held to its end: without a citation it is a refusal (nothing is
    ever given out), with one it is an answer. Within a text it is put into words.

    >>> refusals = RefusalFilter()
    >>> [refusals.feed(piece) for piece in ("NOT_IN", "_SOURCES", ".")], refusals.finish()
    (['', '', ''], '')
    >>> refusals.refused
    True
    """

    def __init__(self) -> None:
        self.refused = False
        self.said = False
        """Whether the phrase stands within a text, which was put into words."""
        self._held = ""
        self._began = False  # text was given out

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held += piece
        if not self._began:
            start = self._held.lstrip(_LEADING)
            if _may_be(start):
                return ""
            self._began = True
        keep = _held_back(self._held)
        given, self._held = self._held[: len(self._held) - keep], self._held[-keep:] * bool(keep)
        return self._in_words(given)

    def finish(self) -> str:
        """Return the rest at the end of the stream; `refused` is final from here on."""
        rest, self._held = self._held, ""
        if self._began:
            return self._in_words(rest)
        start = rest.lstrip(_LEADING)
        if start.upper().startswith(NOT_FOUND):
            self.refused = not has_mark(start)
            kept = start[len(NOT_FOUND) :].lstrip(_TRAILING)
            self.said = True
            return "" if self.refused else self._in_words(kept)
        return rest

    def _in_words(self, text: str) -> str:
        put, times = _SAID.subn(INSTEAD, text)
        self.said = self.said or times > 0
        return put


def _may_be(start: str) -> bool:
    upper = start.upper()
    return NOT_FOUND.startswith(upper[: len(NOT_FOUND)])


def _held_back(text: str) -> int:
    """How many characters at the end may become `NOT_FOUND` with what comes."""
    upper = text.upper()
    for length in range(min(len(NOT_FOUND), len(text)), 0, -1):
        if NOT_FOUND.startswith(upper[-length:]):
            return length
    return 0
