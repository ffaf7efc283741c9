"""Lines that only stand around what a page says: contents, page numbers, copyright (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from core.text.terms import terms

CONTENTS_LINE = re.compile(r"(?:\. ?){4,}\s*([\divxl]+)$|…\s*(\d+)$")
"""A line of a table of contents; a price list and a balance sheet have leaders too."""
COPYRIGHT = re.compile(r"©|\(c\)\s+(?:19|20)\d\d|copyright\s+(?:©|\(c\)|(?:19|20)\d\d)", re.I)
"""The line at the foot of a page; "(c)" alone is the third item of a list."""
PAGE = re.compile(r"(?:page|seite|p\.)?\s*\d{1,4}(?:\s*(?:of|von|/)\s*\d{1,4})?$", re.I)
_WORDED_PAGE = re.compile(r"(?:page|seite)\s+\d{1,4}(?:\s*(?:of|von|/)\s*\d{1,4})?", re.I)
_FEWEST_CONTENTS = 3
_IMPRINT = 2
"""On a document's first pages, and where it has none, who holds the rights may be asked for."""


def without_furniture(text: str, page: int | None = None, asked: str = "") -> str:
    """Return the text without the lines that only stand around it.

    Left out are lines of a table of contents (three or more whose pages never fall), copyright at
    the foot of a later page, "Page 3 of 10", and the bare number of `page` at either end; none that
    shares a word with the question `asked`. Where nothing else is there, the text is returned as it
    is.

    >>> without_furniture("7\\nTea is hot.\\nPage 7 of 9\\n© 2020 Acme", page=7)
    'Tea is hot.'
    """
    lines = text.split("\n")
    wanted = {term.key for term in terms(asked) if term.kind != "stop"}
    left_out = {
        at
        for at in {*_contents(lines), *_footers(lines, page), *_numbers(lines, page)}
        if not wanted.intersection(term.key for term in terms(lines[at]))
    }
    kept = [line for at, line in enumerate(lines) if at not in left_out]
    return "\n".join(kept).strip("\n") if any(line.strip() for line in kept) else text


def _contents(lines: list[str]) -> Collection[int]:
    found = [
        (at, there)
        for at, line in enumerate(lines)
        if (there := CONTENTS_LINE.search(line.rstrip()))
    ]
    pages = [int(number) for _, there in found if (number := there[1] or there[2]).isdigit()]
    ascend = len(pages) >= _FEWEST_CONTENTS and all(one <= other for one, other in pairwise(pages))
    return [at for at, _ in found] if ascend else []


def _footers(lines: list[str], page: int | None) -> Collection[int]:
    shown = [line.strip() for line in lines]
    later = page is not None and page > _IMPRINT
    return [
        at
        for at, line in enumerate(shown)
        if _WORDED_PAGE.fullmatch(line) or (later and COPYRIGHT.match(line))
    ]


def _numbers(lines: list[str], page: int | None) -> Collection[int]:
    """The first and the last line with something on it, where it is the number of the page."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return [at for at in {*filled[:1], *filled[-1:]} if lines[at].strip() == str(page)]
