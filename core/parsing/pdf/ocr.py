"""Text of pages that are pictures, by rapidocr (whose models are part of its package).

Two things are done otherwise than by its own pipeline. Its recogniser, trained on Chinese,
leaves out most spaces of Western lines although it sees them: a space is put where it gives
one a chance of more than a hundredth (words right on a printed page: 99 % instead of 75 %).
And its classifier of upside-down lines is not asked, as it turns good lines around.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.parsing.boxes import UNIT
from core.parsing.pdf.raw import HYPHEN, RawPage

_LONGEST_SIDE = 2_000  # pixels of a page's picture
_LARGEST_SCALE = 4.0
_SPACE_CHANCE = 0.01
_LEAST_CONFIDENCE = 0.5
_THREADS = 2
_COLUMN_WIDTH = 0.2  # of the page: lines of running text are at least as wide, table cells are not
_GUTTER = 0.015  # of the page, between two columns

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Line:
    """A recognised stretch of text; `spans` (n, 4) holds a box for each character, in pixels."""

    text: str
    spans: FloatArray

    @property
    def box(self) -> FloatArray:
        return np.concatenate((self.spans[:, :2].min(axis=0), self.spans[:, 2:].max(axis=0)))


def faults() -> tuple[type[Exception], ...]:
    """What the libraries raise on a picture that they cannot read."""
    import cv2
    from pypdfium2 import PdfiumError

    return (cv2.error, RuntimeError, ValueError, PdfiumError)


class Reader:
    """The recognition models, loaded once for all pages of a document."""

    def __init__(self) -> None:
        from rapidocr_onnxruntime import RapidOCR

        self._engine = RapidOCR(intra_op_num_threads=_THREADS)
        self._signs: Sequence[str] = self._engine.text_rec.postprocess_op.character

    def read(self, page: Any) -> RawPage:
        """Read a `pypdfium2.PdfPage` from its picture; boxes are of the page as it is shown."""
        width, height = page.get_size()
        scale = min(_LONGEST_SIDE / max(width, height, 1.0), _LARGEST_SCALE)
        picture = page.render(scale=scale, rev_byteorder=False).to_numpy()
        picture = np.ascontiguousarray(picture[:, :, :3])
        lines = ordered(list(self._lines(picture)), picture.shape[1])
        return _page(lines, picture.shape[1], picture.shape[0], width, height)

    def _lines(self, picture: npt.NDArray[np.uint8]) -> Iterator[_Line]:
        quads, _ = self._engine.auto_text_det(picture)
        if quads is None:
            return
        crops = self._engine.get_crop_img_list(picture, quads)
        for quad, crop in zip(quads, crops, strict=True):
            if min(crop.shape[:2]) < 4:
                continue
            text, places = self._recognise(crop)
            if text.strip():
                yield _Line(text, _spans(np.asarray(quad, dtype=np.float64), places))

    def _recognise(self, crop: npt.NDArray[np.uint8]) -> tuple[str, FloatArray]:
        """The text of a line, and where along it (0 to 1) each character begins and ends."""
        recogniser = self._engine.text_rec
        height, width = crop.shape[:2]
        tensor = recogniser.resize_norm_img(crop, max(width / height, 1.0))[None]
        chances = np.asarray(recogniser.session(tensor)[0][0])
        return decode(chances, self._signs)


def decode(chances: npt.NDArray[Any], signs: Sequence[str]) -> tuple[str, FloatArray]:
    """Text from the recogniser's chances, shape (steps, signs): sign 0 is "none", the last a space.

    Gives the text and for each character where it begins and ends along the line, shape (n, 2).
    """
    steps = len(chances)
    best = chances.argmax(axis=1)
    new = (best != 0) & np.concatenate(([True], best[1:] != best[:-1]))
    columns = np.nonzero(new)[0].tolist()
    if not columns or chances[columns, best[columns]].mean() < _LEAST_CONFIDENCE:
        return "", np.zeros((0, 2))
    text = ""
    places: list[float] = []
    for column, following in itertools.zip_longest(columns, columns[1:], fillvalue=steps):
        sign = signs[best[column]]
        if sign != " " or not text.endswith(" "):
            text += sign
            places.append(column)
        between = chances[column + 1 : following, -1]
        spaced = following < steps and len(between) and between.max() > _SPACE_CHANCE
        if spaced and not text.endswith(" ") and signs[best[following]] != " ":
            text += " "
            places.append((column + following) / 2)
    return text, _edges(np.array(places, dtype=np.float64), steps)


def _edges(centres: FloatArray, steps: int) -> FloatArray:
    """Borders half way between neighbours, as shares of the line."""
    middles = (centres[1:] + centres[:-1]) / 2
    edges = np.concatenate(([0.0], middles + 0.5, [float(steps)])) / steps
    return np.column_stack((edges[:-1], edges[1:])).clip(0.0, 1.0)


def _spans(quad: FloatArray, places: FloatArray) -> FloatArray:
    """Boxes of characters along a line whose corners run from its top left, clockwise."""
    across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    if down >= 1.5 * across:  # read from top to bottom
        starts = quad[0] + places[:, :1] * (quad[3] - quad[0])
        ends = quad[1] + places[:, 1:] * (quad[2] - quad[1])
    else:
        starts = quad[0] + places[:, :1] * (quad[1] - quad[0])
        ends = quad[3] + places[:, 1:] * (quad[2] - quad[3])
    return np.column_stack((np.minimum(starts, ends), np.maximum(starts, ends)))


# ----------------------------------------------------------------------------- reading order


def ordered(lines: list[_Line], width: int) -> list[list[_Line]]:
    """Rows of lines in reading order: columns of running text one after the other."""
    if len(lines) < 2:
        return [lines] if lines else []
    parts = _columns(lines, width)
    if parts is not None:
        return [row for part in parts for row in ordered(part, width)]
    return _rows(lines)


def _columns(lines: list[_Line], width: int) -> list[list[_Line]] | None:
    """Two columns with what stands above and below them; None where there are none."""
    boxes = np.array([line.box for line in lines])
    fewest, best = 0.35 * len(lines), None
    for middle in np.linspace(0.25, 0.75, 41) * width:
        left, right = boxes[:, 2] <= middle, boxes[:, 0] >= middle + _GUTTER * width
        crossing = ~left & ~right
        if min(left.sum(), right.sum()) < 4 or crossing.sum() >= fewest:
            continue
        widths = boxes[:, 2] - boxes[:, 0]
        if min(np.median(widths[left]), np.median(widths[right])) >= _COLUMN_WIDTH * width:
            fewest, best = crossing.sum(), (left, right, crossing)
    return None if best is None else list(_stacked(lines, boxes, *best))


def _stacked(
    lines: list[_Line], boxes: FloatArray, left: Any, right: Any, crossing: Any
) -> Iterator[list[_Line]]:
    """Between two lines that cross the gutter, the left column first, then the right one."""
    edges = [-np.inf, *sorted(boxes[crossing, 1].tolist()), np.inf]
    for top, bottom in itertools.pairwise(edges):
        here = (boxes[:, 1] >= top) & (boxes[:, 1] < bottom)
        for side in (crossing, left, right):
            chosen = [line for line, wanted in zip(lines, here & side, strict=True) if wanted]
            if chosen:
                yield chosen


def _rows(lines: Iterable[_Line]) -> list[list[_Line]]:
    """Lines at one height joined into rows from left to right."""
    rows: list[list[_Line]] = []
    for line in sorted(lines, key=lambda line: float(line.box[1] + line.box[3])):
        if rows and _level_with(rows[-1][-1].box, line.box):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: float(line.box[0])) for row in rows]


def _level_with(box: FloatArray, other: FloatArray) -> bool:
    overlap = min(box[3], other[3]) - max(box[1], other[1])
    return bool(overlap > 0.5 * min(box[3] - box[1], other[3] - other[1]))


def _page(rows: list[list[_Line]], wide: int, high: int, width: float, height: float) -> RawPage:
    """Rows as text; a word that a row's end divides keeps `HYPHEN` and no line end."""
    texts: list[str] = []
    spans: list[FloatArray] = []
    nowhere = np.zeros((1, 4))
    for index, row in enumerate(rows):
        for number, line in enumerate(row):
            if number:
                texts.append(" ")
                spans.append(nowhere)
            texts.append(line.text)
            spans.append(line.spans)
        following = rows[index + 1][0].text[:1] if index + 1 < len(rows) else ""
        if texts[-1].endswith("-") and following.islower():
            texts[-1] = texts[-1][:-1] + HYPHEN
        elif following:
            texts.append("\n")
            spans.append(nowhere)
    text = "".join(texts)
    boxes = np.concatenate(spans) if spans else np.zeros((0, 4))
    scaled = (boxes / np.array([wide, high, wide, high])).clip(0, 1) * UNIT
    nothing = np.zeros(len(text))
    return RawPage(
        text,
        scaled.round().astype(np.uint16),
        nothing.astype(np.float32),
        nothing.astype(np.bool_),
        width,
        height,
        drawn=True,
        ocr_layer=True,
    )
