"""Hits made by hand, for tests of answering."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.citations.stream import CitationStream, Labelled
from core.config import Settings
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.types import Chunk, Document, DocumentKind, DocumentState, Hit, QueryPlan, SearchResult


def hit(
    text: str,
    *,
    label: str = "report.pdf",
    document: str = "d1",
    ordinal: int = 0,
    page: int | None = 3,
    headings: tuple[str, ...] = ("Results",),
    url: str = "",
    title: str = "A report",
    score: float = 0.8,
    start: int = 0,
) -> Hit:
    """A hit whose passage is `text`, which begins at `start` of its page."""
    chunk = Chunk(
        f"{document}:{ordinal}", document, ordinal, ordinal, page, start, start + len(text),
        text, headings,
    )  # fmt: skip
    owner = Document(
        document, "s1", label, label, DocumentKind.PDF, DocumentState.READY,
        title=title, url=url,
    )  # fmt: skip
    return Hit(
        chunk, owner, dense=score, dense_rank=ordinal + 1, fused=score, rank=ordinal + 1,
        context=text, context_start=start, context_end=start + len(text),
    )  # fmt: skip


def found(question: str, hits: Sequence[Hit]) -> SearchResult:
    """A search that found these hits."""
    return SearchResult(QueryPlan(question, question, (question,)), tuple(hits))


@functools.cache
def embedder() -> Embedder:
    """The bundled embedding model, loaded once for all tests of a process."""
    models = Path(__file__).resolve().parents[2] / ".cache" / "models"
    return load_embedder(Settings(models_dir=models))


@dataclass(frozen=True, slots=True)
class Renumbered:
    """A text with its marks made right; `[n]` in it leads to source number `cited[n - 1]`."""

    text: str
    cited: tuple[int, ...]
    removed: int


def renumber(text: str, sources: Sequence[Labelled] | int) -> Renumbered:
    """What a `CitationStream` makes of a whole text.

    >>> renumber("b [2], a [1], b [Source 2], c [9]", 2)
    Renumbered(text='b [1], a [2], b [1], c', cited=(2, 1), removed=1)
    """
    stream = CitationStream.of(sources) if isinstance(sources, int) else CitationStream(sources)
    written = stream.feed(text) + stream.finish()
    return Renumbered(written, stream.cited, stream.removed)
