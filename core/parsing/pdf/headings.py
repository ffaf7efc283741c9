"""Find the headings of a PDF: by its bookmarks, else by larger or bolder type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.parsing.pdf.raw import RawPage
from core.parsing.pdf.text import Line, lines_of
from core.types import Heading

_LARGER = 1.15  # times the size of the running text
_LONGEST = 160  # characters of a heading
_MOST_ON_PAGE = 0.4  # of its lines; more are the style of the page, not headings
_RUNNING = 3  # a heading on more pages than these is a running title
_LEVELS = 5
_TITLE = 1.25  # times the size of the running text
_UPPER = 0.5  # of the page
_TITLE_WORDS = 25
_PLAIN = 0.85  # letters and spaces of a title; amounts and numbers of forms have fewer
_PROSE_LINE = 28  # letters; table cells have fewer
_PROSE = 400  # characters of running text that a page needs for a usual size of its own
_MOST_LINES = 3
_NUMBERS = re.compile(r"\d[\d.,]*")
_WORDS = re.compile(r"\w+")
_NUMBERING = re.compile(
    r"(?:(?:chapter|section|part|appendix|kapitel|abschnitt|anhang|chapitre)\s+)?"
    r"(?:\d+|[A-Z](?=[.\d])|[IVX]+(?=\.))(?:\.\d+)*[.)]?\s+(?=\S)",
    re.I,
)
"""What stands before a heading and often not in its bookmark: "2.1 ", "Appendix A. "."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline; levels count from 1, pages from 0."""

    title: str
    level: int
    page: int


def find_headings(
    pages: Sequence[RawPage], outline: Sequence[Bookmark]
) -> list[tuple[Heading, ...]]:
    """Return the headings of each page, by the outline if most of it is found on the pages."""
    lines = [list(lines_of(page)) for page in pages]
    marked = _by_outline(lines, outline)
    matched = sum(map(len, marked))
    if matched >= 2 and matched >= 0.5 * len(outline):
        return [tuple(found) for found in marked]
    return [tuple(found) for found in _by_look(lines)]


def printed_title(pages: Sequence[RawPage]) -> str:
    """Return the title that stands on the first page, "" where none clearly does.

    It is larger than all other lines of the upper half, and has some words.
    """
    lines = list(lines_of(pages[0])) if pages else []
    usual = _usual_sizes([lines])[0] if lines else 0.0
    upper = (line for line in lines if line.top < _UPPER)
    worded = [line for line in upper if sum(char.isalpha() for char in line.text) > 2]
    largest = max((line.size for line in worded), default=0.0)
    run = [line for line in worded if _half(line.size) == _half(largest)]
    text = " ".join(" ".join(line.text for line in run).split())
    words = _WORDS.findall(text)
    clear = usual > 0 and largest >= _TITLE * usual and len(run) <= _MOST_LINES
    named = 2 < len(words) <= _TITLE_WORDS and any(len(word) > 3 for word in words)
    plain = sum(char.isalpha() or char.isspace() for char in text) > _PLAIN * len(text)
    part = text[:1].isdigit() or _NUMBERING.match(text)  # of something longer
    return text if clear and named and plain and not part else ""


def is_numbered(title: str) -> bool:
    """Return whether a title has the number of a section.

    >>> is_numbered("2.1 Lamps"), is_numbered("TOTAL 5,738")
    (True, False)
    """
    return _NUMBERING.match(title) is not None


def _by_outline(lines: list[list[Line]], outline: Sequence[Bookmark]) -> list[list[Heading]]:
    headings: list[list[Heading]] = [[] for _ in lines]
    for bookmark in outline:
        if not 0 <= bookmark.page < len(lines):
            continue
        line = _best_line(lines[bookmark.page], bookmark.title)
        if line is not None and all(line.start != h.offset for h in headings[bookmark.page]):
            title = " ".join(bookmark.title.split())
            headings[bookmark.page].append(Heading(line.start, bookmark.level, title))
    return [sorted(found, key=lambda heading: heading.offset) for found in headings]


