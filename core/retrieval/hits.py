"""Build hits with all scores and ranks from what both sides found (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.retrieval import fusion
from core.types import Chunk, Document, Hit, SearchOptions

Ranked = list[tuple[str, float]]
"""Pairs of chunk id and score, best first."""


def fuse(dense: Ranked, lexical: Ranked, options: SearchOptions, weight: float) -> Ranked:
    """Fuse two lists as the options say; `weight` is that of the dense one."""
    if options.mode != "hybrid":
        return dense or lexical
    if options.fusion == "rrf":
        return fusion.rrf([dense, lexical])
    if options.normalise == "min-max":
        return fusion.weighted(dense, lexical, weight)
    return fusion.standard(dense, lexical, weight)


def make_hits(
    queries: Sequence[str],
    dense: Sequence[Ranked],
    lexical: Sequence[Ranked],
    fused: Sequence[Ranked],
    chunks: Mapping[str, Chunk],
    documents: Mapping[str, Document],
) -> list[Hit]:
    """Return hits of the given chunks and documents, best first; others are not ready or gone.

    There is one list for each query. A hit has the fused score and the query that ranked it best.
    """
    dense_of, lexical_of = _best_places(dense), _best_places(lexical)
    query_of = _best_query(queries, fused)
    hits: list[Hit] = []
    for key, score in fusion.best_of(fused):
        chunk = chunks.get(key)
        if chunk is None or chunk.document_id not in documents:
            continue
        dense_score, dense_rank = dense_of.get(key, (None, None))
        lexical_score, lexical_rank = lexical_of.get(key, (None, None))
        hit = Hit(
            chunk=chunk,
            document=documents[chunk.document_id],
            dense=dense_score,
            dense_rank=dense_rank,
            lexical=lexical_score,
            lexical_rank=lexical_rank,
            fused=score,
            fused_rank=len(hits) + 1,
            query=query_of[key],
            context=chunk.text,
            context_start=chunk.start,
            context_end=chunk.end,
        )
        hits.append(hit)
    return hits


def rerank_hits(hits: Sequence[Hit], scores: Sequence[float], weight: float) -> list[Hit]:
    """Return the hits by `weight` times the reranker's score plus the rest times the fused score.

    Both are min-max-normalised first.
    """
    ids = [hit.chunk.id for hit in hits]
    by_model = list(zip(ids, scores, strict=True))
    by_fusion = [(hit.chunk.id, hit.fused or 0.0) for hit in hits]
    scored = {
        hit.chunk.id: replace(hit, rerank=score) for hit, score in zip(hits, scores, strict=True)
    }
    order = fusion.weighted(by_model, by_fusion, weight)
    return [replace(scored[key], rerank_rank=rank) for rank, (key, _) in enumerate(order, 1)]


def _best_places(lists: Sequence[Ranked]) -> dict[str, tuple[float, int]]:
    """Return for each id its score and rank in the list that ranks it best."""
    best: dict[str, tuple[float, int]] = {}
    for ranked in lists:
        for rank, (key, score) in enumerate(ranked, 1):
            if key not in best or rank < best[key][1]:
                best[key] = (score, rank)
    return best


def _best_query(queries: Sequence[str], fused: Sequence[Ranked]) -> dict[str, str]:
    best: dict[str, tuple[float, str]] = {}
    for query, ranked in zip(queries, fused, strict=True):
        for key, score in ranked:
            if key not in best or score > best[key][0]:
                best[key] = (score, query)
    return {key: query for key, (_, query) in best.items()}
