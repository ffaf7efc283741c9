"""Questions that rows of a table answer (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.answering.suggestions.subjects import POINTING
from core.text.sentences import Sentence, SentenceKind

_CELLS = re.compile(r"\s*[|\t]\s*")
_UNIT = re.compile(r"\s*\([^()]*\)$")
_DONE = re.compile(r"\w{4}ed$", re.I)
"""A column of what was done: nobody asks for "the installed of" something."""
_RULE = re.compile(r"[\s|:=+-]*")


def questions_of(pieces: Sequence[Sentence]) -> Iterator[tuple[str, str]]:
    """Yield, for a row below a header, the question for a cell with a number, and the row.

    Another column is asked for in each row.
    """
    header: list[str] = []
    asked = 0
    for before, piece in pairwise([None, *pieces]):
        if piece is None or piece.kind is not SentenceKind.ROW:
            header = []
            continue
        cells = _CELLS.split(piece.text.strip(" |\t"))
        if _RULE.fullmatch(piece.text):
            continue
        if before is None or before.kind is not SentenceKind.ROW or not header:
            header = cells
            continue
        if len(cells) != len(header) or len(cells) < 2:
            continue
        # A row of a CSV file repeats the name of each column.
        cells = [cell.removeprefix(f"{name}: ") for name, cell in zip(header, cells, strict=True)]
        if _is_label(cells[0]):
            bare = [_UNIT.sub("", name) for name in header[1:]]
            figures = [
                column
                for column, cell in zip(bare, cells[1:], strict=True)
                if _is_label(column) and not _DONE.search(column) and any(map(str.isdigit, cell))
            ]
            if figures:
                column = figures[asked % len(figures)]
                small = column if column.isupper() else column[:1].lower() + column[1:]
                yield f"What is the {small} of {cells[0]}?", piece.text
                asked += 1


def _is_label(cell: str) -> bool:
    words = cell.split()
    return (
        1 <= len(words) <= 4
        and all(word[0].isalpha() for word in words)
        and words[0].casefold() not in POINTING
    )
