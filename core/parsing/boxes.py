"""The boxes of characters on a page: their packing, and the rectangles that mark a passage."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from core.types import Page

Boxes = npt.NDArray[np.uint16]
"""Shape (n, 4): left, top, right, bottom in 1/65535 of the page; zeros if not drawn."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom in fractions (0 to 1) of the page."""

UNIT = 65535
_MOST = 8 << 23  # bytes, of eight million characters: a page of a book has some thousands
_BY_COLUMN = b"\x01"  # what zlib makes begins with another byte
_SAME_LINE = 0.5  # share of the lower of two heights that must overlap
_LINES_AROUND = 8
"""Lines before a passage, and after it, whose edges are those of its column."""
_WIDEST_GAP = 3.0  # in line heights: a wider gap (a column, a table) begins a new rectangle
_ASKEW = 1.25  # heights of a character: a line of a scan that climbs over more is marked in pieces


def pack_boxes(boxes: npt.ArrayLike) -> bytes:
    """Pack an array of shape (n, 4) as `Page.boxes` stores it.

    Stored are four columns: the distance from the end of the previous character, the change of
    the top, the width and the height (docs/decisions.md gives the sizes).

    >>> unpack_boxes(pack_boxes([[1, 2, 3, 4]])).tolist()
    [[1, 2, 3, 4]]
    """
    array = np.asarray(boxes).reshape(-1, 4).clip(0, UNIT).astype(np.uint16)
    if not len(array):
        return b""
    left, top, right, bottom = array.T
    before = np.concatenate([np.zeros(1, np.uint16), right[:-1]])
    moved = np.diff(top, prepend=np.zeros(1, np.uint16))
    columns = np.stack([left - before, moved, right - left, bottom - top])  # modulo 65536
    return _BY_COLUMN + zlib.compress(columns.astype("<u2").tobytes(), 6)


def unpack_boxes(packed: bytes) -> Boxes:
    """The array of shape (n, 4) that `pack_boxes` took; n is 0 for an empty or absurd value."""
    if not packed.startswith(_BY_COLUMN):  # nothing, or as it was kept before
        plain = _inflated(packed)
        return np.frombuffer(plain, dtype="<u2").reshape(-1, 4).astype(np.uint16)
    plain = _inflated(packed[len(_BY_COLUMN) :])
    gap, moved, width, height = np.frombuffer(plain, "<u2").reshape(4, -1).astype(np.uint16)
    right = np.cumsum(gap + width, dtype=np.uint16)
    top = np.cumsum(moved, dtype=np.uint16)
    return np.stack([right - width, top, right, top + height], axis=1)


def _inflated(packed: bytes) -> bytes:
    """Unpack; nothing for what would grow beyond any page: a child may have been taken over."""
    inflater = zlib.decompressobj()
    plain = inflater.decompress(packed, _MOST)
    return plain if not inflater.unconsumed_tail else b""


def line_boxes(page: Page, start: int, end: int) -> tuple[Rectangle, ...]:
    """Return the rectangles that mark `page.text[start:end]`, one for each printed line.

    Characters without a box (line ends, generated spaces) are skipped; a page without layout has
    no rectangles. A line across columns or table cells has one for each of them, and a line of a
    scan that lies askew several that follow it: one for all would cover the lines beside it.
    """
    boxes = unpack_boxes(page.boxes)[max(start, 0) : max(end, 0)].astype(np.float64)
    drawn = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    return tuple(_fractions(line) for line in _lines(drawn, _ASKEW if page.ocr else np.inf))


def column(page: Page, start: int, end: int) -> tuple[float, float] | None:
    """Return the left and right edge of the lines around `page.text[start:end]`, fractions of 1.

    They are those of the few lines before and after that stand above or below it, so that another
    column beside it does not count. None without layout, and where the text runs up or down.
    """
    boxes = unpack_boxes(page.boxes)
    marked = _edges(boxes[start:end])
    if marked is None or _direction(boxes[start:end].astype(np.float64)):
        return None
    lines = (_edges(boxes[a:b]) for a, b in _lines_around(page.text, start, end))
    there = [one for one in (marked, *lines) if one and one[0] < marked[1] and one[1] > marked[0]]
    return min(left for left, _ in there) / UNIT, max(right for _, right in there) / UNIT


def _edges(boxes: Boxes) -> tuple[int, int] | None:
    drawn = boxes[boxes[:, 2] > boxes[:, 0]]
    return (int(drawn[:, 0].min()), int(drawn[:, 2].max())) if len(drawn) else None


def _lines_around(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the lines of the text begin and end that a passage is in or near."""
    for _ in range(_LINES_AROUND + 1):
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    for _ in range(_LINES_AROUND + 1):
        end = following if (following := text.find("\n", end + 1)) >= 0 else len(text)
    at = start
    for line in text[start:end].splitlines(keepends=True):
        yield at, at + len(line)
        at += len(line)


def _lines(boxes: npt.NDArray[np.float64], askew: float) -> Iterator[npt.NDArray[np.float64]]:
    """Yield a box for each line, or for as much as is `askew` times as high as a character."""
    axis = _direction(boxes)
    line: npt.NDArray[np.float64] | None = None
    highest = 0.0
    for box in boxes:
        high = _thickness(box, axis)
        if line is not None and _continues(line, box, axis):
            both = _around(line, box)
            if _thickness(both, axis) <= askew * max(highest, high):
                line, highest = both, max(highest, high)
                continue
            box = _joined(line, box, axis)
        if line is not None:
            yield line
        line, highest = box, high
    if line is not None:
        yield line


def _joined(
    line: npt.NDArray[np.float64], box: npt.NDArray[np.float64], axis: int
) -> npt.NDArray[np.float64]:
    """Return the box with what lies between it and the line, whichever way the text runs."""
    found = box.copy()
    found[axis] = min(box[axis], line[axis + 2])
    found[axis + 2] = max(box[axis + 2], line[axis])
    return found


def _thickness(box: npt.NDArray[np.float64], axis: int) -> float:
    return float(box[3 - axis] - box[1 - axis])


def _around(
    one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    return np.array([*np.minimum(one[:2], other[:2]), *np.maximum(one[2:], other[2:])])


def _direction(boxes: npt.NDArray[np.float64]) -> int:
    """Return the axis along which most characters advance: 0 across, 1 down (rotated text)."""
    steps = np.abs(np.diff(boxes[:, :2] + boxes[:, 2:], axis=0))
    return int(np.count_nonzero(steps[:, 1] > steps[:, 0]) > len(steps) / 2)


def _continues(line: npt.NDArray[np.float64], box: npt.NDArray[np.float64], axis: int) -> bool:
    """Whether a box continues the line: on the same height, near its end."""
    a, b = axis, 1 - axis
    thickness = min(line[b + 2] - line[b], box[b + 2] - box[b])
    overlap = min(line[b + 2], box[b + 2]) - max(line[b], box[b])
    gap = max(box[a] - line[a + 2], line[a] - box[a + 2])
    return bool(overlap >= _SAME_LINE * thickness and gap <= _WIDEST_GAP * thickness)


def _fractions(box: npt.NDArray[np.float64]) -> Rectangle:
    left, top, right, bottom = (box / UNIT).tolist()
    return left, top, right, bottom
