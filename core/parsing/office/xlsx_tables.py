"""What stands in a sheet, in order: titles, tables, forms and notes (pure).

A sheet is a grid on which people write what they like. Empty rows part it; empty columns do where
what stands beside each other is two tables. The first rows of a table name its columns where they
can, and each further row becomes a line that is readable by itself, as of a CSV file. Rows behind
an empty one go on with the table above where they fit below its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby, pairwise

from core.parsing.office.xlsx_cells import Cell, Sheet

Row = Mapping[int, Cell]
"""The cells of a row that have text, by their column."""
Part = Sequence[tuple[int, Row]]
"""Rows with their numbers, none of them empty."""

_LONGEST_NAME = 80  # characters of the name of a column, as of CSV; of a title too
_LONGER = 3  # rows by which one of two tables beside each other ends after the other
_NOTE = re.compile(r".{60}|\W|.*(?:: |[.!?]$)", re.DOTALL)
_NO_TITLE = re.compile(r".*[.!?;,]|\W.*|(?:source|note|quelle|hinweis)s?\b.*", re.DOTALL | re.I)
_YEAR = re.compile(r"(?:19|20)\d\d|\d{4}-\d\d-\d\d|[A-Z][a-z]+ (?:19|20)\d\d")
_MIXED = 1 / 3
"""The share of numbers, and of texts, from which a column is one of a form."""


class Kind(Enum):
    """What a piece of a sheet is."""

    TITLE = 1
    TEXT = 2
    TABLE = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one kind."""

    kind: Kind
    lines: Sequence[str]


@dataclass(slots=True)
class _Table:
    """A table: the names of its columns, its lines, and the columns that have numbers."""

    names: Mapping[int, str]
    lines: list[str] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)
    numeric: set[int] = field(default_factory=set)

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self.lines.append(_line(self.names, row))
            self.columns |= row.keys()
            self.numeric |= {column for column, cell in row.items() if cell.is_number}

    def more(self, rows: Sequence[Row]) -> Sequence[Row] | None:
        """Return the rows that go on with this table, None where they are another one."""
        first = rows[0]
        if any(row.keys() - self.columns for row in rows):
            return None
        if self.names and {c: _name(cell) for c, cell in first.items()} == self.names:
            return rows[1:]  # the names once more
        numbers = {column for column in self.numeric & first.keys() if first[column].is_number}
        if self.numeric & first.keys() and not numbers:
            return None
        named = len(rows) > 1 and _names(first, rows[1])
        if named and not numbers and (not self.names or _stands_out(first, rows[1])):
            return None
        return rows


@dataclass(slots=True)
class _Reader:
    """The pieces found so far, the table that may go on, and a text that may be a title."""

    spans: Mapping[tuple[int, int], int]
    found: list[Piece] = field(default_factory=list)
    table: _Table | None = None
    above: _Table | None = None
    alone: Cell | None = None

    def read(self, part: Part) -> None:
        """Read rows that no empty row parts."""
        lone, body, notes = _split(part)
        if not body:
            self.close()
            if len(lone) == 1:
                self.alone = lone[0]
            else:
                self._add(Kind.TEXT, lone)
            return
        rows = [row for _, row in body]
        more = self.table.more(rows) if self.table and not lone and not self.alone else None
        if self.table is not None and more is not None:
            self.table.add(more)
        else:
            self._begin(lone, body)
        if notes:
            self.close()
            self._add(Kind.TEXT, notes)

    def close(self) -> None:
        """End the table, and take a text that is no title after all as it stands."""
        if self.table is not None:
            self.found.append(Piece(Kind.TABLE, self.table.lines))
        self.table = None
        if self.alone is not None:
            self._add(Kind.TEXT, [self.alone])
        self.alone = None

    def _begin(self, lone: Sequence[Cell], body: Part) -> None:
        """Begin a table or a form behind its title, the first of the texts above it."""
        if not lone and self.alone is not None:
            lone, self.alone = [self.alone], None
        self.close()
        is_title = bool(lone) and not (
            len(lone[0].text) > _LONGEST_NAME or _NO_TITLE.fullmatch(lone[0].text)
        )
        if is_title:
            self._add(Kind.TITLE, lone[:1])
        self._add(Kind.TEXT, lone[is_title:])
        rows = [row for _, row in body]
        if fields := _form(rows):
            self.found.append(Piece(Kind.TEXT, fields))
            return
        count, names = _header(body, self.spans)
        if not names and self.above is not None and self.above.more(rows) is not None:
            names = self.above.names
        self.table = self.above = _Table(names, columns=set(names))
        if names:
            self.table.lines.append(" | ".join(names.values()))
        self.table.add(rows[count:])

    def _add(self, kind: Kind, cells: Sequence[Cell]) -> None:
        if cells:
            self.found.append(Piece(kind, [cell.text for cell in cells]))


def pieces(sheet: Sheet) -> list[Piece]:
    """Return what stands in a sheet, from the top down and from the left to the right."""
    spans = {(one.top, one.left): one.right for one in sheet.merges if one.right > one.left}
    reader = _Reader(spans)
    for part in _parts([(at, dict(sorted(row.items()))) for at, row in sorted(sheet.rows.items())]):
        reader.read(part)
    reader.close()
    return reader.found


# ----------------------------------------------------------------------------------- parts


def _parts(rows: Part) -> Iterator[Part]:
    """The rows that no empty row parts, and of tables beside each other those of each."""
    for _, band in groupby(enumerate(rows), lambda one: one[1][0] - one[0]):
        part = [row for _, row in band]
        sides = _sides(part)
        if len(sides) == 1:
            yield part
        else:
            for columns in sides:
                side = ((at, _within(row, columns)) for at, row in part)
                yield from _parts([(at, row) for at, row in side if row])


