"""Find the tables of a PDF by rows whose cells are far apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.parsing.boxes import UNIT
from core.parsing.pdf.raw import RawPage
from core.parsing.pdf.text import Line, lines_of
from core.types import Block, ChunkKind

_WIDE_GAP = 1.5  # times the height of the letters; words of running text are closer
_FEWEST_ROWS = 3


def find_tables(page: RawPage) -> tuple[Block, ...]:
    """Return runs of at least three rows of two or more cells; a row of one cell may be between."""
    lines = list(lines_of(page))
    rows = [_is_row(page, line) for line in lines]
    return tuple(
        Block(lines[first].start, lines[last].end, ChunkKind.TABLE) for first, last in _runs(rows)
    )


def _is_row(page: RawPage, line: Line) -> bool:
    boxes = page.boxes[line.start : line.end].astype(np.float64) / UNIT
    drawn = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    if len(drawn) < 2:
        return False
    gaps = (drawn[1:, 0] - drawn[:-1, 2]) * page.width
    height = float(np.median(drawn[:, 3] - drawn[:, 1])) * page.height
    return bool((gaps > _WIDE_GAP * height).any())


def _runs(rows: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of each run of rows; single other lines do not end a run."""
    first = last = None
    count = 0
    for index, is_row in enumerate([*rows, False, False]):
        if is_row:
            first = index if first is None else first
            last, count = index, count + 1
        elif first is not None and last is not None and index - last > 1:
            if count >= _FEWEST_ROWS:
                yield first, last
            first, count = None, 0
