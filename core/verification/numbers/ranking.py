"""Superlatives and comparisons held against the numbers of a source's table (pure).

No row says "Bexley is the cheapest", but the column of prices shows it. Only what can be computed
for certain is judged: one table, one column whose cells are numbers of one unit, rows by name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.text.terms import content_keys
from core.verification.numbers.tables import Table, number_keys, tables

_PRICE = r"pric|cost|fee|rent|rate|premium|charge|tariff"
_TIME = r"deliver|time|duration|days?|weeks?|hours?|months?|lead"
_WORDS = (
    (-1, _PRICE, r"cheap(?:er|est)|(?:less|least)\s+(?:expensive|costly)"),
    (1, _PRICE, r"(?:more|most)\s+(?:expensive|costly)|dear(?:er|est)|costlier|costliest"),
    (-1, _TIME, r"fast(?:er|est)|quick(?:er|est|ly)"),
    (1, _TIME, r"slow(?:er|est)"),
    (1, r"weigh|mass", r"heavi(?:er|est)"),
    (-1, r"weigh|mass", r"light(?:er|est)"),
    (1, r"height", r"tall(?:er|est)"),
    (-1, "", r"low(?:er|est)|small(?:er|est)|short(?:er|est)|few(?:er|est)|less|least|minimum"),
    (1, "", r"high(?:er|est)|larg(?:er|est)|bigg(?:er|est)|great(?:er|est)|long(?:er|est)|most"
            r"|more|maximum"),
)  # fmt: skip
"""What a word asks of a column, with the column that it names itself; of the first that stand."""
_READ = tuple(
    (sign, re.compile(rf"\b(?:{names})", re.I) if names else None,
     re.compile(rf"\b(?:{words})\b", re.I))
    for sign, names, words in _WORDS
)  # fmt: skip
_OF_ALL = re.compile(r"est\b|\bmost\b|\bleast\b|imum\b", re.I)
_THAN = re.compile(r"\bthan\b", re.I)
_UNSURE = re.compile(
    r"\b(?:not|never|no|second|third|next|nearly|almost|one\s+of|among|except|excluding|besides"
    r"|apart|other|if|unless|without|after|before|when|where|both|neither|average|times|twice|half)\b"
    r"|n['’]t\b|\d\s?%",
    re.I,
)
"""What restricts a superlative or turns it round: it is not judged."""
_PARTS = re.compile(
    r"[;,]\s+(?:(?:and|but|while|whereas|yet)\s+)?|\s+(?:and|but|while|whereas|with)\s+", re.I
)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_FEWEST_ROWS = 2
_NEUTRAL = frozenset(
    content_keys(
        "offers offered charges provides supplies time option choice value amount overall "
        "item product article model entry per"
    )
)
"""What a sentence may say besides, without saying more."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a table's column says of a sentence: whether it is right, and why it is not.

    `keys` are the terms that the column bears out, with the numbers of the rows that are named.
    """

    right: bool
    reason: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Ask:
    """A clause's ranking word, which way it points, and the column that it names, if it does."""

    word: str
    sign: int
    column: re.Pattern[str] | None


def ranking(sentence: str, sources: Sequence[str]) -> Ranking | None:
    """What the table of `sources` says of a sentence; None where it cannot be computed for certain.

    >>> source = "| Plant | Price |\\n|---|---|\\n| Graz | 5 euros |\\n| Linz | 7 euros |"
    >>> ranking("Linz is the cheapest.", [source]).reason
    'Under “Price”, the source has 5 euros for Graz and 7 euros for Linz.'
    """
    found = [table for source in sources for table in tables(source) if _is_plain(table)]
    if len(found) != 1 or _UNSURE.search(sentence):
        return None
    table = found[0]
    told = []
    for part in _PARTS.split(sentence):
        asks = _asks(part)
        if len(asks) > 1 or (not asks and _only_names(part, table)):
            return None
        if asks:
            rows = _named(part, table) or _named(sentence, table)
            told.append(_judged(part, asks[0], rows, table))
    right = [one for one in told if one is not None]
    if not right or len(right) < len(told):
        return None
    if wrong := [one for one in right if not one.right]:
        return wrong[0]
    keys = _NEUTRAL.union(*(one.keys for one in right))
    return Ranking(True, "", keys) if number_keys(sentence) <= keys else None


