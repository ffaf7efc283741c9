"""From a plan to what is found for it: one search, or several that build on each other."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from core.planning.budget import Thinking
from core.retrieval import multi_query
from core.retrieval.iterative import search_in_depth
from core.retrieval.multi_query import Found
from core.retrieval.previous_hits import known_hits
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


def seek(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: QueryOptions,
    thinking: Thinking | None = None,
) -> Generator[Step, None, SearchResult]:
    """What is found for the plan, with the steps of the search as they are done."""
    thinking = thinking or Thinking()
    search = options.search or SearchOptions()
    known = known_hits(retriever, session_id, plan)
    hops = plan.level in (Level.SEVERAL, Level.IN_DEPTH) and thinking.model is None
    deep = plan.level is Level.IN_DEPTH and thinking.model is not None
    if len(plan.queries) == 1 and not (known or hops or deep):
        return (yield from _alone(retriever, session_id, plan, options))
    found = yield from multi_query.search_all(retriever, session_id, plan, search)
    if known:
        seen = SentQuery("passages of the last answer", "conversation", "a follow-up", len(known))
        found.append(Found(seen, tuple(known)))
    if hops and not options.queries:
        plan = yield from _hop(retriever, session_id, plan, options, found)
    if deep:
        return (yield from search_in_depth(retriever, session_id, plan, search, thinking, found))
    return (yield from multi_query.ordered(retriever, session_id, plan, search, found))


def _alone(
    retriever: Retriever, session_id: str, plan: QueryPlan, options: QueryOptions
) -> Generator[Step, None, SearchResult]:
    """One query: the search as it is."""
    result = retriever.search(session_id, plan, options.search or SearchOptions())
    yield from result.steps
    seconds = sum(step.seconds for step in result.steps)
    every = len(result.hits) + len(result.dropped)
    why = "yours" if options.queries else str(plan.level)
    one = SentQuery(plan.queries[0], why=why, found=every, kept=len(result.hits), seconds=seconds)
    return replace(result, sent=(one,))


def _hop(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: QueryOptions,
    found: list[Found],
) -> Generator[Step, None, QueryPlan]:
    """A second query by rule, from what the first hits name and the question does not."""
    name = next_query(plan.goal, found[0].hits, plan.queries)
    if name is None:
        return plan
    search = options.search or SearchOptions()
    query = f"{plan.goal} {name}"
    why = f"the first hits name {name}"
    yield Step("second query", why)
    found.append((yield from multi_query.search_one(retriever, session_id, query, why, search)))
    return replace(plan, queries=(*plan.queries, query))
