"""The search of a session: candidates of both sides, ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.models.port import Embedder
from core.models.reranking import Reranker
from core.retrieval.candidates import Candidates, find_candidates
from core.retrieval.corpus import Corpus, SearchedCatalogue
from core.retrieval.cut_off import CutOffs
from core.retrieval.ranking import rank
from core.storage.lexical.port import LexicalIndex
from core.storage.vectors.port import VectorStore
from core.types import Cut, Document, Hit, QueryPlan, SearchOptions, SearchResult


@dataclass(frozen=True)
class Retriever:
    """Searches the documents of a session. Thread-safe if its parts are.

    `asks` says which documents may be found; all others are as if they were not there. `cut` says
    in which cut a session is searched; it is asked anew for each search. `embedder` makes the
    vectors of cuts that have no model of their own, `named_embedder` those of the others;
    `reranker_of` says which reranker a session has. `cut_offs` are those measured so far.
    """

    catalogue: SearchedCatalogue
    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Embedder
    reranker_of: Callable[[str], Reranker | None] = lambda session_id: None
    asks: Callable[[Document], bool] = lambda document: True
    cut: Callable[[str], Cut] = Cut
    named_embedder: Callable[[str], Embedder] | None = None
    cut_offs: CutOffs = field(default_factory=CutOffs)

    def search(self, session_id: str, plan: QueryPlan, options: SearchOptions) -> SearchResult:
        """Return hits for the plan's queries, best first, and what was dropped, with reasons.

        If one side fails, the other is used alone, with a notice. Raises the `StorageError` or
        `ModelError` if both fail, or the only one asked for.
        """
        corpus = self.corpus(session_id)
        return self._ranked(
            corpus, plan, find_candidates(corpus, plan.queries, options, plan.also), options
        )

    def rank(
        self, session_id: str, plan: QueryPlan, hits: Sequence[Hit], options: SearchOptions
    ) -> SearchResult:
        """As `search`, from given candidates, best first."""
        return self._ranked(self.corpus(session_id), plan, Candidates(tuple(hits)), options)

    def corpus(self, session_id: str) -> Corpus:
        """Return the documents of a session that may be found now."""
        cut = self.cut(session_id)
        return Corpus(
            cut,
            self.documents(session_id),
            self.catalogue.content,
            self.vectors,
            self.lexical,
            self.embedder_of(cut),
            self.cut_offs.of,
        )

    def embedder_of(self, cut: Cut) -> Embedder:
        """Return the model that made the vectors of a cut."""
        if cut.cutting.model and self.named_embedder is not None:
            return self.named_embedder(cut.cutting.model)
        return self.embedder

    def documents(self, session_id: str) -> dict[str, Document]:
        """The documents of a session that may be found, by id."""
        ready = self.catalogue.documents.ready(session_id)
        return {key: one for key, one in ready.items() if self.asks(one)}

    def _ranked(
        self, corpus: Corpus, plan: QueryPlan, candidates: Candidates, options: SearchOptions
    ) -> SearchResult:
        reranker = self.reranker_of(corpus.session_id)
        ranking = rank(corpus, plan.asked, candidates, options, reranker)
        steps, notices = (*candidates.steps, *ranking.steps), (*plan.notices, *candidates.notices)
        return SearchResult(plan, ranking.hits, ranking.dropped, steps, notices)
