"""The chunks of a document in one cut of its session (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import TooLarge
from core.ingestion.chunking import chunk_document
from core.ingestion.separators import separated_chunks
from core.types import SPAN, Chunk, Cut, Cutting, LoadedDocument


def cut_document(
    loaded: LoadedDocument, document_id: str, cutting: Cutting, *, size: int, overlap: int
) -> list[Chunk]:
    """All chunks of a document, counted from 0; `size` and `overlap` are what the settings say."""
    size = size if cutting.size is None else cutting.size
    overlap = overlap if cutting.overlap is None else cutting.overlap
    if cutting.separators:
        marks = cutting.separators
        return separated_chunks(loaded, document_id, marks, size=size, overlap=overlap)
    chunks = chunk_document(loaded, document_id, size=size, overlap=overlap, apart=cutting.apart)
    return joined_short(loaded, chunks, cutting.least) if cutting.least else chunks


def in_cut(chunks: Sequence[Chunk], cut: Cut) -> list[Chunk]:
    """The chunks of one document with the ordinals and ids that they have in a cut.

    Raises `TooLarge` for more than a cut has ordinals for.
    """
    if len(chunks) > SPAN:
        raise TooLarge(f"The document has more than {SPAN:,} passages.")
    return [
        replace(chunk, ordinal=ordinal, id=f"{chunk.document_id}:{ordinal}")
        for ordinal, chunk in enumerate(chunks, cut.first)
    ]


def joined_short(loaded: LoadedDocument, chunks: Sequence[Chunk], least: int) -> list[Chunk]:
    """The chunks, those under `least` characters joined with a neighbour on their page."""
    texts = {page.ordinal: page.text for page in loaded.pages}
    joined: list[Chunk] = []
    for chunk in chunks:
        before = joined[-1] if joined else None
        short = before is not None and min(len(before.text), len(chunk.text)) < least
        if before is not None and short and before.page_ordinal == chunk.page_ordinal:
            joined[-1] = _join(before, chunk, texts[chunk.page_ordinal])
        else:
            joined.append(chunk)
    return in_cut(joined, Cut(""))


def _join(before: Chunk, chunk: Chunk, text: str) -> Chunk:
    """Join two chunks; the result has the headings and the kind of the longer one."""
    main = before if len(before.text) >= len(chunk.text) else chunk
    start, end = min(before.start, chunk.start), max(before.end, chunk.end)
    return replace(main, start=start, end=end, text=text[start:end])
