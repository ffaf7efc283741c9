"""The rows of a table that a question is about, and the numbers in one of its columns (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from core.planning.follow_ups.pronouns import points_back
from core.planning.table_questions import (
    PEOPLE,
    PRICES,
    Bound,
    Computed,
    TableQuestion,
    table_question,
)
from core.text.numbers import ISO_DATE, decimal_mark, number
from core.text.terms import content_keys, terms
from core.types import Answer, ChunkKind, Document, DocumentKind, Heading, Page

_ENOUGH = 0.8
"""The share of the cells of a column that must be numbers to compute with it."""
_YES = frozenset({"yes", "true", "y", "ja", "wahr"})
_NO = frozenset({"no", "false", "n", "nein", "falsch"})
_TOTAL = re.compile(
    r"(?:grand |overall )?totals?|sum|subtotal|average|mean"
    r"|(?:gesamt)?summe|gesamt|insgesamt|durchschnitt|mittelwert",
    re.I,
)
"""What a last row is called that is computed of those above, and so is none of them."""
_PRICE_KEYS = frozenset(content_keys(" ".join(PRICES)))


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its cells by the name of their column, and its place on a page."""

    cells: Mapping[str, str]
    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first row names its columns; `heading` is what it stands below, if anything."""

    document: Document
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a table answers a question: from these of its rows, by this column ("" is none).

    `conditions` are the words that the rows have because the question has them; `values` are the
    numbers of the column, by the place of their row in `rows`.
    """

    table: Table
    computed: Computed
    column: str
    rows: tuple[Row, ...]
    conditions: tuple[str, ...]
    values: Mapping[int, float]


def read_tables(document: Document, pages: Iterable[Page]) -> list[Table]:
    """Return the tables of a document whose first rows name their columns.

    Those of a workbook stand below the name of their sheet. What is no workbook has one or none,
    since of several the same may be counted twice.
    """
    found = [_table(document, heading, lines) for heading, lines in _written(pages)]
    if document.kind is not DocumentKind.XLSX and len(found) != 1:
        return []
    return [table for table in found if table is not None]


_Lines = list[tuple[int, int, int, str]]
"""The lines of a table, each with its page and its place on it."""


def _written(pages: Iterable[Page]) -> list[tuple[str, _Lines]]:
    """The lines of each table with its heading; one goes on where the next page begins with it."""
    found: list[tuple[str, _Lines]] = []
    path: list[Heading] = []
    is_open = False
    for page in pages:
        headings = list(page.headings)
        for block in page.blocks:
            if block.kind is not ChunkKind.TABLE:
                continue
            while headings and headings[0].offset <= block.start:
                heading = headings.pop(0)
                path = [*(above for above in path if above.level < heading.level), heading]
            if not (is_open and block.start == 0):
                found.append((" › ".join(heading.title for heading in path), []))
            for line in re.finditer(r"[^\n]+", page.text[block.start : block.end]):
                start, end = (block.start + at for at in line.span())
                found[-1][1].append((page.ordinal, start, end, line.group()))
            is_open = block.end >= len(page.text)
    return found


def _table(document: Document, heading: str, lines: _Lines) -> Table | None:
    columns = tuple(lines[0][3].split(" | ")) if lines else ()
    rows = [Row(_cells(line, columns), *place) for *place, line in lines[1:]]
    if len(columns) < 2 or not rows or not all(row.cells for row in rows):
        return None
    while len(rows) > 1 and _TOTAL.fullmatch(next(iter(rows[-1].cells.values())).rstrip(":")):
        rows.pop()
    return Table(document, columns, tuple(rows), heading)


def fit(table: Table, asked: TableQuestion, *, alone: bool) -> Fit | None:
    """Return how a table answers a question, None where it lacks the column or a word.

    `alone` says that nothing but tables is searched: then what a row is ("products") need not be
    written in them.
    """
    title = set(
        content_keys(f"{table.document.title} {_words(table.document.label)} {table.heading}")
    )
    named = {name: set(content_keys(_words(name))) for name in table.columns}
    for computed, called in asked.columns:
        columns = _called(named, called) if called else (_named(named, asked.keys) or [""])
        for column in columns:
            known = title | named.get(column, set()) | (_PRICE_KEYS if called is PRICES else set())
            rows, conditions = _rows_with(table, asked.keys - known)
            unknown = asked.keys - known - conditions.keys()
            if unknown <= (asked.subject if alone else frozenset()):
                words = tuple(dict.fromkeys(conditions.values()))
                if found := _computed(Fit(table, computed, column, rows, words, {}), asked):
                    return found
    return None


def of_last(
    question: str, tables: Sequence[Table], last: Answer
) -> tuple[TableQuestion, Table, bool] | None:
    """Return what is asked of the table that the `last` answer quoted, None where nothing is.

    The table has only the rows that were quoted, and the flag is set, where they are meant.

    "How many berths does it have" after "the cheapest boat" asks for a cell of that row, "and the
    longest?" for another row.
    """
    places = {(one.document_id, one.page_ordinal, one.start) for one in last.citations}
    cited = [table for table in tables if any(_has(table, *one) for one in places)]
    if len(cited) != 1:
        return None
    table, asked = cited[0], table_question(question)
    if not points_back(question):
        return (asked, table, False) if asked is not None and not asked.keys else None
    there = (row for row in table.rows if (table.document.id, row.page, row.start) in places)
    rows = tuple(there)
    asked = asked or TableQuestion(((Computed.ROWS, ()),), frozenset(content_keys(question)))
    return (asked, replace(table, rows=rows), True) if rows else None


