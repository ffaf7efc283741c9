"""The cells of a sheet of a workbook, as they are shown, read one by one from its XML.

Nothing is kept of a cell without text, so that a sheet that claims a million columns takes no
more room than what is written in it. A formula counts with the result that was saved with it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.parsing.office.ooxml import Package, all_named, attribute, child, local
from core.parsing.office.xlsx_formats import BUILT_IN, shown
from core.parsing.source import check_length

MOST_COLUMNS = 16_384
MOST_ROWS = 1_048_576
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TRUE = ("1", "true")


class Cell(NamedTuple):
    """What a cell shows, whether that is a number, a date or the like, and whether it is bold."""

    text: str
    is_number: bool = False
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """Cells that are shown as one, by their first and last row and column."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Sheet:
    """The cells with text by row and column, from 1, and how many of what is said of the rest."""

    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merges: list[Merge] = field(default_factory=list)
    length: int = 0
    """How many characters the cells have."""
    hidden_rows: int = 0
    hidden_columns: int = 0
    errors: int = 0
    without_result: int = 0
    without_text: int = 0
    outside: int = 0


@dataclass(frozen=True, slots=True)
class Shared:
    """What the cells of all sheets refer to: texts, number formats, and the first year of days."""

    texts: Sequence[str]
    styles: Sequence[tuple[str, bool]]
    """Of each style its number format and whether its letters are bold."""
    of_1904: bool = False


def read_texts(package: Package, name: str) -> list[str]:
    """Return the texts that cells share, without their fonts and readings."""
    return [_text(entry) for entry in package.elements(name, "si")] if name else []


def read_styles(root: Any | None) -> list[tuple[str, bool]]:
    """Return the number format of each style of a cell, and whether it is bold."""
    formats = child(root, "cellXfs") if root is not None else None
    if formats is None:
        return []
    codes: dict[int, str] = dict(BUILT_IN)
    for code in all_named(root, "numFmt"):
        codes[_whole(attribute(code, "numFmtId"))] = attribute(code, "formatCode") or ""
    fonts = child(root, "fonts")
    bold = [_is_bold(font) for font in fonts if local(font)] if fonts is not None else []
    found = []
    for style in all_named(formats, "xf"):
        font = _whole(attribute(style, "fontId"))
        code = codes.get(_whole(attribute(style, "numFmtId")), "")
        found.append((code, font < len(bold) and bold[font]))
    return found


def read_sheet(package: Package, name: str, shared: Shared) -> Sheet:
    """Return the cells of a sheet; of one that is broken those before the fault.

    Raises `TooLarge`.
    """
    sheet = Sheet()
    row, row_number, column = None, 0, 0
    narrow: list[range] = []
    for element in package.elements(name, "c", "row", "mergeCell", "col"):
        kind = local(element)
        if kind == "c":
            if element.getparent() is not row:
                row, column = element.getparent(), 0
                row_number = _row_number(row, row_number)
            place = _PLACE.fullmatch(element.get("r", ""))
            column = column_number(place[1]) if place else column + 1
            _keep(sheet, int(place[2]) if place else row_number, column, element, shared)
        elif kind == "row":
            check_length(sheet.length)
            if element is not row:  # it has no cells
                row, row_number = element, _row_number(element, row_number)
            sheet.hidden_rows += element.get("hidden") in _TRUE and row_number in sheet.rows
        elif kind == "col":
            if element.get("hidden") in _TRUE:
                narrow.append(range(_whole(element.get("min")), _whole(element.get("max")) + 1))
        elif merge := _merge(element.get("ref", "")):
            sheet.merges.append(merge)
    if narrow:
        used = {column for cells in sheet.rows.values() for column in cells}
        sheet.hidden_columns = sum(any(one in hidden for hidden in narrow) for one in used)
    _fill_down(sheet)
    return sheet


def column_number(letters: str) -> int:
    """Return the place of a column, from 1.

    >>> column_number("A"), column_number("AB"), column_number("XFD")
    (1, 28, 16384)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _keep(sheet: Sheet, row: int, column: int, element: Any, shared: Shared) -> None:
    if row > MOST_ROWS or column > MOST_COLUMNS:
        sheet.outside += 1
        return
    cell = _cell(sheet, element, shared)
    if cell.text:
        sheet.length += len(cell.text)
        sheet.rows.setdefault(row, {})[column] = cell


def _cell(sheet: Sheet, element: Any, shared: Shared) -> Cell:
    kind, value, formula = element.get("t", "n"), None, False
    for inner in element:
        name = local(inner)
        if name == "v":
            value = inner.text or ""
        elif name == "is":
            value = _text(inner)
        elif name == "f":
            formula = True
    style = _whole(element.get("s"))
    code, is_bold = shared.styles[style] if style < len(shared.styles) else ("", False)
    if value is None:
        sheet.without_result += formula
        return Cell("")
    if kind == "s":
        at = int(value) if value.isdecimal() and len(value) < 10 else -1
        if not 0 <= at < len(shared.texts):
            sheet.without_text += 1
            return Cell("")
        return Cell(shared.texts[at], False, is_bold)
    if kind == "b":
        return Cell("TRUE" if value in _TRUE else "FALSE", False, is_bold)
    if kind == "d":
        return Cell(value.removesuffix("T00:00:00").replace("T", " "), True, is_bold)
    if kind == "n" and (number := _number(value)) is not None:
        return Cell(shown(number, code, of_1904=shared.of_1904), True, is_bold)
    sheet.errors += kind == "e"
    return Cell(_plain(value), kind == "e", is_bold)


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _text(element: Any) -> str:
    """The text of a cell in all of its fonts; how it is read aloud (`rPh`) is not its text."""
    return _plain("".join(_pieces(element)))


def _pieces(element: Any) -> Iterator[str]:
    for inner in element:
        name = local(inner)
        if name == "t":
            yield inner.text or ""
        elif name == "r":
            yield from _pieces(inner)


def _plain(text: str) -> str:
    """A text on one line, with the characters that are written by their number."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return " ".join(text.split())


def _is_bold(font: Any) -> bool:
    bold = child(font, "b")
    return bold is not None and attribute(bold, "val") not in ("0", "false")


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else 0


def _row_number(row: Any, before: int) -> int:
    return _whole(row.get("r")) or before + 1


def _merge(reference: str) -> Merge | None:
    first, _, last = reference.partition(":")
    start, end = _PLACE.fullmatch(first), _PLACE.fullmatch(last)
    if start is None or end is None:
        return None
    return Merge(int(start[2]), column_number(start[1]), int(end[2]), column_number(end[1]))


def _fill_down(sheet: Sheet) -> None:
    """Give what stands once beside several rows to each of them, so that it can be read alone."""
    numbers: Sequence[int] = sorted(sheet.rows)
    rows: Mapping[int, dict[int, Cell]] = sheet.rows
    for merge in sheet.merges:
        cell = rows.get(merge.top, {}).get(merge.left)
        if cell is not None and merge.bottom > merge.top:
            first, last = bisect_right(numbers, merge.top), bisect_right(numbers, merge.bottom)
            sheet.length += len(cell.text) * (last - first)
            check_length(sheet.length)
            for at in numbers[first:last]:
                rows[at].setdefault(merge.left, cell)
