"""The first half of a search: the candidates of both sides, fused into one order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.errors import AppError, ModelError, StorageError
from core.models.embedding import BUNDLED
from core.planning.paraphrases import beside
from core.retrieval.agreement import FIRST, supported_list
from core.retrieval.corpus import Corpus, Vectors
from core.retrieval.fusion import boosted, min_max
from core.retrieval.hits import Ranked, fuse, make_hits
from core.retrieval.named_documents import meant, named_documents
from core.steps import Timer
from core.text.word_lists import STOP_WORDS
from core.types import Hit, Notice, OtherWords, SearchOptions, Step
from core.types.search import BY_MODEL
from core.types.steps import ByMethod, Fused

FOREIGN = 0.4
"""The dense weight is multiplied by this if the embedding model does not know the language."""
_KNOWN_LANGUAGES = frozenset({"", "en"})  # languages of the bundled model
_LOOK_AT = 10  # lexical hits by which the language is determined

BY_ONE_SIDE = {
    "dense-failed": "The search went by words alone.",
    "lexical-failed": "The search went by meaning alone.",
}
"""How the text of a notice ends that one side of the search failed, by its code."""

Named = Mapping[str, float]
"""Document ids with how well their names fit a query."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Hits best first, before reranking and diversification.

    `vectors` holds the vectors of chunks that were read so far.
    """

    hits: tuple[Hit, ...]
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Side:
    """A ranked list for each query, empty if this side is off or failed."""

    lists: Sequence[Ranked]
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    failure: AppError | None = None


def find_candidates(
    corpus: Corpus, queries: Sequence[str], options: SearchOptions, also: OtherWords = ()
) -> Candidates:
    """Return what dense and lexical search find for the queries, fused, best first.

    `also` gives for words of the queries others that the lexical search looks for too.

    If one side fails, the other is used alone, with a notice. If no side is left, raises the
    `StorageError` or `ModelError` of the first one.
    """
    named = [_named(corpus, query, options) for query in queries]
    pairs = list(zip(queries, named, strict=True))
    least = partial(_least, corpus, options)
    by_meaning = (_dense(corpus, query, options, least()) for query in queries)
    others = [other for _, words in also for other in words]
    by_words = (_lexical(corpus, beside(query, others), fits, options) for query, fits in pairs)
    dense = _side("dense", corpus.embedder.name, by_meaning, len(pairs), options, least)
    lexical = _side("lexical", "BM25", by_words, len(pairs), options)
    failures = [side.failure for side in (dense, lexical) if side.failure]
    if failures and len(failures) == (2 if options.mode == "hybrid" else 1):
        raise failures[0]
    return _fused(corpus, queries, options, named, dense, lexical)


# ------------------------------------------------------------------------------- the sides


def _side(
    name: str,
    method: str,
    searches: Iterable[Ranked],
    queries: int,
    options: SearchOptions,
    least: Callable[[], float] = lambda: -1.0,
) -> _Side:
    """Collect the lists of one side; each search runs when `searches` is iterated.

    `least` gives the score from which on they let through.
    """
    nothing: list[Ranked] = [[] for _ in range(queries)]
    if options.mode not in ("hybrid", name):
        return _Side(nothing)
    timer = Timer()
    try:
        lists = list(searches)
        from_on = least()
    except (StorageError, ModelError) as error:
        code = f"{name}-failed"
        notice = Notice(code, f"{error.message} {BY_ONE_SIDE[code]}", error.cure)
        return _Side(nothing, (), (notice,), error)
    found = {key for ranked in lists for key, _ in ranked}
    detail = ByMethod(method, least=from_on if from_on > -1.0 else None)
    return _Side(lists, (timer.step(name, detail, len(found)),))


def _least(corpus: Corpus, options: SearchOptions) -> float:
    least = options.min_similarity
    return corpus.cut_off_of(corpus) if least == BY_MODEL else least


def _dense(corpus: Corpus, query: str, options: SearchOptions, least: float) -> Ranked:
    found = corpus.vectors.query(
        corpus.cut.index,
        corpus.embedder.embed_query(query),
        options.candidates,
        corpus.documents.keys(),
        allowed_ids=corpus.all_chunk_ids(),
    )
    return [(key, score) for key, score in found if score >= least]


def _lexical(corpus: Corpus, query: str, named: Named, options: SearchOptions) -> Ranked:
    """Return the best of all documents, and the best of those that the query names."""
    search, count = corpus.lexical.query, options.candidates
    index = corpus.cut.index
    found = search(index, query, count, corpus.documents.keys())
    if within := meant(named):
        found = _merged(found, search(index, query, count, within))
    return found


# ----------------------------------------------------------------------------- the one order


def _fused(
    corpus: Corpus,
    queries: Sequence[str],
    options: SearchOptions,
    named: Sequence[Named],
    dense: _Side,
    lexical: _Side,
) -> Candidates:
    timer = Timer()
    vectors: dict[str, Vectors] = {}
    dense_lists: list[Ranked] = []
    fused: list[Ranked] = []
    weights = [_dense_weight(corpus, ranked, options) for ranked in lexical.lists]
    for query, fits, by_meaning, by_words, weight in zip(
        queries, named, dense.lists, lexical.lists, weights, strict=True
    ):
        missing = _missing_named(by_meaning, by_words, fits)
        vectors |= corpus.vectors_of(missing, vectors)
        if near := {key: vectors[key] for key in missing if key in vectors}:
            query_vector = corpus.embedder.embed_query(query)
            read = [(key, float(vector @ query_vector)) for key, vector in near.items()]
            by_meaning = _merged(by_meaning, read)
        ranked = fuse(by_meaning, by_words, options, weight)
        if _is_weighted(options):
            ranked = _boosted(ranked, fits, options)
            if options.support > 0:
                near = corpus.vectors_of([key for key, _ in ranked[:FIRST]], vectors)
                vectors |= near
                ranked = supported_list(ranked, near, options.support)
            ranked = min_max(ranked)
        dense_lists.append(by_meaning)
        fused.append(ranked)
    ids = list(dict.fromkeys(key for ranked in fused for key, _ in ranked))
    chunks = corpus.content.chunks_by_id(corpus.session_id, ids)
    hits = make_hits(queries, dense_lists, lexical.lists, fused, chunks, corpus.documents)
    labels = {key for fits in named for key in meant(fits)}
    detail = Fused(
        options.mode,
        options.fusion,
        max(weights, default=options.dense_weight),
        tuple(corpus.documents[key].label for key in sorted(labels)),
    )
    steps = (*dense.steps, *lexical.steps, timer.step("fuse", detail, len(hits)))
    return Candidates(tuple(hits), steps, (*dense.notices, *lexical.notices), vectors)


def _named(corpus: Corpus, query: str, options: SearchOptions) -> Named:
    """Return how well the names of documents fit a query; {} if the options turn it off."""
    if not _is_weighted(options) or options.names <= 0:
        return {}

    def share_within(word: str, documents: Collection[str]) -> float:
        try:
            return corpus.lexical.share_within(corpus.cut.index, word, documents)
        except StorageError:  # the lexical side will fail in the same way, with a notice
            return 0.0

    return named_documents(query, corpus.documents.values(), STOP_WORDS, share_within)


def _missing_named(dense: Ranked, lexical: Ranked, named: Named) -> list[str]:
    """Return what only the lexical side found in the documents that the query names.

    Their similarities are computed from stored vectors: a search in few documents costs more.
    """
    within = set(meant(named))
    there = {key for key, _ in dense}
    missing = [k for k, _ in lexical if k.rpartition(":")[0] in within and k not in there]
    return missing if dense else []


def _boosted(fused: Ranked, named: Named, options: SearchOptions) -> Ranked:
    """Return the fused list with the chunks of named documents moved up."""
    if not named:
        return fused
    fits = {key: named.get(key.rpartition(":")[0], 0.0) for key, _ in fused}
    return boosted(fused, {key: options.names * fit for key, fit in fits.items()})


def _dense_weight(corpus: Corpus, lexical: Ranked, options: SearchOptions) -> float:
    """Return the weight of the dense side, lower if its model does not know the language."""
    if not options.by_language or corpus.embedder.name != BUNDLED:
        return options.dense_weight
    documents = [corpus.document_of(key) for key, _ in lexical[:_LOOK_AT]]
    foreign = [d for d in documents if d and d.language not in _KNOWN_LANGUAGES]
    share = FOREIGN if 2 * len(foreign) > len(documents) else 1.0
    return options.dense_weight * share


def _is_weighted(options: SearchOptions) -> bool:
    return options.mode == "hybrid" and options.fusion == "weighted"


def _merged(first: Ranked, second: Ranked) -> Ranked:
    """Merge two lists with scores of the same kind, best first."""
    return sorted({**dict(second), **dict(first)}.items(), key=lambda pair: (-pair[1], pair[0]))
