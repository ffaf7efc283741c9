"""Cut a text into the pieces that can be quoted: sentences, list items, table rows, code (pure).

Nothing is rewritten: a piece is a span of the given text. A line end inside a wrapped paragraph
does not end a piece; one that the author intended does. Scripts without spaces are supported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.text.lines import (
    Line,
    is_heading,
    joins,
    read_lines,
    with_rows_of_one_figure,
    wrap_width,
)
from core.text.sentence_ends import sentence_spans

_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S
)

_SECTION_NUMBER = re.compile(
    r"(?:(?:\d{1,3}\.){2,}|(?:§|section|article|clause|chapter|part|appendix|annex|artikel|kapitel"
    r"|abschnitt|teil|anhang)\s*(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,6}|[a-z])\.)\s+(?=\S)",
    re.I,
)
"""The number of a section, with a full stop behind it: "3.2.5. Retiring", "§ 1. Scope"."""


class SentenceKind(StrEnum):
    """What a piece is, which decides how it is quoted."""

    PROSE = "prose"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece `text == source[start - offset:end - offset]` of the text that was split."""

    start: int
    end: int
    text: str
    kind: SentenceKind = SentenceKind.PROSE


def split_sentences(text: str, *, code: bool = False, offset: int = 0) -> list[Sentence]:
    """Cut `text` into pieces in order, without overlap; bullets and hashes are left out.

    `code` says that the whole text is code. `offset` is added to the spans, for a text that is
    itself a span of a page.

    >>> [piece.text for piece in split_sentences("Dr. Who came. He left.")]
    ['Dr. Who came.', 'He left.']
    """
    pieces: list[Sentence] = []
    at = 0
    fences = list(_FENCE.finditer(text))
    code = code and not fences  # with fences, text outside of them is not code
    for fence in fences:
        pieces += _split_open(text, at, fence.start(), code)
        pieces += _piece(text, fence.start(2), fence.end(2), SentenceKind.CODE)
        at = fence.end()
    pieces += _split_open(text, at, len(text), code)
    if not offset:
        return pieces
    return [Sentence(p.start + offset, p.end + offset, p.text, p.kind) for p in pieces]


def _piece(text: str, start: int, end: int, kind: SentenceKind) -> list[Sentence]:
    """Return the span without white space at its ends (code keeps its first indentation)."""
    while end > start and text[end - 1].isspace():
        end -= 1
    skip = "\r\n" if kind is SentenceKind.CODE else None
    while start < end and (text[start] in skip if skip else text[start].isspace()):
        start += 1
    return [Sentence(start, end, text[start:end], kind)] if start < end else []


def _split_open(text: str, start: int, end: int, code: bool) -> list[Sentence]:
    """Split a span that holds no fenced code."""
    if code:
        return _piece(text, start, end, SentenceKind.CODE)
    lines = with_rows_of_one_figure(list(read_lines(text, start, end)))
    width = wrap_width(lines)
    pieces: list[Sentence] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.kind in ("blank", "rule"):
            continue
        last = line
        if line.kind == "code":
            while at < len(lines) and lines[at].kind in ("code", "blank"):
                last = lines[at] if lines[at].kind == "code" else last
                at += 1
            pieces += _piece(text, line.start, last.end, SentenceKind.CODE)
        elif line.kind == "row":
            pieces += _piece(text, line.body, line.end, SentenceKind.ROW)
        elif line.kind == "heading":
            pieces += _piece(text, line.body, line.end, SentenceKind.HEADING)
        else:
            while at < len(lines) and lines[at].kind == "prose" and joins(last, lines[at], width):
                last = lines[at]
                at += 1
            pieces += _unit(text, line, last)
    return pieces


def _unit(text: str, first: Line, last: Line) -> list[Sentence]:
    """The sentences of one paragraph or list item."""
    start, end = first.body, last.end
    numbered = _SECTION_NUMBER.match(text, start, end)
    spans = list(sentence_spans(text, numbered.end() if numbered else start, end))
    if numbered and spans:
        spans[0] = (start, spans[0][1])
    if len(spans) == 1 and first is last and first.kind == "prose" and is_heading(first.text):
        return _piece(text, start, end, SentenceKind.HEADING)
    return [p for s, e in spans for p in _piece(text, s, e, SentenceKind.PROSE)]
