"""Numbers and dates as the cells of tables write them (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

_NUMBER = re.compile(
    r"(?P<sign>[-+−]?)\s*(?:[$€£¥]|[A-Z]{3}\s)?\s*(?P<digits>\d[\d.,'\u00a0\u202f]*|\.\d+)"
    r"\s*(?:%|[$€£¥°]|[A-Za-zäöüÄÖÜ²³/]{1,12}\.?)?"
)
ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?")


def decimal_mark(cells: Iterable[str]) -> str:
    """The mark before decimals in a column: the later of two in one number, or what cannot part
    thousands; a point where nothing says.
    """
    for cell in cells:
        marks = [sign for sign in cell if sign in ".,"]
        if len(set(marks)) == 2:
            return marks[-1]
        tail = re.search(r"[.,](\d+)\D*$", cell)
        if len(marks) == 1 and tail and len(tail[1]) != 3:
            return marks[0]
    return "."


def number(cell: str, decimal: str = ".") -> float | None:
    """Return the number or, as days, the date of a cell; None where it is something else.

    >>> number("$1,234.50"), number("1.234,50 EUR", ","), number("12 %"), number("n/a")
    (1234.5, 1234.5, 12.0, None)
    >>> number("2024-01-02") - number("2024-01-01")
    1.0
    """
    text = cell.strip()
    if dated := ISO_DATE.fullmatch(text):
        try:
            return float(date(*map(int, dated.groups())).toordinal())
        except ValueError:
            return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    digits = re.sub(r"['\u00a0\u202f]", "", found["digits"]).rstrip(".,")
    digits = digits.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    if digits.count(".") > 1:
        return None
    return float(digits) * (-1 if found["sign"] in ("-", "−") else 1)