def _is_plain(table: Table) -> bool:
    """Whether every row has all columns and a name of its own."""
    names = [frozenset(content_keys(cells[0])) for cells in table.rows]
    whole = all(len(cells) == len(table.header) for cells in table.rows)
    return whole and len(names) >= _FEWEST_ROWS and all(names) and len({*names}) == len(names)


def _asks(part: str) -> list[_Ask]:
    """The ranking words of a clause; of "most expensive" not "most" as well."""
    found: list[tuple[int, int, _Ask]] = []
    for sign, column, words in _READ:
        for hit in words.finditer(part):
            if not any(start <= hit.start() < end for start, end, _ in found):
                found.append((hit.start(), hit.end(), _Ask(hit.group(), sign, column)))
    return [ask for _, _, ask in found]


def _named(part: str, table: Table) -> list[int]:
    """The rows that a clause names, in the order in which it does."""
    order = content_keys(part)
    keys = frozenset(order)
    rows = [at for at, cells in enumerate(table.rows) if {*content_keys(cells[0])} <= keys]
    return sorted(rows, key=lambda at: order.index(content_keys(table.rows[at][0])[0]))


def _only_names(part: str, table: Table) -> bool:
    """Whether a clause names rows and says nothing else: "Graz and Linz are the cheapest"."""
    rows = _named(part, table)
    names = {key for at in rows for key in content_keys(table.rows[at][0])}
    return bool(rows) and {*content_keys(part)} <= names


def _judged(part: str, ask: _Ask, rows: Sequence[int], table: Table) -> Ranking | None:
    column = _column(part, ask, table)
    values = _values([cells[column] for cells in table.rows]) if column else None
    if column is None or values is None:
        return None
    compares = bool(_THAN.search(part))
    if compares == bool(_OF_ALL.search(ask.word)) or len(rows) != (2 if compares else 1):
        return None
    ours = ask.sign * values[rows[0]]
    others = rows[1:] if compares else [at for at in range(len(values)) if at != rows[0]]
    best = max(others, key=lambda at: ask.sign * values[at])
    theirs = ask.sign * values[best]
    if ours == theirs:
        return None
    cells = [(table.rows[at][column], table.rows[at][0]) for at in (best, rows[0])]
    reason = " and ".join(f"{cell} for {name}" for cell, name in cells)
    keys = {*content_keys(ask.word)}.union(
        *(number_keys(cell) for at in rows for cell in table.rows[at])
    )
    if compares:
        keys |= number_keys(str(abs(ours - theirs).normalize()))
    return Ranking(
        ours > theirs, f"Under “{table.header[column]}”, the source has {reason}.", frozenset(keys)
    )


def _column(part: str, ask: _Ask, table: Table) -> int | None:
    """The one column that a clause ranks by."""
    keys = {*content_keys(part)}
    names = [(at, name) for at, name in enumerate(table.header) if at]
    found = [
        at
        for at, name in names
        if (ask.column.search(name) if ask.column else keys & {*content_keys(name)})
    ]
    return found[0] if len(found) == 1 else None


def _values(cells: Sequence[str]) -> list[Decimal] | None:
    """The numbers of a column, if each cell has one and all have the same unit."""
    values, units = [], set()
    for cell in cells:
        numbers = _NUMBER.findall(cell)
        if len(numbers) != 1:
            return None
        values.append(Decimal(numbers[0].replace(",", "")))
        units.add(" ".join(_NUMBER.sub("", cell).casefold().split()).rstrip("s"))
    return values if len(units) == 1 else None
