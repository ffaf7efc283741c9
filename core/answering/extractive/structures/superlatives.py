"""The row of a table that has the most or the least of what a question asks for (pure).

"Which country had the most cases" is told by no sentence and by no one row: the column that is
asked for is compared over all rows. Where no column can be told, where two rows have as much, or
where two tables would answer, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.structures.columns import columns_of
from core.answering.extractive.structures.quotes import Quote, whole
from core.answering.extractive.structures.tables import cells, header_of
from core.citations.passages import sentences_of
from core.planning.table_questions import Computed, TableQuestion, asks_for_extreme
from core.text.numbers import decimal_mark, number
from core.text.sentences import Sentence, SentenceKind
from core.text.terms import content_keys
from core.types import Hit

_FEWEST_ROWS = 3
_LINES_ABOVE = 3
"""Pieces above a table that say what it is of: its caption, a question over its columns."""
_ENOUGH = 0.8
"""The share of a column's cells that must be numbers."""
_TOTAL = re.compile(
    r"\W*(?:(?:grand |sub-?)?totals?|sum|all|overall|average|mean|median|alle|gesamt\w*|summe"
    r"|insgesamt|durchschnitt\w*|mittelwert)\b|.*\b(?:totals?|average|mean|insgesamt)\W*$",
    re.I,
)
"""The label of a row that sums up the others."""
_WHICH = re.compile(
    r"\b(?:which|what|welche[mnrs]?)\s+(\w+)\s+(?:has|have|had|is|are|was|were|did|does|do|gets?|got"
    r"|with|in|of|hat|haben|hatten?|ist|sind|war)\b",
    re.I,
)
"""What a row is, where that is all that is said of it."""
_NEGATIVE = re.compile(r"\((.*\d.*)\)")
_BLANK = re.compile(r"(?<=\d) (?=\d{3}\b)")
_THREE_BEHIND = re.compile(r"\D*\d{1,3}(?:\.\d{3})+\D*")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a passage: names of its columns, its rows with their cells, what is said of it."""

    hit: int
    names: tuple[str, ...]
    rows: tuple[tuple[Sentence, tuple[str, ...]], ...]
    around: frozenset[str]


def superlative_quotes(question: str, hits: Sequence[Hit]) -> list[Quote]:
    """Return the row that has the most or the least of what is asked for, [] where none is told."""
    asked = asks_for_extreme(question)
    if asked is None:
        return []
    kind = _WHICH.search(question)
    free = frozenset(content_keys(kind[1])) if kind else frozenset()
    tables = [table for at, hit in enumerate(hits) for table in _tables(hit, at)]
    found: dict[tuple[str, int, int], Quote] = {}
    for table in tables:
        hit = hits[table.hit]
        parts = {_place(one, hits) for one in tables if _is_alike(one, table, hits)}
        row = _extreme(table, asked, free) if len(parts) == 1 else None
        if row is not None:
            under = hit.chunk.headings[-1] if hit.chunk.headings else hit.document.title
            quote = whole(question, Candidate(table.hit, row, under=under), hit)
            found.setdefault((hit.document.id, hit.chunk.page_ordinal, row.start), quote)
    return list(found.values()) if len(found) == 1 else []


def not_by_chance(question: str, chosen: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return what may be quoted: to a question after the most no row that does not say it itself.

    One row of many has the words of the question, and not the most of what it asks for.
    """
    if asks_for_extreme(question) is None:
        return chosen
    return [
        one
        for one in chosen
        if one.sentence.kind is not SentenceKind.ROW
        or asks_for_extreme(one.sentence.text) is not None
    ]


def _tables(hit: Hit, at: int) -> Iterator[_Table]:
    """The tables of a passage whose columns are told."""
    pieces = sentences_of(hit)
    called = (hit.document.title, hit.document.label, *hit.chunk.headings)
    first = 0
    while first < len(pieces):
        end = first
        while end < len(pieces) and pieces[end].kind is SentenceKind.ROW:
            end += 1
        if end - first >= _FEWEST_ROWS:
            lead = [piece.text for piece in pieces[max(0, first - _LINES_ABOVE) : first]]
            yield from _table(pieces, first, end, at, (*called, *lead))
        first = end + 1


