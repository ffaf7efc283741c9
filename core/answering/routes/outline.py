"""The outline of a document: its own table of contents, or else its headings (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.answering.routes.names import shown_name
from core.types import Document, DocumentKind, Page

HEADINGS = 6
"""Headings of an outline that stands beside other facts."""
ALL_HEADINGS = 40
"""Headings where the outline is what was asked for."""
_CONTENTS_PAGES = 15  # a table of contents stands on one of the first
_FEWEST_ENTRIES = 5
_CONTENTS = re.compile(
    r"\W*(?:table of contents|contents|inhalt(?:sverzeichnis)?|table des matières|sommaire"
    r"|[ií]ndice|sumario|sommario)\W*",
    re.I,
)
_ENTRY = re.compile(r"(?P<title>\S.{2,110}?)[\s.·…_-]*[\s.·…](?P<page>\d{1,4})")
_PART = re.compile(r"\W*(?:part|teil|partie|parte)\W+[\divx]+\W*", re.I)
_DEPTH = re.compile(r"(\d+(?:\.\d+)*)\.?\s")
_NO_PART = re.compile(
    r"\W*(?:table of contents\b.*|contents|inhalt\w*|index|references|external links|see also"
    r"|signatures?|literatur\w*|quellen|einzelnachweise|weblinks|(?:part|teil) [\divx]+"
    r"|documents incorporated by reference|united states securities and exchange commission"
    r"|form 10-?[kq])\W*",
    re.I,
)
_NO_TITLE = re.compile(r"[∗†‡§]|(?<![\d.])(?!(?:1\d|20)\d\d\b)\d[\d,]{2,}")
"""In bold lines that only look like headings: the marks of authors, amounts and totals."""
_TITLE_WORDS = 12
_LONGEST_TITLE = 60
_NO_TITLE_FROM = 120  # characters: a paragraph in bold
_NAMING = re.compile(r"[^\W\d_]{3}|[\u1100-\uffef]{2}")
"""A word; variables of a formula in large type have none."""


def outline(document: Document, pages: Sequence[Page], most: int = HEADINGS) -> list[str]:
    """Return `most` parts of a document, without its name; a last "…" stands for more.

    A PDF says them in its table of contents, of which the highest level that has several is
    taken; without one, as elsewhere, it is the highest level of headings that has several.
    """
    titles = _contents(pages) if document.kind is DocumentKind.PDF else []
    titles = titles or _headings(document, pages)
    return [*titles[:most], *(["…"] if len(titles) > most else [])]


def _contents(pages: Sequence[Page]) -> list[str]:
    """The entries of a table of contents, in their order; [] without one."""
    for page in pages[:_CONTENTS_PAGES]:
        lines = [line.strip() for line in page.text.splitlines()]
        if not any(map(_CONTENTS.fullmatch, lines)):
            continue
        found = list(filter(None, map(_ENTRY.fullmatch, lines)))
        numbers = [int(entry["page"]) for entry in found]
        rises = all(one <= other for one, other in pairwise(numbers))
        if len(found) >= _FEWEST_ENTRIES and rises:
            return list(dict.fromkeys(_highest([" ".join(e["title"].split()) for e in found])))
    return []


def _highest(titles: Sequence[str]) -> Iterator[str]:
    """The entries that are numbered with the fewest dots, or all of them without numbers."""
    depths = [found[1].count(".") if (found := _DEPTH.match(t)) else None for t in titles]
    several = [d for d in sorted({d for d in depths if d is not None}) if depths.count(d) > 2]
    for title, depth in zip(titles, depths, strict=True):
        if several and depth is not None and depth != several[0]:
            continue
        if _NAMING.search(title) and not _PART.fullmatch(title):
            yield _cut(title)


def _headings(document: Document, pages: Sequence[Page]) -> list[str]:
    own = " ".join(shown_name(document).split()).casefold()
    headings = [
        (heading.level, title)
        for page in pages
        for heading in page.headings
        if (title := _title(" ".join(heading.title.split())))
        and title.casefold() not in own
        and not _NO_PART.fullmatch(title)
        and not _NO_TITLE.search(title)
        and _NAMING.search(title)
    ]
    levels: dict[int, dict[str, None]] = {}
    for level, title in headings:
        levels.setdefault(level, {})[title] = None
    several = [level for level, titles in sorted(levels.items()) if len(titles) > 1]
    return list(levels[several[0]]) if several else []


def _title(title: str) -> str:
    """A heading, cut where it is long; "" of what is no title any more."""
    runs_on = len(title.split()) > _TITLE_WORDS and not title[:1].isdigit()
    return "" if len(title) > _NO_TITLE_FROM or runs_on else _cut(title)


def _cut(title: str) -> str:
    """A title up to its last whole word."""
    if len(title) <= _LONGEST_TITLE:
        return title
    return f"{title[:_LONGEST_TITLE].rpartition(' ')[0]} …"
