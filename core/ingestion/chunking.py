"""Documents cut into chunks along their structure, with exact offsets (pure).

For every chunk `chunk.text == page.text[chunk.start:chunk.end]`, and together the chunks of a
page hold every character of it that is no white space. A chunk stays within one section
(sections too small to stand alone are joined), tables and listings are cut only where they
are longer than a chunk: tables between their lines, listings between their definitions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.ingestion.code_chunks import code_pieces
from core.types import Block, Chunk, ChunkKind, Heading, LoadedDocument, Page

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？｡])[」』”’]?\s*|(?<=[।۔؟])\s+")
_LINE_END = re.compile(r"\n+")
_WORDS = 120  # characters of words that are cut from a long stretch without sentences at once
_TINY = 5  # a section under a fifth of the chunk size may be joined with the next
_TINIEST = 200
_SHORTEST_LISTING = 10  # characters


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of a page that is not cut further, no longer than a chunk."""

    start: int
    end: int
    kind: ChunkKind
    opens: bool  # it begins a paragraph, a table or a listing


@dataclass(frozen=True, slots=True)
class _Section:
    """A stretch of a page under one heading, with the path of headings above it."""

    start: int
    end: int
    path: tuple[Heading, ...]
    own: Heading | None = None  # the heading that it begins with; None: continued