def _within(row: Row, columns: range) -> Row:
    return {column: cell for column, cell in row.items() if column in columns}


def _sides(part: Part) -> list[range]:
    """The columns of each table in these rows; nearly always all of them."""
    used = sorted({column for _, row in part for column in row})
    bounds = [used[0], *(right for left, right in pairwise(used) if right > left + 1)]
    ends = [*bounds[1:], used[-1] + 1]
    sides = [range(bounds[0], ends[0])]
    for start, end in zip(bounds[1:], ends[1:], strict=True):
        if _are_two(part, sides[-1], range(start, end)):
            sides.append(range(start, end))
        else:
            sides[-1] = range(sides[-1].start, end)
    return sides


def _are_two(part: Part, left: range, right: range) -> bool:
    """Whether what an empty column parts is two tables: with rows or names of its own each."""
    tables = []
    for columns in (left, right):
        rows = [(at, row) for at, one in part if (row := _within(one, columns))]
        start = next((n for n, (_, row) in enumerate(rows) if len(row) > 1), None)
        if start is None:
            return False
        tables.append((rows[start][0], rows[-1][0], [c.text for c in rows[start][1].values()]))
    (first, last, names), (other_first, other_last, other_names) = tables
    apart = first != other_first or abs(last - other_last) >= _LONGER
    return apart or names == other_names


def _split(part: Part) -> tuple[list[Cell], Part, list[Cell]]:
    """The texts above a table, each alone in its row, the table, and the notes below it."""
    start = next((n for n, (_, row) in enumerate(part) if len(row) > 1), len(part))
    end = len(part)
    while end > start + 1 and _is_note(part[end - 1][1]):
        end -= 1
    lone = [cell for _, row in part[:start] for cell in row.values()]
    return lone, part[start:end], [cell for _, row in part[end:] for cell in row.values()]


def _is_note(row: Row) -> bool:
    cell = next(iter(row.values()))
    return len(row) == 1 and not cell.is_number and bool(_NOTE.match(cell.text))


# ------------------------------------------------------------------------------ names, lines


def _form(rows: Sequence[Row]) -> list[str]:
    """The lines "label: value" of a form, [] of rows that are a table."""
    columns = sorted({column for row in rows for column in row})
    labels = [row.get(columns[0]) for row in rows]
    if len(columns) != 2 or any(
        one is None or one.is_number or len(one.text) > _LONGEST_NAME for one in labels
    ):
        return []
    values = [row.get(columns[1]) for row in rows]
    first = values[0] is not None and values[0].is_bold
    with_colon = sum(one is not None and one.text.endswith(":") for one in labels)
    bold = all(one is not None and one.is_bold for one in labels) and not first
    below = [value.is_number for value in values[1:] if value is not None]
    mixed = len(below) > 1 and not first and _MIXED <= sum(below) / len(below) <= 1 - _MIXED
    if 2 * with_colon < len(rows) and not bold and not mixed:
        return []
    pairs = zip(labels, values, strict=True)
    return [
        f"{_name(label)}: {value.text}" if value else label.text for label, value in pairs if label
    ]


def _header(body: Part, spans: Mapping[tuple[int, int], int]) -> tuple[int, Mapping[int, str]]:
    """How many rows name the columns of a table, none, one or two, and the names."""
    if len(body) < 2:
        return 0, {}
    (number, first), (_, second) = body[:2]
    merged = any((number, column) in spans for column in first)
    texts = [cell.text for cell in second.values()]
    grouped = len(first) < len(second) and (merged or len(set(texts)) < len(texts))
    if grouped and len(body) > 2 and _are_names(second):
        names = _under_groups(number, first, second, spans if merged else None)
        if len(set(names.values())) == len(names):
            return 2, names
    return (1, names) if (names := _names(first, second)) else (0, {})


def _under_groups(
    number: int, groups: Row, row: Row, spans: Mapping[tuple[int, int], int] | None
) -> dict[int, str]:
    """The names of columns with the group that each is in: "2021 Sales"; merged, if any is."""
    names = {}
    for column in sorted({*groups, *row}):
        start = max((one for one in groups if one <= column), default=column)
        reach = column if spans is None else spans.get((number, start), start)
        group = _name(groups[start]) if start in groups and column <= reach else ""
        own = _name(row[column]) if column in row else ""
        names[column] = own if own == group else f"{group} {own}".strip()
    return names


def _names(first: Row, second: Row) -> dict[int, str]:
    """The names of columns that a row has; {} where it has none, as that of a CSV file."""
    texts = [cell.text for cell in first.values()]
    if len(texts) < 2 or len(set(texts)) < len(texts) or max(map(len, texts)) > _LONGEST_NAME:
        return {}
    if not _are_names(first) and not _stands_out(first, second):
        return {}
    return {column: _name(cell) for column, cell in first.items()}


def _are_names(row: Row) -> bool:
    """Whether no cell is a number, but for years, months or days that follow each other."""
    numbers = [cell.text for cell in row.values() if cell.is_number]
    if not numbers:
        return True
    in_order = all(a < b for a, b in pairwise(numbers)) or all(a > b for a, b in pairwise(numbers))
    return len(numbers) > 1 and in_order and all(map(_YEAR.fullmatch, numbers))


def _stands_out(first: Row, second: Row) -> bool:
    """Whether a row is bold and the next is not."""
    return _is_bold(first) and not _is_bold(second)


def _is_bold(row: Row) -> bool:
    return all(cell.is_bold for cell in row.values())


def _name(cell: Cell) -> str:
    return cell.text.rstrip(": ")


def _line(names: Mapping[int, str], row: Row) -> str:
    return " | ".join(
        f"{name}: {cell.text}" if (name := names.get(column)) else cell.text
        for column, cell in row.items()
    )
