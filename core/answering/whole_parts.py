"""Read the whole of a table whose rows are compared, and of what is told in headings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from core.answering.extractive.structures.sections.quotes import asks_for_section
from core.answering.extractive.structures.sections.widening import section_around
from core.answering.extractive.structures.tables import table_around
from core.citations.passages import passage_of
from core.planning.table_questions import asks_for_extreme
from core.types import Hit, Page, SearchResult

LONGEST = 16_000
"""Characters of a passage that is widened; where it would be longer it is read as it is."""
Around = Callable[[str, int, int], tuple[int, int]]
"""Given the text of a page and a stretch of it: the stretch widened."""


class Pages(Protocol):
    """The part of `catalogue.content` that whole parts need."""

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None: ...


def with_whole_parts(result: SearchResult, content: Pages, session_id: str) -> SearchResult:
    """Return the result, each passage widened to the whole of what it has a part of.

    That is a table, with the lines that name its columns, for a question after the most or the
    least, and headings that count or are led in for one after steps or things.
    """
    goal = result.plan.goal
    if asks_for_extreme(goal) is not None:
        around: Around = table_around
    elif asks_for_section(goal):
        around = section_around
    else:
        return result
    return replace(
        result,
        hits=tuple(_widened(hit, content, session_id, around) for hit in result.hits),
        dropped=tuple(_widened(hit, content, session_id, around) for hit in result.dropped),
    )


def _widened(hit: Hit, content: Pages, session_id: str, around: Around) -> Hit:
    chunk = hit.chunk
    page = content.page(session_id, chunk.document_id, chunk.page_ordinal)
    if page is None:  # deleted during the search
        return hit
    text, first = passage_of(hit)
    start, end = around(page.text, first, first + len(text))
    if (start, end) == (first, first + len(text)) or end - start > LONGEST:
        return hit
    return replace(hit, context=page.text[start:end], context_start=start, context_end=end)
