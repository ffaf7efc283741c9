"""The Markdown of the chapters as flowables of reportlab.

Beside common Markdown with tables, a chapter may use fenced blocks named `figure NAME`
(its text is the caption), `formula`, and `settings` (the table made from core/config.py).
A paragraph `Table NAME: caption` stands before a table. `{table NAME}` and `{figure NAME}`
in the text become the numbers. A block quote is a note in a tinted box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, unescape

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
    XPreformatted,
)

from docs.handbook.layout import (
    ACCENT,
    HEIGHT,
    LINE,
    MARGIN_BOTTOM,
    MARGIN_TOP,
    TEXT_WIDTH,
    TINT,
    Heading,
    Styles,
)

_TABLE_CAPTION = re.compile(r"^Table (?P<name>[\w-]+): (?P<caption>.+)$", re.DOTALL)
_FIGURE = re.compile(r"^```figure (?P<name>[\w-]+)$", re.MULTILINE)
_MONO, _MONO_IN_TABLE = 8.6, 7.5  # sizes of the code font, in points
_MONO_CELL = '<font name="Mono"'
_PADDING, _SPACE = 10.5, 2.5  # of a table's cell and between words, in points
_SETTINGS_WIDTHS = (113.0, 106.0, TEXT_WIDTH - 113.0 - 106.0)
_NEW_PAGE_BELOW = 0.34  # a chapter begins on a new page if less than this share is left


@dataclass
class Renderer:
    """Turns the chapters into flowables; `figures` and `tables` make what is not text."""

    figures: Mapping[str, Callable[[], Flowable]]
    settings: Callable[[], Sequence[tuple[str, Sequence[tuple[str, str, str]]]]]
    styles: Styles = field(default_factory=Styles)
    numbers: dict[str, int] = field(default_factory=dict)
    chapter: int = 0
    section: int = 0
    pending_caption: str = ""

    def count(self, sources: Sequence[str]) -> None:
        """Give every table and figure its number, so that text may refer ahead."""
        text = "\n".join(sources)
        tables = re.findall(r"^Table ([\w-]+): ", text, re.MULTILINE)
        self.numbers = {f"table {name}": i for i, name in enumerate(tables, 1)}
        self.numbers["table settings"] = len(tables) + 1  # it is the last one
        self.numbers |= {f"figure {m['name']}": i for i, m in enumerate(_FIGURE.finditer(text), 1)}

    def chapter_flowables(self, source: str) -> list[Flowable]:
        """All flowables of one chapter, its heading first."""
        source = re.sub(
            r"\{((?:table|figure) [\w-]+)\}",
            lambda m: m[1].split()[0].capitalize() + "\u00a0" + str(self.numbers[m[1]]),
            source,
        )
        tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(source))
        return [flowable for node in tree.children for flowable in self._block(node)]

    def _block(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        make = {
            "heading": self._heading,
            "paragraph": self._paragraph,
            "bullet_list": self._list,
            "ordered_list": self._list,
            "table": self._table,
            "fence": self._fence,
            "blockquote": self._note,
        }[node.type]
        yield from make(node)

    def _heading(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        plain = _plain(node)
        if node.tag == "h1":
            self.chapter, self.section = self.chapter + 1, 0
            plain = f"{self.chapter} {plain}"
            yield CondPageBreak((HEIGHT - MARGIN_TOP - MARGIN_BOTTOM) * _NEW_PAGE_BELOW)
            yield Spacer(1, 16)
            key, level, style = f"chapter-{self.chapter}", 0, self.styles.chapter
        else:
            self.section += 1
            plain = f"{self.chapter}.{self.section} {plain}"
            key, level, style = f"section-{plain.split()[0]}", 1, self.styles.section
        yield Heading(escape(plain), plain, key, level, style)

    def _paragraph(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        caption = _TABLE_CAPTION.match(_plain(node))
        if caption:
            number = self.numbers[f"table {caption['name']}"]
            self.pending_caption = f"Table {number}. {caption['caption']}"
        else:
            yield Paragraph(_inline(node.children[0]), self.styles.body)

    def _list(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        ordered = node.type == "ordered_list"
        for number, item in enumerate(node.children, 1):
            text = "<br/>".join(_inline(part.children[0]) for part in item.children)
            bullet = f"{number}." if ordered else "\u2022"
            yield Paragraph(text, self.styles.item, bulletText=bullet)
        yield Spacer(1, 4)

    def _table(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        head, body = node.children[0], node.children[1]
        rows = [
            [_inline(cell.children[0], _MONO_IN_TABLE) for cell in row.children]
            for row in (*head.children, *body.children)
        ]
        yield from self.table(rows)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        widths: Sequence[float] | None = None,
        padding: float = 3,
    ) -> Iterator[Flowable]:
        """A table under its pending caption; the first row is the head. Cells are markup.

        The caption is a row of the table, so that a page break never parts the two; a table
        that goes on to the next page repeats its head there.
        """
        styles, columns = self.styles, len(rows[0])
        caption = Paragraph(escape(self.pending_caption), styles.caption)
        self.pending_caption = ""
        cells = [[caption] + [""] * (columns - 1)]
        cells += [[Paragraph(text, styles.head_cell) for text in rows[0]]]
        cells += [[Paragraph(text, styles.cell) for text in row] for row in rows[1:]]
        table = Table(
            cells, colWidths=widths or _widths(rows), repeatRows=(1,), spaceBefore=4, spaceAfter=13
        )
        last_kept = 3 if len(rows) > 6 else len(rows)
        table.setStyle(
            TableStyle(
                [
                    ("SPAN", (0, 0), (-1, 0)),
                    ("LEFTPADDING", (0, 0), (-1, 0), 0),
                    ("NOSPLIT", (0, 0), (0, last_kept)),
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("BACKGROUND", (0, 1), (-1, 1), TINT),
                    ("LINEABOVE", (0, 1), (-1, 1), 0.9, ACCENT),
                    ("LINEBELOW", (0, 1), (-1, -2), 0.4, LINE),
                    ("LINEBELOW", (0, -1), (-1, -1), 0.9, ACCENT),
                    ("LEFTPADDING", (0, 1), (-1, -1), 5),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 5),
                    ("TOPPADDING", (0, 0), (-1, -1), padding),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), padding + 1),
                ]
            )
        )
        for r, row in enumerate(rows[1:], 2):
            for c, text in enumerate(row):
                if text.startswith(_MONO_CELL):  # a smaller font stands on the line of the others
                    table.setStyle([("TOPPADDING", (c, r), (c, r), padding + 1.7)])
        yield table

    def _fence(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        kind, _, name = node.info.partition(" ")
        text = node.content.rstrip("\n")
        if kind == "figure":
            number = self.numbers[f"figure {name}"]
            caption = Paragraph(
                escape(f"Figure {number}. {' '.join(text.split())}"), self.styles.figure_caption
            )
            yield KeepTogether([Spacer(1, 6), self.figures[name](), caption])
        elif kind == "settings":
            yield from self._settings()
        elif kind == "formula":
            yield Paragraph(_code(text), self.styles.formula)
        else:
            box = Table([[XPreformatted(escape(text), self.styles.code)]], colWidths=[TEXT_WIDTH])
            box.setStyle(_boxed(5))
            yield KeepTogether([box, Spacer(1, 9)])

    def _settings(self) -> Iterator[Flowable]:
        rows = [["Setting", "Default", "What it is"]]
        groups = []
        for title, settings in self.settings():
            groups.append(len(rows))
            rows.append([f"<b><i>{escape(title)}</i></b>", "", ""])
            rows += [
                [_code_font(name, 7), _default(default), _code(text, 8)]
                for name, default, text in settings
            ]
        self.pending_caption = f"Table {self.numbers['table settings']}. Every setting."
        for table in self.table(rows, _SETTINGS_WIDTHS, 1.6):
            for row in groups:
                line = row + 1  # the caption is a row of its own
                table.setStyle(
                    [("SPAN", (0, line), (-1, line)), ("NOSPLIT", (0, line), (0, line + 1))]
                )
            yield table

    def _note(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        parts: list[Any] = [
            Paragraph(_inline(part.children[0]), self.styles.note) for part in node.children
        ]
        box = Table([[parts]], colWidths=[TEXT_WIDTH])
        box.setStyle(_boxed(7))
        yield KeepTogether([Spacer(1, 2), box, Spacer(1, 10)])


def _boxed(padding: float) -> TableStyle:
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


def _plain(node: SyntaxTreeNode) -> str:
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in node.walk()
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    )


def _inline(node: SyntaxTreeNode, mono: float = _MONO) -> str:
    """The markup that reportlab's paragraphs read, of an inline node."""
    wrap = {"strong": ("<b>", "</b>"), "em": ("<i>", "</i>")}
    parts = []
    for child in node.children:
        if child.type == "text":
            parts.append(escape(child.content))
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "code_inline":
            parts.append(_code_font(child.content, mono))
        else:
            before, after = wrap[child.type]
            parts.append(before + _inline(child, mono) + after)
    return "".join(parts)


def _code(text: str, mono: float = _MONO) -> str:
    """Escaped text in which `code` is set in the code font."""
    pieces = text.split("`")
    return "".join(_code_font(p, mono) if i % 2 else escape(p) for i, p in enumerate(pieces))


def _default(value: str) -> str:
    """The default of a setting; the name of a model may be cut after its slash."""
    if not value:
        return "empty"
    head, slash, tail = value.partition("/")
    if slash and len(value) > 24:
        return f"{_code_font(head + slash, 7)}<br/>{_code_font(tail, 7)}"
    return _code_font(value, 7)


def _code_font(text: str, size: float) -> str:
    return f'<font name="Mono" size="{size}">{escape(text)}</font>'


def _widths(rows: Sequence[Sequence[str]]) -> list[float]:
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
    if _MONO_CELL in markup and not head:
        font, size = "Mono", _MONO_IN_TABLE
    text = unescape(re.sub(r"<[^>]+>", "", markup))
    return [stringWidth(word, font, size) for word in text.split()]
