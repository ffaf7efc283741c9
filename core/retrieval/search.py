"""From a plan to its result: one search, or several that build on each other."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from core.planning.budget import ModelBudget
from core.retrieval.iterative import search_in_depth
from core.retrieval.multi_query import QueryHits, rank_together, search_queries, search_query
from core.retrieval.previous_hits import previous_hits
from core.retrieval.retriever import Retriever
from core.retrieval.second_hop import next_query
from core.types import (
    Level,
    QueryOptions,
    QueryPlan,
    SearchOptions,
    SearchResult,
    SentQuery,
    Step,
)
from core.types.steps import NameFollowed


def search(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: QueryOptions,
    budget: ModelBudget | None = None,
) -> Generator[Step, None, SearchResult]:
    """Search in the scope for the plan; yield the steps as they are done, return the result.

    Raises the `StorageError` or `ModelError` if neither side can be searched.
    """
    budget = budget or ModelBudget()
    retriever = replace(retriever, asks=options.asks)
    settings = options.search or SearchOptions()
    previous = previous_hits(retriever, session_id, plan)
    hops = plan.level in (Level.SEVERAL, Level.IN_DEPTH) and budget.model is None
    deep = plan.level is Level.IN_DEPTH and budget.model is not None
    if len(plan.queries) == 1 and not (previous or hops or deep):
        why = "yours" if options.queries else str(plan.level)
        return (yield from _single(retriever, session_id, plan, settings, why))
    found = yield from search_queries(retriever, session_id, plan, settings)
    if previous:
        text, why = "passages of the last answer", "a follow-up"
        found.append(QueryHits(SentQuery(text, "conversation", why, len(previous)), (*previous,)))
    if (
        hops
        and not options.queries
        and (name := next_query(plan.asked, found[0].hits, plan.queries))
    ):
        query, why = f"{plan.asked} {name}", f"the first hits name {name}"
        yield Step("second query", NameFollowed(name))
        found.append(
            (yield from search_query(retriever, session_id, query, why, settings, plan.also))
        )
        plan = replace(plan, queries=(*plan.queries, query))
    if deep:
        return (yield from search_in_depth(retriever, session_id, plan, settings, budget, found))
    return (yield from rank_together(retriever, session_id, plan, settings, found))


def _single(
    retriever: Retriever, session_id: str, plan: QueryPlan, options: SearchOptions, why: str
) -> Generator[Step, None, SearchResult]:
    """Search for the plan's only query."""
    result = retriever.search(session_id, plan, options)
    yield from result.steps
    seconds = sum(step.seconds for step in result.steps)
    found = len(result.hits) + len(result.dropped)
    sent = SentQuery(plan.queries[0], "documents", why, found, len(result.hits), seconds)
    return replace(result, sent=(sent,))
