"""Rows of tables: what names their columns, and which belong together (pure).

A row is a line with bars between its cells, or, as PDFs give tables, a label with numbers behind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from core.answering.extractive.answer_types import Wanted, wanted
from core.answering.extractive.spans import Span, bare
from core.text.sentences import Sentence, SentenceKind
from core.text.terms import content_keys, terms

MOST_ROWS = 10
"""Rows that are quoted of one table."""
_HEADER_ABOVE = 40
"""Rows between a header and the row that is quoted."""
_MOST_LINES = 4
"""Lines above the numbers that name their columns, where no bars part the cells."""
_NAME_WORDS = 10
"""The most words of a cell that names a column."""
_LONGEST_LINE = 200
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FIRST_NUMBER = re.compile(r"[$€£¥(+\-–—]*\s?\d")


def cells(row: str) -> list[str]:
    """Return the cells of a row whose cells are parted by bars, one where there are none.

    >>> cells("2010 | 62,484 | 18,760")
    ['2010', '62,484', '18,760']
    """
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def label(row: str) -> str:
    """Return what a row is about: its first cell, or the words before its numbers.

    >>> label("West Virginia 164 1 165 5.1 %"), label("2010 | 62,484 | 18,760")
    ('West Virginia', '2010')
    """
    if "|" in row:
        return cells(row)[0]
    words = row.split()
    at = next((n for n, word in enumerate(words) if _FIRST_NUMBER.match(word)), len(words))
    return " ".join(words[:at]).rstrip("$€£¥ ")


def header_of(pieces: Sequence[Sentence], at: int) -> tuple[Sentence, ...]:
    """Return what names the columns of the row at `at`, in the order of the page.

    With bars it is the first row, if it has as many cells, else the line above all rows; without,
    the lines above the numbers up to a sentence, and the last row of years.
    """
    row = pieces[at]
    first = at
    while first > 0 and at - first < _HEADER_ABOVE and pieces[first - 1].kind is SentenceKind.ROW:
        first -= 1
    columns = len(cells(row.text))
    if columns > 1:
        run = [piece for piece in pieces[first:at] if len(cells(piece.text)) == columns]
        named = bool(run) and not _has_same_label(run[0], row) and _are_names(cells(run[0].text))
        return (run[0],) if named else _lines_above(pieces, first)[-1:]
    years = [piece for piece in pieces[first:at] if len(_YEAR.findall(piece.text)) > 1]
    return (*_lines_above(pieces, first), *years[-1:])


def rows_below(pieces: Sequence[Sentence], at: int) -> tuple[Sentence, ...]:
    """Return the rows below a header with bars, up to a limit; none if it is no header."""
    above = pieces[at - 1] if at else None
    is_first = above is None or above.kind is not SentenceKind.ROW
    if len(cells(pieces[at].text)) < 2 or not is_first or _has_figures(pieces[at]):
        return ()
    below: list[Sentence] = []
    for piece in pieces[at + 1 : at + 1 + MOST_ROWS]:
        if piece.kind is not SentenceKind.ROW or len(cells(piece.text)) < 2:
            break
        below.append(piece)
    return tuple(below) if any(map(_has_figures, below)) else ()


def rows_led_to(
    pieces: Sequence[Sentence], at: int
) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Return what names the columns, and all rows, of the table that a piece leads to."""
    first = at + 1
    while first < len(pieces) and first - at <= _MOST_LINES and _names_columns(pieces[first]):
        first += 1
    end = first
    while end < len(pieces) and pieces[end].kind is SentenceKind.ROW:
        end += 1
    return tuple(pieces[at + 1 : first]), tuple(pieces[first:end])


def _lines_above(pieces: Sequence[Sentence], first: int) -> tuple[Sentence, ...]:
    """The lines right above the rows that name their columns, at most so many."""
    start = first
    while start > 0 and first - start < _MOST_LINES and _names_columns(pieces[start - 1]):
        start -= 1
    return tuple(pieces[start:first])


def _names_columns(piece: Sentence) -> bool:
    """Whether a line is neither a sentence nor a row with a label: a title, years, units."""
    if piece.kind is SentenceKind.ROW:
        return "|" not in piece.text and not label(piece.text)
    is_line = piece.kind in (SentenceKind.PROSE, SentenceKind.HEADING)
    short = len(piece.text) <= _LONGEST_LINE
    return is_line and short and not piece.text.rstrip().endswith((".", "!", "?"))


def _has_figures(row: Sentence) -> bool:
    return any(any(ch.isdigit() for ch in cell) for cell in cells(row.text)[1:])


