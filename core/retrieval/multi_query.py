"""Several queries as one search: in parallel, duplicates removed, places shared, reranked."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.planning.parsing import distinct
from core.retrieval.interleave import alternating, fill
from core.retrieval.retriever import Retriever
from core.types import Hit, Notice, QueryPlan, SearchOptions, SearchResult, SentQuery, Step

_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Found:
    """One query, its hits best first, and what was said on the way."""

    sent: SentQuery
    hits: tuple[Hit, ...]
    notices: tuple[Notice, ...] = ()


def search_all(
    retriever: Retriever, session_id: str, plan: QueryPlan, options: SearchOptions
) -> Generator[Step, None, list[Found]]:
    """The goal and the queries of a plan, searched at the same time; the goal comes first."""
    goal = distinct([plan.goal], plan.queries) if len(plan.queries) > 1 else ()
    asked = [*((query, "the goal") for query in goal), *((q, "a query") for q in plan.queries)]
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="query") as pool:
        running = [
            pool.submit(_search, retriever, session_id, query, why, options) for query, why in asked
        ]
        found: list[Found] = []
        for future in running:
            found.append(future.result())
            yield step_of(found[-1].sent)
    return found


def search_one(
    retriever: Retriever, session_id: str, query: str, why: str, options: SearchOptions
) -> Generator[Step, None, Found]:
    """One more query."""
    found = _search(retriever, session_id, query, why, options)
    yield step_of(found.sent)
    return found


def ordered(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: SearchOptions,
    found: Sequence[Found],
) -> Generator[Step, None, SearchResult]:
    """The hits of all queries as one result, reranked against the goal."""
    candidates = merged(plan, options, found)
    yield Step("share places", f"among {len(found)} lists", 0.0, len(candidates))
    result = retriever.order(session_id, plan, candidates, options)
    yield from result.steps
    return replace(
        result,
        steps=(*(step_of(one.sent) for one in found), *result.steps),
        notices=(*result.notices, *said(found, result.notices)),
        sent=counted(found, result.hits),
    )


def merged(plan: QueryPlan, options: SearchOptions, found: Sequence[Found]) -> list[Hit]:
    """The candidates of several lists: first those that fill `top_k` places, then the others.

    The goal and the first query are one list. The fused score becomes the place, as scores of
    different queries cannot be compared.
    """
    goal = [one.hits for one in found if one.sent.why == "the goal"]
    others = [one.hits for one in found if one.sent.why != "the goal"]
    lists = [alternating([*goal, *others[:1]], _key), *others[1:]]
    first = fill(lists, options.top_k, _key)
    taken = {_key(hit) for hit in first}
    hits = first + [hit for hit in fill(lists, options.fetch_k, _key) if _key(hit) not in taken]
    total = len(hits) or 1
    return [
        replace(hit, fused=1.0 - place / total, fused_rank=place + 1, rerank=None, rerank_rank=None)
        for place, hit in enumerate(hits)
    ]


def counted(found: Sequence[Found], kept: Sequence[Hit]) -> tuple[SentQuery, ...]:
    """Each query with how many of its hits were kept in the end."""
    ids = {_key(hit) for hit in kept}
    return tuple(
        replace(one.sent, kept=sum(1 for hit in one.hits if _key(hit) in ids)) for one in found
    )


def said(found: Sequence[Found], known: Sequence[Notice]) -> list[Notice]:
    """What the searches had to tell, once each, less what is known."""
    notices = dict.fromkeys(notice for one in found for notice in one.notices)
    return [notice for notice in notices if notice not in known]


def _search(
    retriever: Retriever, session_id: str, query: str, why: str, options: SearchOptions
) -> Found:
    """The candidates of one query, without what is done to all of them together later."""
    began = time.monotonic()
    plain = replace(
        options, top_k=options.fetch_k, diversify=False, rerank=False, join_neighbours=False
    )
    result = retriever.search(session_id, QueryPlan(query, query, (query,)), plain)
    seconds = time.monotonic() - began
    sent = SentQuery(query, why=why, found=len(result.hits), seconds=seconds)
    return Found(sent, result.hits, result.notices)


def step_of(sent: SentQuery) -> Step:
    """One query as a step of the work."""
    return Step("query", f"{sent.text} ({sent.why})", sent.seconds, sent.found)


def _key(hit: Hit) -> str:
    return hit.chunk.id


def sent_to_web(steps: Sequence[Step]) -> tuple[SentQuery, ...]:
    """What the web was asked for, read from the steps of its search.

    The step "web queries" reads "one | another (by the model)"; one "web search" a query follows.
    """
    asked = next((step for step in steps if step.name == "web queries"), None)
    if asked is None:
        return ()
    queries, _, why = asked.detail.rpartition(" (")
    searches = [step for step in steps if step.name == "web search"]
    rows = zip(queries.split(" | "), searches, strict=False)
    return tuple(
        SentQuery(query, "web", why.rstrip(")"), step.count or 0, 0, step.seconds)
        for query, step in rows
    )
