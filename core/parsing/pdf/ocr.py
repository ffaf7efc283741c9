"""Read pages that are pictures by rapidocr, whose package contains its models.

A page may be rotated: on its side its lines are taller than wide, and lines that are read upside
down have little confidence. Such a page is read again from the rotated picture, and its boxes are
rotated back.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import name

import numpy as np
import numpy.typing as npt

from core.parsing.boxes import UNIT, Boxes
from core.parsing.pdf.raw import HYPHEN, RawPage

_LONGEST_SIDE = 2_000  # pixels of a page's picture
_LARGEST_SCALE = 4.0
_UPRIGHT_CONFIDENCE = 0.85  # upright lines are read with 0.95 and more, others with 0.7
_TALL = 1.5  # times as high as wide: rapidocr rotates such a line anticlockwise first
_THREADS = 2
_COLUMN_WIDTH = 0.2  # of the page: lines of running text are at least as wide, table cells are not
_GUTTER = 0.015  # of the page, between two columns
_SCRIPTS = {
    "CJK": {"ja", "zh"},
    "FULLWIDTH": {"ja", "zh"},
    "HALFWIDTH": {"ja", "zh"},
    "IDEOGRAPHIC": {"ja", "zh"},
    "HIRAGANA": {"ja"},
    "KATAKANA": {"ja"},
}
"""First words of Unicode names, and the languages of these characters. Others are always read."""

FloatArray = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Line:
    """A recognised stretch of text; `spans` (n, 4) holds a box for each character, in pixels."""

    text: str
    spans: FloatArray
    confidence: float = 1.0

    @property
    def box(self) -> FloatArray:
        return np.concatenate((self.spans[:, :2].min(axis=0), self.spans[:, 2:].max(axis=0)))

    @property
    def tall(self) -> bool:
        left, top, right, bottom = self.box
        return bool(len(self.text) > 1 and bottom - top >= _TALL * (right - left))


def faults() -> tuple[type[Exception], ...]:
    """Return what the libraries raise for a picture that they cannot read."""
    import cv2
    from pypdfium2 import PdfiumError
    from rapidocr.inference_engine.onnxruntime.main import ONNXRuntimeError

    return (cv2.error, ONNXRuntimeError, RuntimeError, ValueError, PdfiumError)


class Reader:
    """The recognition models, loaded once for all pages of a document.

    `languages` (ISO 639-1) limits what is read to their scripts; empty means all languages of the
    models, which are `core.config.OCR_LANGUAGES`.
    """

    def __init__(self, languages: Collection[str] = ()) -> None:
        from rapidocr import RapidOCR

        parameters = {
            "Global.use_cls": False,  # it flips single good lines; pages are rotated here
            "Global.return_word_box": True,
            "Global.return_single_char_box": True,
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
        }
        self._engine = RapidOCR(params=parameters)
        recogniser = self._engine._load_rec_model()
        signs: Sequence[str] = recogniser.postprocess_op.character
        self._letters = frozenset(filter(str.isalpha, signs))
        if languages:
            recogniser.postprocess_op = limited(recogniser.postprocess_op, signs, languages)

    def unread_script(self, text: str) -> str:
        """Return the script of a text ("Cyrillic") if the models know few of its letters."""
        letters = [char for char in text if char.isalpha()]
        strange = [char for char in letters if char not in self._letters]
        if len(strange) <= len(letters) / 2:
            return ""
        [(script, _)] = Counter(name(char, "?").split()[0] for char in strange).most_common(1)
        return script.capitalize()

    def read(self, page: Any) -> RawPage:
        """Read a `pypdfium2.PdfPage` from its picture; boxes are relative to the page as shown."""
        width, height = page.get_size()
        scale = min(_LONGEST_SIDE / max(width, height, 1.0), _LARGEST_SCALE)
        picture = page.render(scale=scale, rev_byteorder=False).to_numpy()
        lines, turns = self._upright(np.ascontiguousarray(picture[:, :, :3]))
        wide, high = picture.shape[1 - turns % 2], picture.shape[turns % 2]
        raw = _page(ordered(lines, wide), wide, high)
        return replace(raw, boxes=turned_back(raw.boxes, turns), width=width, height=height)

    def _upright(self, picture: Picture) -> tuple[list[_Line], int]:
        """Return the lines of a page and how often its picture was rotated anticlockwise."""
        lines = self._lines(picture)
        sideways = _sideways(lines)
        sure = _confidence(lines) >= _UPRIGHT_CONFIDENCE
        if not lines or (sure and not sideways):
            return lines, 0
        turns = (1 if sure else 3) if sideways else 2
        turned = self._lines(np.ascontiguousarray(np.rot90(picture, turns)))
        better = sideways or _confidence(turned) > _confidence(lines)
        return (turned, turns) if better else (lines, 0)

    def _lines(self, picture: Picture) -> list[_Line]:
        found = self._engine(picture)
        if found.txts is None:
            return []
        texts = [" ".join(text.split()) for text in found.txts]
        return [
            _Line(text, _spans(text, signs, quad), float(confidence))
            for text, signs, quad, confidence in zip(
                texts, found.word_results, found.boxes, found.scores, strict=True
            )
        ]


def _sideways(lines: list[_Line]) -> bool:
    """Whether most of the text is in lines that are taller than wide."""
    tall = sum(len(line.text) for line in lines if line.tall)
    return tall > sum(len(line.text) for line in lines) / 2


def _confidence(lines: list[_Line]) -> float:
    """Return the mean confidence of the lines, weighted by length."""
    letters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / max(letters, 1)


def limited(decode: Any, signs: Sequence[str], languages: Collection[str]) -> Any:
    """Return `decode`, which turns probabilities into text, without some characters.

    The probabilities have shape (lines, steps, characters); those of scripts that none of the
    languages uses become 0.
    """
    scripts = {script for script, users in _SCRIPTS.items() if not users & set(languages)}
    unused = [index for index, sign in enumerate(signs) if _script(sign) in scripts]

    def decode_limited(chances: npt.NDArray[Any], *arguments: Any, **named: Any) -> Any:
        chances[:, :, unused] = 0
        return decode(chances, *arguments, **named)

    return decode_limited


def _script(sign: str) -> str:
    return name(sign, "?").split()[0] if len(sign) == 1 else ""


def _spans(text: str, signs: Sequence[Any], quad: npt.NDArray[Any]) -> FloatArray:
    """Return a box for each character of a line; a space has no width.

    `signs` holds (character, confidence, corners) for each character but spaces. If they do not
    match the text, each character has the box of the line.
    """
    if "".join(str(sign[0]) for sign in signs) != "".join(text.split()):
        return np.tile(_bounds(quad), (len(text), 1))
    found = iter(signs)
    spans: list[FloatArray] = []
    for char in text:
        spans.append(spans[-1][[2, 1, 2, 3]] if char.isspace() else _bounds(next(found)[2]))
    return np.array(spans)


def _bounds(corners: Any) -> FloatArray:
    points = np.asarray(corners, dtype=np.float64)
    return np.concatenate((points.min(axis=0), points.max(axis=0)))


def turned_back(boxes: Boxes, turns: int) -> Boxes:
    """Return boxes on a picture rotated anticlockwise `turns` times as boxes on the upright one.

    >>> turned_back(np.array([[1, 2, 3, 4]], dtype=np.uint16), 1).tolist()
    [[65531, 1, 65533, 3]]
    """
    drawn = boxes.any(axis=1, keepdims=True)
    for _ in range(turns):
        left, top, right, bottom = boxes.T
        boxes = np.column_stack((UNIT - bottom, left, UNIT - top, right))
    return boxes * drawn


# ----------------------------------------------------------------------------- reading order


def ordered(lines: list[_Line], width: int) -> list[list[_Line]]:
    """Return rows of lines in reading order, columns of running text one after the other."""
    if len(lines) < 2:
        return [lines] if lines else []
    parts = _columns(lines, width)
    if parts is not None:
        return [row for part in parts for row in ordered(part, width)]
    return _rows(lines)


def _columns(lines: list[_Line], width: int) -> list[list[_Line]] | None:
    """Return two columns with what is above and below them, or None if there are none."""
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
    """Order lines between two that cross the gutter: the left column first, then the right one."""
    edges = [-np.inf, *sorted(boxes[crossing, 1].tolist()), np.inf]
    for top, bottom in itertools.pairwise(edges):
        here = (boxes[:, 1] >= top) & (boxes[:, 1] < bottom)
        for side in (crossing, left, right):
            chosen = [line for line, wanted in zip(lines, here & side, strict=True) if wanted]
            if chosen:
                yield chosen


def _rows(lines: Iterable[_Line]) -> list[list[_Line]]:
    """Join lines at the same height into rows from left to right."""
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


def _page(rows: list[list[_Line]], wide: int, high: int) -> RawPage:
    """Return rows as text; a word divided at the end of a row has `HYPHEN` and no line end."""
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
        drawn=True,
        ocr_layer=True,
    )