def _table(
    pieces: Sequence[Sentence], first: int, end: int, at: int, called: Sequence[str]
) -> Iterator[_Table]:
    """The rows of a run, where nearly all part as what names the columns of the first."""
    names: tuple[str, ...] = ()
    rows: list[tuple[Sentence, tuple[str, ...]]] = []
    above: list[str] = []
    groups = 0
    for n in range(first, end):
        row = pieces[n]
        if sum(map(bool, cells(row.text))) == 1 < len(cells(row.text)):
            groups += 1  # a title over the rows below
            continue
        above = above if rows else [line.text for line in header_of(pieces, n)]
        found = columns_of(above, row.text)
        if found is not None:
            names = tuple(above[found.line][start:stop] for start, stop in found.names)
            rows.append((row, tuple(row.text[start:stop] for start, stop in found.cells)))
    if len(rows) >= max(_FEWEST_ROWS, _ENOUGH * (end - first - 1 - groups)):
        around = frozenset(content_keys(" . ".join((*called, *above))))
        yield _Table(at, names, tuple(rows), around)


def _place(table: _Table, hits: Sequence[Hit]) -> tuple[int, int]:
    return hits[table.hit].chunk.page_ordinal, table.rows[0][0].start


def _is_alike(one: _Table, other: _Table, hits: Sequence[Hit]) -> bool:
    """Whether two tables of one document have the same columns: parts, none of them the whole."""
    same = hits[one.hit].document.id == hits[other.hit].document.id
    return same and one.names == other.names


def _extreme(table: _Table, asked: TableQuestion, free: Collection[str]) -> Sentence | None:
    """The one row that has the most or the least; `free` need not be said: what a row is."""
    if not asked.keys - set(free) <= table.around:
        return None
    for computed, called in asked.columns:
        column = _called(table, called) if called else _named(table, asked.keys)
        if column is None:
            continue
        rows = [(row, said[column]) for row, said in table.rows if not _is_total(said[0])]
        best = {_best(rows, computed, mark) for mark in _marks([cell for _, cell in rows])}
        return best.pop() if len(best) == 1 else None
    return None


def _called(table: _Table, words: Sequence[str]) -> int | None:
    """The one column that is called by one of these words."""
    keys = set(content_keys(" ".join(words)))
    found = [n for n, name in enumerate(table.names) if n and keys & set(content_keys(name))]
    return found[0] if len(found) == 1 else None


def _named(table: _Table, asked: Collection[str]) -> int | None:
    """The column whose name has the most words asked for; without such, the one that counts."""
    shared = [len(set(asked) & set(content_keys(name))) for name in table.names[1:]]
    if any(shared):
        return 1 + shared.index(max(shared)) if shared.count(max(shared)) == 1 else None
    counts = [n for n, name in enumerate(table.names) if n and "%" not in name]
    return counts[0] if len(counts) == 1 else None


def _is_total(name: str) -> bool:
    return not name or _TOTAL.match(name) is not None


def _marks(column: Sequence[str]) -> Collection[str]:
    """The mark before decimals; both where the point of "4.330" may be either."""
    mark = decimal_mark(column)
    pointed = [cell for cell in column if "." in cell]
    either = pointed and all(_THREE_BEHIND.fullmatch(cell) for cell in pointed)
    return {".", ","} if either and mark == "." else {mark}


def _best(rows: Sequence[tuple[Sentence, str]], computed: Computed, mark: str) -> Sentence | None:
    """The row with the most or the least, None where two have it or too few are numbers."""
    values = [(_value(cell, mark), row) for row, cell in rows]
    numbers = [value for value, _ in values if value is not None]
    if len(numbers) < max(_FEWEST_ROWS, _ENOUGH * len(rows)):
        return None
    best = (min if computed is Computed.LOWEST else max)(numbers)
    there = [row for value, row in values if value == best]
    return there[0] if len(there) == 1 else None


def _value(cell: str, mark: str) -> float | None:
    """The number of a cell; in brackets it is below nought, and a blank may part thousands."""
    text = _BLANK.sub("", cell.strip().rstrip("*†‡"))
    below = _NEGATIVE.fullmatch(text)
    value = number(below[1] if below else text, mark)
    return -value if below and value is not None else value
