"""Find the tables of a PDF by rows whose cells are far apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.parsing.pdf.raw import RawPage
from core.parsing.pdf.text import has_cells, lines_of
from core.types import Block, ChunkKind

_FEWEST_ROWS = 3


def find_tables(page: RawPage) -> tuple[Block, ...]:
    """Return runs of at least three rows of two or more cells; a row of one cell may be between."""
    lines = list(lines_of(page))
    rows = [has_cells(page, line) for line in lines]
    return tuple(
        Block(lines[first].start, lines[last].end, ChunkKind.TABLE) for first, last in _runs(rows)
    )


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
