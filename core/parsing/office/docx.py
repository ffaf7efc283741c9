"""DOCX: paragraphs, lists with their numbers, headings, tables, notes and text boxes in order.

Read: the body with tables in their place, text boxes after the paragraph that holds them,
footnotes and endnotes after the paragraph that refers to them, insertions of tracked changes,
formulas as plain characters. Not read: headers and footers, comments, deletions of tracked
changes, hidden text (counted), pictures and their alternative texts. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.parsing.builder import TextBuilder, split_parts
from core.parsing.notices import hidden_notice, notices
from core.parsing.office.docx_numbers import Numbering
from core.parsing.office.ooxml import Package, all_named, attribute, child, local, open_package
from core.parsing.source import Source
from core.text.invisible import clean
from core.types import ChunkKind, DocumentKind, LoadedDocument

_LEFT_OUT = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "drawing"))
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_LONG_CELL = 1_500  # characters; tables with longer cells are page layout, not data


@dataclass(frozen=True, slots=True)
class _Style:
    """What a paragraph style defines: heading level (0: none), list, code, title."""

    level: int = 0
    numbering: tuple[str, int] | None = None
    code: bool = False
    title: bool = False


@dataclass(slots=True)
class _Reader:
    styles: dict[str, _Style]
    numbering: Numbering
    notes: dict[tuple[str, str], Any]
    builder: TextBuilder = field(default_factory=TextBuilder)
    code: list[str] = field(default_factory=list)
    title: str = ""
    hidden: int = 0
    in_list: bool = False

    def blocks(self, container: Any) -> None:
        """Read paragraphs, tables, and elements that wrap them."""
        for element in container:
            name = local(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name and name not in _LEFT_OUT and name != "sectPr":
                self.blocks(element)

    def finish(self) -> None:
        if self.code:
            self.builder.block("\n".join(self.code), ChunkKind.CODE)
            self.code = []

    def _paragraph(self, paragraph: Any) -> None:
        style = self._style(paragraph)
        text = self.text(paragraph)
        if style.code:
            self.code.append(text)
            return
        self.finish()
        listed = self._numbering(paragraph, style)
        if text.strip():
            label = self.numbering.label(*listed) if listed else ""
            self._add(style, label, text.strip(), listed[1] if listed else 0)
        for box in all_named(paragraph, "txbxContent"):
            if not _in_fallback(box, paragraph):
                self.blocks(box)
        for kind, note in _references(paragraph):
            if (found := self.notes.get((kind, note))) is not None:
                self.builder.paragraph(f"[{note}] {self._plain(found)}", "\n")

    def _add(self, style: _Style, label: str, text: str, depth: int) -> None:
        if style.title and not self.title:
            self.title = clean(" ".join(text.split())).text
        if style.level:
            self.builder.heading(style.level, f"{label} {text}".strip())
        elif label:
            separator = "\n" if self.in_list else "\n\n"
            self.builder.paragraph(f"{'  ' * min(depth, 8)}{label} {text}", separator)
        else:
            self.builder.paragraph(text)
        self.in_list = bool(label) and not style.level

    def _style(self, paragraph: Any) -> _Style:
        named = child(paragraph, "pPr", "pStyle")
        style = self.styles.get((attribute(named, "val") or "") if named is not None else "")
        outline = child(paragraph, "pPr", "outlineLvl")
        level = _level(outline)
        base = style or _Style()
        return _Style(level, base.numbering, base.code, base.title) if level else base

    def _numbering(self, paragraph: Any, style: _Style) -> tuple[str, int] | None:
        own = child(paragraph, "pPr", "numPr")
        return _list_of(own, style.numbering) if own is not None else style.numbering

    def _table(self, table: Any) -> None:
        self.finish()
        self.in_list = False
        rows = [_cells(row) for row in _rows(table)]
        texts = [[self._plain(cell) for cell in row] for row in rows]
        if all(len(row) == 1 for row in texts) or any(
            len(cell) > _LONG_CELL for row in texts for cell in row
        ):
            for row in rows:
                for cell in row:
                    self.blocks(cell)
            return
        lines = (" | ".join(row) for row in texts if any(row))
        self.builder.block("\n".join(lines), ChunkKind.TABLE)

    def _plain(self, container: Any) -> str:
        texts = (self.text(paragraph) for paragraph in all_named(container, "p"))
        return " ".join(" ".join(texts).split())

    def text(self, paragraph: Any) -> str:
        """Return the text of a paragraph without text boxes, deletions and hidden runs."""
        return "".join(self._pieces(paragraph))

    def _pieces(self, element: Any) -> Iterator[str]:
        for inner in element:
            name = local(inner)
            if name == "t":
                yield inner.text or ""
            elif name in _SIGNS:
                yield _SIGNS[name]
            elif name in ("footnoteReference", "endnoteReference"):
                yield f"[{attribute(inner, 'id')}]"
            elif name == "r" and _is_hidden(inner):
                self.hidden += sum(len(t.text or "") for t in all_named(inner, "t"))
            elif name and name not in _LEFT_OUT and name != "txbxContent":
                yield from self._pieces(inner)


def load(source: Source) -> LoadedDocument:
    """Read a Word document, in parts (it has no pages of its own).

    Raises `TooLarge`, `PasswordProtected` and `DamagedFile`.
    """
    package = open_package(source.path)
    root = package.required("word/document.xml")
    reader = _Reader(
        _styles(package.part("word/styles.xml")),
        Numbering.read(package.part("word/numbering.xml")),
        dict(_notes(package)),
    )
    reader.blocks(root)
    reader.finish()
    draft = reader.builder.draft()
    return LoadedDocument(
        DocumentKind.DOCX,
        split_parts(draft),
        title=core_title(package) or reader.title,
        notices=notices(*package.notices(), hidden_notice(draft.hidden + reader.hidden)),
    )


def core_title(package: Package) -> str:
    """Return the title in an office file's properties."""
    core = package.part("docProps/core.xml")
    title = child(core, "title") if core is not None else None
    text = " ".join(clean((title.text or "") if title is not None else "").text.split())
    return "" if text.lower() in ("powerpoint presentation", "word document") else text


