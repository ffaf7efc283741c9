"""One page of a PDF as pdfium reads it: its characters with their boxes and styles."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.parsing.pdf.chars import aligned
from core.parsing.pdf.raw import RawPage, empty_page

_BLANK = (2, 9, 10, 13, 32)  # 2 is a hyphen at the end of a line
_INVISIBLE = 3  # PDF's text rendering mode "neither fill nor stroke"
_BOLD_NAMES = (b"bold", b"black", b"heavy", b"-bd", b"medi", b"cmbx", b"sfbx")
_MOST_PARTS = 200  # objects of a group that are examined
_WHITE = 250
_SMALLEST = 1.0  # points; smaller text cannot be read
_SMALLEST_SHARE = 0.0015  # of the page's height, for fonts whose nominal size misleads
_SCANNED_SHARE = 0.3  # of a page that pictures cover if its invisible text is an OCR layer


@dataclass(frozen=True, slots=True)
class _Style:
    """The style that the characters of one text object share."""

    size: float
    bold: bool
    invisible: bool
    white: bool


_PLAIN = _Style(0.0, False, False, False)


def read_page(document: Any, index: int) -> RawPage:
    """Read a page of a `pypdfium2.PdfDocument`.

    Boxes are relative to the page as it is rendered: rotated, cropped, with the values of form
    fields and the comments that are printed on the page. Raises `pypdfium2.PdfiumError`.
    """
    page = _with_annotations(document, index)
    text_page = page.get_textpage()
    try:
        return _read(page, text_page.raw)
    finally:
        text_page.close()
        page.close()


def _with_annotations(document: Any, index: int) -> Any:
    """Return the page with its annotations flattened into it (in memory), if it has any."""
    import pypdfium2.raw as pdfium

    page = document[index]
    if pdfium.FPDFPage_GetAnnotCount(page) <= 0:
        return page
    done = pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
    if done != pdfium.FLATTEN_SUCCESS:
        return page
    page.close()
    return document[index]


def _read(page: Any, text_page: Any) -> RawPage:
    """Read from pdfium's own handle: unwrapping pypdfium2's takes as long as a call."""
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    count = pdfium.FPDFText_CountChars(text_page)
    pictures, drawn = _coverage(page)
    if count <= 0:
        return replace(empty_page(width, height), pictures=pictures, drawn=drawn)
    codes = [pdfium.FPDFText_GetUnicode(text_page, index) for index in range(count)]
    rectangles = _rectangles(text_page, count)
    fractions = _turned(rectangles, page.get_bbox(), page.get_rotation())
    styles = list(_Styles(text_page).all(count))
    gone = _unseen(fractions, codes, styles)
    seen_through = np.array([style.invisible for style in styles], dtype=np.bool_)
    ocr_layer = bool(seen_through.any()) and pictures >= _SCANNED_SHARE
    if not ocr_layer:
        gone |= seen_through | _white_on_white(page, fractions, styles, codes)
    sizes, bold = [style.size for style in styles], [style.bold for style in styles]
    raw = aligned(codes, fractions, sizes, bold, gone)
    return replace(
        raw,
        width=width,
        height=height,
        pictures=pictures,
        drawn=drawn,
        ocr_layer=ocr_layer,
        unknown=_unknown(text_page, codes),
    )


def _unknown(text_page: Any, codes: list[int]) -> float:
    """Return the share of characters without a Unicode mapping, or with an implausible one."""
    import pypdfium2.raw as pdfium

    signs = [(index, code) for index, code in enumerate(codes) if code > 32 or code not in _BLANK]
    unknown = sum(
        code < 32
        or code == 0xFFFD
        or 0xE000 <= code < 0xF900
        or pdfium.FPDFText_HasUnicodeMapError(text_page, index) == 1
        for index, code in signs
    )
    return unknown / len(signs) if signs else 0.0


def _coverage(page: Any) -> tuple[float, bool]:
    """Return the share of the page covered by pictures, and whether anything is drawn on it."""
    import pypdfium2.raw as pdfium

    left, bottom, right, top = page.get_bbox()
    area = max((right - left) * (top - bottom), 1.0)
    handle = page.raw
    covered, count = 0.0, pdfium.FPDFPage_CountObjects(handle)
    bounds = tuple(ctypes.c_float() for _ in range(4))
    for index in range(count):
        thing = pdfium.FPDFPage_GetObject(handle, index)
        if _is_picture(thing) and pdfium.FPDFPageObj_GetBounds(thing, *bounds):
            x0, y0, x1, y1 = (bound.value for bound in bounds)
            wide, high = min(x1, right) - max(x0, left), min(y1, top) - max(y0, bottom)
            covered += max(wide, 0.0) * max(high, 0.0)
    return min(covered / area, 1.0), count > 0


def _is_picture(thing: Any, depth: int = 0) -> bool:
    """Whether an object is an image, or a group that contains one."""
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFPageObj_GetType(thing)
    if kind != pdfium.FPDF_PAGEOBJ_FORM or depth > 3:
        return bool(kind == pdfium.FPDF_PAGEOBJ_IMAGE)
    parts = range(min(pdfium.FPDFFormObj_CountObjects(thing), _MOST_PARTS))
    return any(_is_picture(pdfium.FPDFFormObj_GetObject(thing, part), depth + 1) for part in parts)


def _rectangles(text_page: Any, count: int) -> npt.NDArray[np.float64]:
    """Return left, top, right, bottom of each character in the page's own coordinates."""
    import pypdfium2.raw as pdfium

    rectangle = pdfium.FS_RECTF()
    found = bytearray()
    for index in range(count):
        if not pdfium.FPDFText_GetLooseCharBox(text_page, index, rectangle):
            rectangle = pdfium.FS_RECTF()
        found += bytes(rectangle)
    rectangles = np.frombuffer(found, dtype=np.float32).reshape(count, 4).astype(np.float64)
    for index in np.nonzero(~_solid(rectangles))[0].tolist():
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        rectangles[index] = left.value, top.value, right.value, bottom.value
    rectangles[~np.isfinite(rectangles).all(axis=1)] = 0.0
    return rectangles