def _are_names(header: list[str]) -> bool:
    """Whether cells can name columns: "Services | Azure; Bing; ..." is a row like the others."""
    figures = [cell for cell in header[1:] if _FIRST_NUMBER.match(cell)]
    labelled = any(cell.endswith(":") for cell in header)
    valued = bool(figures) and figures == header[1:] and not all(map(_YEAR.search, figures))
    return not (labelled or valued) and all(len(cell.split()) <= _NAME_WORDS for cell in header)


def _has_same_label(first: Sentence, row: Sentence) -> bool:
    """Whether the first row is one like the others: "Ducks: 2019 80 | 2020 95", "mean() | ..."."""
    return (label(first.text).endswith(")") and label(row.text).endswith(")")) or (
        all(any(ch.isdigit() for ch in cell) for cell in cells(first.text)[1:]) and ":" in row.text
    )


_SAME_BEGINNING = 5
"""Letters."""


def mark_cell(question: str, header: str, row: str) -> Span | None:
    """Return the stretch of the cell that is asked for by the name of its column, or None.

    >>> row = "2010 | 62,484 | 89,000"
    >>> start, end = mark_cell("how many employees in 2010?", "Year | Revenue | Employees", row)
    >>> row[start:end]
    '89,000'
    """
    asked = set(content_keys(question))
    shared = [len(asked & set(content_keys(name))) for name in cells(header)]
    if not shared or not max(shared) or shared.count(max(shared)) > 1:
        return None
    column = shared.index(max(shared))
    if column == 0 and set(content_keys(cells(row)[0])) <= asked:
        return None  # what the row is about is not what is asked of it
    found = [m.span() for m in re.finditer(r"[^|]+", row)]
    if column >= len(found) or len(found) > len(shared):
        return None  # of fewer, the last cells are empty
    return bare(row, *found[column])


def _field_asked_for(row: str, asked: Collection[str]) -> Span | None:
    """The cell behind the one that names what is asked for: "Contact: | | Jo Reed"."""
    found = [bare(row, *cell.span()) for cell in re.finditer(r"[^|]+", row)]
    found = [(start, end) for start, end in found if end > start]
    for (start, end), value in pairwise(found):
        name = row[start:end]
        keys = set(content_keys(name))
        if name.endswith(":") and keys and keys <= set(asked) and row[value[1] - 1] != ":":
            return value
    return None


def mark_record(question: str, row: str) -> Span | None:
    """Return what a row of labelled cells says of what is asked for, or None.

    >>> row = "Geese: 2020 95 | 2021 110 | 2022 130"
    >>> start, end = mark_record("how many geese in 2021?", row) or (0, 0)
    >>> row[start:end]
    '2021 110'
    """
    asked = set(content_keys(question))
    if value := _field_asked_for(row, asked):
        return value
    found = [bare(row, *cell.span()) for cell in re.finditer(r"[^|]+", row)]
    if len(found) == 2 and not asked.isdisjoint(content_keys(row[slice(*found[0])])):
        figure = any(ch.isdigit() for ch in row[slice(*found[1])])
        if figure or _is_asked_for(row[slice(*found[0])], asked):
            return found[1]
    labelled = [(start, *row[start:end].partition(": ")) for start, end in found]
    if all(sign for _, _, sign, _ in labelled):
        fields = [
            (start + len(name) + len(sign), start + len(name) + len(sign) + len(value))
            for start, name, sign, value in labelled
            if _names_field(name, asked)
        ]
        if fields:
            return fields[0] if len(fields) == 1 else None
    numbers = {term.key for term in terms(question) if term.kind == "number"}
    named = [(a, b) for a, b in found if numbers & set(content_keys(row[a:b]))]
    counted = [(a, b) for a, b in found if any(t.kind == "number" for t in terms(row[a:b]))]
    if len(named) == 1 and set(content_keys(row[slice(*named[0])])) - asked:
        return named[0]
    if wanted(question) is Wanted.NUMBER and len(counted) == 1 and len(found) > 1:
        start, end = counted[0]
        label = row.find(": ", start, end)
        return (label + 2, end) if label >= 0 else (start, end)
    return None


def _names_field(name: str, asked: Collection[str]) -> bool:
    """Whether a word of the question is one of a field's name, or begins as it: "supplies"."""
    begun = {word[:_SAME_BEGINNING] for word in asked if len(word) >= _SAME_BEGINNING}
    return any(key in asked or key[:_SAME_BEGINNING] in begun for key in content_keys(name))


def _is_asked_for(name: str, asked: Collection[str]) -> bool:
    keys = set(content_keys(name))
    return bool(keys) and keys <= set(asked)
