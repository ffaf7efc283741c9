"""The citation marks of a model's text, normalised while the text streams (pure).

Every mark becomes `[n]`, numbered by first use; marks of unknown sources are removed; code is
left unchanged.
What is written depends on the text alone and not on how it was cut into pieces: nothing is
decided before everything is there that the decision needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from core.citations.mark import mark
from core.citations.mark_parser import (
    MARK_START,
    Mark,
    NeedMore,
    read_mark,
    unclosed_mark,
    unfinished_label,
)
from core.citations.source_list import is_source_list, source_line

_LONGEST_CODE = 500
"""The longest inline code, in characters: no more is held back for its closing back-tick."""
_LONGEST_LINK = 300
_LONGEST_LINE = 4000
_LOOK_BACK = 16
_LOOK_AHEAD = 48

_SPECIAL = re.compile(rf"[`\n \t]|{MARK_START}")
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})([^\n]*)")
_UNDECIDED_LINE = re.compile(r"[ \t]*(?:`{0,2}|~{0,2}|[-*+][ \t]*|\d{1,9}[.)]?[ \t]*)")
_LIST_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LINK = re.compile(r"\([ \t]*<?(?:https?://|www\.|#|/|\./)(?:[^\s()<>]|\([^\s()<>]*\))*>?[ \t]*\)")
_CLOSING = frozenset(".,;:!?)]}…。，、；：！？）】")


class Labelled(Protocol):
    """Anything with a name to show: a `Citation`."""

    @property
    def label(self) -> str:
        """The name of the document as it is shown."""
        ...


class CitationStream:
    """Feed it the pieces of a model's text; it returns what can be shown by then.

    `sources` are what the model was given, in order: its `[1]` is the first; `titles` are other
    names of theirs, by which a list of sources may be told. After `finish()`,
    `cited[n - 1]` is the number of the source that `[n]` of the written text leads to.

    >>> stream = CitationStream.of(3)
    >>> stream.feed("So it is [Sour") + stream.feed("ce 3], not so [7].") + stream.finish()
    'So it is [1], not so.'
    >>> stream.cited
    (3,)
    """

    def __init__(self, sources: Sequence[Labelled], titles: Sequence[str] = ()) -> None:
        self._labels = tuple(source.label for source in sources)
        self._names = (*self._labels, *titles)
        self._count = len(sources)
        self._numbers: dict[int, int] = {}
        self._text = ""  # what was written of late, then what is undecided
        self._at = 0  # where the undecided begins
        self._out: list[str] = []
        self._final = False  # nothing more will come
        self._spaces = ""  # white space not yet written: it goes with a mark that is removed
        self._removed_here = False
        self._run: set[int] = set()  # the marks written since the last word
        self._blank = True  # nothing is written on this line yet
        self._line_start = True
        self._fence = ""
        self._list_indent = 0
        self._ticks_are_text = False  # an unpaired back-tick stands in this paragraph
        self.removed = 0
        """How many marks were left out because they name no source."""

    @classmethod
    def of(cls, count: int) -> CitationStream:
        """A stream for `count` sources without names."""
        stream = cls(())
        stream._count = count
        return stream

    @property
    def cited(self) -> tuple[int, ...]:
        """The sources' numbers (from 1) in the order of first use: new number n is at n - 1."""
        return tuple(self._numbers)

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain now (often a little behind)."""
        self._text += piece
        self._run_through()
        return self._taken()

    def finish(self) -> str:
        """The rest of the text, once nothing more will come."""
        self._final = True
        self._run_through()
        return self._taken()

    def _taken(self) -> str:
        out = "".join(self._out)
        self._out.clear()
        return out

    # ------------------------------------------------------------------ stepping through

    def _run_through(self) -> None:
        try:
            while self._at < len(self._text):
                if self._fence:
                    self._code_line()
                elif self._line_start:
                    self._open_line()
                else:
                    self._step()
        except NeedMore:
            pass
        if self._final and not self._removed_here:
            self._out.append(self._spaces)
            self._spaces = ""
        cut = max(0, self._at - _LOOK_BACK)
        self._text, self._at = self._text[cut:], self._at - cut

    def _step(self) -> None:
        special = _SPECIAL.search(self._text, self._at)
        if special is None:
            end = len(self._text) if self._final else unfinished_label(self._text, self._at)
            if end == self._at:
                raise NeedMore
            self._write(end)
        elif special.start() > self._at:
            self._write(special.start())
        else:
            self._special(special.group())

    def _special(self, ch: str) -> None:
        """A character that may mean something here, or a label such as "Source"."""
        if ch == "\n":
            self._write(self._at + 1)
            self._line_start = self._blank = True
        elif ch in " \t":
            self._space(ch)
        elif ch == "`":
            self._inline_code()
        elif ch == "\\" and (after := self._next(1)) != "[":
            self._write(self._at + (2 if after.strip() else 1))
        elif found := self._mark_here():
            self._mark(found)
        else:
            self._write(self._at + len(ch))

    def _mark_here(self) -> Mark | None:
        text, at, final = self._text, self._at, self._final
        found = read_mark(text, at, self._count, self._labels, final=final)
        return found or unclosed_mark(text, at, final=final)

    def _next(self, ahead: int) -> str:
        place = self._at + ahead
        if place >= len(self._text) and not self._final:
            raise NeedMore
        return self._text[place : place + 1]

    # --------------------------------------------------------------------------- writing

    def _write(self, end: int) -> None:
        """Write the text up to `end`, after the white space that is due."""
        text = self._text[self._at : end]
        if not (self._removed_here and (text[0] == "\n" or text[0] in _CLOSING or self._blank)):
            self._out.append(self._spaces)
        self._spaces, self._removed_here = "", False
        self._out.append(text)
        self._run.clear()
        self._blank = False
        self._at = end

    def _space(self, ch: str) -> None:
        if not (self._removed_here and (self._spaces or self._blank)):
            self._spaces += ch
        self._at += 1

    def _mark(self, found: Mark) -> None:
        """Write a mark of the sources that `found` names, without the link that follows it."""
        end = self._link_end(found.end)
        existing = [n for n in found.numbers if 1 <= n <= self._count]
        fresh = [n for n in dict.fromkeys(existing) if n not in self._run]
        if fresh:
            self._out.append(self._spaces)
            self._spaces, self._removed_here, self._blank = "", False, False
            self._out += [mark(self._number(n)) for n in fresh]
            self._run.update(fresh)
        else:
            self._removed_here = True
        self.removed += not existing
        self._at = end

    def _number(self, source: int) -> int:
        return self._numbers.setdefault(source, len(self._numbers) + 1)

    def _link_end(self, end: int) -> int:
        """The end of a link's address in round brackets right after a mark, which goes with it."""
        if end >= len(self._text) and not self._final:
            raise NeedMore
        depth = 0
        for at in range(end, end + _LONGEST_LINK):
            if at >= len(self._text):
                if self._final:
                    return end
                raise NeedMore
            ch = self._text[at]
            depth += (ch == "(") - (ch == ")")
            if depth <= 0:
                return at + 1 if _LINK.fullmatch(self._text, end, at + 1) else end
            if ch == "\n" or (at == end + 1 and ch not in " <hw#/."):
                return end
        return end

    # ------------------------------------------------------------------- lines and code

    def _open_line(self) -> None:
        """At the start of a line: a fence, a list item, the end of a paragraph, a source list."""
        rest = self._text[self._at : self._at + _LONGEST_LINE + 1]
        begin = rest[:_LOOK_AHEAD]
        if not self._final and len(begin) < _LOOK_AHEAD and _UNDECIDED_LINE.fullmatch(begin):
            raise NeedMore
        fence = _FENCE.match(rest)
        if fence and self._opens_fence(fence, rest):
            self._write(self._at + fence.end())
            self._fence = fence.group(2)
        elif self._rest_is_sources():
            self._at = len(self._text)
            self._spaces = ""
        elif line := source_line(self._text, self._at, self._names, final=self._final):
            self._source_line(*line)
        self._line_start = False
        if begin.lstrip(" \t")[:1] == "\n":
            self._ticks_are_text = False
        elif item := _LIST_ITEM.match(begin):
            self._list_indent = min(len(item.group()), 40)
            self._ticks_are_text = False
        elif begin[:1].strip():
            self._list_indent = 0

    def _rest_is_sources(self) -> bool:
        if not self._numbers:
            return False  # nothing is cited yet
        return is_source_list(self._text, self._at, self._names, final=self._final)

    def _source_line(self, marks: int, end: int) -> None:
        """A line that only names sources: its marks stay, without their label, if all are new."""
        at, named = marks, set[int]()
        while at < end:
            found = read_mark(self._text, at, self._count, self._labels, final=True)
            named.update(found.numbers if found else ())
            at = found.end if found else at + 1
        there = {number for number in named if 1 <= number <= self._count}
        self._at = end if there & self._numbers.keys() or not there else marks
        self._removed_here = self._at == end

    def _opens_fence(self, fence: re.Match[str], rest: str) -> bool:
        if len(fence.group(1).expandtabs(4)) > 3 + self._list_indent:
            return False
        if fence.end() == len(rest) and not self._final and len(rest) <= _LONGEST_LINE:
            raise NeedMore  # the line goes on: a back-tick in it would make it inline code
        return fence.group(2)[0] == "~" or "`" not in fence.group(3)

    def _code_line(self) -> None:
        """Within a fenced block: write through, and see the line that closes it."""
        if not self._line_start:
            end = self._text.find("\n", self._at) + 1
            self._write(end or len(self._text))
            self._line_start = bool(end)
            return
        end = self._text.find("\n", self._at)
        line = self._text[self._at : end if end >= 0 else len(self._text)]
        bare = line.lstrip(" \t")
        may_close = not bare.strip(self._fence[0] + " \t") and len(line) < _LOOK_AHEAD * 4
        if may_close and end < 0 and not self._final:
            raise NeedMore
        self._line_start = False
        if may_close and len(bare.rstrip()) >= len(self._fence) and " " not in bare.strip():
            self._write(self._at + len(line))
            self._fence = ""
            self._blank = True

    def _inline_code(self) -> None:
        """Code between back-ticks on one line is written as it is."""
        run = re.compile("`+").match(self._text, self._at)
        assert run is not None
        if run.end() == len(self._text) and not self._final:
            raise NeedMore
        if not self._ticks_are_text:
            limit = self._at + _LONGEST_CODE
            line_end = self._text.find("\n", self._at, limit)
            stop = line_end if line_end >= 0 else min(limit, len(self._text))
            bounded = line_end >= 0 or (self._final and stop < limit)
            closing = re.compile(rf"(?<!`){run.group()}(?!`)").search(self._text, run.end(), stop)
            if closing and (bounded or closing.end() < stop):
                self._write(closing.end())
                return
            if not bounded and stop < limit:
                raise NeedMore
            self._ticks_are_text = True
        self._write(run.end())
