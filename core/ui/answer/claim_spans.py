"""Where in the Markdown of an answer a claim can be marked without breaking its form (pure)."""

from __future__ import annotations

import re

from core.citations.mark import without_marks

_CELL = re.compile(r"(?:\\.|[^|\\\n])+")
_FIGURE = re.compile(r"\w*\d[\w.,'’/-]*\w|\d")
_NAMED = re.compile(r"“([^”]+)”")
_ROW_START = re.compile(r"[ \t>]*\|")
_EMPHASIS = "*_~"


def markable(text: str, start: int, end: int, reason: str = "") -> tuple[int, int]:
    """The part of the claim `text[start:end]` to mark: one cell of a row, inside of emphasis.

    A border beside the signs of emphasis or of a table's cell would make them plain text.

    >>> text = "**It is so.** [1]"
    >>> markable(text, 0, len("**It is so.**"))
    (2, 11)
    """
    end = min(end, len(text))
    if _is_row(text, start, end):
        start, end = _doubtful_cell(text, start, end, reason)
    while start < end and text[start] in _EMPHASIS:
        start += 1
    while end > start and text[end - 1] in _EMPHASIS:
        end -= 1
    return start, end


def _doubtful_cell(text: str, start: int, end: int, reason: str) -> tuple[int, int]:
    """The cell that has a figure or a name of the reason, else the last one that says something."""
    row = text[start:end]
    cells = []
    for found in _CELL.finditer(row):
        bare = found[0].strip()
        if without_marks(bare):
            first = start + found.start() + found[0].index(bare)
            cells.append((first, first + len(bare)))
    figures, names = set(_FIGURE.findall(reason)), _NAMED.findall(reason)
    for first, last in cells:
        said = without_marks(text[first:last])
        if figures & set(_FIGURE.findall(said)) or any(name in said for name in names):
            return first, last
    return cells[-1] if cells else (start, end)


def _is_row(text: str, start: int, end: int) -> bool:
    if "|" not in text[start:end] or "\n" in text[start:end].strip():
        return False
    line = text.rfind("\n", 0, start) + 1
    return bool(_ROW_START.match(text, line)) or _below_dashes(text[:line])


def _below_dashes(above: str) -> bool:
    """Whether a table's line of dashes stands above, with nothing but rows between."""
    for line in reversed(above.splitlines()):
        if "|" not in line:
            return False
        if "-" in line and not set(line) - set(" \t>|:-"):
            return True
    return False
