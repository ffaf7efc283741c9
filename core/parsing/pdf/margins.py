"""Find the running heads, running feet and page numbers of a PDF, which are no part of its text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.parsing.boxes import UNIT
from core.parsing.pdf.raw import RawPage

_MARGIN = 0.14  # of the page's height, at the top and at the bottom
_MOST_LINES = 5  # of a running head or foot
_MOST_WORDS = 14
_FEWEST_LINES = 4  # of a page that tells what is running: a slide or a form is all heads
_LARGER = 1.15  # times the size of the page's letters: a title
_BAND = 0.02  # of the height: a running head stands at the same place on each page
_FEWEST_PAGES = 3  # with the page's number in its place
_NUMBERED_SHARE = 0.3  # of the pages; fewer may be numbers of exhibits
_REPEATED = 4  # pages with the same line in its place
_REPEATED_SHARE = 0.4  # of the pages
_PAGE_NUMBER = re.compile(
    r"^(?:(?:page|seite|p\.|strana|página|стр\.) *)?(\d{1,4})\b(?![.,]\d)|(?<![\d.,])\b(\d{1,4})$",
    re.I,
)
_CONTINUED = re.compile(
    r"\W*(?:continue[sd]|fortsetzung|cont(?:in)?'?d)\b.{0,24}?\b(?:page|seite)\b\W*", re.I
)


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line near the edge of a page; `depth` counts from the edge, from 0."""

    page: int
    top: bool
    depth: int
    start: int
    end: int
    text: str
    height: float
    """Of its upper edge, in fractions of the page from its top."""
    tells: bool
    """Whether its page has lines enough to tell what is running."""

    @property
    def band(self) -> int:
        return round(self.height / _BAND)

    @property
    def words(self) -> str:
        return " ".join(self.text.casefold().split())


def without_running_lines(pages: Sequence[RawPage]) -> list[RawPage]:
    """Return the pages without running heads, running feet and page numbers.

    A line within the margin is one if it holds the number of its page, counted alike on at least
    three pages, or is the same on many pages. Of those that are the same the first stays, as
    nothing that is said once is to be lost. A line further in counts only if those between it and
    the edge do.
    """
    edges = [edge for number, page in enumerate(pages) for edge in _edges(number, page)]
    running = _numbered(edges, len(pages)) | _repeated(edges, len(pages))
    running |= {edge for edge in edges if _CONTINUED.fullmatch(edge.text)}
    gone: defaultdict[int, list[_Edge]] = defaultdict(list)
    outermost: dict[tuple[int, bool], int] = {}
    for edge in sorted(edges, key=lambda edge: edge.depth):
        side = (edge.page, edge.top)
        if edge in running and outermost.get(side, 0) == edge.depth:
            outermost[side] = edge.depth + 1
            gone[edge.page].append(edge)
    return [_without(page, gone[number]) for number, page in enumerate(pages)]


def _edges(number: int, page: RawPage) -> Iterator[_Edge]:
    """The lines within the margins, those at the edge first."""
    lines = sorted(_lines(page))
    tells, usual = len(lines) >= _FEWEST_LINES, _size(page, 0, len(page.text))
    for at_top, ordered in ((True, lines), (False, lines[::-1])):
        for depth, (top, bottom, start, end) in enumerate(ordered[:_MOST_LINES]):
            within = bottom <= _MARGIN if at_top else top >= 1 - _MARGIN
            text = page.text[start:end].strip()
            # A page number may be printed large; it is one only where it goes with the pages.
            if within and (text.isdigit() or _size(page, start, end) < _LARGER * usual):
                yield _Edge(number, at_top, depth, start, end, text, top, tells)


def _size(page: RawPage, start: int, end: int) -> float:
    sizes = page.sizes[start:end]
    sizes = sizes[sizes > 0]
    return float(np.median(sizes)) if len(sizes) else 1.0


def _lines(page: RawPage) -> Iterator[tuple[float, float, int, int]]:
    """Top and bottom of each line with something drawn, and where it starts and ends."""
    start = 0
    for text in page.text.split("\n"):
        end = start + len(text)
        boxes = page.boxes[start:end]
        drawn = boxes[boxes[:, 3] > boxes[:, 1]]
        if len(drawn):
            yield float(drawn[:, 1].min()) / UNIT, float(drawn[:, 3].max()) / UNIT, start, end
        start = end + 1


def _numbered(edges: Sequence[_Edge], pages: int) -> set[_Edge]:
    """Lines with the number of their page: what is added to the place of a page is the same."""
    found: defaultdict[tuple[bool, int], dict[int, _Edge]] = defaultdict(dict)
    for edge in edges:
        if len(edge.text.split()) > _MOST_WORDS:
            continue
        for match in _PAGE_NUMBER.finditer(edge.text):
            ahead = int(match[match.lastindex or 0]) - edge.page
            found[edge.top, ahead].setdefault(edge.page, edge)
    fewest = max(_FEWEST_PAGES, _NUMBERED_SHARE * pages)
    return {
        edge
        for numbered in found.values()
        if sum(edge.tells for edge in numbered.values()) >= fewest
        for edge in numbered.values()
    }


def _repeated(edges: Sequence[_Edge], pages: int) -> set[_Edge]:
    """Lines that are the same in the same place on many pages, less the first of them."""
    alike: defaultdict[tuple[bool, int, str], list[_Edge]] = defaultdict(list)
    for edge in filter(lambda edge: any(map(str.isalnum, edge.text)), edges):
        alike[edge.top, edge.band, edge.words].append(edge)
    fewest = max(_REPEATED, _REPEATED_SHARE * pages)
    return {
        edge
        for same in alike.values()
        if sum(edge.tells for edge in same) >= fewest
        for edge in same[1:]
    }


def _without(page: RawPage, lines: Sequence[_Edge]) -> RawPage:
    gone = np.zeros(len(page.text), dtype=np.bool_)
    for line in lines:
        gone[line.start : line.end + 1] = True  # with the line end behind it
    return page.without(gone)
