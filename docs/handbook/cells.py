"""Text of chapters as the markup of reportlab, and tables whose columns fit what they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, unescape

from markdown_it.tree import SyntaxTreeNode
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import TableStyle

from docs.handbook.layout import ACCENT, TEXT_WIDTH, TINT

_MONO, MONO_IN_TABLE = 8.6, 7.5  # sizes of the code font, in points
MONO_CELL = '<font name="Mono"'
_PADDING, _SPACE = 10.5, 2.5  # of a table's cell and between words, in points


def boxed(padding: float) -> TableStyle:
    """A tinted box with a bar at its left, for notes and listings."""
    return TableStyle(
        [
            ("BACKGROUND", (0, 0), (-1, -1), TINT),
            ("LINEBEFORE", (0, 0), (0, -1), 2.4, ACCENT),
            ("LEFTPADDING", (0, 0), (-1, -1), 10),
            ("RIGHTPADDING", (0, 0), (-1, -1), 8),
            ("TOPPADDING", (0, 0), (-1, -1), padding),
            ("BOTTOMPADDING", (0, 0), (-1, -1), padding + 2),
        ]
    )


def inline(node: SyntaxTreeNode, mono: float = _MONO) -> str:
    """The markup that reportlab's paragraphs read, of an inline node."""
    wrap = {"strong": ("<b>", "</b>"), "em": ("<i>", "</i>")}
    parts = []
    for child in node.children:
        if child.type == "text":
            parts.append(escape(child.content))
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "code_inline":
            parts.append(code_font(child.content, mono))
        else:
            before, after = wrap[child.type]
            parts.append(before + inline(child, mono) + after)
    return "".join(parts)


def code(text: str, mono: float = _MONO) -> str:
    """Escaped text in which `code` is set in the code font."""
    pieces = text.split("`")
    return "".join(code_font(p, mono) if i % 2 else escape(p) for i, p in enumerate(pieces))


def default_cell(value: str) -> str:
    """The default of a setting; the name of a model may be cut after its slash."""
    if not value:
        return "empty"
    head, slash, tail = value.partition("/")
    if slash and len(value) > 24:
        return f"{code_font(head + slash, 7)}<br/>{code_font(tail, 7)}"
    return code_font(value, 7)


def code_font(text: str, size: float) -> str:
    """Text in the code font, escaped."""
    return f'<font name="Mono" size="{size}">{escape(text)}</font>'


def widths(rows: Sequence[Sequence[str]]) -> list[float]:
    """Column widths that need few lines: each point goes where it saves the most lines."""
    columns = range(len(rows[0]))
    words = [[_word_widths(cell, head=r == 0) for cell in row] for r, row in enumerate(rows)]
    widths = [_PADDING + max(max(row[c], default=0.0) for row in words) for c in columns]
    size = [[sum(cell) + _SPACE * len(cell) for cell in row] for row in words]

    def lines(candidate: Sequence[float]) -> float:
        return sum(
            max(1.08 * s / (w - _PADDING) for s, w in zip(row, candidate, strict=True))
            + sum(0.02 * s / w for s, w in zip(row, candidate, strict=True))
            for row in size
        )

    step = 3.0
    while sum(widths) + step <= TEXT_WIDTH:
        tries = [[w + step * (i == c) for i, w in enumerate(widths)] for c in columns]
        widths = min(tries, key=lines)
    return [width * TEXT_WIDTH / sum(widths) for width in widths]


def _word_widths(markup: str, *, head: bool) -> list[float]:
    """The width of each word of a cell, in points."""
    font, size = ("Sans-Bold", 8.0) if head else ("Text", 9.7)
    if MONO_CELL in markup and not head:
        font, size = "Mono", MONO_IN_TABLE
    text = unescape(re.sub(r"<[^>]+>", "", markup))
    return [stringWidth(word, font, size) for word in text.split()]
