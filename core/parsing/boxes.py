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
_WIDEST_GAP = 3.0  # in line heights: a wider gap (a column, a table) begins a new rectangle


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
    no rectangles. A line across columns or table cells has one for each of them.
    """
    boxes = unpack_boxes(page.boxes)[max(start, 0) : max(end, 0)].astype(np.float64)
    drawn = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    return tuple(_fractions(line) for line in _lines(drawn))


def _lines(boxes: npt.NDArray[np.float64]) -> Iterator[npt.NDArray[np.float64]]:
    axis = _direction(boxes)
    line: npt.NDArray[np.float64] | None = None
    for box in boxes:
        if line is not None and _continues(line, box, axis):
            line = np.array([*np.minimum(line[:2], box[:2]), *np.maximum(line[2:], box[2:])])
        else:
            if line is not None:
                yield line
            line = box
    if line is not None:
        yield line


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