def _solid(rectangles: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    wide, high = rectangles[:, 2] - rectangles[:, 0], rectangles[:, 1] - rectangles[:, 3]
    return np.asarray((wide > 0) & (high > 0))


def _turned(
    rectangles: npt.NDArray[np.float64], box: tuple[float, float, float, float], rotation: int
) -> npt.NDArray[np.float64]:
    """Return the rectangles as left, top, right, bottom in fractions of the page as shown."""
    left, bottom, right, top = box
    wide, high = max(right - left, 1e-6), max(top - bottom, 1e-6)
    x = (rectangles[:, (0, 2)] - left) / wide
    y = (top - rectangles[:, (1, 3)]) / high
    if rotation == 90:
        x, y = 1 - y, x
    elif rotation == 180:
        x, y = 1 - x, 1 - y
    elif rotation == 270:
        x, y = y, 1 - x
    return np.column_stack((x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1)))


class _Styles:
    """Reads the style of characters once for each text object, and fonts once for the page.

    Some programs write each letter as an object of its own, so little is read for each.
    """

    def __init__(self, text_page: Any) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium: Any = pdfium
        self._text_page = text_page
        self._bold: dict[int, bool] = {}
        self._matrix = pdfium.FS_MATRIX()
        self._colour = tuple(ctypes.c_uint() for _ in range(4))

    def all(self, count: int) -> Iterator[_Style]:
        """Return the style of each character."""
        last, style = 0, _PLAIN
        for index in range(count):
            pointer = self._pdfium.FPDFText_GetTextObject(self._text_page, index)
            address = ctypes.addressof(pointer.contents) if pointer else 0
            if address != last:
                last = address
                style = self._style(index, pointer) if address else _PLAIN
            yield style

    def _style(self, index: int, pointer: Any) -> _Style:
        pdfium, page = self._pdfium, self._text_page
        pdfium.FPDFText_GetMatrix(page, index, self._matrix)
        size = pdfium.FPDFText_GetFontSize(page, index)
        coloured = pdfium.FPDFText_GetFillColor(page, index, *self._colour)
        red, green, blue, _ = self._colour
        return _Style(
            size=abs(size * math.hypot(self._matrix.c, self._matrix.d)),
            bold=self._is_bold(index, pointer),
            invisible=pdfium.FPDFTextObj_GetTextRenderMode(pointer) == _INVISIBLE,
            white=bool(coloured) and min(red.value, green.value, blue.value) >= _WHITE,
        )

    def _is_bold(self, index: int, pointer: Any) -> bool:
        font = self._pdfium.FPDFTextObj_GetFont(pointer)
        address = ctypes.addressof(font.contents) if font else 0
        if address not in self._bold:
            self._bold[address] = self._ask_bold(index)
        return self._bold[address]

    def _ask_bold(self, index: int) -> bool:
        name = ctypes.create_string_buffer(128)
        self._pdfium.FPDFText_GetFontInfo(self._text_page, index, name, 128, ctypes.c_int())
        lower = name.value.lower()
        if any(word in lower for word in _BOLD_NAMES):
            return b"regular" not in lower
        return bool(self._pdfium.FPDFText_GetFontWeight(self._text_page, index) >= 600)


def _unseen(
    fractions: npt.NDArray[np.float64], codes: list[int], styles: list[_Style]
) -> npt.NDArray[np.bool_]:
    """Return which characters are off the page or too small to be read."""
    left, top, right, bottom = fractions.T
    solid = (right > left) & (bottom > top)
    outside = (right <= 0) | (left >= 1) | (bottom <= 0) | (top >= 1)
    sizes = np.array([style.size for style in styles])
    tiny = (sizes > 0) & (sizes < _SMALLEST) & (bottom - top < _SMALLEST_SHARE)
    return np.asarray(solid & (outside | tiny))


def _white_on_white(
    page: Any, fractions: npt.NDArray[np.float64], styles: list[_Style], codes: list[int]
) -> npt.NDArray[np.bool_]:
    """Return which characters are white on a white part of the rendered page."""
    white = np.array([style.white for style in styles], dtype=np.bool_)
    if not white.any():
        return white
    grey = page.render(scale=1.0, grayscale=True).to_numpy()
    high, wide = grey.shape[:2]
    for index in np.nonzero(white)[0].tolist():
        left, top, right, bottom = fractions[index].clip(0, 1) * (wide, high, wide, high)
        patch = grey[int(top) : int(bottom) + 1, int(left) : int(right) + 1]
        white[index] = not patch.size or int(patch.min()) >= _WHITE
    return white
