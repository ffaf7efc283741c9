"""A question understood, the search for it, and what it found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Literal

from core.types.documents import Chunk, Document, Notice, Origin
from core.types.formats import DocumentKind
from core.types.steps import Level, SentQuery, Step

OtherWords = tuple[tuple[str, tuple[str, ...]], ...]
"""Words with others that mean the same; both may be phrases."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The question as understood: what is wanted, and the queries that look for it.

    `translated` is the goal in the language of the documents, "" where they share one; `also` gives
    for words of what is asked other words for the same.
    """

    question: str
    goal: str
    queries: tuple[str, ...]
    level: Level = Level.AS_TYPED
    notices: tuple[Notice, ...] = ()
    follows: bool = False  # whether the question leans on what was said before
    previous_chunks: tuple[str, ...] = ()  # ids of what the last answer rests on, to look at again
    tokens: int | None = None  # what understanding it took of a model
    translated: str = ""
    also: OtherWords = ()

    @property
    def asked(self) -> str:
        """What is asked, in the language of the documents."""
        return self.translated or self.goal

    @property
    def own(self) -> str:
        """What is asked, without the words that were carried over from the conversation."""
        if self.translated:
            return self.translated
        typed = " ".join(self.question.split())
        return typed if self.goal.startswith(typed) else self.goal


ByModel = Literal["by-model"]
BY_MODEL: ByModel = "by-model"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The settings of one search. `mode` chooses the side or sides; counts are of chunks.

    `top_k` hits are returned of `fetch_k` that enter diversification, chosen among
    `candidates` from each side. `mmr_lambda` 1 is relevance alone, 0 diversity alone.
    `dense_weight` is the weight of the dense side in the fused score, 0 to 1; `by_language`
    lowers it where the embedding model does not know the language of what is found. `normalise`
    says how the sides' scores are made comparable. `support` is how much candidates count that
    say alike, `names` how much it counts that the question names the document; 0 turns them off.
    Dense candidates below `min_similarity` (cosine) are left out; "by-model" is the value that
    `core/retrieval/cut_off.py` finds for the embedding model in use. `rerank_weight` is what the
    reranker's score counts against the fused one, 1 its order alone. `mmr` "pages" weighs scores
    of 0 to 1 and holds back a page that is there already; "plain" is MMR by cosine alone. `votes`
    is what the votes for the answers of collected pairs count against the order so far, 0 to 1.
    """

    mode: Literal["hybrid", "dense", "lexical"] = "hybrid"
    fusion: Literal["weighted", "rrf"] = "weighted"
    top_k: int = 7
    fetch_k: int = 30
    candidates: int = 100
    mmr_lambda: float = 0.95
    diversify: bool = True
    rerank: bool = True
    dense_weight: float = 0.6
    join_neighbours: bool = True
    normalise: Literal["standard", "min-max"] = "standard"
    by_language: bool = True
    support: float = 2.0
    names: float = 2.0
    min_similarity: float | ByModel = -1.0
    rerank_weight: float = 0.5
    mmr: Literal["pages", "plain"] = "pages"
    votes: float = 0.0


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents a question is asked of: those that every field lets through.

    `documents` are ids; None lets all through, an empty set none. `origin`, `kind` and `tags` let
    all through where they are (), else the documents with one of them. `added_after` lets through
    what was added at that moment or later; without a zone it is in UTC, and a day begins at
    midnight. `published_after` lets through the documents of that day and of later ones, and none
    without a date.
    """

    documents: frozenset[str] | None = None
    origin: tuple[Origin, ...] = ()
    kind: tuple[DocumentKind, ...] = ()
    tags: tuple[str, ...] = ()
    added_after: datetime | None = None
    published_after: date | None = None

    def __post_init__(self) -> None:
        if self.added_after is not None and self.added_after.utcoffset() is None:
            object.__setattr__(self, "added_after", self.added_after.replace(tzinfo=UTC))

    @property
    def is_whole(self) -> bool:
        """Whether it lets every document through."""
        return self == Scope()

    def holds(self, document: Document) -> bool:
        """Return whether the question is asked of this document."""
        added = document.added_at
        return (
            (self.documents is None or document.id in self.documents)
            and (not self.origin or document.origin in self.origin)
            and (not self.kind or document.kind in self.kind)
            and (not self.tags or not set(self.tags).isdisjoint(document.tags))
            and (self.added_after is None or (added is not None and added >= self.added_after))
            and (
                self.published_after is None
                or document.published >= self.published_after.isoformat()
            )
        )

    def without(self, document_id: str) -> Scope:
        """Return the scope that does not name this document."""
        if self.documents is None:
            return self
        return replace(self, documents=self.documents - {document_id})


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """How one question is searched for and answered.

    `search` and `preset` are those that the session prefers where they are None; `preset` names
    the instructions for a language model. `level` is the effort for understanding the question.
    `queries` are the person's own queries, used as they are. With `web`, the live web is searched
    as well. `scope` are the documents that it is asked of.
    """

    search: SearchOptions | None = None
    level: Level = Level.AUTO
    queries: tuple[str, ...] = ()
    web: bool = False
    preset: str | None = None
    scope: Scope = Scope()

    def asks(self, document: Document) -> bool:
        """Return whether a document may be found: it is in the scope, or of the web if asked."""
        return (self.web and document.expires_at is not None) or self.scope.holds(document)


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found, with every score and rank that a stage gave it.

    Ranks count from 1. `dense` is the cosine similarity (-1 to 1), `lexical` the BM25 score
    (unbounded), `fused` and `rerank` in the units of their stage; None where a stage did not
    see the chunk. `context` is what is read: the chunk joined with its neighbours on the page,
    `page.text[context_start:context_end]`, and `code` where on the page listings stand in it.
    `dropped` says why a hit was not kept ("").
    """

    chunk: Chunk
    document: Document
    dense: float | None = None
    dense_rank: int | None = None
    lexical: float | None = None
    lexical_rank: int | None = None
    fused: float | None = None
    fused_rank: int | None = None
    rerank: float | None = None
    rerank_rank: int | None = None
    rank: int | None = None
    query: str = ""
    context: str = ""
    context_start: int = 0
    context_end: int = 0
    code: tuple[tuple[int, int], ...] = ()
    dropped: str = ""
    other_places: tuple[str, ...] = ()  # ids of chunks that say the same
    also_in: tuple[str, ...] = ()  # where they stand, in words: "b.pdf, page 3"
    imports: tuple[str, ...] = ()  # statements above it on its page, whose names its code uses

    @property
    def score(self) -> float | None:
        """The score of the last stage that gave one."""
        scores = (self.rerank, self.fused, self.dense, self.lexical)
        return next((score for score in scores if score is not None), None)


MOST_DROPPED = 30
"""Dropped hits that a page lists, and that are kept with an answer."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search gives: kept hits best first, then what was dropped, and how it was done.

    `dropped_more` counts dropped hits that are not in `dropped` any more: see `shortened`.
    """

    plan: QueryPlan
    hits: tuple[Hit, ...]
    dropped: tuple[Hit, ...] = ()
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    sent: tuple[SentQuery, ...] = ()  # every query with what became of it
    summary: str = ""  # of what was kept, where one was asked for
    dropped_more: int = 0

    def shortened(self, most: int) -> SearchResult:
        """Return the result with at most so many dropped hits, and the number of the others."""
        left = len(self.dropped) - most
        if left <= 0:
            return self
        return replace(self, dropped=self.dropped[:most], dropped_more=self.dropped_more + left)
