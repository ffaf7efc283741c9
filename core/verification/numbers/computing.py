"""Numbers of a statement that no source has, but that follow from those that it has (pure).

"A rise of 57" of a source that says 1,843 and 1,900 is no invention. What is computed must be said
to be so (together, less than, per, %), and must be told from chance: of many numbers in a line many
others can be made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise, product, zip_longest

from core.text.terms import content_keys
from core.text.word_lists import GOING_DOWN, GOING_UP
from core.verification.numbers.quantities import Quantity, quantities
from core.verification.numbers.tables import Table

_Pair = tuple[Quantity, Quantity]
_Operation = tuple[re.Pattern[str], Callable[[float, float], float]]
_MOVED = "|".join((*GOING_UP, *GOING_DOWN))
_TOGETHER = re.compile(
    r"\b(?:together|total\w*|combined|altogether|sum|both|in\s+all|plus|overall|add\w*"
    r"|zusammen|insgesamt|summe|gesamt)\b",
    re.I,
)
_OPERATIONS: tuple[_Operation, ...] = (
    (
        re.compile(
            rf"{_MOVED}|\b(?:more|less|fewer|differen\w+|gap|margin|earlier|later|after|before|aged?|old"
            r"|apart|between|lasted|surviv\w+|remain\w*|left|rest|others|\w+er\b.*\bthan|mehr|weniger|unterschied\w*|später|früher|alt)\b"
            r"|\bby\s+(?:[^\W\d_]+\s+)?[$€£]?\d|\bfor\s+(?:[^\W\d_]+\s+){0,2}\d+\s+years?\b",
            re.I,
        ),
        lambda a, b: a - b,
    ),
    (
        _TOGETHER,
        lambda a, b: a + b,
    ),
    (
        re.compile(r"\b(?:each|times|per|every|so|makes?|gives?|total\w*|je|pro|mal|x)\b|×", re.I),
        lambda a, b: a * b,
    ),
    (
        re.compile(r"\b(?:each|per|average|ratio|times|every|je|pro|durchschnitt\w*|mal)\b", re.I),
        lambda a, b: a / b,
    ),
)
"""What says that two numbers are taken together, and how."""
_IN_PERCENT: tuple[_Operation, ...] = (
    (
        re.compile(rf"{_MOVED}|\b(?:more|less|fewer|mehr|weniger|by|\w+er)\b", re.I),
        lambda a, b: 100 * (a - b) / b,
    ),
    (
        re.compile(
            r"\b(?:of|share|part|portion|proportion|makes?|made|accounts?|represents?|ratio|margin"
            r"|von|anteil|der|des)\b",
            re.I,
        ),
        lambda a, b: 100 * a / b,
    ),
)
"""What a number in percent may be of two others; what fell by 5 % is told by its size alone."""
_MEASURES = {
    "mm": (0.001, "length"), "cm": (0.01, "length"), "meters": (1.0, "length"),
    "km": (1_000.0, "length"), "inches": (0.0254, "length"), "feet": (0.3048, "length"),
    "miles": (1_609.344, "length"), "mg": (1e-6, "mass"), "g": (0.001, "mass"), "kg": (1.0, "mass"),
    "tons": (1_000.0, "mass"), "ml": (0.001, "volume"), "l": (1.0, "volume"),
    "ms": (0.001, "time"), "seconds": (1.0, "time"), "minutes": (60.0, "time"),
    "hours": (3_600.0, "time"), "days": (86_400.0, "time"), "weeks": (604_800.0, "time"),
    "months": (2_629_800.0, "time"), "years": (31_557_600.0, "time"), "kb": (1e3, "data"),
    "mb": (1e6, "data"), "gb": (1e9, "data"), "tb": (1e12, "data"), "kw": (1e3, "power"),
    "mw": (1e6, "power"), "kwh": (1e3, "energy"), "mwh": (1e6, "energy"),
}  # fmt: skip
"""Units as multiples of one of their kind."""
_BY_CHANCE = 0.1
"""The share of all numbers of this length that the operands make, up to which it is no chance."""
_MOST_PAIRS = 2_000
"""Pairs of numbers that are tried: a page of figures must not hold up an answer."""
_HALF = 0.5 + 1e-9
_OF_YEARS = re.compile(r"\b(?:years?|old|aged?|later|earlier|jahren?|alt)\b", re.I)
"""Where years are counted, and do not only say when."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DECADE = re.compile(r"\d{4}s")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")


def computed(
    words: str,
    lines: Sequence[str],
    there: Collection[str],
    before: str = "",
    tables: Sequence[Table] = (),
) -> set[str]:
    """The keys of the numbers of `words`, not among the keys `there`, that follow from others.

    Those are numbers of the statement, of the one `before` it, of the source's `lines` that match
    it, and of a column of its `tables`; or one in another unit.

    >>> computed("It rose by 57 to 1,900.", ["Income 1,900 1,843"], {"1900", "1843"})
    {'57'}
    >>> computed("It rose by 58 to 1,900.", ["Income 1,900 1,843"], {"1900", "1843"})
    set()
    """
    said = _numbers(words)
    missing = [one for one in said if one.key not in there]
    if not missing:
        return set()
    found: set[str] = set()
    for sought in missing:
        have = [one for one in said if one.key in there or one.key in found]
        measured = _measures([*have, *chain.from_iterable(map(_numbers, lines))])
        if (
            any(_follows(words, sought, pairs) for pairs in _pairs(words, have, before, lines))
            or any(_follows(words, sought, pairs) for pairs in _in_columns(words, tables))
            or _is_total(words, sought, tables)
            or _converts(sought, said, list(measured))
        ):
            found.add(sought.key)
    return found


