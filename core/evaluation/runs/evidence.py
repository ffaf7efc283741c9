"""The evidence stored with a result: shortened hits, and which citations are right (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluation.golden.sets import GoldenSource
from core.evaluation.measures.matching import Place, leads_to, place_of_hit, places_of_citation
from core.evaluation.runs.results import Found
from core.types import Citation, Hit

_SHOWN_HITS = 10
_SHOWN_TEXT = 400
"""Characters of a hit that are stored with a result."""


def found_hits(hits: Sequence[Hit], sources: Sequence[GoldenSource]) -> tuple[Found, ...]:
    """Return the first hits, shortened, and whether each is a named place (None: none named)."""
    return tuple(
        Found(
            hit.document.label,
            _where(hit),
            (hit.context or hit.chunk.text)[:_SHOWN_TEXT],
            hit.rerank if hit.rerank is not None else hit.fused,
            _right(place_of_hit(hit), sources),
        )
        for hit in hits[:_SHOWN_HITS]
    )


def right_citations(
    citations: Sequence[Citation], sources: Sequence[GoldenSource]
) -> tuple[bool | None, ...]:
    """Return for each citation whether it leads to a named place."""
    return tuple(
        any(_right(place, sources) for place in places_of_citation(citation)) if sources else None
        for citation in citations
    )


def _right(place: Place, sources: Sequence[GoldenSource]) -> bool | None:
    return any(leads_to(place, source) for source in sources) if sources else None


def _where(hit: Hit) -> str:
    page = f"page {hit.chunk.page_number}" if hit.chunk.page_number is not None else ""
    return " · ".join(part for part in (page, " › ".join(hit.chunk.headings)) if part)
