"""Chunks of documents in an index, and what is found."""

from __future__ import annotations

from collections.abc import Sequence

from core.storage.lexical.port import LexicalIndex
from core.types import Chunk


def chunks_of(document: str, texts: Sequence[str]) -> list[Chunk]:
    """A chunk for each text."""
    return [Chunk(f"{document}:{i}", document, i, 0, 1, 0, len(t), t) for i, t in enumerate(texts)]


def add(
    index: LexicalIndex, session: str, document: str, *texts: str, language: str = "en"
) -> None:
    """Add a document without a title."""
    index.add(session, chunks_of(document, texts), [""] * len(texts), language)


def found(index: LexicalIndex, session: str, query: str, n: int = 10) -> list[str]:
    """The ids of what is found, best first."""
    return [chunk_id for chunk_id, _ in index.query(session, query, n)]
