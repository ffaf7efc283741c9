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
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
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

from docs.handbook.cells import (
    MONO_CELL,
    MONO_IN_TABLE,
    boxed,
    code,
    code_font,
    default_cell,
    inline,
    widths,
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
_SETTINGS_WIDTHS = (113.0, 106.0, TEXT_WIDTH - 113.0 - 106.0)
_NEW_PAGE_BELOW = 0.24  # a chapter begins on a new page if less than this share is left


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
            yield Paragraph(inline(node.children[0]), self.styles.body)

    def _list(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        ordered = node.type == "ordered_list"
        for number, item in enumerate(node.children, 1):
            text = "<br/>".join(inline(part.children[0]) for part in item.children)
            bullet = f"{number}." if ordered else "\u2022"
            yield Paragraph(text, self.styles.item, bulletText=bullet)
        yield Spacer(1, 4)

    def _table(self, node: SyntaxTreeNode) -> Iterator[Flowable]:
        head, body = node.children[0], node.children[1]
        rows = [
            [inline(cell.children[0], MONO_IN_TABLE) for cell in row.children]
            for row in (*head.children, *body.children)
        ]
        yield from self.table(rows)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        given: Sequence[float] | None = None,
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
            cells, colWidths=given or widths(rows), repeatRows=(1,), spaceBefore=4, spaceAfter=13
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
                if text.startswith(MONO_CELL):  # a smaller font stands on the line of the others
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
            yield Paragraph(code(text), self.styles.formula)
        else:
            box = Table([[XPreformatted(escape(text), self.styles.code)]], colWidths=[TEXT_WIDTH])
            box.setStyle(boxed(5))
            yield KeepTogether([box, Spacer(1, 9)])

    def _settings(self) -> Iterator[Flowable]:
        rows = [["Setting", "Default", "What it is"]]
        groups = []
        for title, settings in self.settings():
            groups.append(len(rows))
            rows.append([f"<b><i>{escape(title)}</i></b>", "", ""])
            rows += [
                [code_font(name, 7), default_cell(default), code(text, 8)]
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
            Paragraph(inline(part.children[0]), self.styles.note) for part in node.children
        ]
        box = Table([[parts]], colWidths=[TEXT_WIDTH])
        box.setStyle(boxed(7))
        yield KeepTogether([Spacer(1, 2), box, Spacer(1, 10)])


def _plain(node: SyntaxTreeNode) -> str:
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in node.walk()
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    )
