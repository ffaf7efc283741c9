"""PPTX: a page for each slide, with its title as heading, tables, charts and notes.

Not read: comments, pictures and their alternative texts, masters and layouts. Hidden slides
are read, and a notice says how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.errors import DamagedFile
from core.parsing.builder import TextBuilder
from core.parsing.notices import hidden_notice, notices
from core.parsing.office.docx import core_title
from core.parsing.office.ooxml import Package, all_named, attribute, child, local, open_package
from core.parsing.source import Source
from core.types import ChunkKind, DocumentKind, LoadedDocument, Notice, Page

_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")
_MAIN = "ppt/presentation.xml"


def load(source: Source) -> LoadedDocument:
    """Read a presentation.

    Raises `TooLarge`, `PasswordProtected` and `DamagedFile`.
    """
    package = open_package(source.path)
    names = list(_slides(package))
    if not names:
        raise DamagedFile("The presentation has no slides that can be read.")
    pages, hidden, unshown = [], 0, 0
    for ordinal, name in enumerate(names):
        builder, shown = _slide(package, name)
        draft = builder.draft()
        pages.append(Page(ordinal, draft.text, ordinal + 1, draft.headings, draft.blocks))
        hidden += draft.hidden
        unshown += not shown
        source.progress((ordinal + 1) / len(names))
    first = next((page.headings[0].title for page in pages if page.headings), "")
    return LoadedDocument(
        DocumentKind.PPTX,
        tuple(pages),
        title=core_title(package) or first,
        notices=notices(*package.notices(), hidden_notice(hidden), _unshown(unshown)),
        pages_without_text=sum(not page.text for page in pages),
    )


def _slides(package: Package) -> Iterator[str]:
    root = package.required(_MAIN)
    related = package.related(_MAIN)
    for entry in all_named(root, "sldId"):
        relation = next((v for k, v in entry.attrib.items() if k.endswith("}id")), "")
        kind, name = related.get(relation, ("", ""))
        if kind == "slide":
            yield name


def _slide(package: Package, name: str) -> tuple[TextBuilder, bool]:
    builder = TextBuilder()
    root = package.part(name)
    if root is None:
        return builder, True
    related = package.related(name)
    shapes = [shape for shape in all_named(root, "sp", "graphicFrame") if not _in_fallback(shape)]
    for title in (True, False):
        for shape in shapes:
            if (_placeholder(shape) in _TITLES) is title:
                _shape(package, builder, shape, related)
    for kind, target in related.values():
        if kind == "notesSlide":
            _notes(package, builder, target)
    return builder, attribute(root, "show") not in ("0", "false")


def _shape(
    package: Package, builder: TextBuilder, shape: Any, related: dict[str, tuple[str, str]]
) -> None:
    if local(shape) == "sp":
        kind, body = _placeholder(shape), child(shape, "txBody")
        if body is None or kind in _FURNITURE:
            return
        text = _paragraphs(body)
        if kind in _TITLES:
            builder.heading(1, text)
        else:
            builder.paragraph(text)
        return
    for table in all_named(shape, "tbl"):
        builder.block("\n".join(_rows(table)), ChunkKind.TABLE)
    for reference in all_named(shape, "chart", "relIds"):
        wanted = (value for key, value in reference.attrib.items() if "}" in key)
        for kind, target in (related.get(value, ("", "")) for value in wanted):
            if kind == "chart":
                builder.block("\n".join(_chart(package.part(target))), ChunkKind.TABLE)
            elif kind == "diagramData":
                builder.paragraph("\n".join(_diagram(package.part(target))))


def _placeholder(shape: Any) -> str:
    for path in ("nvSpPr", "nvGraphicFramePr"):
        holder = child(shape, path, "nvPr", "ph")
        if holder is not None:
            return attribute(holder, "type") or "body"
    return ""


def _paragraphs(body: Any) -> str:
    lines = []
    for paragraph in all_named(body, "p"):
        level = child(paragraph, "pPr")
        depth = (attribute(level, "lvl") or "0") if level is not None else "0"
        if text := _line(paragraph):
            lines.append("  " * (int(depth) if depth in "12345678" else 0) + text)
    return "\n".join(lines)


def _line(paragraph: Any) -> str:
    pieces = [
        "\n" if local(element) == "br" else element.text or ""
        for element in all_named(paragraph, "t", "br")
    ]
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split("\n")).strip()


def _rows(table: Any) -> Iterator[str]:
    for row in all_named(table, "tr"):
        cells = [" ".join(_paragraphs(cell).split()) for cell in all_named(row, "tc")]
        if any(cells):
            yield " | ".join(cells)


def _chart(root: Any | None) -> Iterator[str]:
    """Return the title of a chart, then a line for each series: "Sales: Q1 4.3 | Q2 2.5"."""
    if root is None:
        return
    for title in all_named(root, "title"):
        if text := " ".join("".join(t.text or "" for t in all_named(title, "t")).split()):
            yield text
    for series in all_named(root, "ser"):
        name = next(_values(child(series, "tx")), "")
        names = [*_values(child(series, "cat")), *_values(child(series, "xVal"))]
        numbers = [*_values(child(series, "val")), *_values(child(series, "yVal"))]
        names += [""] * (len(numbers) - len(names))
        points = " | ".join(f"{n} {v}".strip() for n, v in zip(names, numbers, strict=False))
        yield f"{name}: {points}" if name else points


def _values(element: Any | None) -> Iterator[str]:
    if element is not None:
        yield from (" ".join((value.text or "").split()) for value in all_named(element, "v"))


def _diagram(root: Any | None) -> Iterator[str]:
    for paragraph in all_named(root, "p") if root is not None else ():
        if text := _line(paragraph):
            yield text


def _notes(package: Package, builder: TextBuilder, name: str) -> None:
    root = package.part(name)
    for shape in all_named(root, "sp") if root is not None else ():
        body = child(shape, "txBody")
        if body is not None and _placeholder(shape) == "body" and (text := _paragraphs(body)):
            builder.paragraph(f"Notes: {text}")


def _in_fallback(shape: Any) -> bool:
    return any(local(above) == "Fallback" for above in shape.iterancestors())


def _unshown(count: int) -> Notice | None:
    if not count:
        return None
    text = f"{count:,} slides are hidden in the show; their text was read too."
    return Notice("hidden-slides", text, level="info")
