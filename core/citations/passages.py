"""The passage of a hit: what is read and quoted of it, and the citation that leads there (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from core.text.sentences import Sentence, split_sentences
from core.types import Chunk, ChunkKind, Citation, Heading, Hit

_LEAD_IN = re.compile(r"^[A-Z][^\n]{2,150}:(?=\n\n+(?:>>>|\$) )", re.M)
"""A line among listings that says what the next one shows: "Pretty printing:"."""
PassageKey = tuple[str, int, int, int]
"""What one citation number stands for: document, page, and a stretch of the page."""


def passage_of(hit: Hit) -> tuple[str, int]:
    """The text that is read of a hit, and where on its page it begins."""
    if hit.context:
        return hit.context, hit.context_start
    return hit.chunk.text, hit.chunk.start


def sentences_of(hit: Hit) -> list[Sentence]:
    """The pieces of a hit's passage in order, each listing whole and what is around it not as code.

    Where fences mark the code in the text itself, they tell.
    """
    text, base = passage_of(hit)
    chunk = hit.chunk
    own = ((chunk.start, chunk.end),) if chunk.kind is ChunkKind.CODE else ()
    listings = () if "```" in text or "~~~" in text else hit.code or own
    pieces: list[Sentence] = []
    at = 0
    for start, end in ((max(first - base, 0), last - base) for first, last in listings):
        if end <= at:
            continue  # it stands before what is read
        pieces += split_sentences(text[at : max(start, at)], offset=base + at)
        at = max(start, at)
        for lead in _LEAD_IN.finditer(text, at, end):
            pieces += split_sentences(text[at : lead.start()], code=True, offset=base + at)
            pieces += split_sentences(lead.group(), offset=base + lead.start())
            at = lead.end()
        pieces += split_sentences(text[at:end], code=True, offset=base + at)
        at = max(end, at)
    return [*pieces, *split_sentences(text[at:], offset=base + at)]


def passage_key(hit: Hit) -> PassageKey:
    """The key of a hit's passage: hits that share it share their citation number."""
    chunk = hit.chunk
    if hit.context:
        return chunk.document_id, chunk.page_ordinal, hit.context_start, hit.context_end
    return chunk.document_id, chunk.page_ordinal, chunk.start, chunk.end


def citation_of(
    number: int, hit: Hit, start: int, end: int, spans: tuple[tuple[int, int], ...] = ()
) -> Citation:
    """The citation of a hit that marks `[start, end)` of its page, within the hit's passage."""
    chunk, document = hit.chunk, hit.document
    text, base = passage_of(hit)
    return Citation(
        number=number,
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        label=document.label,
        kind=document.kind,
        page_ordinal=chunk.page_ordinal,
        page_number=chunk.page_number,
        start=start,
        end=end,
        quote=text[start - base : end - base],
        title=document.title,
        headings=chunk.headings,
        anchor=chunk.anchor,
        url=document.url,
        score=hit.score,
        passage=text,
        spans=spans,
        attribution=document.attribution,
        published=document.published,
        read_at=document.read_at.isoformat() if document.read_at else "",
        also_in=hit.also_in,
    )


def placed(citation: Citation, headings: Sequence[Heading], chunks: Sequence[Chunk]) -> Citation:
    """The citation with the heading path and the anchor at the start of its quote.

    `headings` and `chunks` are those of its page. A chunk's path is that at its start; headings
    between there and the quote are added by their level.
    """
    around = [chunk for chunk in chunks if chunk.start <= citation.start]
    if not around:
        return citation
    chunk = max(around, key=lambda chunk: chunk.start)
    path, anchor = chunk.headings, chunk.anchor
    for heading in headings:
        if chunk.start < heading.offset <= citation.start:
            path = (*path[: max(heading.level - 1, 0)], heading.title)
            anchor = heading.anchor or anchor
    return replace(citation, headings=path, anchor=anchor)


def unused(
    hits: Sequence[Hit], cited: Collection[PassageKey] = (), offset: int = 0
) -> tuple[Citation, ...]:
    """The hits that are not cited, best first, once each, numbered from `offset` + 1."""
    left = [hit for hit in distinct(hits) if passage_key(hit) not in cited]
    return tuple(
        citation_of(number, hit, hit.chunk.start, hit.chunk.end)
        for number, hit in enumerate(left, offset + 1)
    )


def distinct(hits: Sequence[Hit]) -> list[Hit]:
    """Each passage once, best first: two numbers for one text would be two citations of it."""
    first: dict[PassageKey, Hit] = {}
    for hit in hits:
        first.setdefault(passage_key(hit), hit)
    return list(first.values())
