"""Citations with the headings and the anchor of the place where their quote stands."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.citations.passages import placed
from core.types import Answer, Chunk, Citation, Heading, Page


class CitedContent(Protocol):
    """The text of documents, as far as citations need it (`catalogue.content`)."""

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None: ...

    def page_chunks(
        self, session_id: str, document_id: str, page_ordinal: int
    ) -> Sequence[Chunk]: ...


def place_citations(answer: Answer, content: CitedContent, session_id: str) -> Answer:
    """The answer with each citation's headings and anchor at the place of its quote.

    Several citations are often of one page, which is read once.
    """

    @functools.cache
    def read(document_id: str, page_ordinal: int) -> tuple[Sequence[Heading], Sequence[Chunk]]:
        place = (session_id, document_id, page_ordinal)
        page = content.page(*place)
        return (page.headings, content.page_chunks(*place)) if page and page.headings else ((), ())

    def put(citation: Citation) -> Citation:
        headings, chunks = read(citation.document_id, citation.page_ordinal)
        return placed(citation, headings, chunks)

    return replace(
        answer,
        citations=tuple(map(put, answer.citations)),
        unused=tuple(map(put, answer.unused)),
    )
