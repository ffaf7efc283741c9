"""Give each hit on code the imports that it uses from listings above it on its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from core.text.imports import used_imports
from core.types import ChunkKind, Hit, Page, SearchResult


class Pages(Protocol):
    """The part of `catalogue.content` that imports need."""

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None: ...


def with_imports(result: SearchResult, content: Pages, session_id: str) -> SearchResult:
    """Return the result with `Hit.imports` of every hit on code whose imports stand above it."""
    hits = tuple(
        replace(hit, imports=found) if (found := _imports(hit, content, session_id)) else hit
        for hit in result.hits
    )
    return result if hits == result.hits else replace(result, hits=hits)


def _imports(hit: Hit, content: Pages, session_id: str) -> tuple[str, ...]:
    chunk = hit.chunk
    if chunk.kind is not ChunkKind.CODE:
        return ()
    page = content.page(session_id, chunk.document_id, chunk.page_ordinal)
    if page is None:  # deleted during the search
        return ()
    start, read = (hit.context_start, hit.context) if hit.context else (chunk.start, chunk.text)
    return used_imports(list(_listings_before(page, start)), read)


def _listings_before(page: Page, end: int) -> Iterator[str]:
    for block in sorted(page.blocks, key=lambda block: block.start):
        if block.kind is ChunkKind.CODE:
            yield page.text[block.start : min(block.end, end)]  # "" of one that begins later
