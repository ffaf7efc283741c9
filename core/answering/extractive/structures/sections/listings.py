"""The lists of a passage, each with the headings that it stands under (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.answering.extractive.sentences.candidates import headed
from core.answering.extractive.structures.lists import is_item, items_of
from core.citations.passages import passage_of, sentences_of
from core.text.sentences import Sentence, SentenceKind
from core.types import Hit

DEEPEST = 99
"""The level of a heading without hashes: below all others."""
HASHES = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)]")


@dataclass(slots=True)
class Listing:
    """The items of one list, the headings above it from the outermost on, and the nearest one."""

    hit: int
    path: tuple[str, ...]
    title: Sentence | None
    is_first: bool  # below its heading
    items: list[Sentence]
    near: tuple[str, ...]  # the heading above, and that of the section where it is a bold line
    numbered: bool = False  # its items are headings that count


def lists_of(hit: Hit, at: int) -> list[Listing]:
    """Return the lists of a passage, each with the headings that it stands under."""
    text, base = passage_of(hit)
    split = sentences_of(hit)
    path = [(level, title) for level, title in enumerate(headings_above(hit), 1)]
    found: list[Listing] = []
    title: Sentence | None = None
    open_: list[Sentence] = []

    def close() -> None:
        names = tuple(name for _, name in path)
        near = names[-2:] if path and path[-1][0] == DEEPEST else names[-1:]
        for n, items in enumerate(_runs(open_, text, base)):
            found.append(Listing(at, names, title, n == 0, items, near))
        open_.clear()

    for piece in headed(split, hit.chunk.headings):
        if piece.kind is not SentenceKind.HEADING:
            open_.append(piece)
            continue
        close()
        title = piece
        above = [name for _, name in path]
        level = above.index(piece.text) + 1 if piece.text in above else level_of(piece, text, base)
        path = [one for one in path if one[0] < level and one[1] != piece.text]
        path.append((level, piece.text))
    close()
    return found


def headings_above(hit: Hit) -> tuple[str, ...]:
    """The headings above a passage; where it was widened back, others may stand above it now."""
    headings = hit.chunk.headings
    return headings if passage_of(hit)[1] >= hit.chunk.start else headings[:1]


def title_of(hit: Hit) -> str:
    """Return what the document of a passage is called, and its first heading."""
    return " . ".join((hit.document.title, hit.document.label, *hit.chunk.headings[:1]))


def level_of(heading: Sentence, text: str, base: int) -> int:
    """How deep a heading stands by its hashes; without them below all others."""
    start = heading.start - base
    hashes = HASHES.fullmatch(text, text.rfind("\n", 0, start) + 1, start)
    return len(hashes[1]) if hashes else DEEPEST


def without_overlaps(lists: Sequence[Listing], hits: Sequence[Hit]) -> Iterator[Listing]:
    """The lists, without items of a page that one before has: passages overlap."""
    page, end = -1, -1
    for one in lists:
        if (ordinal := hits[one.hit].chunk.page_ordinal) != page:
            page, end = ordinal, -1
        one.items = [item for item in one.items if item.start >= end]
        if one.items:
            end = one.items[-1].end
            yield one


def _runs(pieces: Sequence[Sentence], text: str, base: int) -> Iterator[list[Sentence]]:
    """The lists among the pieces below one heading: bullets and numbers are not one list."""
    at = 0
    while at < len(pieces):
        if not is_item(text, base, pieces[at]):
            at += 1
            continue
        numbered = _is_numbered(pieces[at], text, base)
        stop = at + 1
        while stop < len(pieces) and (
            not is_item(text, base, pieces[stop])
            or _is_numbered(pieces[stop], text, base) == numbered
        ):
            stop += 1
        items = items_of(pieces[at:stop], text, base)
        end = items[-1].end
        if said := [item for item in items if _WORD.search(item.text)]:  # a number may be an item
            yield said
        at = next((n for n in range(at + 1, len(pieces)) if pieces[n].start >= end), len(pieces))


def _is_numbered(piece: Sentence, text: str, base: int) -> bool:
    start = piece.start - base
    return _NUMBERED.match(text, text.rfind("\n", 0, start) + 1, start) is not None
