"""Search several queries as one: in parallel, deduplicated, with shared places, reranked."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.planning.parsing import distinct
from core.retrieval.candidates import BY_ONE_SIDE
from core.retrieval.interleave import alternating, interleave
from core.retrieval.retriever import Retriever
from core.types import (
    Hit,
    Notice,
    OtherWords,
    QueryPlan,
    SearchOptions,
    SearchResult,
    SentQuery,
    Step,
)
from core.types.steps import Interleaved, Queried

_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class QueryHits:
    """One query, its hits best first, and the notices of its search."""

    sent: SentQuery
    hits: tuple[Hit, ...]
    notices: tuple[Notice, ...] = ()
    is_goal: bool = False


def search_queries(
    retriever: Retriever, session_id: str, plan: QueryPlan, options: SearchOptions
) -> Generator[Step, None, list[QueryHits]]:
    """Search the goal and the queries of a plan in parallel; the goal comes first."""
    goal = distinct([plan.asked], plan.queries) if len(plan.queries) > 1 else ()
    asked = [*((query, "the goal") for query in goal), *((q, "a query") for q in plan.queries)]
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="query") as pool:
        running = [
            pool.submit(_search, retriever, session_id, query, why, options, plan.also)
            for query, why in asked
        ]
        found: list[QueryHits] = []
        for place, future in enumerate(running):
            found.append(replace(future.result(), is_goal=place < len(goal)))
            yield _query_step(found[-1])
    return found


def search_query(
    retriever: Retriever,
    session_id: str,
    query: str,
    why: str,
    options: SearchOptions,
    also: OtherWords = (),
) -> Generator[Step, None, QueryHits]:
    """Search one more query."""
    found = _search(retriever, session_id, query, why, options, also)
    yield _query_step(found)
    return found


def rank_together(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: SearchOptions,
    found: Sequence[QueryHits],
) -> Generator[Step, None, SearchResult]:
    """Return the hits of all queries as one result, reranked against the goal."""
    candidates = interleaved_hits(found, options)
    yield Step("share places", Interleaved(len(found)), 0.0, len(candidates))
    result = retriever.rank(session_id, plan, candidates, options)
    yield from result.steps
    return with_queries(result, found)


def interleaved_hits(found: Sequence[QueryHits], options: SearchOptions) -> list[Hit]:
    """Return the candidates of several lists: those that fill `top_k` places, then the others.

    The goal and the first query are one list. The fused score becomes the place, since scores of
    different queries are not comparable.
    """
    goal = [one.hits for one in found if one.is_goal]
    others = [one.hits for one in found if not one.is_goal]
    lists = [alternating([*goal, *others[:1]], _key), *others[1:]]
    first = interleave(lists, options.top_k, _key)
    taken = {_key(hit) for hit in first}
    more = [hit for hit in interleave(lists, options.fetch_k, _key) if _key(hit) not in taken]
    hits = first + more
    total = len(hits) or 1
    return [
        replace(hit, fused=1.0 - place / total, fused_rank=place + 1, rerank=None, rerank_rank=None)
        for place, hit in enumerate(hits)
    ]


def with_queries(result: SearchResult, found: Sequence[QueryHits]) -> SearchResult:
    """Return the result with each query, the number of its hits kept, and all notices once."""
    kept = {_key(hit) for hit in result.hits}
    sent = tuple(
        replace(one.sent, kept=sum(1 for hit in one.hits if _key(hit) in kept)) for one in found
    )
    notices = agreeing((*result.notices, *(n for one in found for n in one.notices)))
    return replace(result, notices=notices, sent=sent)


def agreeing(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return each notice once, and one for both sides of the search where each failed at times."""
    once = tuple(dict.fromkeys(notices))
    failed = {one.code: one for one in reversed(once) if one.code in BY_ONE_SIDE}
    if len(failed) < len(BY_ONE_SIDE):
        return once
    reasons = dict.fromkeys(
        one.text.removesuffix(BY_ONE_SIDE[code]) for code, one in failed.items()
    )
    text = f"{''.join(reasons)}A part of the search went by words alone, another by meaning alone."
    both = Notice("search-in-part", text, next(iter(failed.values())).cure)
    return (both, *(one for one in once if one.code not in BY_ONE_SIDE))


def _search(
    retriever: Retriever,
    session_id: str,
    query: str,
    why: str,
    options: SearchOptions,
    also: OtherWords,
) -> QueryHits:
    """Return the candidates of one query, without the steps for all queries together."""
    began = time.monotonic()
    plain = replace(
        options, top_k=options.fetch_k, diversify=False, rerank=False, join_neighbours=False
    )
    result = retriever.search(session_id, QueryPlan(query, query, (query,), also=also), plain)
    seconds = time.monotonic() - began
    sent = SentQuery(query, why=why, found=len(result.hits), seconds=seconds)
    return QueryHits(sent, result.hits, result.notices)


def _query_step(found: QueryHits) -> Step:
    return Step("query", Queried(found.sent), found.sent.seconds, found.sent.found)


def _key(hit: Hit) -> str:
    return hit.chunk.id
