"""The numbers and bullets that Word draws before paragraphs ("2.1", "(a)", "•")."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.parsing.office.ooxml import all_named, attribute, child, local

_PLACE = re.compile(r"%(\d)")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"))
_ROMAN_SMALL = ((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True, slots=True)
class _Level:
    form: str = "decimal"
    text: str = ""
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """Numbers the list paragraphs of a document; they must be passed in order."""

    levels: dict[str, dict[int, _Level]] = field(default_factory=dict)  # by list id
    shared: dict[str, str] = field(default_factory=dict)  # list id to the list that it continues
    counters: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Any | None) -> Numbering:
        """Read `word/numbering.xml`."""
        numbering = cls()
        if root is None:
            return numbering
        abstract = {
            attribute(element, "abstractNumId") or "": _levels(element)
            for element in root
            if local(element) == "abstractNum"
        }
        for element in root:
            reference = child(element, "abstractNumId")
            if local(element) == "num" and reference is not None:
                list_id = attribute(element, "numId") or ""
                abstract_id = attribute(reference, "val") or ""
                numbering.levels[list_id] = {**abstract.get(abstract_id, {}), **_levels(element)}
                restarts = any(True for _ in all_named(element, "startOverride"))
                numbering.shared[list_id] = list_id if restarts else f"abstract {abstract_id}"
        return numbering

    def label(self, list_id: str, depth: int) -> str:
        """Return the number or bullet of the next paragraph of a list, "" if it has none."""
        levels = self.levels.get(list_id)
        if not levels:
            return ""
        level = levels.get(depth, _Level(form="bullet"))
        counters = self.counters.setdefault(self.shared[list_id], {})
        counters[depth] = counters.get(depth, level.start - 1) + 1
        for deeper in [key for key in counters if key > depth]:
            del counters[deeper]
        if level.form == "none":
            return ""
        if level.form == "bullet":
            return "-"
        return _PLACE.sub(
            lambda found: self._number(levels, counters, int(found[1]) - 1), level.text
        )

    @staticmethod
    def _number(levels: dict[int, _Level], counters: dict[int, int], depth: int) -> str:
        level = levels.get(depth, _Level())
        return _FORMS.get(level.form, str)(counters.get(depth, level.start))


def _levels(element: Any) -> dict[int, _Level]:
    levels = {}
    for level in all_named(element, "lvl"):
        depth = int(attribute(level, "ilvl") or 0)
        levels[depth] = _Level(
            _value(level, "numFmt", "decimal"),
            _value(level, "lvlText", ""),
            _whole(_value(level, "start", "1")),
        )
    return levels


def _value(element: Any, name: str, default: str) -> str:
    found = child(element, name)
    value = attribute(found, "val") if found is not None else None
    return default if value is None else value


def _whole(value: str) -> int:
    return int(value) if value.isdecimal() and len(value) < 9 else 1


def _letters(number: int) -> str:
    return chr(ord("a") + (number - 1) % 26) * min(1 + (number - 1) // 26, 20)


def _roman(number: int) -> str:
    text = ""
    number = min(number, 3999)
    for value, letters in (*_ROMAN, *_ROMAN_SMALL):
        while number >= value:
            text, number = text + letters, number - value
    return text


_FORMS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02}",
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
}
