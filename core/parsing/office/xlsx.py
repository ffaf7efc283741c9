"""XLSX: a section for each sheet, with its tables, forms and notes as they are shown.

Read: the sheets in their order, what formulas last gave, rows and columns that are hidden (a
notice says how many). Not read: hidden sheets (a notice names them), comments, charts, pictures,
text boxes, headers and footers of the print, macros. Nothing is computed and nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.errors import DamagedFile
from core.parsing.builder import TextBuilder, split_parts
from core.parsing.notices import hidden_notice, notices
from core.parsing.office.docx import core_title
from core.parsing.office.ooxml import Package, all_named, attribute, child, open_package
from core.parsing.office.xlsx_cells import Shared, Sheet, read_sheet, read_styles, read_texts
from core.parsing.office.xlsx_tables import Kind, pieces
from core.parsing.source import Source, check_length
from core.types import ChunkKind, DocumentKind, LoadedDocument, Notice

_MAIN = "xl/workbook.xml"
_MOST_NAMED = 5  # hidden sheets that a notice names


@dataclass(frozen=True, slots=True)
class _Entry:
    """A sheet of the workbook, and the part that has its cells."""

    title: str
    part: str
    is_hidden: bool


def load(source: Source) -> LoadedDocument:
    """Read a workbook.

    Raises `TooLarge`, `PasswordProtected` and `DamagedFile`.
    """
    package = open_package(source.path)
    root = package.required(_MAIN)
    related = package.related(_MAIN)
    entries = list(_entries(root, related))
    if not entries:
        raise DamagedFile("The workbook has no sheets that can be read.")
    shown = [entry for entry in entries if not entry.is_hidden]
    shared = _shared(package, root, related)
    builder, sheets = TextBuilder(), []
    for at, entry in enumerate(shown, start=1):
        sheet = read_sheet(package, entry.part, shared)
        _write(builder, entry.title, sheet)
        sheet.rows.clear()
        sheets.append(sheet)
        source.progress(at / len(shown))
    draft = builder.draft()
    return LoadedDocument(
        DocumentKind.XLSX,
        split_parts(draft),
        title=core_title(package),
        notices=notices(
            *package.notices(),
            hidden_notice(draft.hidden),
            _hidden_sheets([entry.title for entry in entries if entry.is_hidden]),
            *_left_out(sheets),
        ),
    )


def _entries(root: Any, related: dict[str, tuple[str, str]]) -> Iterator[_Entry]:
    for sheet in all_named(root, "sheet"):
        relation = next((v for k, v in sheet.attrib.items() if k.endswith("}id")), "")
        kind, part = related.get(relation, ("", ""))
        if kind == "worksheet":
            hidden = attribute(sheet, "state") in ("hidden", "veryHidden")
            yield _Entry(attribute(sheet, "name") or "", part, hidden)


def _shared(package: Package, root: Any, related: dict[str, tuple[str, str]]) -> Shared:
    parts = {kind: name for kind, name in related.values()}
    properties = child(root, "workbookPr")
    of_1904 = properties is not None and attribute(properties, "date1904") in ("1", "true")
    styles = package.part(parts.get("styles", ""))
    return Shared(read_texts(package, parts.get("sharedStrings", "")), read_styles(styles), of_1904)


def _write(builder: TextBuilder, title: str, sheet: Sheet) -> None:
    """Write a sheet below its name. Raises `TooLarge`."""
    found = pieces(sheet)
    check_length(builder.length + sum(len(line) for piece in found for line in piece.lines))
    if found:
        builder.heading(1, title)
    for piece in found:
        text = "\n".join(piece.lines)
        if piece.kind is Kind.TABLE:
            builder.block(text, ChunkKind.TABLE)
        elif piece.kind is Kind.TITLE:
            builder.heading(2, text)
        else:
            builder.paragraph(text)


def _hidden_sheets(titles: list[str]) -> Notice | None:
    if not titles:
        return None
    named = ", ".join(f"“{title}”" for title in titles[:_MOST_NAMED])
    more = f" and {len(titles) - _MOST_NAMED:,} more" if len(titles) > _MOST_NAMED else ""
    return Notice(
        "hidden-sheets",
        f"{_count(len(titles), 'hidden sheet')} {_were(len(titles))} left out: {named}{more}.",
        "If they shall be read, unhide them (right-click on the name of a sheet, Unhide), save the "
        "workbook and add it again.",
        "info",
    )


def _left_out(sheets: list[Sheet]) -> Iterator[Notice]:
    """Notices of what is not as it is seen in the workbook."""
    rows, columns = (
        sum(one.hidden_rows for one in sheets),
        sum(one.hidden_columns for one in sheets),
    )
    if rows or columns:
        counts = ((rows, "hidden row"), (columns, "hidden column"))
        found = " and ".join(_count(*one) for one in counts if one[0])
        yield Notice("hidden-rows", f"{found} {_were(rows + columns)} read too.", level="info")
    if count := sum(sheet.errors for sheet in sheets):
        holds = "holds" if count == 1 else "hold"
        text = (
            f"{_count(count, 'cell')} {holds} an error, such as #DIV/0!, which was read as shown."
        )
        yield Notice("error-cells", text, "Correct the formulas in the workbook.", "info")
    if count := sum(sheet.without_result for sheet in sheets):
        were = _were(count)
        yield Notice(
            "no-results",
            f"{_count(count, 'formula')} {were} saved without a result and {were} left out.",
            "Open the workbook in Excel or LibreOffice, save it and add it again.",
        )
    if count := sum(sheet.without_text + sheet.outside for sheet in sheets):
        refer = "refers" if count == 1 else "refer"
        text = f"{_count(count, 'cell')} {refer} to text or places that the file does not have."
        yield Notice("cells-unreadable", text, DamagedFile.cure)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
