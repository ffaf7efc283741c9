"""Citations with the headings and the anchor of the place where their quote stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.citations.passages import placed
from core.types import Answer, Chunk, Citation, Page


class CitedContent(Protocol):
    """The text of documents, as far as citations need it (`catalogue.content`)."""

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None: ...

    def page_chunks(
        self, session_id: str, document_id: str, page_ordinal: int
    ) -> Sequence[Chunk]: ...


def place_citations(answer: Answer, content: CitedContent, session_id: str) -> Answer:
    """The answer with each citation's headings and anchor at the place of its quote."""
    return replace(
        answer,
        citations=tuple(_placed(citation, content, session_id) for citation in answer.citations),
        unused=tuple(_placed(citation, content, session_id) for citation in answer.unused),
    )


def _placed(citation: Citation, content: CitedContent, session_id: str) -> Citation:
    place = (session_id, citation.document_id, citation.page_ordinal)
    page = content.page(*place)
    if page is None or not page.headings:
        return citation
    return placed(citation, page.headings, content.page_chunks(*place))