def chunk_document(
    loaded: LoadedDocument, document_id: str, *, size: int, overlap: int, apart: bool = False
) -> list[Chunk]:
    """All chunks of a document in reading order, none longer than `size` characters.

    Neighbours within a section share up to `overlap` characters, cut at a sentence or line. With
    `apart` no two sections share a chunk, and neither do text and a listing (`is_listing`).

    >>> from core.types import DocumentKind
    >>> page = Page(0, "One. Two.")
    >>> loaded = LoadedDocument(DocumentKind.TEXT, (page,))
    >>> [c.text for c in chunk_document(loaded, "d", size=5, overlap=0)]
    ['One.', 'Two.']
    """
    chunks: list[Chunk] = []
    path: tuple[Heading, ...] = ()
    for page in loaded.pages:
        sections = _sections(page, path)
        blocks = deque(sorted(page.blocks, key=lambda block: block.start))
        for section in sections if apart else _joined(page, sections, size):
            units = list(_units(page, section, blocks, size))
            for group in _apart(page, units) if apart else [units]:
                for start, end, kind in _spans(group, size, min(overlap, size // 2)):
                    place = (page, section.path, (start, end), kind)
                    chunks.append(chunk_at(*place, document_id, len(chunks)))
        path = sections[-1].path if sections else path
    return chunks


def is_listing(text: str) -> bool:
    """Whether the text of a code block has two lines or more, and more than ten characters."""
    return "\n" in text.strip() and len(text.strip()) > _SHORTEST_LISTING


def chunk_at(
    page: Page,
    path: Sequence[Heading],
    span: tuple[int, int],
    kind: ChunkKind,
    document_id: str,
    ordinal: int,
) -> Chunk:
    """The chunk of `page` between the offsets of `span`, under the headings of `path`."""
    start, end = span
    anchors = [heading.anchor for heading in path if heading.anchor]
    return Chunk(
        id=f"{document_id}:{ordinal}",
        document_id=document_id,
        ordinal=ordinal,
        page_ordinal=page.ordinal,
        page_number=page.number,
        start=start,
        end=end,
        text=page.text[start:end],
        headings=tuple(heading.title for heading in path),
        anchor=anchors[-1] if anchors else None,
        kind=kind,
    )


# --------------------------------------------------------------------------------- sections


def _sections(page: Page, path: tuple[Heading, ...]) -> list[_Section]:
    """The page cut at its headings; the first stretch continues `path` from the page before."""
    length = len(page.text)
    headings = sorted((h for h in page.headings if h.offset < length), key=lambda h: h.offset)
    ends = [heading.offset for heading in headings] + [length]
    sections = [_Section(0, ends[0], path)]
    for heading, end in zip(headings, ends[1:], strict=True):
        path = (*(above for above in path if above.level < heading.level), heading)
        sections.append(_Section(heading.offset, end, path, heading))
    return sections


def _joined(page: Page, sections: Sequence[_Section], size: int) -> Iterator[_Section]:
    """Sections, with those too small to stand alone joined to the next."""
    held: _Section | None = None
    for section in sections:
        if not page.text[section.start : section.end].strip():
            continue
        if held is not None and _may_join(page, held, section, size):
            held = replace(held, end=section.end, path=_shared_path(page, held, section))
        else:
            if held is not None:
                yield held
            held = section
    if held is not None:
        yield held


def _may_join(page: Page, first: _Section, second: _Section, size: int) -> bool:
    """A bare heading joins what follows it; a tiny section joins its neighbour.

    Sections that can be linked to stand alone, so that a citation leads to the right place.
    """
    if second.own is None:
        return False
    tiny = min(_TINIEST, size // _TINY)
    small = _length(page, first) <= tiny or _length(page, second) <= tiny
    fits = len(page.text[first.start : second.end].strip()) <= size
    if first.own is None:
        return fits and _length(page, first) <= tiny
    if second.own.level < first.own.level:
        return False
    if _is_bare(page, first):
        return True
    return fits and small and first.own.anchor is None and second.own.anchor is None


def _shared_path(page: Page, first: _Section, second: _Section) -> tuple[Heading, ...]:
    """A bare heading or a leftover hands over to the next section; siblings share theirs."""
    if first.own is None or _is_bare(page, first):
        return second.path
    shared = [a for a, b in zip(first.path, second.path, strict=False) if a == b]
    return tuple(shared) or first.path


def _is_bare(page: Page, section: _Section) -> bool:
    return section.own is not None and _length(page, section) <= len(section.own.title) + 8


def _length(page: Page, section: _Section) -> int:
    return len(page.text[section.start : section.end].strip())


# ------------------------------------------------------------------------------------ spans


def _apart(page: Page, units: Sequence[_Unit]) -> Iterator[list[_Unit]]:
    """The units in groups that share no chunk: each listing, and the text between two."""
    bounds = sorted(
        at
        for block in page.blocks
        if block.kind is ChunkKind.CODE and is_listing(page.text[block.start : block.end])
        for at in (block.start, block.end)
    )
    for _, group in groupby(units, lambda unit: bisect_right(bounds, unit.start)):
        yield list(group)


def _spans(units: Sequence[_Unit], size: int, overlap: int) -> Iterator[tuple[int, int, ChunkKind]]:
    """The spans of the chunks of these units, each reaching back into the one before."""
    first = 0
    while first < len(units):
        repeats = first > 0 and units[first].kind is ChunkKind.TEXT
        last = _last(units, first, size - overlap if repeats else size)
        start, end = units[first].start, units[last].end
        if repeats:
            start = _reach_back(units, first, max(end - size, start - overlap))
        yield start, end, _kind(units[first : last + 1])
        first = last + 1


def _last(units: Sequence[_Unit], first: int, size: int) -> int:
    """The last unit of a chunk that begins with `first` and has room for `size` characters.

    As many units as fit, but less the beginning of a paragraph, table or listing that does not
    fit, unless the chunk would be left less than half full.
    """
    start = units[first].start
    last = first
    while last + 1 < len(units) and units[last + 1].end - start <= size:
        last += 1
    if last + 1 == len(units) or units[last + 1].opens:
        return last
    for index in range(last, first, -1):
        if units[index].opens and units[index - 1].end - start >= size // 2:
            return index - 1
    return last


def _reach_back(units: Sequence[_Unit], first: int, earliest: int) -> int:
    """Where a chunk begins that repeats the end of the one before it, in whole units."""
    start = units[first].start
    for index in range(first - 1, -1, -1):
        unit = units[index]
        if unit.kind is not ChunkKind.TEXT:
            break
        if unit.start < earliest:
            return start
        start = unit.start
    return start


def _kind(units: Sequence[_Unit]) -> ChunkKind:
    lengths = dict.fromkeys(ChunkKind, 0)
    for unit in units:
        lengths[unit.kind] += unit.end - unit.start
    return max(ChunkKind, key=lambda kind: (lengths[kind], kind is ChunkKind.TEXT))


# ------------------------------------------------------------------------------------ units


def _units(page: Page, section: _Section, blocks: deque[Block], size: int) -> Iterator[_Unit]:
    """The units of a section. `blocks` are those not passed yet: each is looked at once."""
    position = section.start
    while blocks and blocks[0].start < section.end:
        block = blocks[0]
        start, end = max(block.start, position), min(block.end, section.end)
        if start < end:
            yield from _text_units(page.text, position, start, size)
            yield from _block_units(page.text, start, end, size, block.kind)
            position = end
        if block.end > section.end:
            break  # it goes on in the next section
        blocks.popleft()
    yield from _text_units(page.text, position, section.end, size)


def _text_units(text: str, start: int, end: int, size: int) -> Iterator[_Unit]:
    for first, last in _pieces(text, start, end, _PARAGRAPH_END):
        opens = True
        for sentence in _pieces(text, first, last, _SENTENCE_END):
            for piece in _fitting(text, *sentence, size):
                yield _Unit(*piece, ChunkKind.TEXT, opens)
                opens = False


def _block_units(text: str, start: int, end: int, size: int, kind: ChunkKind) -> Iterator[_Unit]:
    code = kind is ChunkKind.CODE
    for first, last, opens in code_pieces(text, start, end, size) if code else [(start, end, True)]:
        for piece in _fitting(text, *_stripped(text, first, last), size):
            yield _Unit(*piece, kind, opens)
            opens = False


def _fitting(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """The stretch whole if it fits, else its lines, else groups of its words."""
    if end - start <= size:
        if start < end:
            yield start, end
        return
    for first, last in _pieces(text, start, end, _LINE_END):
        while last - first > size:
            cut = _between_words(text, first, min(size, _WORDS))
            cut = cut or _between_words(text, first, size) or first + size
            yield _stripped(text, first, cut)
            first = _stripped(text, cut, last)[0]
        if first < last:
            yield first, last


def _between_words(text: str, start: int, size: int) -> int:
    """The last white space within `size` characters after `start`; 0 if there is none."""
    return next((at for at in range(start + size, start, -1) if text[at].isspace()), 0)


def _pieces(text: str, start: int, end: int, mark: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """What stands between marks, less the white space around it; nothing of white space alone."""
    position = start
    for found in mark.finditer(text, start, end):
        piece = _stripped(text, position, found.end())
        if piece[0] < piece[1]:
            yield piece
        position = found.end()
    piece = _stripped(text, position, end)
    if piece[0] < piece[1]:
        yield piece


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
