"""Replace a hit on the question of a collected pair by the pair with its answer.

A hit on a pair is read as the whole pair and leads to its answer, since the same question again
is no help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.citations.answer_start import is_pair
from core.types import Chunk, Hit, Page, SearchResult

LONGEST = 4_000
"""Characters of a pair that are read; of a longer one, the beginning of the answer."""


class PairContent(Protocol):
    """The part of `catalogue.content` that pairs need."""

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None: ...

    def chunks(self, session_id: str, document_id: str) -> Sequence[Chunk]: ...


def with_answers(result: SearchResult, content: PairContent, session_id: str) -> SearchResult:
    """Return the result with each pair once, with its answer, at the place of its first hit.

    Hits on other documents and on later parts of a long answer stay as they are.
    """
    hits: list[Hit] = []
    read: dict[str, Hit] = {}
    for hit in result.hits:
        own = hit.document.id
        if not is_pair(hit):
            hits.append(hit)
        elif own not in read:
            read[own] = _whole(hit, content, session_id)
            hits.append(read[own])
        elif not _is_question(hit.chunk) and not _covered(hit.chunk, read[own]):
            hits.append(hit)
    if hits == list(result.hits):
        return result
    ranked = tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1))
    return replace(result, hits=ranked)


def _is_question(chunk: Chunk) -> bool:
    """Whether a chunk of a pair is before its answer: the title or the question."""
    return len(chunk.headings) < 2 or not chunk.headings[1].startswith("Answer")


def _whole(hit: Hit, content: PairContent, session_id: str) -> Hit:
    chunks = content.chunks(session_id, hit.document.id)
    answer = [chunk for chunk in chunks if not _is_question(chunk)]
    if not answer:
        return hit
    chunk = answer[0] if _is_question(hit.chunk) else hit.chunk
    page = content.page(session_id, hit.document.id, chunk.page_ordinal)
    if page is None:
        return hit
    here = [c for c in answer if c.page_ordinal == chunk.page_ordinal]
    starts = (0, here[0].start, chunk.start)  # with the question, else only the answer, else a part
    start = next((at for at in starts if here[-1].end - at <= LONGEST), starts[-1])
    if start == chunk.start and chunk.end - here[0].start <= LONGEST:
        start = here[0].start
    end = max(c.end for c in here if c.end - start <= LONGEST or c.id == chunk.id)
    text = page.text[start:end]
    return replace(hit, chunk=chunk, context=text, context_start=start, context_end=end)


def _covered(chunk: Chunk, hit: Hit) -> bool:
    """Whether a chunk is within the text that is read for a hit."""
    same = chunk.page_ordinal == hit.chunk.page_ordinal
    return same and hit.context_start <= chunk.start and chunk.end <= hit.context_end
