"""The second half of a search: rerank, deduplicate and diversify hits, join neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.citations.answer_start import is_pair
from core.errors import ModelError
from core.models.reranking import Reranker
from core.retrieval.candidates import Candidates
from core.retrieval.corpus import Corpus, Vectors
from core.retrieval.diversity import Place, mmr, reading_spans
from core.retrieval.duplicates import repeats, without_edges
from core.retrieval.fusion import min_max
from core.retrieval.hits import rerank_hits
from core.retrieval.votes import by_votes
from core.steps import Timer
from core.types import Chunk, ChunkKind, Hit, SearchOptions, Step
from core.types.steps import ByMethod, Diversified


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits best first, dropped ones with reasons, and the steps so far."""

    hits: tuple[Hit, ...]
    dropped: tuple[Hit, ...] = ()
    steps: tuple[Step, ...] = ()


def rank(
    corpus: Corpus,
    goal: str,
    candidates: Candidates,
    options: SearchOptions,
    reranker: Reranker | None = None,
) -> Ranking:
    """Return the hits to keep for the goal, best first, each with the text read around it."""
    ranking = rerank(Ranking(candidates.hits), goal, options, reranker)
    ranking = weigh_votes(ranking, options)
    first = [hit.chunk.id for hit in ranking.hits[: options.fetch_k]]
    vectors = corpus.vectors_of(first, candidates.vectors)
    ranking = drop_repeats(ranking, corpus, vectors, options)
    ranking = diversify(ranking, vectors, options)
    ranking = join_neighbours(ranking, corpus, options)
    hits = tuple(replace(hit, rank=number) for number, hit in enumerate(ranking.hits, 1))
    return replace(ranking, hits=hits)


def rerank(
    ranking: Ranking, goal: str, options: SearchOptions, reranker: Reranker | None
) -> Ranking:
    """Return the first `fetch_k` by fused score and cross-encoder together.

    Without the model's weights the fused order stands; the steps say so, the Status page why.
    """
    if reranker is None or not options.rerank or not ranking.hits:
        return ranking
    first, rest = ranking.hits[: options.fetch_k], ranking.hits[options.fetch_k :]
    timer = Timer()
    try:
        scores = reranker.score(goal, [hit.chunk.text for hit in first])
    except ModelError as error:
        step = Step("rerank", ByMethod(reranker.name, error.message), count=0)
        return replace(ranking, steps=(*ranking.steps, step))
    reranked = rerank_hits(first, scores, options.rerank_weight)
    step = timer.step("rerank", ByMethod(reranker.name), len(reranked))
    return replace(ranking, hits=(*reranked, *rest), steps=(*ranking.steps, step))


def weigh_votes(ranking: Ranking, options: SearchOptions) -> Ranking:
    """Return the first `fetch_k` with the votes for answers of collected pairs in their order."""
    first, rest = ranking.hits[: options.fetch_k], ranking.hits[options.fetch_k :]
    if options.votes <= 0 or not any(map(is_pair, first)):
        return ranking
    timer = Timer()
    weighed = by_votes(first, options.votes)
    step = timer.step("votes", count=len(weighed))
    return replace(ranking, hits=(*weighed, *rest), steps=(*ranking.steps, step))


def drop_repeats(
    ranking: Ranking, corpus: Corpus, vectors: Mapping[str, Vectors], options: SearchOptions
) -> Ranking:
    """Return the first `fetch_k` without repetitions; the rest is dropped with reasons."""
    limit = options.fetch_k
    first, beyond = ranking.hits[:limit], ranking.hits[limit:]
    pool: dict[int, Hit] = {}
    dropped: list[Hit] = []
    texts = [hit.chunk.text for hit in first]
    matrix = _matrix(first, vectors)
    same = repeats(texts, matrix, lambda position: _without_edges(corpus, first[position]))
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
    dropped += _dropped_beyond(beyond, limit)
    return replace(ranking, hits=tuple(pool.values()), dropped=(*dropped, *ranking.dropped))


def diversify(ranking: Ranking, vectors: Mapping[str, Vectors], options: SearchOptions) -> Ranking:
    """Return the `top_k` to keep, in order; the others are dropped with reasons."""
    pool, k = ranking.hits, options.top_k
    if not options.diversify or len(pool) <= k:
        dropped = (*_dropped_beyond(pool[k:], k), *ranking.dropped)
        return replace(ranking, hits=pool[:k], dropped=dropped)
    timer = Timer()
    kept = tuple(pool[position] for position in _by_mmr(pool, vectors, options))
    step = timer.step("diversify", Diversified(options.mmr_lambda), len(kept))
    ids = {hit.chunk.id for hit in kept}
    displaced = [hit for hit in pool[:k] if hit.chunk.id not in ids]
    others = [hit for hit in pool[k:] if hit.chunk.id not in ids]
    similar = [replace(hit, dropped="similar to a better hit") for hit in displaced]
    dropped = (*similar, *_dropped_beyond(others, k), *ranking.dropped)
    return Ranking(kept, dropped, (*ranking.steps, step))


