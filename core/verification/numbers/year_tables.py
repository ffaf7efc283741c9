"""Columns of numbers under years, as the text of a PDF has them: no bars, one line a row (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from core.text.terms import content_keys, number_key, terms
from core.text.word_lists import GOING_DOWN, GOING_UP
from core.verification.numbers.tables import OtherCell, Table, number_keys

_YEAR = r"(?:19|20)\d\d"
_YEARS = re.compile(
    rf"(?:\D.*?)?(?<![\d.,-])(?P<years>{_YEAR}(?:\s+{_YEAR}\b(?!\s+vs))+)(?:\s*\(\d{{1,2}}\))?(?P<rest>.*)"
)
"""A line of years above columns; of some PDFs the first row stands in it too."""
_VALUE = re.compile(
    r"(?:^|(?<=\s))(?:[$€£]?\s?\(?[-\u2212]?[$€£]?\s?\d[\d,.]*\s?\)?\s?%?|[—–#-](?:\s?%)?)(?=\s|$)"
)
_NOTE = re.compile(r"\(\d{1,2}\)")
"""The number of a note behind the label of a row, which looks like a negative number."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SCALE = r"\s+(?:thousand|million|billion)\b"
_ITEM = rf"(?:fiscal\s+)?[$€£]?\s?\(?[$€£]?\d+(?:,\d{{3}})*(?:\.\d+)?\)?(?:\s?%|{_SCALE})?"
_LIST = re.compile(rf"{_ITEM}(?:\s?,\s+{_ITEM})*\s?,?\s+and\s+{_ITEM}")
"""Numbers in a sentence: "$142 million, $(10) million and $125 million"."""
_OF_ANOTHER = re.compile(
    r"\b(?:from|compared|versus|vs|against|after|than|previous|prior|before|earlier|by)\b", re.I
)
"""What says that a number is that of another year than the one that is named, or a difference."""
_FEWEST_CHARACTERS = 3
"""Characters of a number by which a row is told: shorter ones stand in many."""
_LONGEST = 200
"""Characters of a row; longer lines are sentences."""
_FROM_TO = re.compile(
    r"\bfrom\s+(?P<a>[^\d\s]?\s?\d[\d.,]*).{0,40}?\bto\s+(?P<b>[^\d\s]?\s?\d[\d.,]*)", re.I | re.S
)
_IN_YEAR = re.compile(
    rf"(?P<n>\d[\d.,]*\d|\d)(?:\s+(?:million|billion|thousand|percent)|\s?%)?"
    rf"\s+(?:in|for|at\s+the\s+end\s+of)\s+(?:fiscal\s+)?(?P<year>{_YEAR})\b",
    re.I,
)


@lru_cache(maxsize=64)  # each sentence of an answer asks for those of the same sources
def year_tables(text: str) -> tuple[Table, ...]:
    """The tables whose columns are named by a line of years.

    >>> year_tables("(in tonnes) 2022 2021\\nOutput of Graz 41 39")[0].rows
    (('Output of Graz', '41', '39'),)
    """
    lines = text.split("\n")
    return (*_read(lines), *(table for line in lines for table in _listed(line)))


def years_above(lines: Sequence[str]) -> list[str]:
    """For each line the years that name its columns, "" where it is no row below such a line.

    >>> years_above(["(in tonnes) 2022 2021", "Output 41 39"])
    ['', '2022 2021']
    """
    found, years = [], ""
    for line in lines:
        named = _named(line, bool(years))
        years = named["years"] if named else "" if len(line) > _LONGEST else years
        found.append(years if not named and len(_cells(line)) > len(years.split()) else "")
    return found


def other_year(words: str, sources: Sequence[str], before: str = "") -> OtherCell | None:
    """A number that a sentence gives for a year, where the row it names has another in that column.

    Where it names none, the row is that of the statement `before` it, or the one row that has a
    number of the sentence which the sources have nowhere else. What goes "from" one number "to"
    another goes to the later year, and what rises was less in the year before.
    """
    once = _once(words, sources)
    for table in (table for source in sources for table in year_tables(source)):
        row = _row(words, table) or _row(before, table) or _row_with(once, words, table)
        if row and (other := _otherwise(words, table.header, row)):
            return other
    return None


def _row(words: str, table: Table) -> tuple[str, ...]:
    """The row of a table that a statement names, by the longest label; () where none or several."""
    keys = frozenset(content_keys(words))
    rows = [cells for cells in table.rows if _label_keys(cells) and _label_keys(cells) <= keys]
    most = max((len(_label_keys(cells)) for cells in rows), default=0)
    longest = [cells for cells in rows if len(_label_keys(cells)) == most]
    return longest[0] if len(longest) == 1 else ()


def _once(words: str, sources: Sequence[str]) -> frozenset[str]:
    """The numbers of some length that the sources have a single time, of those in `words`."""
    ours = {key for key in number_keys(words) if len(key) >= _FEWEST_CHARACTERS}
    there = Counter(
        term.key for source in sources for term in terms(source) if term.kind == "number"
    )
    return frozenset(key for key in ours if there[key] == 1 and not re.fullmatch(_YEAR, key))


