"""Rows of tables: what names their columns, and which belong together (pure).

A row is a line with bars between its cells, or, as PDFs give tables, a label with numbers behind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.answering.extractive.question.answer_types import Wanted, asks_amount, wanted
from core.answering.extractive.question.measures import measure
from core.answering.extractive.sentences.quotable import is_caption_number
from core.answering.extractive.spans import DATE, MONEY, Span, bare
from core.answering.extractive.structures.columns import columns_of, figures_of, is_of_year
from core.planning.table_questions import asks_for_extreme
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.terms import content_keys, terms

MOST_ROWS = 10
"""Rows that are quoted of one table."""
_FEW_MORE = 2
"""Rows beyond that are quoted too: "and 1 more" takes as much room and says less."""
_HEADER_ABOVE = 200
"""Rows between a header and the row that is quoted."""
_MOST_LINES = 4
"""Lines above the numbers that name their columns, where no bars part the cells."""
_MOST_SHORT_LINES = 8
"""The same where each has a few words: "Outlet", "Centers"."""
_MOST_BELOW_CAPTION = 16
"""Lines between the number of a table and its first row."""
_SHORT = 3
"""Words."""
_FEWEST_FIELDS = 4
_FEWEST_YEARS = 2
"""Years of a line that names columns, and figures of a row that has several."""
_LINES_OF_PART = 2
"""Lines that name a part of a table: "Earnings per share", "Basic"."""
_RULE = 5
"""More characters between two rows are a rule: "| --- | --- |"."""
_BLANK = 2
"""More characters before a row, and no rule, are a bullet: between rows a line ends."""
_NAME_WORDS = 10
"""The most words of a cell that names a column."""
_LONGEST_LINE = 200
_ONLY_FIGURES = re.compile(r"(?m)^\W*\d[\d.,]*\W*(?:\s\W*\d[\d.,]*\W*)*$")
"""A line of values, which is the end of a row whose label stands above: "14.9% 16.5%"."""
_FULL_NAME = re.compile(r"(?:[^\W\d_a-zß-ÿ][\w.'’-]*\s){1,3}[^\W\d_a-zß-ÿ][\w'’-]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FIRST_NUMBER = re.compile(r"[$€£¥(+\-–—]*\s?\d")


def cells(row: str) -> list[str]:
    """Return the cells of a row whose cells are parted by bars, one where there are none.

    Bars at both ends are its edges; one at one end alone stands beside an empty cell.

    >>> cells("2010 | 62,484 | 18,760"), cells("| 2009 | 2010 |"), cells("| 2009 | 2010")
    (['2010', '62,484', '18,760'], ['2009', '2010'], ['', '2009', '2010'])
    """
    row = row.strip()
    edged = row.startswith("|") and row.endswith("|")
    return [cell.strip() for cell in (row.strip("|") if edged else row).split("|")]


def label(row: str) -> str:
    """Return what a row is about: its first cell, or the words before its numbers, or its year.

    >>> label("West Virginia 164 1 165 5.1 %"), label("2010 | 62,484 | 18,760")
    ('West Virginia', '2010')
    >>> label("2010 62,484 18,760"), label("2010 2011")
    ('2010', '')
    """
    if "|" in row:
        return cells(row)[0]
    words = row.split()
    if is_of_year(words):
        return words[0]
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
        if is_of_fields(pieces, at):
            return ()
        run = [piece for piece in pieces[first:at] if columns in _widths(piece.text)]
        named = bool(run) and not _has_same_label(run[0], row) and _are_names(cells(run[0].text))
        if not named and _is_bulleted(pieces, first) and not _is_bulleted(pieces, at):
            return ()  # the line above tells of the rows with bullets below it
        return (run[0],) if named else _lines_above(pieces, first)[-1:]
    labels = at > first and _has_values(pieces[first].text)  # of the first row, whose values it is
    part: Sequence[Sentence] = ()
    while (rows := _rows_above(pieces, first)) is not None:
        begin, end = rows
        if not (part or labels):
            part = pieces[end:first]
        first, labels = begin, _has_values(pieces[begin].text)
    above = () if labels else _lines_above(pieces, first)
    years = [piece for piece in pieces[first:at] if len(_YEAR.findall(piece.text)) > 1]
    return (*above, *part, *years[-1:])


def _widths(row: str) -> set[int]:
    """How many cells a row may have: bars at both ends are its edges, or stand beside empty cells.

    >>> sorted(_widths("| 2009 | 2010 |")), _widths("2009 | 2010")
    ([2, 4], {2})
    """
    return {len(cells(row)), row.count("|") + 1}


def _rows_above(pieces: Sequence[Sentence], first: int) -> tuple[int, int] | None:
    """Where the rows begin and end that go on at `first` below the name of a part: "Planned".

    None where what stands above names columns, or has not as many.
    """
    end = first
    while end > 0 and first - end < _LINES_OF_PART and pieces[end - 1].kind is not SentenceKind.ROW:
        end -= 1
    lines, row = pieces[end:first], pieces[first].text
    if not lines or not all(_names_part(line, row) for line in lines):
        return None
    begin = end
    while begin > 0 and _is_as_wide(pieces[begin - 1], row):
        begin -= 1
    return (begin, end) if begin < end else None


def _names_part(line: Sentence, row: str) -> bool:
    """Whether a line names rows below it, and neither their columns nor a table: "Diluted"."""
    text = line.text
    named = _names_columns(line) and not (text.startswith("(") or is_caption_number(text))
    return named and len(_YEAR.findall(text)) < _FEWEST_YEARS and columns_of([text], row) is None


def _is_as_wide(piece: Sentence, row: str) -> bool:
    """Whether it is a row without bars that has as many figures as another."""
    if piece.kind is not SentenceKind.ROW or "|" in piece.text:
        return False
    return len(figures_of(piece.text)) == len(figures_of(row)) >= _FEWEST_YEARS


def _is_bulleted(pieces: Sequence[Sentence], at: int) -> bool:
    """Whether a bullet stands before a row: between two others there is a line end alone."""
    return at > 0 and pieces[at].start - pieces[at - 1].end > _BLANK


def is_of_fields(pieces: Sequence[Sentence], at: int) -> bool:
    """Whether the row at `at` is a label and its value among such: an info box.

    Its values are of many kinds, so that no first row can name what they are.
    """
    first = last = at
    while first > 0 and _is_field(pieces[first - 1]):
        first -= 1
    while last + 1 < len(pieces) and _is_field(pieces[last + 1]):
        last += 1
    rows = pieces[first : last + 1] if _is_field(pieces[at]) else ()
    if len(rows) < _FEWEST_FIELDS or rows[1].start - rows[0].end > _RULE:
        return False  # a rule below the first row says that it is a header
    figures = [_FIRST_NUMBER.match(cells(row.text)[1]) is not None for row in rows]
    return min(figures.count(True), figures.count(False)) > 1


def _is_field(piece: Sentence) -> bool:
    return piece.kind is SentenceKind.ROW and len(cells(piece.text)) == 2


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


def shown(rows: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the rows of a table that are quoted: all, where hardly any would be left out."""
    return rows[: len(rows) if len(rows) <= MOST_ROWS + _FEW_MORE else MOST_ROWS]