def _styles(root: Any | None) -> dict[str, _Style]:
    if root is None:
        return {}
    elements = {attribute(e, "styleId") or "": e for e in root if local(e) == "style"}
    return {key: _inherited(key, elements) for key in elements}


def _inherited(key: str, elements: dict[str, Any]) -> _Style:
    """Return a style with what it inherits from those that it is based on."""
    level, numbering, code, title, seen = 0, None, False, False, set[str]()
    while key in elements and key not in seen:
        seen.add(key)
        element = elements[key]
        name = _named(child(element, "name")).lower()
        level = level or _level(child(element, "pPr", "outlineLvl")) or _heading_level(name)
        own = child(element, "pPr", "numPr")
        numbering = numbering or (_list_of(own, None) if own is not None else None)
        code = code or "code" in name or "preformatted" in name
        title = title or name == "title"
        key = _named(child(element, "basedOn"))
    return _Style(1 if title else level, numbering, code, title)


def _heading_level(name: str) -> int:
    word, _, number = name.partition(" ")
    return int(number) if word == "heading" and number.isdecimal() and len(number) == 1 else 0


def _named(element: Any | None) -> str:
    return (attribute(element, "val") or "") if element is not None else ""


def _level(outline: Any | None) -> int:
    value = _named(outline)
    return int(value) + 1 if value.isdecimal() and int(value) < 9 else 0


def _list_of(numbers: Any, inherited: tuple[str, int] | None) -> tuple[str, int] | None:
    list_id = _named(child(numbers, "numId")) or (inherited[0] if inherited else "")
    depth = _named(child(numbers, "ilvl"))
    if list_id in ("", "0"):
        return None
    return list_id, int(depth) if depth.isdecimal() and len(depth) == 1 else 0


def _notes(package: Package) -> Iterator[tuple[tuple[str, str], Any]]:
    for kind in ("footnote", "endnote"):
        root = package.part(f"word/{kind}s.xml")
        for note in [] if root is None else root:
            if local(note) == kind and attribute(note, "type") in (None, "normal"):
                yield (kind, attribute(note, "id") or ""), note


def _references(paragraph: Any) -> Iterator[tuple[str, str]]:
    for reference in all_named(paragraph, "footnoteReference", "endnoteReference"):
        yield local(reference).removesuffix("Reference"), attribute(reference, "id") or ""


def _rows(table: Any) -> Iterator[Any]:
    for element in table:
        name = local(element)
        if name == "tr":
            yield element
        elif name in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _rows(element)


def _cells(row: Any) -> list[Any]:
    cells: list[Any] = []
    for element in row:
        name = local(element)
        if name == "tc":
            cells.append(element)
        elif name in ("sdt", "sdtContent", "customXml"):
            cells.extend(_cells(element))
    return cells


def _is_hidden(run: Any) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and attribute(vanish, "val") not in ("0", "false", "off")


def _in_fallback(element: Any, within: Any) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not within:
        if local(parent) in ("Fallback", "txbxContent"):
            return True
        parent = parent.getparent()
    return False
