"""Classify the lines of a text and tell which of them continue a paragraph (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from core.text.signatures import is_signature
from core.text.word_lists import MONTHS

_BULLET = re.compile(r"[ \t]*(?:[-*+•‣◦▪●○∙·–—➢➤✓■□][ \t\xa0]+|[•‣◦▪●○➢➤■□])")
BOX = re.compile(r"[ \t]*(?:[-*][ \t]+)?(?:[☐☑☒✔✗✘]|\[[ xX]\])[ \t\xa0]+(?=\S)")
"""A box before an item, which says whether that is chosen: it is part of what is quoted."""
_ORDINAL = re.compile(
    r"[ \t]*(?:\(?\d{1,3}[.)](?![ \t]*\d{3}-)|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))[ \t\xa0]+"
)
_INITIAL = re.compile(
    r"[ \t]*([B-HJ-UWYZ])\.[ \t\xa0]+(?=[^\W\d_a-zß-ÿ](?:\.|\w+),? [^\W\d_a-zß-ÿ])"
)
"""What opens a name, "J. R. Oakes was ...", or an item of a list that the letter before opens."""
_HASHES = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTED = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+(?=[^\W\d_])")
_RULE = re.compile(r"[ \t]*[|:+\-=_*~.\s]{3,}$")
_PROMPT = re.compile(r"[ \t]*(?:>>> |\.\.\. |\$ \S)")
_CODE_LINE = re.compile(r"(?: {4}|\t)\s*\S*.*[=(){}\[\];<>:]")
_NUMERIC = re.compile(
    r"[$€£¥%]|[(\[+\-–—−~<>]*[$€£¥]?\.?\d[\d.,/:]*[)\]]*[%*]?(?:[a-z]{1,3})?|[—–\-]+[%]?|n/?a"
)
_NO_FIGURE = re.compile(r"[—–-]")
"""What stands in a cell without a figure."""
_DAY_AND_YEAR = re.compile(
    r"(?:\d{1,2},? )?\d{4}[.,:;]?(?: \d{1,2}[:.]\d\d(?: ?[-–—] ?\d{1,2}[:.]\d\d)?)?[.,:;]?"
)
_UNFINISHED = re.compile(
    r"\w+ \w+,? (?:an?|the|and|or|of|with|from|than|which|by|its|their|is|are|was|were|der|die|das"
    r"|dem|den|des|und|oder|mit|von|vom|zum|zur|ein|eine[mnrs]?)$"
)
"""A line that ends so goes on in the next one, whatever that begins with."""
_BEFORE_FIGURE = re.compile(
    r"\w+ \w+ (?:up to|to|than|from|about|around|least|most|between|bis|etwa|ab|zwischen)$"
)
"""A line that ends so goes on with the figure in the next one: "in sizes up to", "¼ inch"."""
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*){0,6}(?:[HCNOFSPI]|Cl|Br)\)?")
"""The last word of a line that has the formula of a substance at its end: "dissolved O"."""
_FEWEST_BEFORE = 2  # words before a formula
_SUBSCRIPT = re.compile(r"\d{1,2}(?:[+−–-]|(?=[\s,.;:)A-Z]|$))")
"""A line that begins so has its subscript, which stands on a line of its own in the source."""
_AMOUNT = re.compile(r"[-–+(]{0,2}[$€£¥]\d[\d.,]*\)?")
_LEAST_PROSE = 5  # words of a line that goes on, with a figure at its end
_MOST_LABEL = 4  # words of a label and its amount
FIELD = re.compile(r"(?:\*\*)?[^\W\d_][\w /&'’.-]{1,40}(?::|:\*\*|\*\*:)\s+\S")
"""A line of a form: its label, which may be bold as in Markdown, and what is filled in."""
LABEL = re.compile(r"(?:\*\*)?(?P<label>[^\n]+?)(?::|:\*\*|\*\*:) ")
"""What stands before the value of a field, bold or not."""
_RECORD = re.compile(r'"[^"]{1,60}"\s*:\s*\S|[^\W\d_][\w ]{1,30}\b(?:by|von):\s+\S', re.I)
"""The line of a record as programs write it, or of a form with who did it: "Approved by: Jo"."""
_FIGURE_BEHIND = re.compile(r"[^\W\d_a-zß-ÿ][^.!?]*[^\W\d_,)] \d{1,3}(?:[.,]?\d{3})*")
"""A label with a figure behind it: one of two such lines is no part of the other."""
_FEWEST_ROWS = 3
"""Lines of a label and one figure that are rows."""
_MOST_LABELLED = 8  # words of such a line
_YEARS = range(1800, 2100)
_NO_DIGIT = re.compile(r"\D")
_TIMED = re.compile(r"\d{1,2}[:.]\d\d\s")
"""A line of an itinerary: "08:15 Train to Graz"."""
_DIGIT = re.compile(r"\d")
_TERMINAL = ".!?…。！？｡．؟۔।॥።:;"
_WIDEST = 220
"""Characters; a longer line is mostly a paragraph of its own."""
_FULL = 0.85  # of the width, from which on a line is full
_SEVERAL = 4
_NARROWEST = 35  # characters of a line in a column of text
_CLOSERS = "\"'”’»›)]}」』）】》〉〕*_"


LineKind = Literal["prose", "item", "heading", "row", "code", "rule", "blank"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line `text == source[start:end]`; its words begin at `body`, after a bullet or hashes."""

    start: int
    end: int
    body: int
    kind: LineKind
    text: str