def _best_line(lines: list[Line], title: str) -> Line | None:
    """Return the line that a bookmark names: the same words, or their beginning."""
    wanted = _WORDS.findall(_NUMBERING.sub("", title, count=1).lower())
    best, most = None, 0.6
    for line in lines:
        words = _WORDS.findall(_NUMBERING.sub("", line.text, count=1).lower())
        if not words or not wanted or len(words) > 2 * len(wanted) + 4:
            continue
        shared = sum((Counter(words) & Counter(wanted)).values())
        share = shared / max(len(words), min(len(wanted), len(words) + 2))
        if share > most:
            best, most = line, share
    return best


def _usual_sizes(lines: list[list[Line]]) -> list[float]:
    """Return the size of the running text on each page, to half a point.

    Measured on long lines of words; a page without any takes the size of the document.
    """
    pages = [_prose_sizes(page) for page in lines]
    whole = sum(pages, Counter[float]())
    if not whole:
        whole.update(_half(line.size) for page in lines for line in page if line.size > 0)
    usual = whole.most_common(1)[0][0] if whole else 0.0
    return [page.most_common(1)[0][0] if page.total() >= _PROSE else usual for page in pages]


def _prose_sizes(lines: list[Line]) -> Counter[float]:
    sizes: Counter[float] = Counter()
    for line in lines:
        letters = sum(char.isalpha() for char in line.text)
        wide = sum(char >= "\u1100" for char in line.text)  # East Asian characters, twice as wide
        if line.size > 0 and letters + wide > _PROSE_LINE and letters > 0.7 * len(line.text):
            sizes[_half(line.size)] += len(line.text)
    return sizes


def _half(size: float) -> float:
    return round(size * 2) / 2


def _by_look(lines: list[list[Line]]) -> list[list[Heading]]:
    usual = _usual_sizes(lines)
    found = [
        _merged([line for line in page if _stands_out(line, size)])
        for page, size in zip(lines, usual, strict=True)
    ]
    for page, candidates in zip(lines, found, strict=True):
        if len(candidates) > max(3, _MOST_ON_PAGE * len(page)):
            candidates.clear()
    times = Counter(title for page in found for title in {_key(line) for line in page})
    kept = [[line for line in page if times[_key(line)] <= _RUNNING] for page in found]
    levels = _levels([line for page in kept for line in page])
    return [
        [Heading(line.start, levels[_look(line)], line.text[:_LONGEST]) for line in page]
        for page in kept
    ]


def _stands_out(line: Line, usual: float) -> bool:
    """Whether a line is larger or bolder than the running text and worded like a heading."""
    text = line.text
    letters = sum(char.isalpha() for char in text)
    if usual <= 0 or not 3 <= len(text) <= _LONGEST or letters < 0.6 * len(text.replace(" ", "")):
        return False
    if not text[0].isalnum() or text[0].islower() or len(_WORDS.findall(text)) > 20:
        return False
    if len(_NUMBERS.findall(text)) > 2:
        return False
    if line.size >= _LARGER * usual:
        return True
    return line.bold and line.size >= 0.95 * usual and text[-1] not in ".,;:"


def _merged(lines: list[Line]) -> list[Line]:
    """Join headings of several lines; longer runs are text and dropped."""
    runs: list[list[Line]] = []
    for line in lines:
        last = runs[-1][-1] if runs else None
        if last is not None and line.start - last.end <= 2 and _look(last) == _look(line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [
        replace(run[0], end=run[-1].end, text=" ".join(line.text for line in run))
        for run in runs
        if len(run) <= _MOST_LINES
    ]


def _look(line: Line) -> tuple[float, bool]:
    return _half(line.size), line.bold


def _levels(lines: list[Line]) -> dict[tuple[float, bool], int]:
    """Assign levels by size, largest first, bold before plain; small sizes share the last level."""
    looks = sorted({_look(line) for line in lines}, reverse=True)
    levels: dict[tuple[float, bool], int] = defaultdict(lambda: _LEVELS)
    for number, look in enumerate(looks, start=1):
        levels[look] = min(number, _LEVELS)
    return levels


def _key(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text.lower())
