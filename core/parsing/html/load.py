"""HTML: the visible text of the main part, with headings, anchors, tables and code.

The parser works on bytes and fetches nothing. Left out are scripts, styles, navigation,
comments, form controls, alternative texts, what the markup itself hides (style sheets are not
evaluated), and the boilerplate around the main text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.errors import TooComplex
from core.parsing.builder import TextBuilder, split_parts
from core.parsing.encodings import Decoded, decode
from core.parsing.html.boilerplate import boilerplate
from core.parsing.html.elements import (
    BLOCKS,
    HEADINGS,
    SECTIONS,
    cells,
    formula,
    is_hidden,
    is_layout,
    is_unseen,
    visible_text,
)
from core.parsing.html.main_text import rights
from core.parsing.notices import boilerplate_notice, hidden_notice, notices
from core.parsing.source import Source
from core.types import ChunkKind, DocumentKind, LoadedDocument

_DEFINITION_LEVEL = 7  # a linkable definition (of a function, a term) ranks below all headings
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""")
_WEB_NAMES = {"iso-8859-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030"}
_NESTING = re.compile(rb"</?(?:div|span|font|center|blockquote|section|b|i|u|em)\b[^>]*>", re.I)
_SHORT_ROW = 600


def load(source: Source) -> LoadedDocument:
    """Read the main text of an HTML file. Raises `TooLarge` and `TooComplex`."""
    return load_html(source.data())


def load_html(data: bytes, *, charset: str = "") -> LoadedDocument:
    """Read a web page; `charset` is the encoding that its server declared, if any."""
    decoded = decode_html(data, charset)
    root = parse_html(decoded.text)
    if root is None:
        return LoadedDocument(DocumentKind.HTML, (), notices=notices(decoded.note))
    walker = _Walker(around=boilerplate(root, decoded.text))
    walker.walk(root)
    draft = walker.builder.draft()
    title = " ".join((root.findtext(".//title") or "").split())
    return LoadedDocument(
        DocumentKind.HTML,
        split_parts(draft),
        title=title or next((h.title for h in draft.headings if h.level == 1), ""),
        language=(root.get("lang") or "")[:2].lower(),
        notices=notices(
            decoded.note,
            hidden_notice(draft.hidden + walker.unseen),
            boilerplate_notice(walker.left_out),
        ),
        attribution=rights(root) if walker.left_out else "",
    )


def decode_html(data: bytes, charset: str = "") -> Decoded:
    """Decode as browsers do: by BOM, the server's charset, the page's own, then by detection."""
    head = data[:4096]
    found = _CHARSET.search(head) or _XML_ENCODING.search(head)
    declared = (charset or (found[1].decode("ascii") if found else "")).lower()
    return decode(data, _WEB_NAMES.get(declared, declared))


def parse_html(text: str) -> Any:
    """Return the tree, or None if it is empty. Raises `TooComplex` for nesting that is too deep."""
    data = text.encode("utf-8", "replace").replace(b"\0", b"")
    root, whole = _tree(data)
    if not whole:
        # libxml2 drops what is nested deeper than 2,048 elements: unwrap those that nest.
        root, whole = _tree(_NESTING.sub(b"<br>", data))
    if not whole:
        raise TooComplex("The page is too complex to read: its elements are nested too deeply.")
    return root