def read_lines(text: str, start: int, end: int) -> Iterator[Line]:
    """The lines of `text[start:end]`, in order."""
    before: Line | None = None
    letter = ""  # of the last item that has one
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        line = _classify(text[start:stop].rstrip("\r"), start, before, letter)
        yield line
        if line.kind == "item" and (ordinal := _ORDINAL.match(line.text)):
            letter = ordinal.group().strip(" \t\xa0(.)").upper()
        before = line
        start = stop + 1


def _classify(raw: str, start: int, before: Line | None, letter: str) -> Line:
    """Classify one line; a numbered item must follow a line that ends a sentence."""
    end = start + len(raw)
    bare = raw.strip()
    if not bare or not bare.strip("> "):
        return Line(start, end, end, "blank", raw)
    if (hashes := _HASHES.match(raw)) and hashes.end() < len(raw):
        return Line(start, end, start + hashes.end(), "heading", raw)
    if _RULE.fullmatch(raw):
        return Line(start, end, end, "rule", raw)
    if (quoted := _QUOTED.match(raw)) and not _PROMPT.match(raw):
        return _classify(raw[quoted.end() :], start + quoted.end(), before, letter)
    if _is_code(raw, before):
        return Line(start, end, start, "code", raw)
    if BOX.match(raw):
        return Line(start, end, start + len(raw) - len(raw.lstrip(" \t-*")), "item", raw)
    bullet = _BULLET.match(raw)
    figures = all(map(_NUMERIC.fullmatch, bare.split()))  # "(660) (403)" is no item 660
    ordinal = None if bullet or figures else _ORDINAL.match(raw)
    if ordinal and _may_open_item(before, bare):
        bullet = None if _is_initial(raw, letter) else ordinal
    if bullet and bullet.end() < len(raw):
        body = start + bullet.end()
        return Line(start, end, body, "row" if _is_row(raw[bullet.end() :]) else "item", raw)
    row = _is_row(bare) and not _goes_on(before, bare)
    return Line(start, end, start, "row" if row else "prose", raw)


def _goes_on(before: Line | None, bare: str) -> bool:
    """Whether a line with a figure at its end goes on with the sentence of the line before.

    "35.4% of the", "students had no illness; whereas 7.1%": a row begins with a capital, or has
    several figures.
    """
    if before is None or before.kind not in ("prose", "item") or not bare[0].islower():
        return False
    words = bare.split()
    unended = before.text.rstrip().rstrip(_CLOSERS)[-1:] not in _TERMINAL
    figures = sum(_DIGIT.search(word) is not None for word in words)
    return unended and figures == 1 and len(words) >= _LEAST_PROSE and "|" not in bare


def _is_code(raw: str, before: Line | None) -> bool:
    """Whether lines are a prompt with its output, or indented lines of code or after code."""
    if _PROMPT.match(raw):
        return True
    if before is not None and before.kind == "code":
        return raw.startswith(("    ", "\t")) or bool(_PROMPT.match(before.text))
    return bool(_CODE_LINE.match(raw)) and (before is None or before.kind == "blank")


