"""A row of an answer's table held against the row of the source's table (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.text.terms import content_keys, terms
from core.verification.numbers.quantities import read_terms

_RULE = re.compile(r"[\s|:+=-]*[-=][\s|:+=-]*")
_NAMED = 0.6
"""The share of a row's label from which a statement names the row."""
_VALUE = re.compile(r"[^\w%]*\d")
_GAP = re.compile(r"\t+| {2,}")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the cells of its header (() where it has none), and those of its rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class OtherCell:
    """A cell of an answer's row that the source's table has otherwise."""

    said: str
    row: str
    column: str
    source: str


def tables(text: str) -> list[Table]:
    """The tables of a text whose cells are parted by bars, tabs or wide gaps.

    >>> tables("| Plant | Price |\\n|---|---|\\n| Graz | 5 |")
    [Table(header=('Plant', 'Price'), rows=(('Graz', '5'),))]
    """
    found = []
    for lines in _blocks(text):
        rows = [cells for line in lines if not _RULE.fullmatch(line) for cells in [_cells(line)]]
        if len(rows) < 2:
            continue
        named = not any(map(number_keys, rows[0][1:]))
        found.append(Table(rows[0] if named else (), tuple(rows[1:] if named else rows)))
    return found


def is_borne_out(keys: Collection[str], numbers: Collection[str], found: Iterable[Table]) -> bool:
    """Whether a table has all `numbers` of a statement in the row and the columns that it names.

    `keys` are all of its terms, rounded numbers as the source has them. Behind named columns a row
    may have more cells: changes from one year to the other.

    >>> table = Table(("", "2022", "2021"), (("Output of Graz", "41", "39"),))
    >>> is_borne_out({"output", "graz", "2021", "39"}, {"2021", "39"}, [table])
    True
    >>> is_borne_out({"output", "graz", "2022", "39"}, {"2022", "39"}, [table])
    False
    """
    for table in found:
        named = [at for at, name in enumerate(table.header) if at and _is_named(name, {*keys})]
        names = frozenset().union(*(number_keys(table.header[at]) for at in named))
        for cells in table.rows:
            label = _keys(cells[0])
            given = {*numbers} - names - label
            if not given or len(label & {*keys}) < _NAMED * max(1, len(label)):
                continue
            there = [number_keys(cells[at]) for at in named if at < len(cells)]
            more = number_keys(" ".join(cells[len(table.header) :]))
            every = all(given & cell for cell in there) if there else False
            if given <= more.union(*there) and (every or given <= more):
                return True
    return False


def columns_above(lines: Sequence[str]) -> list[str]:
    """For each line the header of the table of which it is a row, "" where there is none.

    >>> columns_above(["Prices", "| Plant | Price |", "| Graz | 5 |"])
    ['', '', '| Plant | Price |']
    """
    found = []
    header = ""
    for before, line in zip(("", *lines), lines, strict=False):
        is_row = " | " in line or line.count("|") > 1
        if is_row and "|" not in before:
            header = line if not any(map(number_keys, _cells(line)[1:])) else ""
        found.append(header if is_row and line != header else "")
    return found


def other_cell(
    header: Sequence[str], row: Sequence[str], sources: Sequence[str]
) -> OtherCell | None:
    """The first number of an answer's row that the same row of a source has otherwise.

    None where no source has a table with that row, or it agrees. Columns are told apart by their
    names where both tables have a header.
    """
    if len(row) < 2 or not _keys(row[0]):
        return None
    there = [
        (table, cells)
        for source in sources
        for table in tables(source)
        for cells in table.rows
        if _keys(cells[0]) == _keys(row[0])
    ]
    if not there:
        return None
    wrong = [_wrong(header, row, table, cells) for table, cells in there]
    return None if any(one is None for one in wrong) else wrong[0]


def other_cell_said(words: str, sources: Sequence[str]) -> OtherCell | None:
    """The cell of a source's table that a sentence names, where it gives a number of another cell.

    A sentence names a cell with one row and one column of a table that has a header.
    """
    said = {term.key: term.form for term in read_terms(words) if term.kind == "number"}
    keys = _keys(words)
    for table in (table for source in sources for table in tables(source)):
        rows = [cells for cells in table.rows if _is_named(cells[0], keys) and _has_values(cells)]
        columns = [at for at, name in enumerate(table.header) if at and _is_named(name, keys)]
        if len(rows) != 1 or len(columns) != 1 or columns[0] >= len(rows[0]):
            continue
        row, name = rows[0], table.header[columns[0]]
        cell = row[columns[0]]
        there = {number for cells in table.rows for one in cells[1:] for number in number_keys(one)}
        given = said.keys() - number_keys(row[0]) - number_keys(name)
        if given and given <= there and number_keys(cell) and not given & number_keys(cell):
            return OtherCell(", ".join(said[key] for key in sorted(given)), row[0], name, cell)
    return None


def row_at(answer: str, start: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The header and the row of the table that has a line at `start`; None outside of tables."""
    begin = answer.rfind("\n", 0, start) + 1
    end = answer.find("\n", start)
    line = answer[begin : end if end >= 0 else len(answer)]
    if line.count("|") < 2:
        return None
    above = answer[:begin].split("\n")[:-1]
    block: list[str] = []
    while above and "|" in above[-1]:
        block.insert(0, above.pop())
    has_header = len(block) > 1 and _RULE.fullmatch(block[1])
    return (_cells(block[0]) if has_header else ()), _cells(line)


def _wrong(
    header: Sequence[str], row: Sequence[str], table: Table, cells: Sequence[str]
) -> OtherCell | None:
    everywhere = {number for cell in cells for number in number_keys(cell)}
    for at, cell in enumerate(row[1:], 1):
        name = header[at] if at < len(header) else ""
        column = _column(name, table.header) if name else None
        theirs = cells[column] if column is not None and column < len(cells) else None
        numbers = number_keys(cell)
        if theirs is not None and number_keys(theirs) and not numbers <= number_keys(theirs):
            return OtherCell(cell, row[0], name, theirs)
        if not numbers <= everywhere:
            return OtherCell(cell, row[0], name, " | ".join(cells[1:]))
    return None


def _has_values(cells: Sequence[str]) -> bool:
    """Whether a row has numbers; one of units ("N/mm 2", "%") has none."""
    return any(_VALUE.match(cell) for cell in cells[1:])


def _is_named(name: str, keys: AbstractSet[str]) -> bool:
    return bool(_keys(name)) and _keys(name) <= keys


def _column(name: str, header: Sequence[str]) -> int | None:
    """The one column of a header with this name."""
    same = [at for at, cell in enumerate(header) if _keys(cell) and _keys(cell) == _keys(name)]
    return same[0] if len(same) == 1 else None


def _blocks(text: str) -> Iterator[list[str]]:
    """Runs of lines that have cells."""
    block: list[str] = []
    for line in (*text.split("\n"), ""):
        if _RULE.fullmatch(line) or len(_cells(line)) > 1:
            block.append(line)
            continue
        if block:
            yield block
        block = []


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip()
    if bare.count("|") >= 2:
        return tuple(cell.strip() for cell in bare.strip("|").split("|"))
    return tuple(cell.strip() for cell in _GAP.split(bare))


def _keys(cell: str) -> frozenset[str]:
    return frozenset(content_keys(cell))


def number_keys(cell: str) -> frozenset[str]:
    """The keys of the numbers of a text."""
    return frozenset(term.key for term in terms(cell) if term.kind == "number")
