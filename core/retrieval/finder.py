"""What both sides find for the queries, put into one order: the first half of a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import AppError, ModelError, StorageError
from core.models.embedding import BUNDLED, Embedder
from core.retrieval.agreement import FIRST, supported_list
from core.retrieval.fusion import min_max, raised
from core.retrieval.hits import Ranked, fuse, fusion_name, make_hits
from core.retrieval.named_documents import meant, named_documents
from core.retrieval.steps import Steps
from core.storage.lexical.index import LexicalIndex
from core.storage.vectors.store import EXACT_UP_TO, VectorStore
from core.text.word_lists import STOP_WORDS
from core.types import Chunk, Document, Hit, Notice, SearchOptions

Vectors = NDArray[np.float32]

FOREIGN = 0.4
"""The dense weight is multiplied by this where the embedding model does not know the language."""
_KNOWN_LANGUAGES = frozenset({"", "en"})  # of the bundled model
_LOOK_AT = 10  # of the passages found by words, to see in which language they are


@dataclass
class Finder:
    """Finds candidates in the documents given. Made for one search.

    `read` keeps the vectors of passages that were read on the way, for what comes after.
    """

    session_id: str
    options: SearchOptions
    documents: Mapping[str, Document]
    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Embedder
    chunks_by_id: Callable[[str, Sequence[str]], Mapping[str, Chunk]]
    steps: Steps
    notices: list[Notice]
    read: dict[str, Vectors] = field(default_factory=dict)
    _queries: dict[str, Vectors] = field(default_factory=dict)
    _named: dict[str, dict[str, float]] = field(default_factory=dict)

    def candidates(self, queries: Sequence[str]) -> list[Hit]:
        """What dense and lexical search find for the queries, fused, best first."""
        failures: list[AppError] = []
        self._named = {query: self._names(query) for query in queries}
        dense = self._side("dense", self.embedder.name, queries, self._dense, failures)
        lexical = self._side("lexical", "BM25", queries, self._lexical, failures)
        if failures and len(failures) == (2 if self.options.mode == "hybrid" else 1):
            raise failures[0]
        weights = [self._weight(ranked) for ranked in lexical]
        with self.steps.timed("fuse", self._said(weights)) as found:
            sides = zip(queries, dense, lexical, strict=True)
            dense = [self._with_named(query, d, w) for query, d, w in sides]
            fused = [
                self._in_order(query, fuse(d, w, self.options, weight))
                for query, d, w, weight in zip(queries, dense, lexical, weights, strict=True)
            ]
            ids = list(dict.fromkeys(key for ranked in fused for key, _ in ranked))
            chunks = self.chunks_by_id(self.session_id, ids)
            found += make_hits(queries, dense, lexical, fused, chunks, self.documents)
        return found

    # ------------------------------------------------------------------------------- the sides

    def _side(
        self,
        name: str,
        detail: str,
        queries: Sequence[str],
        search: Callable[[str], Ranked],
        failures: list[AppError],
    ) -> list[Ranked]:
        """One list for each query; empty ones where this side is off or fails."""
        nothing: list[Ranked] = [[] for _ in queries]
        if self.options.mode not in ("hybrid", name):
            return nothing
        lists: list[Ranked] = []
        try:
            with self.steps.timed(name, detail) as found:
                lists = [search(query) for query in queries]
                found += {key for ranked in lists for key, _ in ranked}
        except (StorageError, ModelError) as error:
            failures.append(error)
            other = "words alone" if name == "dense" else "meaning alone"
            text = f"{error.message} The search went by {other}."
            self.notices.append(Notice(f"{name}-failed", text, error.cure))
            return nothing
        return lists

    def _dense(self, query: str) -> Ranked:
        vector = self._queries[query] = self.embedder.embed_query(query)
        found = self.vectors.query(
            self.session_id,
            vector,
            self.options.candidates,
            self.documents.keys(),
            allowed_ids=self._all_ids(),
        )
        return [(key, score) for key, score in found if score >= self.options.min_similarity]

    def _lexical(self, query: str) -> Ranked:
        """The best of all documents, and the best of those that the query names."""
        search, count = self.lexical.query, self.options.candidates
        found = search(self.session_id, query, count, self.documents.keys())
        if named := meant(self._named[query]):
            found = _merged(found, search(self.session_id, query, count, named))
        return found

    def _all_ids(self) -> list[str] | None:
        """The ids of all chunks that may be found, if they are few (see `VectorStore.query`)."""
        if sum(document.chunks for document in self.documents.values()) > EXACT_UP_TO:
            return None
        return [f"{d.id}:{n}" for d in self.documents.values() for n in range(d.chunks)]

    # ------------------------------------------------------------------- documents by their name

    def _names(self, query: str) -> dict[str, float]:
        if not self._is_weighted() or self.options.names <= 0:
            return {}
        return named_documents(query, self.documents.values(), STOP_WORDS, self._share_within)

    def _share_within(self, word: str, documents: Collection[str]) -> float:
        try:
            return self.lexical.share_within(self.session_id, word, documents)
        except StorageError:  # the lexical side will fail, and that is said
            return 0.0

    def _with_named(self, query: str, dense: Ranked, lexical: Ranked) -> Ranked:
        """The dense list with what words found in the documents that the query names.

        Their similarity is read, not searched for: a search within few documents costs more.
        """
        named = set(meant(self._named[query]))
        known = {key for key, _ in dense}
        missing = [k for k, _ in lexical if k.rpartition(":")[0] in named and k not in known]
        if not dense or not missing:
            return dense
        vectors = read_vectors(self.vectors, self.session_id, missing, self.read)
        query_vector = self._queries[query]
        return _merged(dense, [(key, float(v @ query_vector)) for key, v in vectors.items()])

    # ------------------------------------------------------------------------------- the order

    def _in_order(self, query: str, fused: Ranked) -> Ranked:
        """The fused list raised by named documents and by support, its scores within 0 to 1."""
        if not self._is_weighted():
            return fused
        if named := self._named[query]:
            fits = {key: named.get(key.rpartition(":")[0], 0.0) for key, _ in fused}
            fused = raised(fused, {key: self.options.names * fit for key, fit in fits.items()})
        if self.options.support > 0:
            first = [key for key, _ in fused[:FIRST]]
            vectors = read_vectors(self.vectors, self.session_id, first, self.read)
            fused = supported_list(fused, vectors, self.options.support)
        return min_max(fused)

    def _weight(self, lexical: Ranked) -> float:
        """The weight of the dense side, less where its model does not know the language."""
        if not self.options.by_language or self.embedder.name != BUNDLED:
            return self.options.dense_weight
        documents = [self.documents.get(key.rpartition(":")[0]) for key, _ in lexical[:_LOOK_AT]]
        foreign = [d for d in documents if d and d.language not in _KNOWN_LANGUAGES]
        share = FOREIGN if 2 * len(foreign) > len(documents) else 1.0
        return self.options.dense_weight * share

    def _said(self, weights: Sequence[float]) -> str:
        named = {key for fits in self._named.values() for key in meant(fits)}
        labels = ", ".join(self.documents[key].label for key in sorted(named))
        said = fusion_name(self.options, max(weights, default=self.options.dense_weight))
        return f"{said}; named: {labels}" if labels else said

    def _is_weighted(self) -> bool:
        return self.options.mode == "hybrid" and self.options.fusion == "weighted"


def read_vectors(
    store: VectorStore, session_id: str, ids: Sequence[str], known: dict[str, Vectors]
) -> dict[str, Vectors]:
    """The vectors of those ids that have one. What is not known yet is read, and known then."""
    missing = [key for key in ids if key not in known]
    if missing:
        try:
            known.update(store.vectors(session_id, missing))
        except StorageError:  # the dense side failed, and that is said
            return {}
    return {key: known[key] for key in ids if key in known}


def _merged(first: Ranked, second: Ranked) -> Ranked:
    """Both lists, whose scores are of one kind, as one, best first."""
    return sorted({**dict(second), **dict(first)}.items(), key=lambda pair: (-pair[1], pair[0]))