def _tree(data: bytes) -> tuple[Any, bool]:
    """Return the tree, and whether it holds all of the data."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_pis=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None, True
    return root, not any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)


@dataclass(slots=True)
class _Walker:
    """Walks the tree without recursion and passes blocks of text to the builder."""

    builder: TextBuilder = field(default_factory=TextBuilder)
    around: frozenset[Any] = frozenset()  # left out: what stands around the main text
    unseen: int = 0
    left_out: int = 0
    lines: list[list[str]] = field(default_factory=lambda: [[]])
    lists: list[int] = field(default_factory=list)  # the next number of each open list; 0: bullets
    bullet: str = ""
    tight: bool = False
    in_rows: bool = False
    section_anchor: str | None = None
    definitions: int = 0

    def walk(self, root: Any) -> None:
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._end(element)
            elif not isinstance(element.tag, str) or self._whole(element):
                walk.skip_subtree()
            else:
                self._start(element)
        self._flush()

    def _whole(self, element: Any) -> bool:
        """Handle an element that is taken or skipped as a whole; False for all others."""
        tag = element.tag
        if element in self.around:
            self.left_out += len(visible_text(element))
        elif is_unseen(element):
            if is_hidden(element):
                self.unseen += len(" ".join("".join(element.itertext()).split()))
        elif tag in HEADINGS:
            self._heading(element, HEADINGS[tag])
        elif tag == "dt" and element.get("id"):
            self._heading(element, _DEFINITION_LEVEL + max(0, self.definitions - 1))
            self.tight = True
        elif tag == "pre":
            self._flush()
            self.builder.block(visible_text(element, keep_space=True), ChunkKind.CODE)
        elif tag == "table" and not _only_arranges(element):
            self._flush()
            self._table(element)
        elif tag == "tr" and _is_short_row(element):
            self._flush()
            self.builder.paragraph(_row(element), "\n" if self.in_rows else "\n\n")
            self.in_rows = True
        elif tag in ("img", "math"):
            self.lines[-1].append(formula(element))
        else:
            return False
        return True

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self.lines.append([])
        elif tag in BLOCKS:
            self._flush()
        if tag in ("ul", "ol"):
            self.tight = bool(self.lists)
            self.lists.append(1 if tag == "ol" else 0)
        elif tag == "li":
            self._bullet()
        elif tag == "dl":
            self.definitions += 1
        elif tag in SECTIONS and element.get("id"):
            self.section_anchor = element.get("id")
        self.lines[-1].append(element.text or "")

    def _end(self, element: Any) -> None:
        tag = element.tag
        if isinstance(tag, str) and tag in BLOCKS:
            self._flush()
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()
                self.tight = False
            elif tag == "dl":
                self.definitions -= 1
            elif tag == "dt":
                self.tight = True
            elif tag == "li":
                self.bullet, self.tight = "", True
        self.lines[-1].append(element.tail or "")

    def _bullet(self) -> None:
        number = self.lists[-1] if self.lists else 0
        indent = "  " * max(0, len(self.lists) - 1)
        self.bullet = f"{indent}{number}. " if number else f"{indent}- "
        if number:
            self.lists[-1] += 1

    def _flush(self) -> None:
        text = "\n".join(" ".join("".join(line).split()) for line in self.lines).strip()
        self.lines = [[]]
        if text:
            self.in_rows = False
            separator = "\n" if self.tight else "\n\n"
            self.builder.paragraph(self.bullet + text, separator)
            self.bullet, self.tight = "", False

    def _heading(self, element: Any, level: int) -> None:
        self._flush()
        anchor = element.get("id") or next(
            (a.get("id") or a.get("name") for a in element.iter("a", "span") if _named(a)), None
        )
        text = visible_text(element).removesuffix("[source]").strip(" ¶")
        if text:
            self.builder.heading(level, text, anchor or self.section_anchor)
            self.section_anchor = None

    def _table(self, table: Any) -> None:
        caption = table.find("caption")
        if caption is not None:
            self.builder.paragraph(visible_text(caption))
        rows = (_row(row) for row in table.iter("tr"))
        self.builder.block("\n".join(row for row in rows if row.strip(" |")), ChunkKind.TABLE)


def _named(element: Any) -> bool:
    return bool(element.get("id") or (element.tag == "a" and element.get("name")))


def _row(row: Any) -> str:
    return " | ".join(cells(row))


def _only_arranges(table: Any) -> bool:
    """Whether a table only lays out a page, or has one column."""
    return is_layout(table) or all(
        len(row.findall("td") + row.findall("th")) < 2 for row in table.iter("tr")
    )


def _is_short_row(row: Any) -> bool:
    """Whether a row holds data in a table that lays out a page, such as an infobox."""
    if len(row.findall("td") + row.findall("th")) < 2:
        return False
    if next(row.iterdescendants("table", "pre", *HEADINGS), None) is not None:
        return False
    return len("".join(row.itertext())) < _SHORT_ROW