def join_neighbours(ranking: Ranking, corpus: Corpus, options: SearchOptions) -> Ranking:
    """Give each hit its neighbours on the page as context."""
    kept = ranking.hits
    if not options.join_neighbours or not kept:
        return ranking
    timer = Timer()
    pages = [_page_of(hit) for hit in kept]
    beside = [_beside(hit.chunk) for hit in kept]
    wanted = [key for ids in beside for key in ids]
    found = corpus.content.chunks_by_id(corpus.session_id, wanted)
    texts = corpus.content.page_texts(corpus.session_id, dict.fromkeys(pages))
    near = [[found[key] for key in ids if key in found] for ids in beside]
    spans = reading_spans([hit.chunk for hit in kept], near)
    joined = tuple(
        replace(
            hit,
            context=texts[page][start:end],
            context_start=start,
            context_end=end,
            code=_listings((hit.chunk, *others), start, end),
        )
        for hit, page, others, (start, end) in zip(kept, pages, near, spans, strict=True)
        if page in texts  # its document may have been deleted during the search
    )
    step = timer.step("join", count=len(joined))
    return replace(ranking, hits=joined, steps=(*ranking.steps, step))


# --------------------------------------------------------------------------------- inside


def _listings(chunks: Iterable[Chunk], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where code stands between two offsets of the page of these chunks."""
    code = (one for one in chunks if one.kind is ChunkKind.CODE)
    return tuple(sorted((c.start, c.end) for c in code if start <= c.start and c.end <= end))


def _by_mmr(
    pool: Sequence[Hit], vectors: Mapping[str, Vectors], options: SearchOptions
) -> Iterable[int]:
    """Return positions in the pool in the order chosen by MMR."""
    matrix = _matrix(pool, vectors)
    if matrix is None:
        return range(options.top_k)
    if options.mmr == "plain":
        cosine = np.array([hit.dense or 0.0 for hit in pool], np.float32)
        return mmr(matrix, cosine, options.top_k, options.mmr_lambda)
    ranked = min_max([(hit.chunk.id, -float(n)) for n, hit in enumerate(pool)])
    if not any(hit.rerank is not None for hit in pool):
        ranked = min_max([(hit.chunk.id, hit.fused or 0.0) for hit in pool])
    relevance = np.array([score for _, score in ranked], np.float32)
    places = [_place(hit) for hit in pool]
    return mmr(matrix, relevance, options.top_k, options.mmr_lambda, places)


def _matrix(hits: Sequence[Hit], vectors: Mapping[str, Vectors]) -> Vectors | None:
    """Return a matrix with one row for each hit, None if a vector is missing."""
    rows = [vectors[hit.chunk.id] for hit in hits if hit.chunk.id in vectors]
    return np.stack(rows) if rows and len(rows) == len(hits) else None


def _without_edges(corpus: Corpus, hit: Hit) -> str:
    """Return the text of a hit on a numbered page without its running header and footer."""
    chunk, (document, ordinal) = hit.chunk, _page_of(hit)
    if chunk.page_number is None:
        return chunk.text
    keys = [(document, ordinal + step) for step in (-1, 0, 1)]
    texts = corpus.content.page_texts(corpus.session_id, keys)
    beside = [texts[key] for key in (keys[0], keys[2]) if key in texts]
    return without_edges(chunk.text, texts.get(keys[1], ""), beside)


def _dropped_beyond(hits: Iterable[Hit], limit: int) -> list[Hit]:
    return [replace(hit, dropped=f"beyond the first {limit}") for hit in hits]


def _beside(chunk: Chunk) -> list[str]:
    """Return the ids of the chunks before and after, which may not exist."""
    return [f"{chunk.document_id}:{chunk.ordinal + step}" for step in (-1, 1)]


def _place(hit: Hit) -> Place | None:
    """Return where a hit stands on a page or in a linkable section, None if there is neither."""
    chunk = hit.chunk
    if chunk.page_number is None and chunk.anchor is None:
        return None
    return (chunk.document_id, chunk.page_ordinal, chunk.anchor), chunk.ordinal


def _where(hit: Hit) -> str:
    page = hit.chunk.page_number
    return hit.document.label if page is None else f"{hit.document.label}, page {page}"


def _page_of(hit: Hit) -> tuple[str, int]:
    return hit.chunk.document_id, hit.chunk.page_ordinal
