"""The columns of tables, with bars between their cells or, as PDFs give them, with blanks (pure).

"2022 $ million 2023 $ million" above "Net sales 14,544 14,694" names two columns. Where the words
above do not part into as many names as the row has figures, no column is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.answering.extractive.spans import Span, bare
from core.text.terms import content_keys
from core.text.word_lists import MONTHS

_FEWEST = 2
"""Figures of a row between which columns part; one alone stands behind its label."""
_OF_A_NAME = 2
"""Words of a line that is the beginning of a name which goes on below: "Rigid", "Packaging"."""
_LINES_OF_A_NAME = 2
"""Lines above a row in which names of columns may stand; in more a name goes on in the next."""
_LONGEST_NAME = 6
"""Words of one column's name."""
_FIGURE = re.compile(
    r"[(+\-–−~<>]{0,2}[$€£¥]?\d[\d.,]*[)%*†‡]{0,2}|[$€£¥]|%|[—–-]|n/?a\b\.?", re.I
)  # fmt: skip
_SIGN = re.compile(r"[$€£¥]")
_THOUSANDS = re.compile(r"\d{3}")
_LEADING = re.compile(r"\d{1,3}")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*\.?")
"""A word, or a short form with full stops: "Stores", "U.S."."""
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?", re.I)
_UNIT = re.compile(r"[∆#]?[%$€£¥∆#]|\(.*\w.*\)|.*[^\W\d_].*/\w+|\(%\)|[nN](?:\s?=)?")
"""What heads a column by a unit, or as a count: "%", "kg/year", "n ="."""
_NAMING = re.compile(r"[^\W\d_]|[%$€£¥]|\b(?:19|20)\d\d\b")
_MONTH = re.compile("(?:sept|" + "|".join(map(re.escape, MONTHS)) + r")\.?", re.I)
_DAY = re.compile(r"\d{1,2},?")
_ABBREVIATED = re.compile(r"(?:no|nr)\.", re.I)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a row.

    `line` is which of the lines above names them; `names` are places in it and `cells` places in
    the row, as many. The first of both is the label; names may be empty.
    """

    line: int
    names: tuple[Span, ...]
    cells: tuple[Span, ...]


def columns_of(above: Sequence[str], row: str) -> Columns | None:
    """Return the columns of a row below these lines, the nearest that names them; else None.

    >>> found = columns_of(["Country Ferries (n) Cars (n)"], "South Linz 17 21")
    >>> [("South Linz 17 21"[a:b]) for a, b in found.cells]
    ['South Linz', '17', '21']
    >>> columns_of(["Ferries and their cars"], "Linz 17 21 4") is None
    True
    """
    for line in range(len(above) - 1, -1, -1):
        if "|" in row:
            cells = _between_bars(row)
            names = _between_bars(above[line]) if "|" in above[line] else []
            if len(names) == len(cells) >= _FEWEST:
                return Columns(line, tuple(names), tuple(cells))
            continue
        label, figures = _figures(row)
        wrapped = line > 0 and len(above[line - 1].split()) <= _OF_A_NAME
        wrapped = wrapped or len(above) - line > _LINES_OF_A_NAME
        for values in _groupings(row, figures):
            if label[1] == label[0] or not (names := _names(above[line], len(values))):
                continue
            said = [above[line][start:end] for start, end in names[1:]]
            if not (wrapped and all(_LETTERS.fullmatch(name) for name in said)):
                return Columns(line, tuple(names), (label, *values))
    return None


def is_of_year(words: Sequence[str]) -> bool:
    """Whether a row begins with the year that its figures are of.

    >>> is_of_year("2010 62,484 —".split()), is_of_year("2010 2011".split())
    (True, False)
    """
    behind = [_YEAR.fullmatch(word) is None and _FIGURE.fullmatch(word) for word in words[1:]]
    return len(behind) >= _FEWEST and all(behind) and _YEAR.fullmatch(words[0]) is not None


def figures_of(row: str) -> list[Span]:
    """Return the places of the figures of a row without bars, behind its label if it has one.

    >>> [("Linz $ 17 — (2)"[a:b]) for a, b in figures_of("Linz $ 17 — (2)")]
    ['$ 17', '—', '(2)']
    """
    return _figures(row)[1]


def _between_bars(row: str) -> list[Span]:
    start = len(row) - len(row.lstrip().removeprefix("|"))
    end = len(row.rstrip().removesuffix("|"))
    found: list[Span] = []
    for cell in re.finditer(r"[^|]*(?:\||$)", row[start:end]):
        first, last = start + cell.start(), start + cell.end()
        last -= row[last - 1 : last] == "|" and last <= end
        found.append(bare(row, first, last))
        if start + cell.end() >= end:
            break
    return found


def _figures(row: str) -> tuple[Span, list[Span]]:
    """The label of a row and the figures behind it; a sign of money goes with its figure."""
    words = [found.span() for found in _WORD.finditer(row)]
    at = len(words)
    least = 1 if is_of_year(row.split()) else 0
    while at > least and _FIGURE.fullmatch(row, *words[at - 1]):
        at -= 1
    label = (words[0][0], words[at - 1][1]) if at else (0, 0)
    values: list[Span] = []
    for start, end in words[at:]:
        if values and (_SIGN.fullmatch(row, *values[-1]) or row[start:end] == "%"):
            values[-1] = values[-1][0], end
        else:
            values.append((start, end))
    return label, values


def _groupings(row: str, figures: Sequence[Span]) -> list[list[Span]]:
    """The figures as they stand, and with "100 000" as one: which is meant the header decides."""
    joined: list[Span] = []
    for start, end in figures:
        thousands = joined and _THOUSANDS.fullmatch(row, start, end)
        if thousands and _LEADING.fullmatch(row, *joined[-1]):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    found = [list(figures), joined] if len(joined) < len(figures) else [joined]
    return [values for values in found if len(values) >= _FEWEST]


def _names(line: str, count: int) -> list[Span]:
    """The name of the label and of `count` columns in a line; [] where it does not part so."""
    words = _words(line)
    if any(_FIGURE.fullmatch(line, *word) and _is_count(line[slice(*word)]) for word in words):
        return []  # a row, or a sentence
    for size in range(min(_LONGEST_NAME, len(words) // count), 0, -1):
        first = len(words) - size * count
        groups = [words[at : at + size] for at in range(first, len(words), size)]
        if size > 1 and not _are_alike(line, groups, words[:first]):
            continue
        if size == 1 and not _are_single(line, groups, first):
            continue
        label = (words[0][0], words[first - 1][1]) if first else (words[0][0], words[0][0])
        return [label, *((group[0][0], group[-1][1]) for group in groups)]
    return _years_first(line, words, count)


def _words(line: str) -> list[Span]:
    """The words of a line; a bracket, a date and "no." go with the word before or behind."""
    found: list[Span] = []
    open_ = False
    for match in _WORD.finditer(line):
        start, end = match.span()
        word = match.group()
        before = line[slice(*found[-1])].split()[-1] if found else ""
        goes_on = open_ or word[0] in "(=" or _ABBREVIATED.fullmatch(word)
        dated = (_MONTH.fullmatch(before) and _DAY.fullmatch(word)) or (
            (_DAY.fullmatch(before) or before.casefold() == "fy") and _YEAR.fullmatch(word)
        )
        if found and (goes_on or dated):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
        open_ = word.count("(") > word.count(")") or (open_ and ")" not in word)
    return found


def _are_alike(line: str, groups: Sequence[Sequence[Span]], label: Sequence[Span]) -> bool:
    """Whether names of several words begin or end alike: "to air kg/year to water kg/year"."""
    years = {sum(_is_year(line, word) for word in group) for group in groups}
    if len(years) > 1 or any(_is_year(line, word) for word in label):
        return False
    if not all(_NAMING.search(line, group[0][0], group[-1][1]) for group in groups):
        return False
    for place in (0, -1):
        said = {_DIGIT.sub("0", line[slice(*group[place])]).casefold() for group in groups}
        if len(said) == 1:
            inner = {line[slice(*word)].casefold() for group in groups for word in group[1:-1]}
            return said.isdisjoint(inner)
    return False


def _is_year(line: str, word: Span) -> bool:
    return _YEAR.search(line[slice(*word)]) is not None


def _is_count(word: str) -> bool:
    return any(ch.isdigit() for ch in word) and not _YEAR.fullmatch(word.rstrip("*†‡"))


def _are_single(line: str, groups: Sequence[Sequence[Span]], before: int) -> bool:
    """Whether a word a column names them: behind one for the label, or words that only head."""
    words = [line[slice(*group[0])] for group in groups]
    if all(_YEAR.search(word) or _UNIT.fullmatch(word) or "(" in word for word in words):
        return True
    named = all(
        _UNIT.fullmatch(word) or (word[:1].isupper() and content_keys(word.casefold()))
        for word in words
    )
    others = [word for word in words if not _UNIT.fullmatch(word)]
    once = len(set(others)) == len(others)
    return named and once and (before == 1 or (before == 0 and len(groups) > _FEWEST))


def _years_first(line: str, words: Sequence[Span], count: int) -> list[Span]:
    """Years with the same words behind each, then a word for each further column, or no name."""
    years = [n for n, word in enumerate(words) if _YEAR.fullmatch(line, *word)]
    if not _FEWEST <= len(years) < count:
        return []
    size = years[1] - years[0]
    end = years[-1] + size
    evenly = all(after - year == size for year, after in pairwise(years))
    if not evenly or end > len(words) or len(words) - end not in (0, count - len(years)):
        return []
    label = (words[0][0], words[years[0] - 1][1]) if years[0] else (words[0][0], words[0][0])
    named = [(words[at][0], words[at + size - 1][1]) for at in years]
    last = words[end - 1][1]
    return [label, *named, *(words[end:] or [(last, last)] * (count - len(years)))]
