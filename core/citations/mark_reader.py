"""Reading a citation mark of a text that is still coming in, character by character (pure)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LONGEST = 240
"""The longest mark, in characters: no more text than this is ever held back for one."""


class NeedMore(Exception):
    """The text ends before it is clear whether this is a mark."""


class Overflow(Exception):
    """Nested too deep, or nothing but numbers and space for too long."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that ends before `end`: the numbers it names, as written; () names nothing usable."""

    end: int
    numbers: tuple[int, ...]


class MarkReader:
    """A place in a text; unless it is `final`, reading beyond what is there raises `NeedMore`.

    `labels` are the names of the sources, in order.
    """

    def __init__(self, text: str, at: int, final: bool, labels: Sequence[str] = ()) -> None:
        self.text = text
        self.at = at
        self.limit = at + _LONGEST
        self.final = final
        self.labels = labels

    def peek(self, ahead: int = 0) -> str:
        """The character so far ahead, "" where the text or the longest mark ends."""
        place = self.at + ahead
        if place >= self.limit:
            return ""
        if place >= len(self.text):
            if self.final:
                return ""
            raise NeedMore
        return self.text[place]

    def skip(self, characters: str) -> None:
        """Step over all of these; raises `Overflow` where nothing else comes."""
        while (ch := self.peek()) and ch in characters:
            self.at += 1
        if self.at >= self.limit:
            raise Overflow

    def word(self) -> str:
        """The run of letters here, folded; "" where there is none."""
        begin = self.at
        while (ch := self.peek()) and (ch.isalpha() or unicodedata.combining(ch)):
            self.at += 1
        return unicodedata.normalize("NFKC", self.text[begin : self.at]).casefold()

    def number(self) -> int:
        """The run of digits here, of which the first nine count."""
        begin = self.at
        while (ch := self.peek()) and ch.isdecimal():
            self.at += 1
        if self.at >= self.limit:
            raise Overflow
        return int(self.text[begin : self.at][:9])
