"""Turn characters into readable text: join divided words, separate paragraphs."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.parsing.boxes import UNIT
from core.parsing.pdf.raw import HYPHEN, RawPage

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIVIDED = re.compile(rf"([^\W\d_]*){HYPHEN}([^\W\d_]*)")
_LIGATURE = re.compile(r"(?P<before>[^\W\d_]*[fF])(?P<gap> )(?P<rest>[^\W\d_]+)")
_LETTER_SPACE = re.compile(r"(?<=[^\W\d_]) (?=[^\W\d_])")
_NARROW = 0.75  # of the usual space between words
_PARAGRAPH_GAP = 1.4  # of the usual distance between lines
_ROW_GAP = 2.5  # of it: rows of a table
_WIDE_GAP = 1.5  # times the height of the letters; words of running text are closer
_EAST_ASIAN = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\u2026"
_TRACKED = re.compile(f"(?<=[{_EAST_ASIAN}]) +(?=[{_EAST_ASIAN}])")
_ADJACENT = re.compile(f"(?<=[{_EAST_ASIAN}])(?=[{_EAST_ASIAN}])")
_WHITE_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line `[start, end)` of a page, with its style."""

    start: int
    end: int
    text: str
    size: float
    sizes: tuple[float, float]  # of nearly all of its characters, from the small to the large ones
    bold: bool
    top: float  # of its first character, in fractions of the page
    last_top: float  # of its lowest characters: a joined word goes on in the next printed line
    bottom: float  # of its last character
    left: float


def vocabulary(pages: Iterable[RawPage]) -> Counter[str]:
    """Count how often each word, with its hyphens, appears undivided in a document."""
    words: Counter[str] = Counter()
    for page in pages:
        words.update(word.lower() for word in _WORD.findall(page.text))
    return words


def joined(page: RawPage, words: Counter[str]) -> RawPage:
    """Return the page with words that line ends divide joined.

    The hyphen stays if the document writes the word with one elsewhere ("well-known"), or if the
    rest does not begin in lower case ("Smith-Jones", "2019-20").
    """
    gone = np.zeros(len(page.text), dtype=np.bool_)
    chars = list(page.text)
    for found in _DIVIDED.finditer(page.text):
        position = found.end(1)
        if _keeps_hyphen(found[1], found[2], words):
            chars[position] = "-"
        else:
            gone[position] = True
    for position in (i for i, char in enumerate(chars) if char == HYPHEN and not gone[i]):
        chars[position] = "-"
    return replace(page, text="".join(chars)).without(gone)


def with_ligatures(page: RawPage, words: Counter[str]) -> RawPage:
    """Return the page with the second letter of each ligature that its font maps to the first only.

    pdfium takes the rest of the wide "ff" for a space, narrower than those between words: "ef ect".
    The letter stands in its place where the document writes the word elsewhere.
    """
    found = [one for one in _LIGATURE.finditer(page.text) if _letter_lost(one, words)]
    if not found:
        return page
    usual = _space_before(page, [space.end() for space in _LETTER_SPACE.finditer(page.text)])
    spaces = _space_before(page, [one.start("rest") for one in found])
    narrow = spaces < _NARROW * float(np.median(usual))
    chars = list(page.text)
    for one, is_narrow in zip(found, narrow, strict=True):
        if is_narrow:
            chars[one.start("gap")] = _letter_lost(one, words)
    return replace(page, text="".join(chars))


def _letter_lost(found: re.Match[str], words: Counter[str]) -> str:
    """The letter that makes one word of two parts, "" where the document has no such word."""
    wholes = ((letter, f"{found['before']}{letter}{found['rest']}") for letter in "fil")
    return next((letter for letter, whole in wholes if words[whole.lower()]), "")


def _space_before(page: RawPage, places: Sequence[int]) -> npt.NDArray[np.float64]:
    """How far each of these characters is from the one before the space before it."""
    boxes = page.boxes.astype(np.float64)
    at = np.array(places, dtype=np.intp)
    gaps = np.abs(boxes[at, 0] - boxes[at - 2, 2]) * page.width
    return np.asarray(gaps / np.maximum(page.sizes[at], 1.0), dtype=np.float64)


def _keeps_hyphen(before: str, after: str, words: Counter[str]) -> bool:
    if not before or not after or not after[0].islower():
        return True
    whole, parted = (before + after).lower(), f"{before}-{after}".lower()
    return words[parted] > words[whole]


