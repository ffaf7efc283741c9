"""Numbers of a workbook as its number formats show them (pure).

Dates are written as 2022-03-01, in every language the same, times as 14:30, and a negative number
always with its sign, whatever colour or brackets its format gives it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0", 6: "#,##0", 7: "#,##0.00",
    8: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd", 15: "d-mmm-yy",
    16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00",
    41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss", 48: "0.0E+0", **dict.fromkeys((*range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
}  # fmt: skip
"""The formats that a workbook names by number alone (ECMA-376, 18.8.30), others being plain.

What they show depends on the country of who opens the file: dates are written as everywhere here,
amounts without a currency.
"""

_TOKENS = re.compile(r'"[^"]*"?|\\.|[_*].|\[[^\]]*\]|AM/PM|A/P|General|.', re.I | re.S)
_DIGITS = "0#?"
_EXACT = Context(prec=60)
_MOST_DECIMALS = 30
_LAST_DAY = 2_958_466  # the day after 9999-12-31
_LEAP_DAY = 60  # 1900-02-29, which never was
_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class _Number:
    """What is before and behind a number, and how it is written."""

    before: str
    behind: str
    whole: int
    decimals: tuple[int, int]  # at least, at most
    thousands: bool
    factor: int  # the power of ten that it is shown in
    scientific: bool
    shown: bool


def shown(value: float, code: str, *, of_1904: bool = False) -> str:
    """Return a number in a number format; `of_1904` says from which year days are counted.

    >>> shown(44621, "dd/mm/yyyy"), shown(1234.5, "#,##0.00 [$€-407]"), shown(0.256, "0%")
    ('2022-03-01', '1,234.50 €', '26%')
    >>> shown(0.1 + 0.2, "General"), shown(-5, "0.0;[Red]0.0"), shown(7, "00000"), shown(5, ";;;")
    ('0.3', '-5.0', '00007', '')
    """
    tokens = _first_section(code)
    if code.casefold() in ("", "@") or any(token.casefold() == "general" for token in tokens):
        return general(value)
    if letters := _date_letters(tokens):
        return _moment(value, letters, of_1904) or general(value)
    if "/" in tokens:  # a fraction
        return general(value)
    try:
        return _written(value, _number(tokens))
    except InvalidOperation:  # more digits than any format is made for
        return general(value)


def general(value: float) -> str:
    """Return a number without a format, without what binary fractions add to it.

    >>> general(2019.0), general(1 / 3), general(1e-5), general(12345678901.25)
    ('2019', '0.33333333333', '0.00001', '12345678901.25')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = format(value, ".11g" if abs(value) < 1e9 else ".15g")
    return format(Decimal(text), "f") if 1e-9 < abs(value) < 1e15 else text


@lru_cache(maxsize=1_000)
def _first_section(code: str) -> tuple[str, ...]:
    """The marks of what a format has for positive numbers; others follow it behind ";"."""
    tokens = tuple(_TOKENS.findall(code))
    return tokens[: tokens.index(";")] if ";" in tokens else tokens


@lru_cache(maxsize=1_000)
def _date_letters(tokens: tuple[str, ...]) -> str:
    """The letters of a date or time in their order, "H" first for hours that pass 24, else ""."""
    lasting = next((t[1].upper() for t in tokens if re.fullmatch(r"\[(?:h+|m+|s+)\]", t, re.I)), "")
    bare = "".join(token.lower() for token in tokens if len(token) == 1)
    letters = "".join(re.findall("[dmyhs]", bare))
    return ("H" + letters) if lasting else letters


def _moment(value: float, letters: str, of_1904: bool) -> str:
    """A day, a time or both, as far as the letters name them; "" for what is no day."""
    if not 0 <= value < _LAST_DAY:
        return ""
    if letters.startswith("H"):
        minutes, seconds = divmod(round(value * _SECONDS), 60)
        text = f"{minutes // 60}:{minutes % 60:02}"
        return f"{text}:{seconds:02}" if "s" in letters else text
    first = datetime(1904, 1, 1) if of_1904 else datetime(1899, 12, 30)
    early = not of_1904 and value < _LEAP_DAY
    at = first + timedelta(days=early, seconds=round(value * _SECONDS))
    clock = "h" in letters or "s" in letters
    time = f"{at:%H:%M:%S}" if "s" in letters else f"{at:%H:%M}"
    if "y" not in letters and "d" not in letters and clock:
        return time
    if value < 1 and not of_1904:
        return time if clock else ""
    if "d" in letters:
        day = f"{at:%Y-%m-%d}"
    elif "m" not in letters:
        day = f"{at:%Y}"
    else:
        day = f"{_MONTHS[at.month - 1]} {at:%Y}" if "y" in letters else _MONTHS[at.month - 1]
    return f"{day} {time}" if clock else day


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@lru_cache(maxsize=1_000)
def _number(marks: tuple[str, ...]) -> _Number:
    before, behind, digits = "", "", ""
    factor, scientific = 0, False
    for mark in marks:
        if mark in _DIGITS or (mark in ".," and digits):
            digits += mark if not scientific else ""
        elif mark in "Ee":
            scientific = bool(digits)
        elif text := "" if scientific and mark in "+-" else _literal(mark):
            factor += 2 * (mark == "%")
            before, behind = (before, behind + text) if digits else (before + text, behind)
    whole, _, decimals = digits.partition(".")
    scaled = sum(len(part) - len(part.rstrip(",")) for part in (whole, decimals))
    most = min(len(decimals.rstrip(",")), _MOST_DECIMALS)
    return _Number(
        before.lstrip(), behind.rstrip(), whole.count("0"), (min(decimals.count("0"), most), most),
        "," in whole.rstrip(","), factor - 3 * scaled, scientific, bool(digits),
    )  # fmt: skip


def _literal(mark: str) -> str:
    """What a mark puts beside the number: what is quoted, a currency, a sign."""
    if mark[0] == '"':
        return mark.strip('"')
    if mark[0] == "\\":
        return mark[1:]
    if mark.startswith("[$"):
        return mark[2:-1].partition("-")[0]
    return "" if mark[0] in "[_*" and len(mark) > 1 else mark


def _written(value: float, form: _Number) -> str:
    if not form.shown:
        return form.before.strip()
    least, most = form.decimals
    number = Decimal(repr(float(value))).scaleb(form.factor)
    if form.scientific:
        return f"{form.before}{float(number):.{most}E}{form.behind}"
    rounded = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP, _EXACT)
    text = format(abs(rounded), ",f" if form.thousands else "f")
    whole, _, decimals = text.partition(".")
    while len(decimals) > least and decimals.endswith("0"):
        decimals = decimals[:-1]
    whole = whole.zfill(form.whole) if not form.thousands else whole
    text = f"{whole}.{decimals}" if decimals else whole
    return f"{'-' if rounded < 0 else ''}{form.before}{text}{form.behind}"