def _may_open_item(before: Line | None, bare: str) -> bool:
    if before is None or before.kind != "prose":
        return True
    if _ends_in_formula(before.text) and _SUBSCRIPT.match(bare) and bare[:2] != "1.":
        return False  # "dissolved O", "2. This is common."
    return before.text.rstrip().rstrip(_CLOSERS)[-1:] in _TERMINAL or len(before.text) < 40


def _is_initial(raw: str, letter: str) -> bool:
    """Whether a line opens with the initial of a name: no item before it has the letter before."""
    found = _INITIAL.match(raw)
    return found is not None and chr(ord(found[1]) - 1) != letter


def _is_row(line: str) -> bool:
    """Whether a line is a table row: cells between bars or tabs, or a label and number columns."""
    if line.count("|") >= 2 or " | " in line or "\t" in line.strip():
        return True
    words = line.split()
    if len(words) < 2 or len(line) > 300:
        return False
    numeric = [bool(_NUMERIC.fullmatch(word)) for word in words]
    if _ends_without_figures(words):
        return True
    if not (numeric[-1] and any(ch.isdigit() for ch in words[-1] + words[-2])):
        return False
    tail = 0
    while tail < len(words) and numeric[-1 - tail]:
        tail += 1
    if _ends_in_a_date(words, tail):
        return False
    digits = sum(any(ch.isdigit() for ch in word) for word in words[-tail:])
    if _AMOUNT.fullmatch(words[-1]) and len(words) <= _MOST_LABEL and line.lstrip()[:1].isupper():
        return True  # "Total $82.50"
    return digits >= 2 or (
        digits == 1
        and ("$" in words or line.lstrip().endswith("%"))
        and len(words) <= 12
        and not line.rstrip().endswith(".")
    )


def _ends_without_figures(words: list[str]) -> bool:
    """Whether a label stands before a figure and cells that have none: "Utah 12 — —".

    >>> _ends_without_figures("Utah 12 — —".split()), _ends_without_figures("It was 12 —".split())
    (True, False)
    >>> _ends_without_figures("Loss, net of tax — — (4)".split())
    True
    """
    tail = list(takewhile(_NUMERIC.fullmatch, reversed(words)))
    empty = [word for word in tail if _NO_FIGURE.fullmatch(word)]
    figures = any(_DIGIT.search(word) for word in tail)
    return len(words) > len(tail) > len(empty) > 1 and figures


def _ends_in_a_date(words: list[str], tail: int) -> bool:
    """Whether the numbers at the end are a day and its year, or the hours: "May 2024, 18:30"."""
    month = words[-tail - 1].casefold() if tail < len(words) else ""
    return month in MONTHS and _DAY_AND_YEAR.fullmatch(" ".join(words[-tail:])) is not None


def with_rows_of_one_figure(lines: list[Line]) -> list[Line]:
    """Return the lines, those of a column of figures behind their labels as rows: "Otter 42".

    Several stand one below the other. Figures that only rise are the pages of a table of contents,
    and years are no figures.
    """
    found = list(lines)
    first = 0
    while first < len(lines):
        end = first
        while end < len(lines) and _is_label_and_figure(lines[end]):
            end += 1
        figures = [int(_NO_DIGIT.sub("", line.text.split()[-1])) for line in lines[first:end]]
        years = all(figure in _YEARS for figure in figures)
        if len(figures) >= _FEWEST_ROWS and figures != sorted(figures) and not years:
            found[first:end] = [replace(line, kind="row") for line in lines[first:end]]
        first = end + 1
    return found


def _is_label_and_figure(line: Line) -> bool:
    bare = line.text.strip()
    short = len(bare.split()) <= _MOST_LABELLED
    return line.kind == "prose" and short and _FIGURE_BEHIND.fullmatch(bare) is not None