def _row_with(numbers: Collection[str], words: str, table: Table) -> tuple[str, ...]:
    """The row of a table that has one of `numbers` and in its label a word of `words`."""
    keys = frozenset(content_keys(words))
    for cells in table.rows:
        if _label_keys(cells) & keys and any(number_keys(cell) & {*numbers} for cell in cells[1:]):
            return cells
    return ()


def _otherwise(words: str, header: Sequence[str], row: Sequence[str]) -> OtherCell | None:
    column = {number_key(year): at for at, year in enumerate(header) if at}
    cells = [number_keys(cell) for cell in row[: len(header)]]
    given = [
        (column[found["year"]], number_key(found["n"]), found["n"])
        for found in _IN_YEAR.finditer(words)
        if found["year"] in column
    ]
    named = number_keys(words) & {*column}
    if len(named) == 1 and not _OF_ANOTHER.search(words):
        at = column[next(iter(named))]
        given = [(at, key, key) for key in sorted(number_keys(words) - named)]
        if any(key in cells[at] for _, key, _ in given):
            given = []
            if other := _turned(words, at, header, row):
                return other
    for at, key, form in given:
        if key not in cells[at] and any(key in cell for cell in cells[1:]):
            return OtherCell(form, row[0], header[at], row[at])
    if change := _FROM_TO.search(words):
        places = [[at for at, cell in enumerate(cells) if at and _key(change[side]) in cell]
                  for side in "ab"]  # fmt: skip
        if all(len(one) == 1 for one in places):
            (first,), (last,) = places
            if int(header[first]) > int(header[last]):
                said = f"{change['a'].strip()} before {change['b'].strip()}"
                return OtherCell(said, row[0], header[last], row[last])
    return None


def _turned(words: str, at: int, header: Sequence[str], row: Sequence[str]) -> OtherCell | None:
    """The year before, where a number is said to have risen (or fallen) that was more (or less)."""
    rises, falls = (
        bool(re.search("|".join(moves), words, re.I)) for moves in (GOING_UP, GOING_DOWN)
    )
    last = header.index(year) if (year := str(int(header[at]) - 1)) in header else 0
    ours, theirs = (_amount(row[place]) if place else None for place in (at, last))
    if rises == falls or ours is None or theirs is None or ours == theirs:
        return None
    if rises == (ours > theirs):
        return None
    return OtherCell("less" if rises else "more", row[0], header[last], row[last])


def _amount(cell: str) -> float | None:
    """The number of a cell; None of one in brackets, as outlays stand in them as losses do."""
    numbers = number_keys(cell)
    return float(next(iter(numbers))) if len(numbers) == 1 and "(" not in cell else None


def _key(form: str) -> str:
    return number_key(form.strip("$€£ .,"))


def _label_keys(cells: Sequence[str]) -> frozenset[str]:
    return frozenset(content_keys(cells[0]))


def _read(lines: Sequence[str]) -> Iterator[Table]:
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    for line in lines:
        if named := _named(line, bool(header)):
            if rows:
                yield Table(header, tuple(rows))
            header, rows = ("", *named["years"].split()), []
            line = named["rest"].strip()
        cells = _cells(line)
        if len(cells) > len(header) and _NOTE.fullmatch(cells[1]):
            cells = (cells[0], *cells[2:])
        if header and len(cells) >= len(header):
            rows.append(cells)
    if rows:
        yield Table(header, tuple(rows))


def _listed(sentence: str) -> Iterator[Table]:
    """The table that a sentence is which lists numbers, and their years "respectively"."""
    if "respectively" not in sentence:
        return
    lists = list(_LIST.finditer(sentence))
    for one, other in pairwise(lists):
        items = [_items(found[0]) for found in (one, other)]
        years = [bool(re.search(rf"{_YEAR}$", part[-1])) for part in items]
        if len(items[0]) == len(items[1]) and years[0] != years[1]:
            header, cells = items if years[0] else reversed(items)
            label = re.split(r"[,;:]\s", sentence[: one.start()])[0]
            names = (re.sub(r"\D+", "", item) for item in header)
            yield Table(("", *names), ((label, *cells),))


def _items(listed: str) -> list[str]:
    """The items of a list; of "31, 2022 and 2021" the years alone."""
    items = re.findall(_ITEM, listed)
    years = [item for item in items if re.search(rf"\b{_YEAR}$", item)]
    return years if items[-1] in years else items


def _named(line: str, below: bool) -> re.Match[str] | None:
    """The years of a line that names columns; `below` others a row of years may be numbers."""
    found = _YEARS.match(line) if len(line) <= _LONGEST else None
    if found is None or line.rstrip().endswith((".", ":", ";")):
        return None
    rest = found["rest"].strip()
    is_header = not re.search(r"[^\W\d_]", rest) or bool(_cells(rest)) or " vs" in rest
    return found if is_header and not (below and _cells(line) and "$" in line) else None


def _cells(line: str) -> tuple[str, ...]:
    """The label of a line of numbers, and its numbers; () where a line is no such row."""
    if len(line) > _LONGEST:
        return ()
    values: list[str] = []
    end = len(line)
    for value in reversed(list(_VALUE.finditer(line))):
        if line[value.end() : end].strip():
            break
        values.insert(0, value[0].strip())
        end = value.start()
    label = line[:end].strip()
    return (label, *values) if values and _LETTERS.search(label) else ()