def titled_rows(
    pieces: Sequence[Sentence], at: int, asked: Collection[str]
) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Return what names the columns, and all rows, of a table whose title is asked for.

    Without such a title, or without a row, both are empty.
    """
    first = end = at
    while first > 0 and pieces[first - 1].kind is SentenceKind.ROW:
        first -= 1
    while end < len(pieces) and pieces[end].kind is SentenceKind.ROW:
        end += 1
    above = header_of(pieces, at)
    titles = (set(content_keys(line.text)) for line in above)
    titled = any(title and title <= set(asked) for title in titles)
    return (above, tuple(pieces[first:end])) if titled else ((), ())


def table_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch of a page widened to the whole tables in which it begins and ends."""
    pieces = split_sentences(text)
    inside = [n for n, piece in enumerate(pieces) if piece.start < end and start < piece.end]
    if not inside:
        return start, end
    first, last = inside[0], inside[-1]
    if pieces[first].kind is SentenceKind.ROW:
        while first > 0 and pieces[first - 1].kind is SentenceKind.ROW:
            first -= 1
        start = min(start, *(line.start for line in (*_lines_above(pieces, first), pieces[first])))
    if pieces[last].kind is SentenceKind.ROW:
        while last + 1 < len(pieces) and pieces[last + 1].kind is SentenceKind.ROW:
            last += 1
        end = max(end, pieces[last].end)
    return start, end