def wrap_width(lines: list[Line]) -> int:
    """Return the width at which the text was wrapped, or 0 if every line end is intended."""
    lengths = sorted(len(line.text) for line in lines if line.kind in ("prose", "item"))
    if not lengths:
        return 0
    width, full = _full_lines(lengths)
    if lengths[-1] > _WIDEST:
        return _wrapped_below(lines)
    # A word that was divided at a line end and is whole again makes one long line of two.
    single = [length for length in lengths if length <= 0.7 * width]
    if len(single) >= 0.75 * len(lengths):
        narrow, full_single = _full_lines(single)
        if narrow >= _NARROWEST and full_single >= len(single) / 2:
            return narrow
    return width if full > 1 else 1_000  # one long line sets no margin


def _wrapped_below(lines: list[Line]) -> int:
    """The width of the wrapped lines of a text that has longer ones too, 0 where none are wrapped.

    Several lines are about as long, and most of them end in no stop. A line that is longer is two
    of them, of which a divided word was joined; or each line is a paragraph, which has its stop.
    """
    prose = [line.text.rstrip() for line in lines if line.kind in ("prose", "item")]
    full: list[str] = []
    for width in {len(text) for text in prose if _WIDEST / 2 <= len(text) <= 2 * _WIDEST}:
        near = [text for text in prose if _FULL * width < len(text) <= width]
        full = max(full, near, key=len)
    ended = sum(text.rstrip(_CLOSERS)[-1:] in _TERMINAL for text in full)
    wrapped = len(full) >= _SEVERAL and len(prose) <= 3 * len(full) and 2 * ended < len(full)
    return max(map(len, full)) if wrapped else 0


def _full_lines(lengths: list[int]) -> tuple[int, int]:
    """The length that nearly all lines keep to, and how many lines reach it."""
    width = lengths[int(0.95 * len(lengths))]
    return width, sum(length > _FULL * width for length in lengths)


def joins(line: Line, after: Line, width: int) -> bool:
    """Whether `after` continues the paragraph: its first word did not fit on `line`."""
    end, begin = line.text.rstrip(), after.text.lstrip()
    if _TIMED.match(begin) or is_signature(end):
        return False
    if _FIGURE_BEHIND.fullmatch(end) and _FIGURE_BEHIND.fullmatch(begin):
        return False
    if FIELD.match(begin) and (end.endswith(":") or FIELD.match(end)):
        return False
    if end.rstrip(_CLOSERS)[-1:] not in _TERMINAL and (
        begin[:1].islower()
        or (begin[:1].isnumeric() and (len(end) > 90 or _BEFORE_FIGURE.search(end)))
        or (_SUBSCRIPT.match(begin) and _ends_in_formula(end))
    ):
        return True  # a subscript on a line of its own ("CO", "2") does not end a sentence
    if _UNFINISHED.search(end):
        return True
    if not width:
        return False
    word = begin.split(None, 1)[0] if begin else ""
    room = len(word) + 1 if not _spaceless(begin[:1]) else 1
    return len(end) + room > _FULL * width


def _ends_in_formula(line: str) -> bool:
    """Whether a line of several words ends in the formula of a substance."""
    words = line.split()
    return len(words) > _FEWEST_BEFORE and _FORMULA.fullmatch(words[-1].lstrip("(")) is not None


def _spaceless(character: str) -> bool:
    """Whether the script is written without spaces (Chinese, Japanese, Thai, ...)."""
    return (
        "\u0e00" <= character <= "\u0eff"
        or "\u1000" <= character <= "\u109f"
        or "\u2e80" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def is_heading(line: str) -> bool:
    """Whether a line that stands alone reads like a heading: short, and with no full stop.

    A function with its parameters is one, however long.
    """
    bare = line.strip()
    field = FIELD.match(bare)
    if is_signature(bare):
        return True
    if (
        _TIMED.match(bare)
        or _RECORD.match(bare)
        or (field and (bare[0].islower() or _DIGIT.search(bare, field.end() - 1)))
    ):
        return False  # "Baking time: 15 minutes", "currency: EUR"
    if bare.count(", ") > 1 and _DIGIT.search(bare):
        return False  # "BSc, University of Graz, 2014"
    return (
        bare.rstrip(_CLOSERS)[-1:] not in _TERMINAL
        and len(bare) < 90
        and len(bare.split()) <= 12
        and not (_spaceless(bare[0]) and len(bare) > 30)
    )
