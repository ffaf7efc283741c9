"""Search in depth: search, let a model grade every hit, search for what is missing, repeat.

If grading fails, the result is what was kept so far, filled up with other hits, as at the level
below.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from core.planning.budget import ModelBudget, PlanningFailed
from core.planning.parsing import Verdict, distinct, read_summary, read_verdict
from core.planning.prompts import grade_request, summary_request
from core.retrieval.multi_query import (
    QueryHits,
    interleaved_hits,
    rank_together,
    search_query,
    with_queries,
)
from core.retrieval.retriever import Retriever
from core.types import Hit, Level, Notice, QueryPlan, SearchOptions, SearchResult, Step
from core.types.steps import Graded, LevelChosen

_GRADED = 8
"""Hits that a model is shown at once; with more, small models confuse them."""


@dataclass
class _Search:
    """The state of the search: every hit once, graded or not."""

    graded: dict[str, bool] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    kept: list[Hit] = field(default_factory=list)
    dropped: list[Hit] = field(default_factory=list)

    def unseen(self, hits: Sequence[Hit]) -> list[Hit]:
        return [hit for hit in hits if hit.chunk.id not in self.graded][:_GRADED]

    def take(self, hits: Sequence[Hit], verdict: Verdict) -> None:
        for number, hit in enumerate(hits, 1):
            keep = number in verdict.kept
            self.graded[hit.chunk.id] = keep
            reason = verdict.reasons.get(number, "")
            if keep:
                self.kept.append(hit)
            else:
                why = f"the model dropped it: {reason}" if reason else "the model dropped it"
                self.dropped.append(replace(hit, dropped=why))


def search_in_depth(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: SearchOptions,
    budget: ModelBudget,
    found: list[QueryHits],
) -> Generator[Step, None, SearchResult]:
    """Return the result after up to `budget.rounds` searches; `found` is the plan's own."""
    state = _Search()
    notice: Notice | None = None
    first = retriever.rank(session_id, plan, interleaved_hits(found, options), options)
    hits: Sequence[Hit] = first.hits
    for number in range(1, budget.rounds + 1):
        try:
            verdict, step = _graded(state, plan, hits, found, budget)
        except PlanningFailed as failure:
            notice = _gave_up(failure, number)
            yield Step("fallback", LevelChosen(Level.SEVERAL, failure.reason))
            break
        yield step
        query = _next(verdict, found)
        if not query or number == budget.rounds:
            notice = None if verdict.enough or not query else _at_limit(budget.rounds)
            break
        one = yield from search_query(
            retriever, session_id, query, f"asked for in round {number}", options
        )
        found.append(one)
        plan = replace(plan, queries=(*plan.queries, query))
        hits = one.hits
    result = yield from _result(retriever, session_id, plan, options, found, state)
    if notice:
        result = replace(result, notices=(*result.notices, notice))
    return (yield from _summed_up(result, state, budget))


def _graded(
    state: _Search,
    plan: QueryPlan,
    hits: Sequence[Hit],
    found: Sequence[QueryHits],
    budget: ModelBudget,
) -> tuple[Verdict, Step]:
    """Let a model grade the new hits; without any, it only decides how to go on."""
    began = time.monotonic()
    shown = state.unseen(hits)
    queries = [one.sent.text for one in found]
    request = grade_request(plan.goal, shown, state.kept, queries, budget.boundary)
    verdict, reply = budget.ask(request, lambda text: read_verdict(text, len(shown)))
    state.take(shown, verdict)
    detail = Graded(len(verdict.kept), len(shown), verdict.enough, verdict.query)
    seconds = time.monotonic() - began
    return verdict, Step("graded", detail, seconds, len(shown), reply.tokens)


def _next(verdict: Verdict, found: Sequence[QueryHits]) -> str:
    """Return the next query, unless it was searched before."""
    if verdict.enough or not verdict.query:
        return ""
    fresh = distinct([verdict.query], [one.sent.text for one in found])
    return fresh[0] if fresh else ""


def _result(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    options: SearchOptions,
    found: Sequence[QueryHits],
    state: _Search,
) -> Generator[Step, None, SearchResult]:
    """Return the kept hits in the order found, or all hits if none was kept."""
    if not state.kept:
        result = yield from rank_together(retriever, session_id, plan, options, found)
        if not state.graded:
            return result
        text = "The model kept none of the passages, so the best of all that was found are used."
        return replace(result, notices=(*result.notices, Notice("nothing-kept", text, "", "info")))
    kept = state.kept[: options.top_k]
    total = len(kept)
    placed = [replace(h, fused=1.0 - n / total, fused_rank=n + 1) for n, h in enumerate(kept)]
    whole = replace(options, diversify=False, rerank=False)
    result = retriever.rank(session_id, plan, placed, whole)
    yield from result.steps
    result = replace(result, dropped=(*result.dropped, *_others(options, found, state)))
    return with_queries(result, found)


def _others(options: SearchOptions, found: Sequence[QueryHits], state: _Search) -> list[Hit]:
    """Return the hits that were dropped or not graded."""
    beyond = [
        replace(hit, dropped=f"beyond the first {options.top_k}")
        for hit in state.kept[options.top_k :]
    ]
    ungraded = {
        hit.chunk.id: replace(hit, dropped="not among those that the model graded")
        for one in found
        for hit in one.hits
        if hit.chunk.id not in state.graded
    }
    return [*beyond, *state.dropped, *ungraded.values()]


def _summed_up(
    result: SearchResult, state: _Search, budget: ModelBudget
) -> Generator[Step, None, SearchResult]:
    """Add a summary of the kept hits if one is wanted; the model that answers is given it."""
    if not budget.summary or not state.kept or budget.over():
        return result
    began = time.monotonic()
    request = summary_request(result.plan.goal, result.hits, budget.boundary)
    try:
        summary, reply = budget.ask(request, read_summary)
    except PlanningFailed:
        return result  # the result does not depend on the summary
    yield Step("summary", "", time.monotonic() - began, None, reply.tokens)
    return replace(result, summary=summary)


def _gave_up(failure: PlanningFailed, round_: int) -> Notice:
    text = f"{failure.reason} So the search in depth ended in round {round_}."
    return Notice("depth-ended", text, failure.cure)


def _at_limit(rounds: int) -> Notice:
    text = f"The search in depth ended after {rounds} rounds, before the model had enough."
    return Notice("depth-limit", text, "Raise DEPTH_ROUNDS, or ask for less at once.", "info")
