"""Headings of a PDF: its bookmarks where it has them, else what is set larger or bolder."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.ingestion.loaders.pdf_page import RawPage
from core.ingestion.loaders.pdf_text import Line, lines_of
from core.types import Heading

_LARGER = 1.15  # times the size of the running text
_LONGEST = 160  # characters of a heading
_MOST_ON_PAGE = 0.4  # of its lines; more are no headings but the style of the page
_RUNNING = 3  # the same heading on more pages is a running title
_LEVELS = 5
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline; levels count from 1, pages from 0."""

    title: str
    level: int
    page: int


def find_headings(
    pages: Sequence[RawPage], outline: Sequence[Bookmark]
) -> list[tuple[Heading, ...]]:
    """The headings of each page, by the outline where most of it is found on the pages."""
    lines = [list(lines_of(page)) for page in pages]
    marked = _by_outline(lines, outline)
    matched = sum(map(len, marked))
    if matched >= 2 and matched >= 0.5 * len(outline):
        return [tuple(found) for found in marked]
    return [tuple(found) for found in _by_look(lines, _usual_size(pages))]


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
    """The line that a bookmark names: the same words, or the beginning of them."""
    wanted = _WORDS.findall(title.lower())
    best, most = None, 0.6
    for line in lines:
        words = _WORDS.findall(line.text.lower())
        if not words or not wanted or len(words) > 2 * len(wanted) + 4:
            continue
        shared = sum((Counter(words) & Counter(wanted)).values())
        share = shared / max(len(words), min(len(wanted), len(words) + 2))
        if share > most:
            best, most = line, share
    return best


def _usual_size(pages: Iterable[RawPage]) -> float:
    """The size in which most characters of the document are set, to half a point."""
    sizes: Counter[float] = Counter()
    for page in pages:
        sizes.update((round(float(size) * 2) / 2) for size in page.sizes if size > 0)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _by_look(lines: list[list[Line]], usual: float) -> list[list[Heading]]:
    if usual <= 0:
        return [[] for _ in lines]
    found = [_merged([line for line in page if _stands_out(line, usual)]) for page in lines]
    for page, candidates in zip(lines, found, strict=True):
        if len(candidates) > max(3, _MOST_ON_PAGE * len(page)):
            candidates.clear()
    times = Counter(title for page in found for title in {_key(line) for line in page})
    kept = [[line for line in page if times[_key(line)] <= _RUNNING] for page in found]
    levels = _levels([line for page in kept for line in page], usual)
    return [
        [Heading(line.start, levels[_look(line)], line.text[:_LONGEST]) for line in page]
        for page in kept
    ]


def _stands_out(line: Line, usual: float) -> bool:
    if not any(char.isalpha() for char in line.text) or len(line.text) > _LONGEST:
        return False
    if len(_WORDS.findall(line.text)) > 20 or len(line.text) < 3:
        return False
    if line.size >= _LARGER * usual:
        return True
    return line.bold and line.size >= 0.95 * usual and line.text[-1] not in ".,;:"


def _merged(lines: list[Line]) -> list[Line]:
    """Headings that run over several lines, put together."""
    merged: list[Line] = []
    for line in lines:
        last = merged[-1] if merged else None
        if (
            last is not None
            and line.start - last.end <= 2
            and _look(last) == _look(line)
            and len(last.text) + len(line.text) < _LONGEST
        ):
            merged[-1] = replace(last, end=line.end, text=f"{last.text} {line.text}")
        else:
            merged.append(line)
    return merged


def _look(line: Line) -> tuple[float, bool]:
    return round(line.size), line.bold


def _levels(lines: list[Line], usual: float) -> dict[tuple[float, bool], int]:
    """Levels by size, the largest first; bold before plain; everything small shares the last."""
    looks = sorted({_look(line) for line in lines}, reverse=True)
    levels: dict[tuple[float, bool], int] = defaultdict(lambda: _LEVELS)
    for number, look in enumerate(looks, start=1):
        levels[look] = min(number, _LEVELS)
    return levels


def _key(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text.lower())