def _lines_above(pieces: Sequence[Sentence], first: int) -> tuple[Sentence, ...]:
    """The lines right above the rows that name their columns: all below a caption, with what it
    says, else at most so many.
    """
    for start in range(first - 1, max(0, first - _MOST_BELOW_CAPTION), -1):
        if is_caption_number(pieces[start - 1].text):
            return tuple(pieces[start:first])
        if not _names_columns(pieces[start]):
            break
    start = first
    while start > 0 and _names_columns(pieces[start - 1]):
        short = all(len(line.text.split()) <= _SHORT for line in pieces[start - 1 : first])
        if first - start >= (_MOST_SHORT_LINES if short else _MOST_LINES):
            break
        start -= 1
    return tuple(pieces[start:first])


def _names_columns(piece: Sentence) -> bool:
    """Whether a line is neither a sentence nor a row with a label: a title, years, units.

    A row whose label stands above its values names none either.
    """
    if _has_values(piece.text):
        return False
    if piece.kind is SentenceKind.ROW:
        return "|" not in piece.text and not label(piece.text)
    is_line = piece.kind in (SentenceKind.PROSE, SentenceKind.HEADING)
    short = len(piece.text) <= _LONGEST_LINE
    return is_line and short and not piece.text.rstrip().endswith((".", "!", "?"))


def _has_values(text: str) -> bool:
    """Whether a line of a text has figures alone, and no year."""
    return any(not _YEAR.search(found.group()) for found in _ONLY_FIGURES.finditer(text))


def _has_figures(row: Sentence) -> bool:
    return any(any(ch.isdigit() for ch in cell) for cell in cells(row.text)[1:])


def _are_names(header: list[str]) -> bool:
    """Whether cells can name columns: "Services | Azure; Bing; ..." is a row like the others."""
    figures = [cell for cell in header[1:] if _FIRST_NUMBER.match(cell)]
    labelled = any(cell.endswith(":") for cell in header)
    said = [cell for cell in header[1:] if cell]
    valued = 2 * len(figures) > len(said) and not all(map(_YEAR.search, figures))
    return not (labelled or valued) and all(len(cell.split()) <= _NAME_WORDS for cell in header)


def _has_same_label(first: Sentence, row: Sentence) -> bool:
    """Whether the first row is one like the others: "Ducks: 2019 80 | 2020 95", "mean() | ..."."""
    return (label(first.text).endswith(")") and label(row.text).endswith(")")) or (
        all(any(ch.isdigit() for ch in cell) for cell in cells(first.text)[1:]) and ":" in row.text
    )


_WHICH = re.compile(
    r"\b(?:which|what|welche[mnrs]?)\s+(?!(?:is|are|was|were|has|had|does|do|did)\b)(\w+)", re.I
)
_RATE = frozenset(content_keys("per je pro"))
"""Words in the names of columns that say of what one is counted: "EUR per night"."""
_SAME_BEGINNING = 5
"""Letters."""


def mark_cell(question: str, above: Sequence[str], row: str) -> Span | None:
    """Return the stretch of the cell that is asked for by the name of its column, or None.

    >>> row = "2010 | 62,484 | 89,000"
    >>> start, end = mark_cell("how many employees in 2010?", ["Year | Revenue | Employees"], row)
    >>> row[start:end]
    '89,000'
    >>> start, end = mark_cell("was kostet der Fox?", ["Name | Preis"], "Fox | 189 €")
    >>> "Fox | 189 €"[start:end]
    '189 €'
    """
    names, found = _parted(above, row)
    asked = set(content_keys(question))
    column = column_asked_for(question, names)
    if column == 0 and set(content_keys(label(row))) <= asked:
        column = None  # what the row is about is not what is asked of it
    if wanted(question) is Wanted.PERSON:
        people = [(a, b) for a, b in found if _FULL_NAME.fullmatch(row[a:b])]
        people = [(a, b) for a, b in people if asked.isdisjoint(content_keys(row[a:b]))]
        return people[0] if len(people) == 1 else None
    if column is None and (form := _form_asked_for(question)):
        said = [(start, end) for start, end in found if form.search(row, start, end)]
        return said[0] if len(said) == 1 else None
    if column is None or column >= len(found) or len(found) > len(names):
        told = told_beside(asked, above, row)  # of fewer, the last cells are empty
        return told.cell if told else None
    return found[column]


@dataclass(frozen=True, slots=True)
class Told:
    """What a row tells of a thing: its cell, and the keys of a question that this answers.

    `place` is which cell of the row, or of its half, the thing stands in.
    """

    cell: Span
    keys: frozenset[str]
    place: int


