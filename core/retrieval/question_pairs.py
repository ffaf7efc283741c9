"""A question of a collected pair stands for its answer: found by it, the answer is what is read.

Whoever asks what somebody has asked before is helped by the answer, never by the same question
again. So each hit on a pair is read as the whole pair, and leads to its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.citations.answer_start import is_pair
from core.types import Chunk, Hit, Page, SearchResult

LONGEST = 4_000
"""Characters of a pair that are read at once; of a longer one the beginning of the answer."""

PageOf = Callable[[str, int], Page | None]
"""Given a document's id and the ordinal of a page."""
ChunksOf = Callable[[str], Sequence[Chunk]]
"""Given a document's id: its chunks in order."""


def with_answers(result: SearchResult, page_of: PageOf, chunks_of: ChunksOf) -> SearchResult:
    """The result in which each pair stands once, with its answer, at the place of its first hit.

    Hits on other documents stay as they are, and so do those on later parts of a long answer.
    """
    hits: list[Hit] = []
    read: dict[str, Hit] = {}
    for hit in result.hits:
        own = hit.document.id
        if not is_pair(hit):
            hits.append(hit)
        elif own not in read:
            read[own] = _whole(hit, page_of, chunks_of(own))
            hits.append(read[own])
        elif not _is_question(hit.chunk) and not _covered(hit.chunk, read[own]):
            hits.append(hit)
    if hits == list(result.hits):
        return result
    ranked = tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1))
    return replace(result, hits=ranked)


def _is_question(chunk: Chunk) -> bool:
    """Whether a chunk of a pair stands before its answer: the title, or the question."""
    return len(chunk.headings) < 2 or not chunk.headings[1].startswith("Answer")


def _whole(hit: Hit, page_of: PageOf, chunks: Sequence[Chunk]) -> Hit:
    answer = [chunk for chunk in chunks if not _is_question(chunk)]
    if not answer:
        return hit
    chunk = answer[0] if _is_question(hit.chunk) else hit.chunk
    page = page_of(hit.document.id, chunk.page_ordinal)
    if page is None:
        return hit
    here = [c for c in answer if c.page_ordinal == chunk.page_ordinal]
    starts = (0, here[0].start, chunk.start)  # with the question, else the answer, else a part
    start = next((at for at in starts if here[-1].end - at <= LONGEST), starts[-1])
    if start == chunk.start and chunk.end - here[0].start <= LONGEST:
        start = here[0].start
    end = max(c.end for c in here if c.end - start <= LONGEST or c.id == chunk.id)
    text = page.text[start:end]
    return replace(hit, chunk=chunk, context=text, context_start=start, context_end=end)


def _covered(chunk: Chunk, hit: Hit) -> bool:
    """Whether a chunk lies within what is read of a hit."""
    same = chunk.page_ordinal == hit.chunk.page_ordinal
    return same and hit.context_start <= chunk.start and chunk.end <= hit.context_end
