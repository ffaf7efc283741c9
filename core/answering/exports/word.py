"""A conversation as a Word document, with the sources below each answer (pure).

Nothing in it is live: it holds no link, no field and no picture of anybody else's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from io import BytesIO
from typing import TYPE_CHECKING, Any

from core.answering.exports.blocks import parsed
from core.answering.exports.markdown import place, with_bold
from core.answering.exports.port import Exported
from core.citations.mark import mark
from core.types import Answer, Citation, Message

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from markdown_it.token import Token

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_INDENT = 0.25
"""Inches for each level of a list."""
_CODE_FONT = "Consolas"
_DEEPEST = 6


def write(exported: Exported) -> bytes:
    """Return the file."""
    from docx import Document  # brings its template: only where one is written

    document = Document()
    about = document.core_properties
    about.title = _clean(exported.conversation.title)[:255]
    about.author = about.last_modified_by = about.comments = ""
    about.created = about.modified = exported.conversation.updated_at.replace(tzinfo=None)
    _directed(document.add_heading(_clean(exported.conversation.title), 0))
    for message in exported.messages:
        _message(document, message, exported.zone)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _message(document: Document, message: Message, zone: tzinfo) -> None:
    if message.role == "user":
        _directed(document.add_heading(_clean(message.text), 1))
    elif message.answer is None:
        _directed(document.add_paragraph(_clean(message.text)))
    else:
        _answer(document, message.answer, zone)


def _answer(document: Document, answer: Answer, zone: tzinfo) -> None:
    _Writer(document).write(parsed(with_bold(answer)))
    for notice in answer.notices:
        document.add_paragraph().add_run(_clean(notice.text)).italic = True
    if answer.citations:
        document.add_heading("Sources", 2)
    for citation in answer.citations:
        _source(document, citation, zone)


def _source(document: Document, citation: Citation, zone: tzinfo) -> None:
    named = document.add_paragraph()
    named.add_run(f"{mark(citation.number)} ").bold = True
    named.add_run(_clean(place(citation)))
    named.paragraph_format.keep_with_next = True
    _directed(document.add_paragraph(_clean(citation.quote), style="Quote"))
    if credit := citation.credit(zone):
        document.add_paragraph(_clean(credit))


class _Writer:
    """Walks the flat tokens of an answer and writes a paragraph for each of its blocks."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lists: list[Iterator[str]] = []
        self._sign = ""  # of the list's item that begins
        self._quoted = 0
        self._rows: list[list[Token]] = []

    def write(self, tokens: Sequence[Token]) -> None:
        heading = 0
        for token in tokens:
            match token.type:
                case "heading_open":
                    heading = min(int(token.tag[1:]) + 1, _DEEPEST)
                case "heading_close":
                    heading = 0
                case "bullet_list_open":
                    self._lists.append(_bullets())
                case "ordered_list_open":
                    self._lists.append(_numbers(int(token.attrGet("start") or 1)))
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                case "list_item_open":
                    self._sign = next(self._lists[-1])
                case "blockquote_open":
                    self._quoted += 1
                case "blockquote_close":
                    self._quoted -= 1
                case "tr_open":
                    self._rows.append([])
                case "inline" if self._rows:
                    self._rows[-1].append(token)
                case "inline":
                    _runs(self._paragraph(heading), token)
                case "fence" | "code_block":
                    run = self._paragraph().add_run(_clean(token.content.rstrip("\n")))
                    run.font.name = _CODE_FONT
                case "table_close":
                    self._table()

    def _paragraph(self, heading: int = 0) -> Paragraph:
        if heading:
            titled: Paragraph = self._document.add_heading("", heading)
            return titled
        made = self._document.add_paragraph(style="Quote" if self._quoted else None)
        if self._lists:
            from docx.shared import Inches

            made.paragraph_format.left_indent = Inches(_INDENT * (len(self._lists) + 1))
            made.paragraph_format.first_line_indent = Inches(-_INDENT if self._sign else 0)
            made.add_run(self._sign)
            self._sign = ""
        return made

    def _table(self) -> None:
        rows, self._rows = self._rows, []
        table = self._document.add_table(len(rows), len(rows[0]), style="Table Grid")
        for cells, row in zip(rows, table.rows, strict=True):
            for token, cell in zip(cells, row.cells, strict=False):
                _runs(cell.paragraphs[0], token)
        for cell in table.rows[0].cells:
            for run in cell.paragraphs[0].runs:
                run.bold = True


def _bullets() -> Iterator[str]:
    while True:
        yield "•\t"


def _numbers(number: int) -> Iterator[str]:
    while True:
        yield f"{number}.\t"
        number += 1


def _runs(paragraph: Paragraph, inline: Token) -> None:
    bold = italic = struck = 0
    for token in inline.children or ():
        match token.type:
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "s_open" | "s_close":
                struck += token.nesting
            case "softbreak":
                paragraph.add_run(" ")
            case "hardbreak":
                paragraph.add_run().add_break()
            case _:
                run = paragraph.add_run(_clean(token.content))
                run.bold, run.italic = bool(bold) or None, bool(italic) or None
                run.font.strike = bool(struck) or None
                if token.type == "code_inline":
                    run.font.name = _CODE_FONT
    _directed(paragraph)


def _directed(paragraph: Paragraph) -> None:
    """Set a paragraph from right to left where its first letter is of such a script."""
    letters = (unicodedata.bidirectional(letter) for letter in paragraph.text)
    if next((kind for kind in letters if kind in ("L", "R", "AL")), "L") != "L":
        properties: Any = paragraph._p.get_or_add_pPr()
        properties.insert_element_before(_element("w:bidi"), *_AFTER_BIDI)
        for run in paragraph.runs:
            run.font.rtl = True


_AFTER_BIDI = (
    "w:adjustRightInd", "w:snapToGrid", "w:spacing", "w:ind", "w:contextualSpacing",
    "w:mirrorIndents", "w:suppressOverlap", "w:jc", "w:textDirection", "w:textAlignment",
    "w:textboxTightWrap", "w:outlineLvl", "w:divId", "w:cnfStyle", "w:rPr", "w:sectPr",
    "w:pPrChange",
)  # fmt: skip
"""What follows it in a paragraph's properties: their order is part of the format."""


def _element(name: str) -> Any:
    from docx.oxml import OxmlElement

    return OxmlElement(name)


def _clean(text: str) -> str:
    """Text without the characters that no XML may hold."""
    return _NO_XML.sub("\ufffd", text)
