"""Turn pdfium's character codes into text in which every character has its box on the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.parsing.boxes import UNIT
from core.parsing.pdf.raw import HYPHEN, RawPage
from core.text.invisible import hidden_spans

_SPACES = dict.fromkeys((0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF076, 0xF0D8), "•")
_MAPPED = {
    **_SPACES,
    **_BULLETS,
    0x00: "",
    0x0B: "",
    0x0C: "",
    0x0D: "",
    0xFFFE: "",
    0xFFFF: "",
    0x09: " ",
}
_EXPANDED = ((0xFB00, 0xFB06), (0xFB13, 0xFB17), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
_ALEFS, _LAM = frozenset((0x622, 0x623, 0x625, 0x627)), 0x644
_FAR = 6.0  # times the size of a letter; letters of one word are closer
_TOUCH = (-0.6, 0.3)  # of the width of the wider letter: from the end of one to the next
_SPACE = 0.4  # of that width, where a space stands between them
_LEVEL = 0.5  # of the height of the lower letter: what two of one printed line share


def aligned(
    codes: list[int],
    fractions: npt.NDArray[np.float64],
    sizes: Sequence[float],
    bold: Sequence[bool],
    gone: npt.NDArray[np.bool_],
) -> RawPage:
    """Return text in which every character has a box; ligatures are expanded."""
    scaled = (fractions.clip(0, 1) * UNIT).round().astype(np.uint16)
    chars: list[str] = []
    sources: list[int] = []
    hidden = 0
    for index, piece in _characters(_in_order(codes, fractions)):
        if gone[index] and not piece.isspace():
            hidden += len(piece)
            continue
        for char in piece:
            chars.append(char)
            sources.append(index)
    raw = RawPage(
        "".join(chars),
        scaled[sources].reshape(-1, 4),
        np.array([sizes[index] for index in sources], dtype=np.float32),
        np.array([bold[index] for index in sources], dtype=np.bool_),
        hidden=hidden,
    )
    raw = raw.with_line_ends(_forgotten_line_ends(raw))
    return _without_hidden(raw.without(_false_line_ends(raw)))


def _forgotten_line_ends(raw: RawPage) -> list[int]:
    """Return where letters far apart have no space or line end between them.

    pdfium omits some line ends on rotated pages."""
    boxes = raw.boxes.astype(np.float64)
    drawn = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    signs = [not char.isspace() and char != HYPHEN for char in raw.text]
    letters = drawn & np.array(signs, dtype=np.bool_)
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    sizes = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0)
    steps = np.abs(np.diff(centres, axis=0)) / np.maximum(sizes[1:], sizes[:-1])
    far = (steps[:, 0] > _FAR) & (steps[:, 1] > 0.8) | (steps[:, 1] > _FAR) & (steps[:, 0] > 0.8)
    return (np.nonzero(far & letters[1:] & letters[:-1])[0] + 1).tolist()


def _false_line_ends(raw: RawPage) -> npt.NDArray[np.bool_]:
    """Return which line ends stand between letters that touch on one printed line.

    pdfium sets one before and behind what is raised or smaller: "1", "⁄4 inch".
    """
    gone = np.zeros(len(raw.text), dtype=np.bool_)
    for end in re.finditer(r"(?<=[^\s\x02]) *\n *(?=\S)", raw.text):
        one, next_ = raw.boxes[[end.start() - 1, end.end()]].astype(np.float64)
        width = max(one[2] - one[0], next_[2] - next_[0])
        gap = next_[0] - one[2]
        lower = min(one[3] - one[1], next_[3] - next_[1])
        level = min(one[3], next_[3]) - max(one[1], next_[1])
        spaces = " " in end[0]
        widest = _TOUCH[1] + _SPACE * spaces
        if _TOUCH[0] * width < gap < widest * width and level > _LEVEL * lower > 0:
            gone[end.start() : end.end()] = True
            if spaces:
                gone[raw.text.index(" ", *end.span())] = False
    return gone


def _in_order(codes: list[int], fractions: npt.NDArray[np.float64]) -> list[int]:
    """Return the codes in order: pdfium expands Arabic ligatures backwards."""
    codes = list(codes)
    same = (fractions[1:] == fractions[:-1]).all(axis=1) & (fractions[1:, 2] > fractions[1:, 0])
    for index in np.nonzero(same)[0].tolist():
        if codes[index] in _ALEFS and codes[index + 1] == _LAM:
            codes[index], codes[index + 1] = codes[index + 1], codes[index]
    return codes


def _characters(codes: list[int]) -> Iterator[tuple[int, str]]:
    """Return the text for each code; surrogate pairs become one character."""
    high = 0
    for index, code in enumerate(codes):
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
        high = 0
        if code in _MAPPED:
            yield index, _MAPPED[code]
        elif 0xFB00 <= code <= 0xFEFC and any(a <= code <= b for a, b in _EXPANDED):
            yield index, unicodedata.normalize("NFKC", chr(code))
        else:
            yield index, chr(code) if code <= 0x10FFFF else "\ufffd"


def _without_hidden(raw: RawPage) -> RawPage:
    gone = np.zeros(len(raw.text), dtype=np.bool_)
    hidden = raw.hidden
    for start, end, counted in hidden_spans(raw.text.replace(HYPHEN, "-")):
        gone[start:end] = True
        # Control characters come from fonts without a mapping to Unicode.
        hidden += counted * sum(char >= "\xa0" for char in raw.text[start:end])
    return replace(raw.without(gone), hidden=hidden)
