"""The search: dense and lexical candidates, fused, reranked, made diverse, joined for reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from core.errors import ModelError
from core.models.embedding import Embedder
from core.models.reranking import Reranker
from core.retrieval import fusion
from core.retrieval.diversity import Vectors, mmr, reading_spans
from core.retrieval.duplicates import repeats, without_edges
from core.retrieval.finder import Finder, read_vectors
from core.retrieval.hits import rerank_hits
from core.retrieval.steps import Steps
from core.storage.lexical.index import LexicalIndex
from core.storage.vectors.store import VectorStore
from core.types import (
    Chunk,
    Document,
    Hit,
    Notice,
    QueryPlan,
    SearchOptions,
    SearchResult,
    Step,
)

RERANK_WEIGHT = 0.5
"""The share of the cross-encoder in the order; the fused score has the rest."""


class SearchedDocuments(Protocol):
    """The documents, as far as a search needs them."""

    def ready(self, session_id: str, searched_only: bool = True) -> Mapping[str, Document]: ...


class SearchedContent(Protocol):
    """Their text, as far as a search needs it."""

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> Mapping[str, Chunk]: ...

    def page_texts(
        self, session_id: str, places: Iterable[tuple[str, int]]
    ) -> Mapping[tuple[str, int], str]: ...


class SearchedCatalogue(Protocol):
    """The rooms of the catalogue that a search reads."""

    @property
    def documents(self) -> SearchedDocuments: ...

    @property
    def content(self) -> SearchedContent: ...


@dataclass(frozen=True)
class Retriever:
    """Searches the documents of a session. Thread-safe as far as its parts are."""

    catalogue: SearchedCatalogue
    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Embedder
    reranker: Reranker | None = None

    def search(self, session_id: str, plan: QueryPlan, options: SearchOptions) -> SearchResult:
        """Hits for the plan's queries, best first, and what was dropped on the way, with reasons.

        Where one side fails the other is used alone and a notice says so; where both fail, or
        the only one asked for, its error is raised.
        """
        run = _Run(self, session_id, options, dict(self.catalogue.documents.ready(session_id)))
        return run.result(plan, run.finder().candidates(plan.queries))

    def order(
        self, session_id: str, plan: QueryPlan, hits: Sequence[Hit], options: SearchOptions
    ) -> SearchResult:
        """As `search`, from candidates that were found already, best first."""
        run = _Run(self, session_id, options, dict(self.catalogue.documents.ready(session_id)))
        return run.result(plan, list(hits))


@dataclass
class _Run:
    """One search: its parts, what it may find, and what it has to tell."""

    parts: Retriever
    session_id: str
    options: SearchOptions
    documents: dict[str, Document]
    steps: Steps = field(default_factory=Steps)
    notices: list[Notice] = field(default_factory=list)
    read: dict[str, Vectors] = field(default_factory=dict)

    def finder(self) -> Finder:
        """What finds the candidates of this search, and tells its steps and notices here."""
        parts = self.parts
        return Finder(
            self.session_id,
            self.options,
            self.documents,
            parts.vectors,
            parts.lexical,
            parts.embedder,
            parts.catalogue.content.chunks_by_id,
            self.steps,
            self.notices,
            self.read,
        )

    def result(self, plan: QueryPlan, hits: list[Hit]) -> SearchResult:
        """The candidates reranked against the goal, cut, made diverse, joined for reading."""
        hits = self.rerank(plan.goal, hits)
        pool, dropped = self.cut(hits)
        kept, displaced = self.diversify(pool)
        kept = self.join(kept)
        ranked = tuple(replace(hit, rank=rank) for rank, hit in enumerate(kept, 1))
        notices = (*plan.notices, *self.notices)
        return SearchResult(plan, ranked, (*displaced, *dropped), tuple(self.steps), notices)

    # ---------------------------------------------------------------------------- ordering

    def rerank(self, question: str, hits: list[Hit]) -> list[Hit]:
        """The first `fetch_k` in the order of fused score and cross-encoder together.

        Without its weights the fused order stands. The steps say so; the Status page says why.
        """
        reranker = self.parts.reranker
        if reranker is None or not self.options.rerank or not hits:
            return hits
        first, rest = hits[: self.options.fetch_k], hits[self.options.fetch_k :]
        try:
            with self.steps.timed("rerank", reranker.name) as reranked:
                scores = reranker.score(question, [hit.chunk.text for hit in first])
                reranked += rerank_hits(first, scores, RERANK_WEIGHT)
        except ModelError as error:
            self.steps.append(Step("rerank", f"left out: {error.message}", count=0))
            return hits
        return reranked + rest

    def cut(self, hits: list[Hit]) -> tuple[list[Hit], list[Hit]]:
        """The first `fetch_k` that differ in what they say, and the rest with reasons."""
        limit = self.options.fetch_k
        first, beyond = hits[:limit], hits[limit:]
        pool: dict[int, Hit] = {}
        dropped: list[Hit] = []
        same = repeats(
            [hit.chunk.text for hit in first],
            self.vectors_of(first),
            lambda position: self.bare(first[position]),
        )
        for position, earlier in enumerate(same):
            hit = first[position]
            if earlier is None:
                pool[position] = hit
                continue
            better = pool[earlier]
            pool[earlier] = replace(
                better,
                other_places=(*better.other_places, hit.chunk.id),
                also_in=tuple(dict.fromkeys((*better.also_in, _where(hit)))),
            )
            dropped.append(replace(hit, dropped="says the same as a better hit"))
        dropped += [replace(hit, dropped=f"beyond the first {limit}") for hit in beyond]
        return list(pool.values()), dropped

    def bare(self, hit: Hit) -> str:
        """The text of a hit on a numbered page without the page's running header and footer."""
        chunk, (document, ordinal) = hit.chunk, _page_of(hit)
        if chunk.page_number is None:
            return chunk.text
        keys = [(document, ordinal + step) for step in (-1, 0, 1)]
        texts = self.parts.catalogue.content.page_texts(self.session_id, keys)
        beside = [texts[key] for key in (keys[0], keys[2]) if key in texts]
        return without_edges(chunk.text, texts.get(keys[1], ""), beside)

    def diversify(self, pool: list[Hit]) -> tuple[list[Hit], list[Hit]]:
        """The `top_k` to keep in their order, and the others with reasons."""
        k = self.options.top_k
        if not self.options.diversify or len(pool) <= k:
            return pool[:k], _dropped_beyond(pool[k:], k)
        with self.steps.timed("diversify", f"MMR, lambda {self.options.mmr_lambda:g}") as kept:
            kept += [pool[position] for position in self._by_mmr(pool, k)]
        ids = {hit.chunk.id for hit in kept}
        displaced = [hit for hit in pool[:k] if hit.chunk.id not in ids]
        others = [hit for hit in pool[k:] if hit.chunk.id not in ids]
        similar = [replace(hit, dropped="similar to a better hit") for hit in displaced]
        return kept, [*similar, *_dropped_beyond(others, k)]

    def _by_mmr(self, pool: list[Hit], k: int) -> list[int]:
        matrix = self.vectors_of(pool)
        if matrix is None:
            return list(range(k))
        ranked = fusion.min_max([(hit.chunk.id, -float(n)) for n, hit in enumerate(pool)])
        if not any(hit.rerank is not None for hit in pool):
            ranked = fusion.min_max([(hit.chunk.id, hit.fused or 0.0) for hit in pool])
        relevance = np.array([score for _, score in ranked], np.float32)
        return mmr(matrix, relevance, k, self.options.mmr_lambda, [_place(hit) for hit in pool])

    def vectors_of(self, hits: Sequence[Hit]) -> Vectors | None:
        """One row a hit, None where a vector is missing."""
        ids = [hit.chunk.id for hit in hits]
        found = read_vectors(self.parts.vectors, self.session_id, ids, self.read)
        return np.stack([found[key] for key in ids]) if ids and len(found) == len(ids) else None

    # ----------------------------------------------------------------------------- reading

    def join(self, kept: list[Hit]) -> list[Hit]:
        """Each hit with its neighbours on the page as its context."""
        if not self.options.join_neighbours or not kept:
            return kept
        with self.steps.timed("join", "neighbours on the page") as joined:
            pages = [_page_of(hit) for hit in kept]
            catalogue = self.parts.catalogue
            beside = [_beside(hit.chunk) for hit in kept]
            found = catalogue.content.chunks_by_id(
                self.session_id, [i for ids in beside for i in ids]
            )
            texts = catalogue.content.page_texts(self.session_id, dict.fromkeys(pages))
            near = [[found[i] for i in ids if i in found] for ids in beside]
            spans = reading_spans([hit.chunk for hit in kept], near)
            for hit, page, (start, end) in zip(kept, pages, spans, strict=True):
                if page not in texts:
                    continue  # its document was deleted while the search went on
                context = texts[page][start:end]
                joined.append(replace(hit, context=context, context_start=start, context_end=end))
        return joined


def _dropped_beyond(hits: Iterable[Hit], limit: int) -> list[Hit]:
    return [replace(hit, dropped=f"beyond the first {limit}") for hit in hits]


def _beside(chunk: Chunk) -> list[str]:
    """The ids of the chunks before and after, which may not exist."""
    return [f"{chunk.document_id}:{chunk.ordinal + step}" for step in (-1, 1)]


def _place(hit: Hit) -> tuple[object, ...] | None:
    """The page or the section that can be linked to; None where the format has neither."""
    chunk = hit.chunk
    if chunk.page_number is None and chunk.anchor is None:
        return None
    return chunk.document_id, chunk.page_ordinal, chunk.anchor


def _where(hit: Hit) -> str:
    page = hit.chunk.page_number
    return hit.document.label if page is None else f"{hit.document.label}, page {page}"


def _page_of(hit: Hit) -> tuple[str, int]:
    return hit.chunk.document_id, hit.chunk.page_ordinal