def _pairs(
    words: str, have: Sequence[Quantity], before: str, lines: Sequence[str]
) -> Iterator[list[_Pair]]:
    """What numbers may be taken together, the likeliest first; years where they are counted."""
    years = bool(_OF_YEARS.search(words))
    ours = [one for one in have if years or not _is_year(one)]
    near, *theirs = (
        [one for one in _numbers(line) if years or not _is_year(one)] for line in (before, *lines)
    )
    every = list(chain.from_iterable(theirs))
    yield _twos(ours)
    yield _twos([*near, *ours])
    if len(ours) * (len(near) + len(every)) <= _MOST_PAIRS:
        yield list(product(ours, [*near, *every]))
    yield from map(_twos, theirs)
    yield _twos(every)


def _twos(found: Sequence[Quantity]) -> list[_Pair]:
    """All pairs of these numbers; none of so many that they make nearly everything."""
    many = len(found) * (len(found) - 1) > 2 * _MOST_PAIRS
    return [] if many else list(combinations(found, 2))


def _in_columns(words: str, tables: Sequence[Table]) -> Iterator[list[_Pair]]:
    """The pairs of cells that a column has in rows that are named."""
    keys = {*content_keys(words)}
    for table in tables:
        rows = [cells for cells in table.rows if {*content_keys(cells[0])} <= keys]
        columns = zip_longest(*(cells[1:] for cells in rows), fillvalue="")
        yield [pair for cells in columns for pair in _twos([*chain(*map(_numbers, cells))])]


def _is_total(words: str, sought: Quantity, tables: Sequence[Table]) -> bool:
    """Whether a number is what a column makes together."""
    if not _TOGETHER.search(words):
        return False
    goal = _value(sought, scaled=False)
    for table in tables:
        for cells in zip_longest(*(cells[1:] for cells in table.rows), fillvalue=""):
            found = [_numbers(cell) for cell in cells]
            if len(found) > 1 and all(len(one) == 1 for one in found):
                total = sum(_value(one, scaled=False) for (one,) in found)
                if abs(total - goal) <= _step(sought, scaled=False) * _HALF:
                    return True
    return False


def _numbers(text: str) -> list[Quantity]:
    return [one for one in quantities(text) if _DECIMAL.fullmatch(one.key)]


def _is_year(one: Quantity) -> bool:
    return bool(_YEAR.fullmatch(one.form)) and not (one.unit or one.scale)


def _follows(words: str, sought: Quantity, pairs: Sequence[_Pair]) -> bool:
    """Whether a pair makes the number that is sought; the scale may stand above a table.

    Where there are so many pairs that one would by chance, none counts.
    """
    operations = _IN_PERCENT if sought.unit == "%" else _OPERATIONS
    made = [how for cue, how in operations if cue.search(words)]
    if not made or not pairs:
        return False
    digits = sought.key.replace(".", "")
    for scaled, exact in product((True, False), (True, False)):
        values = {(_value(a, scaled), _value(b, scaled)) for a, b in pairs}
        could_be = 10 ** len(digits if exact else digits.strip("0"))
        if len(values) * len(made) > _BY_CHANCE * could_be:
            continue
        goal = _value(sought, scaled)
        off = 1e-9 * goal if exact else _step(sought, scaled) * _HALF
        if any(
            abs(abs(how(*turned)) - goal) <= off
            for a, b in values
            if a and b
            for turned in ((a, b), (b, a))
            for how in made
        ):
            return True
    return False


def _value(one: Quantity, scaled: bool = True) -> float:
    return float(one.key) * 10.0 ** (one.scale if scaled else 0)


def _step(one: Quantity, scaled: bool) -> float:
    """What the last digit of a number that is not 0 counts: it may be rounded to that."""
    places = len(one.key.partition(".")[2])
    zeros = 0 if places else len(one.key) - len(one.key.rstrip("0"))
    return 10.0 ** (zeros - places + (one.scale if scaled else 0))


def _measures(found: Iterable[Quantity]) -> Iterator[tuple[str, float]]:
    """Quantities of a known unit: of what kind, and how many of the unit of its kind."""
    for one in found:
        if one.unit in _MEASURES and not _DECADE.fullmatch(one.form):
            size, kind = _MEASURES[one.unit]
            yield kind, _value(one) * size


def _converts(
    sought: Quantity, said: Sequence[Quantity], measured: Sequence[tuple[str, float]]
) -> bool:
    """Whether a measure is another one in another unit: "2 hours and 22 minutes" is 142 minutes."""
    if sought.unit not in _MEASURES:
        return False
    at = next(at for at, one in enumerate(said) if one is sought)
    ours = [*_measures([sought]), *_sums(said[max(0, at - 1) : at + 2])]
    least = _step(sought, True) * _MEASURES[sought.unit][0] * _HALF
    return any(
        kind == other and abs(size - theirs) <= least
        for kind, size in ours
        for other, theirs in measured
    )


def _sums(said: Sequence[Quantity]) -> Iterator[tuple[str, float]]:
    """What two measures of one kind are together, the larger unit first."""
    for one, other in pairwise(said):
        for (kind, size), (second, rest) in zip(_measures([one]), _measures([other]), strict=False):
            if kind == second and _MEASURES[one.unit][0] > _MEASURES[other.unit][0]:
                yield kind, size + rest
