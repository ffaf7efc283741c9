"""Collect text with its headings and blocks in a loader, and split it into parts."""

from __future__ import annotations

import bisect
import itertools
import re
from dataclasses import dataclass, field, replace

from core.text.invisible import clean
from core.types import Block, ChunkKind, Heading, Page

PART_SIZE = 50_000
"""The longest part of a document without pages, in characters."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Draft:
    """The whole text of a document with offsets into it."""

    text: str
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    hidden: int = 0


@dataclass(slots=True)
class TextBuilder:
    """Collects paragraphs, headings and blocks, separated by blank lines."""

    pieces: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0
    hidden: int = 0

    def paragraph(self, text: str, separator: str = "\n\n") -> tuple[int, int] | None:
        """Add text and return its span, or None if nothing of it is visible."""
        cleaned = clean(text)
        self.hidden += cleaned.dropped
        shown = cleaned.text.strip("\n").rstrip()
        if not shown.strip():
            return None
        if self.length:
            self._add(separator)
        start = self.length
        self._add(shown)
        return start, self.length

    def heading(self, level: int, title: str, anchor: str | None = None) -> None:
        """Add a heading on lines of its own."""
        if span := self.paragraph(" ".join(title.split())):
            text = self.pieces[-1]
            self.headings.append(Heading(span[0], level, text, anchor))

    def block(self, text: str, kind: ChunkKind) -> None:
        """Add a table (one row a line) or a listing."""
        if span := self.paragraph(text):
            self.blocks.append(Block(*span, kind))

    def draft(self) -> Draft:
        """Return what was collected."""
        return Draft(
            "".join(self.pieces), tuple(self.headings), tuple(self.blocks), hidden=self.hidden
        )

    def _add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def split_parts(draft: Draft, size: int = PART_SIZE) -> tuple[Page, ...]:
    """Split the whole text into pages without numbers, none longer than `size`.

    A part ends before a heading in its second half if there is one, otherwise at a blank line, a
    line end or a space; inside a block only if the block fills the part.
    """
    cuts = _cuts(draft, size)
    return tuple(
        _part(draft, ordinal, start, end)
        for ordinal, (start, end) in enumerate(itertools.pairwise(cuts))
    )


def _cuts(draft: Draft, size: int) -> list[int]:
    cuts = [0]
    while len(draft.text) - cuts[-1] > size:
        cuts.append(_next_cut(draft, cuts[-1], cuts[-1] + size))
    cuts.append(len(draft.text))
    return cuts


def _next_cut(draft: Draft, start: int, limit: int) -> int:
    text, middle = draft.text, start + (limit - start) // 2
    offsets = [heading.offset for heading in draft.headings]
    index = bisect.bisect_right(offsets, limit) - 1
    if index >= 0 and offsets[index] > middle:
        return offsets[index]
    if inside := next((b for b in draft.blocks if b.start < limit < b.end), None):
        if inside.start > middle:
            return inside.start
    elif blanks := list(_BLANK_LINE.finditer(text, middle, limit)):
        return blanks[-1].end()
    for mark in ("\n", " "):
        if (found := text.rfind(mark, middle, limit)) >= 0:
            return found + 1
    return limit


def _part(draft: Draft, ordinal: int, start: int, end: int) -> Page:
    headings = tuple(
        replace(h, offset=h.offset - start) for h in draft.headings if start <= h.offset < end
    )
    blocks = tuple(
        Block(max(b.start, start) - start, min(b.end, end) - start, b.kind)
        for b in draft.blocks
        if b.start < end and b.end > start
    )
    return Page(ordinal, draft.text[start:end], headings=headings, blocks=blocks)
