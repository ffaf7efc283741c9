"""Pages cut at separators, the coarsest first, whatever their structure (pure).

The rule of LangChain's `RecursiveCharacterTextSplitter`, with the place of every chunk: a text is
cut before each of the first separator that it holds, what is too long at the next one, and pieces
are packed into chunks, each beginning with the last pieces of the one before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from core.ingestion.chunking import chunk_at
from core.types import Block, Chunk, ChunkKind, Heading, LoadedDocument

Span = tuple[int, int]


def separated_chunks(
    loaded: LoadedDocument, document_id: str, separators: Sequence[str], *, size: int, overlap: int
) -> list[Chunk]:
    """All chunks of a document in reading order; none is longer than `size` if "" is the last.

    >>> from core.types import DocumentKind, Page
    >>> loaded = LoadedDocument(DocumentKind.TEXT, (Page(0, "one two\\n\\nthree"),))
    >>> cut = separated_chunks(loaded, "d", ("\\n\\n", " "), size=8, overlap=0)
    >>> [chunk.text for chunk in cut]
    ['one two', 'three']
    """
    chunks: list[Chunk] = []
    path: tuple[Heading, ...] = ()
    for page in loaded.pages:
        headings = sorted(page.headings, key=lambda heading: heading.offset)
        at = 0
        for start, end in _spans(page.text, 0, len(page.text), separators, size, overlap):
            while at < len(headings) and headings[at].offset <= start:
                path = (*(h for h in path if h.level < headings[at].level), headings[at])
                at += 1
            kind = _kind(page.blocks, (start, end))
            chunks.append(chunk_at(page, path, (start, end), kind, document_id, len(chunks)))
        for heading in headings[at:]:
            path = (*(above for above in path if above.level < heading.level), heading)
    return chunks


def _kind(blocks: Sequence[Block], span: Span) -> ChunkKind:
    """The kind of the block that most of the span is in."""
    start, end = span
    for block in blocks:
        if 2 * (min(end, block.end) - max(start, block.start)) > end - start:
            return block.kind
    return ChunkKind.TEXT


def _spans(
    text: str, start: int, end: int, separators: Sequence[str], size: int, overlap: int
) -> Iterator[Span]:
    """The spans of the chunks of `text[start:end]`."""
    first = next((at for at, mark in enumerate(separators) if text.find(mark, start, end) >= 0), -1)
    separator, finer = separators[first], separators[first + 1 :] if first >= 0 else ()
    fitting: list[Span] = []
    for piece in _pieces(text, start, end, separator):
        if piece[1] - piece[0] < size:
            fitting.append(piece)
            continue
        yield from _packed(text, fitting, size, overlap)
        fitting = []
        if finer:
            yield from _spans(text, *piece, finer, size, overlap)
        else:
            yield from _stripped(text, *piece)
    yield from _packed(text, fitting, size, overlap)


def _pieces(text: str, start: int, end: int, separator: str) -> Iterator[Span]:
    """The text cut before each separator."""
    if not separator:
        yield from ((at, at + 1) for at in range(start, end))
        return
    found = text.find(separator, start, end)
    while found >= 0:
        if found > start:
            yield start, found
        start = found
        found = text.find(separator, start + len(separator), end)
    if start < end:
        yield start, end


def _packed(text: str, pieces: Sequence[Span], size: int, overlap: int) -> Iterator[Span]:
    """As many neighbouring pieces in each chunk as fit, without white space around it."""
    held: deque[Span] = deque()
    for piece in pieces:
        if held and piece[1] - held[0][0] > size:
            yield from _stripped(text, held[0][0], held[-1][1])
            while held and (held[-1][1] - held[0][0] > overlap or piece[1] - held[0][0] > size):
                held.popleft()
        held.append(piece)
    if held:
        yield from _stripped(text, held[0][0], held[-1][1])


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if kept := piece.strip():
        begins = start + len(piece) - len(piece.lstrip())
        yield begins, begins + len(kept)