def told_beside(asked: Collection[str], above: Sequence[str], row: str) -> Told | None:
    """Return what a row with bars tells of a thing that one of its cells is, or None.

    The name of the column may be a short form of a word that is asked for; of a row that stands
    for two, side by side, only the half with the thing is read.

    >>> row = "1 | Graz | 300,000 | 3 | Linz | 200,000"
    >>> told = told_beside({"linz", "popula"}, ["No. | Town | Pop. | No. | Town | Pop."], row)
    >>> row[slice(*told.cell)] if told else ""
    '200,000'
    """
    header = above[-1] if above else ""
    found = [bare(row, *cell.span()) for cell in re.finditer(r"[^|]+", row)]
    names = [name.strip() for name in header.split("|")]
    if len(names) == len(found) + 2:
        names = cells(header)
    if len(found) < 2 or len(names) != len(found):
        return None
    half = _half(names)
    told: list[Told] = []
    for at, (start, end) in enumerate(found):
        keys = set(content_keys(row[start:end]))
        if not keys or not keys <= set(asked) or row[start:end].isdigit():
            continue
        first = at - (at - names.index(half[0])) % len(half)
        for other in range(max(0, first), min(len(found), first + len(half))):
            said = _named_in(asked, names[other]) if other != at else set()
            if said and found[other][1] > found[other][0]:
                told.append(Told(found[other], frozenset(keys | said), at - first))
    return min(told, key=lambda one: (one.place, -len(one.keys)), default=None)


def _half(names: Sequence[str]) -> Sequence[str]:
    """The names of the columns, once where they stand several times side by side."""
    said = [name for name in names if name]
    for size in range(1, len(said) // 2 + 1):
        if len(said) % size == 0 and said == said[:size] * (len(said) // size):
            return said[:size]
    return said if said == list(names) else names


def _named_in(asked: Collection[str], name: str) -> set[str]:
    """The keys asked for that are all a column is called, which may be a short form: "Pop."."""
    keys = content_keys(name)
    if name.endswith(".") and len(keys) == 1 and len(keys[0]) >= _SHORT:
        return {key for key in asked if key.startswith(keys[0])}
    return set(keys) if keys and set(keys) <= set(asked) else set()


def _form_asked_for(question: str) -> re.Pattern[str] | None:
    """What a cell has that is asked for by no name of a column: an amount, a measure, a date."""
    if asks_amount(question):
        return MONEY
    return measure(question) or (DATE if wanted(question) is Wanted.TIME else None)


def has_column(question: str, above: Sequence[str], row: str) -> bool:
    """Return whether a row has the column that a question names; without bars, any word above."""
    if mark_cell(question, above, row):
        return True
    named = content_keys(" ".join(above))
    return "|" not in row and bool(said_of(content_keys(question), named))


def said_of(asked: Collection[str], named: Collection[str]) -> set[str]:
    """Return which keys of a question are among those of names, or begin one: "treated".

    >>> sorted(said_of(content_keys("treated lamps"), content_keys("Treatment")))
    ['treat']
    """
    begun = {key[:end] for key in named for end in range(_SAME_BEGINNING, len(key))}
    return {key for key in asked if key in named or key in begun}


def column_asked_for(question: str, names: Sequence[str]) -> int | None:
    """Return which of these names of columns a question has the most words of, None if none alone.

    Where it has none and how many there are is asked for, it is the one column that counts.

    >>> column_asked_for("how many ships in 2010", ["Year", "Share (%)", "Total (n)"])
    2
    """
    asked = set(content_keys(question)) - _RATE
    shared = [len(asked & set(content_keys(name))) for name in names]
    kind = _WHICH.search(question)
    first = set(content_keys(names[0])) if names else set()
    if kind and names and (first & set(content_keys(kind[1])) or asks_for_extreme(question)):
        return 0  # "which country had the most cases"
    if not shared or shared.count(max(shared)) > 1:
        counts = [at for at, name in enumerate(names) if at and "%" not in name]
        counted = wanted(question) is Wanted.NUMBER and not any(shared) and len(names) > 2
        return counts[0] if counted and len(counts) == 1 else None
    return shared.index(max(shared))


def _parted(above: Sequence[str], row: str) -> tuple[list[str], list[Span]]:
    """The names of the columns and the places of the cells; with blanks only where these part."""
    if "|" in row:
        names = cells(" ".join(above))
        return names, [bare(row, *cell.span()) for cell in re.finditer(r"[^|]+", row)]
    found = columns_of(above, row)
    if found is None:
        return [], []
    return [above[found.line][start:end] for start, end in found.names], list(found.cells)


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