def laid_out(page: RawPage) -> RawPage:
    """Return the page with a blank line before each paragraph and no spaces at line ends."""
    page = page.without(_superfluous(page.text))
    lines = list(lines_of(page))
    steps = [step for a, b in itertools.pairwise(lines) if 0 < (step := b.top - a.last_top) < 0.2]
    usual = float(np.median(steps)) if steps else 0.0
    breaks = [
        below.start
        for above, below in itertools.pairwise(lines)
        if below.start - above.end == 1
        and _begins_paragraph(above, below, usual)
        and not (_is_near(above, below, usual) and all(has_cells(page, x) for x in (above, below)))
    ]
    return page.with_line_ends(breaks)


def lines_of(page: RawPage) -> Iterator[Line]:
    """Yield the printed lines of a page that are not blank."""
    start = 0
    for text in page.text.split("\n"):
        end = start + len(text)
        if text.strip():
            yield _line(page, start, end)
        start = end + 1


def _line(page: RawPage, start: int, end: int) -> Line:
    boxes = page.boxes[start:end]
    drawn = boxes[boxes[:, 3] > boxes[:, 1]] / 65535
    first, last = (drawn[0], drawn[-1]) if len(drawn) else (np.zeros(4), np.zeros(4))
    sizes = page.sizes[start:end]
    sizes = sizes[sizes > 0]
    return Line(
        start,
        end,
        page.text[start:end].strip(),
        float(np.median(sizes)) if len(sizes) else 0.0,
        (float(np.quantile(sizes, 0.1)), float(np.quantile(sizes, 0.9))) if len(sizes) else (0, 0),
        bool(page.bold[start:end].mean() > 0.7),
        float(first[1]),
        float(drawn[:, 1].max(initial=0.0)),
        float(last[3]),
        float(first[0]),
    )


def _begins_paragraph(above: Line, line: Line, usual: float) -> bool:
    step = line.top - above.last_top
    if step <= 0 or usual <= 0:
        return False
    apart = max(line.sizes[0] - above.sizes[1], above.sizes[0] - line.sizes[1])
    grown = apart > 0.15 * max(line.size, above.size, 1.0)  # a line of both sizes goes on
    return (
        step > _PARAGRAPH_GAP * usual
        or grown
        or _is_title_of(above, line)
        or _is_title_of(line, above)
    )


def _is_near(above: Line, line: Line, usual: float) -> bool:
    """Whether two lines of one look are as near as the rows of a table, which may stand apart."""
    alike = above.bold == line.bold and abs(above.size - line.size) < 1
    return alike and line.top - above.last_top <= _ROW_GAP * usual


def has_cells(page: RawPage, line: Line) -> bool:
    """Return whether words of a line are as far apart as the cells of a table are."""
    boxes = page.boxes[line.start : line.end].astype(np.float64) / UNIT
    drawn = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    if len(drawn) < 2:
        return False
    gaps = (drawn[1:, 0] - drawn[:-1, 2]) * page.width
    height = float(np.median(drawn[:, 3] - drawn[:, 1])) * page.height
    return bool((gaps > _WIDE_GAP * height).any())


def _is_title_of(line: Line, other: Line) -> bool:
    """Whether a line stands out from its neighbour, bold and a little larger, as a heading does."""
    return line.bold and not other.bold and line.size > other.size * 1.05


def _line_ends(text: str, start: int, end: int) -> list[int]:
    return [place for place in range(start, end) if text[place] == "\n"]


def _superfluous(text: str) -> npt.NDArray[np.bool_]:
    gone = np.zeros(len(text), dtype=np.bool_)
    for found in _WHITE_SPACE.finditer(text):
        start, end = found.span()
        inner = start > 0 and end < len(text)
        if not inner or "\n" in found[0]:
            gone[start:end] = True
            for place in _line_ends(text, start, end)[: 2 if inner else 0]:
                gone[place] = False
    for line in re.finditer(r"[^\n]+", text):
        # Letter-spaced text: spaces between words would not be between most characters.
        spaces = list(_TRACKED.finditer(text, *line.span()))
        if len(spaces) > 2 and len(spaces) > len(_ADJACENT.findall(line[0])):
            for space in spaces:
                gone[space.start() : space.end()] = True
    return gone
