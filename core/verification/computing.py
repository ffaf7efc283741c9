"""Numbers of a statement that no source has, but that follow from those that it has (pure).

"A rise of 57" of a source that says 1,843 and 1,900 is no invention. What is computed must be said
to be so (together, less than, per, %), and must be told from chance: of many numbers in a line many
others can be made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise, product

from core.text.word_lists import GOING_DOWN, GOING_UP
from core.verification.quantities import Quantity, quantities

_Operation = tuple[re.Pattern[str], Callable[[float, float], float]]
_MOVED = "|".join((*GOING_UP, *GOING_DOWN))
_OPERATIONS: tuple[_Operation, ...] = (
    (
        re.compile(
            rf"{_MOVED}|\b(?:more|less|fewer|differen\w+|gap|margin|earlier|later|after|before|aged?|old"
            r"|apart|between|lasted|\w+er\b.*\bthan|mehr|weniger|unterschied\w*|später|früher|alt)\b",
            re.I,
        ),
        lambda a, b: a - b,
    ),
    (
        re.compile(
            r"\b(?:together|total\w*|combined|altogether|sum|both|in\s+all|plus|overall|add\w*"
            r"|zusammen|insgesamt|summe|gesamt)\b",
            re.I,
        ),
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
_SHARES: tuple[Callable[[float, float], float], ...] = (
    lambda a, b: 100 * a / b,
    lambda a, b: 100 * (a - b) / b,
    lambda a, b: 100 * (b - a) / b,
)
"""What a number in percent may be of two others."""
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
_HALF = 0.5 + 1e-9
_OF_YEARS = re.compile(r"\b(?:years?|old|aged?|later|earlier|jahren?|alt)\b", re.I)
"""Where years are counted, and do not only say when."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DECADE = re.compile(r"\d{4}s")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")


def computed(
    words: str, lines: Sequence[str], there: Collection[str], before: str = ""
) -> set[str]:
    """The keys of the numbers of `words`, not among the keys `there`, that follow from others.

    Those are numbers of the statement, of the one `before` it, and of the source's `lines` that
    match it; or one in another unit.

    >>> computed("It rose by 57 to 1,900.", ["Income 1,900 1,843"], {"1900", "1843"})
    {'57'}
    >>> computed("It rose by 58 to 1,900.", ["Income 1,900 1,843"], {"1900", "1843"})
    set()
    """
    said = _numbers(words)
    missing = [one for one in said if one.key not in there]
    if not missing:
        return set()
    years = bool(_OF_YEARS.search(words))
    ours = [one for one in said if one.key in there and (years or not _is_year(one))]
    near, *theirs = (
        [one for one in _numbers(line) if years or not _is_year(one)] for line in (before, *lines)
    )
    every = list(chain.from_iterable(theirs))
    pairs = [
        list(combinations(ours, 2)),
        list(combinations([*near, *ours], 2)),
        list(product(ours, [*near, *every])),
        *(list(combinations(line, 2)) for line in theirs),
        list(combinations(every, 2)),
    ]
    measured = list(_measures([*ours, *every]))
    return {
        one.key
        for one in missing
        if any(_follows(words, one, some) for some in pairs) or _converts(one, said, measured)
    }


def _numbers(text: str) -> list[Quantity]:
    return [one for one in quantities(text) if _DECIMAL.fullmatch(one.key)]


def _is_year(one: Quantity) -> bool:
    return bool(_YEAR.fullmatch(one.form)) and not (one.unit or one.scale)


def _follows(words: str, sought: Quantity, pairs: Sequence[tuple[Quantity, Quantity]]) -> bool:
    """Whether a pair makes the number that is sought; the scale may stand above a table.

    Where there are so many pairs that one would by chance, none counts.
    """
    if sought.unit == "%":
        made = list(_SHARES)
    else:
        made = [how for cue, how in _OPERATIONS if cue.search(words)]
    most = _BY_CHANCE * 10 ** len(sought.key.replace(".", "").strip("0"))
    for scaled in (True, False):
        values = {(_value(a, scaled), _value(b, scaled)) for a, b in pairs}
        goal, step = _value(sought, scaled), _step(sought, scaled)
        if len(values) <= most and any(
            abs(how(*turned) - goal) <= step * _HALF
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