def _has(table: Table, document_id: str, page: int, at: int) -> bool:
    """Whether a place is in one of the rows of a table."""
    return table.document.id == document_id and any(
        row.page == page and row.start <= at < row.end for row in table.rows
    )


def people_column(table: Table) -> str:
    """Return the column that says who a row is about, "" where none does."""
    named = {name: set(content_keys(_words(name))) for name in table.columns}
    return next(iter(_called(named, PEOPLE)), "")


def _computed(found: Fit, asked: TableQuestion) -> Fit | None:
    """What is computed from these rows; None where the column does not have what is needed."""
    numbers = asked.bound is not None or found.computed not in (Computed.ROWS, Computed.COUNT)
    values = _values(found.rows, found.column) if numbers else {}
    if numbers and not values:
        return None
    if asked.bound is not None:
        dated = asked.bound.is_year and has_dates(found.rows, found.column)
        bound = _as_day(asked.bound) if dated else asked.bound
        held = [found.rows[at] for at, value in values.items() if _holds(value, bound)]
        return replace(found, rows=tuple(held))
    if not numbers and (truth := _truth(found.rows, found.column)):
        wanted, said = (_NO, "not ") if asked.denied else (_YES, "")
        held = [row for at, row in enumerate(found.rows) if truth.get(at) in wanted]
        words = (*found.conditions, f"{said}{found.column}")
        return replace(found, rows=tuple(held), conditions=words)
    asked_of_rows = found.conditions or (found.column and not asked.who)
    if found.computed is Computed.ROWS and not asked_of_rows:
        return None  # nothing is asked of the rows
    everywhere = len(found.rows) == len(found.table.rows)
    return replace(found, values=values, conditions=() if everywhere else found.conditions)


def _truth(rows: Sequence[Row], column: str) -> dict[int, str]:
    """The yes and no of a column by the place of their row; none where it has something else."""
    found = {at: row.cells[column].casefold() for at, row in enumerate(rows) if column in row.cells}
    return found if found and set(found.values()) <= _YES | _NO else {}


def _cells(line: str, columns: Sequence[str]) -> dict[str, str]:
    """The cells of a line "name: value | name: value"; a bar within a value stays in it."""
    found: dict[str, str] = {}
    last = ""
    for piece in line.split(" | "):
        name, mark, value = piece.partition(": ")
        if mark and name in columns and name not in found:
            found[name], last = value, name
        elif last:
            found[last] += f" | {piece}"
        else:
            return {}
    return found


def _words(name: str) -> str:
    """The words of a name as programs write them: "price_eur", "unitPrice", "products.csv"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_.]+", " ", name)


def _called(named: Mapping[str, set[str]], called: Sequence[str]) -> list[str]:
    """The first of the columns that are called by these words, the first word before others."""
    wanted = (_all_keys(word) for word in called)
    return [name for keys in wanted for name in named if keys <= _all_keys(_words(name))][:1]


def _all_keys(words: str) -> set[str]:
    """The keys of words, of "name" too."""
    return {term.key for term in terms(words)}


def _named(named: Mapping[str, set[str]], asked: Set[str]) -> list[str]:
    """The columns that a question names, those first that it names by the most words."""
    there = [name for name in named if named[name] & asked]
    return sorted(there, key=lambda name: (-len(named[name] & asked), len(named[name])))


def _rows_with(table: Table, keys: Set[str]) -> tuple[tuple[Row, ...], dict[str, str]]:
    """The rows that have these words in their cells, and of each word that is in one its form.

    Where no row has them all, none is in one.
    """
    read = [
        {key: form for cell in row.cells.values() for key, form in _forms(cell)}
        for row in table.rows
    ]
    there = {key: row[key] for row in reversed(read) for key in row if key in keys}
    rows = tuple(
        row for row, forms in zip(table.rows, read, strict=True) if there.keys() <= forms.keys()
    )
    return (rows, there) if rows else (table.rows, {})


def _forms(cell: str) -> Iterable[tuple[str, str]]:
    return ((key, form) for form in re.findall(r"\w+", cell) for key in content_keys(form))


# -------------------------------------------------------------------------------- numbers


def _values(rows: Sequence[Row], column: str) -> dict[int, float]:
    """The numbers or dates of a column by the place of their row; none where it has others."""
    written = {at: row.cells[column] for at, row in enumerate(rows) if row.cells.get(column)}
    decimal = decimal_mark(written.values())
    read = {at: number(cell, decimal) for at, cell in written.items()}
    found = {at: value for at, value in read.items() if value is not None}
    return found if len(found) >= _ENOUGH * len(written) else {}


def has_dates(rows: Sequence[Row], column: str) -> bool:
    """Return whether what a column has of these rows are dates, as `number` reads them."""
    cells = [row.cells[column].strip() for row in rows if row.cells.get(column)]
    return bool(cells) and all(ISO_DATE.fullmatch(cell) for cell in cells)


def _as_day(bound: Bound) -> Bound:
    """A year as the day that a date is compared with: after 2010 is after its last day."""
    month, day = (12, 31) if bound.sign == ">" else (1, 1)
    return replace(bound, number=float(date(int(bound.number), month, day).toordinal()))


def _holds(value: float, bound: Bound) -> bool:
    return {
        "<": value < bound.number,
        "<=": value <= bound.number,
        ">": value > bound.number,
        ">=": value >= bound.number,
        "=": value == bound.number,
    }[bound.sign]
