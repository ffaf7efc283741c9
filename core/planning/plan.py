"""From a question to its plan, with as much effort as its level asks for.

Each level falls back to the one below where it fails, and the plan says so: several queries to one
rewritten query, that to the plan by rule.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import replace

from core.planning.budget import ModelBudget, PlanningFailed
from core.planning.lost_words import lost_words
from core.planning.parsing import MOST_QUERIES, PlannedQueries, distinct, read_queries, read_rewrite
from core.planning.prompts import rewrite_request, several_request
from core.planning.rules import choose_level, continues_topic, plan_by_rule
from core.types import Level, Message, Notice, QueryOptions, QueryPlan, Step
from core.types.steps import LevelChosen, Planned


def make_plan(
    question: str,
    history: Sequence[Message],
    options: QueryOptions,
    budget: ModelBudget | None = None,
) -> Generator[Step, None, QueryPlan]:
    """The plan for a question after the messages of `history`, oldest first, with its steps.

    Queries that a person wrote (`options.queries`) are used as they are.
    """
    budget = budget or ModelBudget()
    typed = " ".join(question.split())
    if own := distinct(" ".join(query.split()) for query in options.queries if query.strip()):
        by_rule = plan_by_rule(question, history, Level.AS_TYPED)
        level = Level.IN_DEPTH if options.level is Level.IN_DEPTH else Level.AS_TYPED
        return replace(by_rule, goal=typed, queries=own, level=level)
    level = options.level
    by_rule = plan_by_rule(question, history, level)
    if level is Level.AUTO:
        level, why = choose_level(typed, by_rule)
        if level is not Level.AS_TYPED:
            yield Step("level", LevelChosen(level, why))
    if level is Level.AS_TYPED:
        return by_rule
    if budget.model is None:
        return _without_model(by_rule, level, asked=options.level is not Level.AUTO)
    return (yield from _with_model(by_rule, history, level, budget))


def _without_model(by_rule: QueryPlan, level: Level, *, asked: bool) -> QueryPlan:
    """The plan by rule, with a notice where a level was asked for that needs a model."""
    hops = level in (Level.SEVERAL, Level.IN_DEPTH) and (asked or not by_rule.notices)
    level = level if hops else Level.AS_TYPED
    if not asked:
        return replace(by_rule, level=level)
    text = "No language model is chosen, so the question was completed by rule."
    if hops:
        text = "No language model is chosen, so the queries were made by rule."
    notice = Notice("no-model-for-queries", text, "Choose one under Language model.", "info")
    return replace(by_rule, level=level, notices=(*by_rule.notices, notice))


def _with_model(
    by_rule: QueryPlan, history: Sequence[Message], level: Level, budget: ModelBudget
) -> Generator[Step, None, QueryPlan]:
    """The plan of a level above "as typed", or of the first one below that works."""
    notices: list[Notice] = []
    if level in (Level.SEVERAL, Level.IN_DEPTH):
        try:
            made = yield from _several(by_rule, history, budget)
            return replace(
                made, level=level, follows=made.follows or continues_topic(made.goal, history)
            )
        except PlanningFailed as failure:
            notices.append(_fell_back(failure, "planning several queries", "one was rewritten"))
            yield Step("fallback", LevelChosen(Level.REWRITTEN, failure.reason))
    try:
        made = yield from _rewritten(by_rule, history, budget)
    except PlanningFailed as failure:
        said = _fell_back(failure, "rewriting the question", "it was searched as it is")
        yield Step("fallback", LevelChosen(Level.AS_TYPED, failure.reason))
        return replace(by_rule, notices=(said, *by_rule.notices))
    deep = Level.IN_DEPTH if level is Level.IN_DEPTH else made.level
    follows = made.follows or continues_topic(made.goal, history)
    return replace(made, level=deep, notices=(*notices, *made.notices), follows=follows)


def _several(
    by_rule: QueryPlan, history: Sequence[Message], budget: ModelBudget
) -> Generator[Step, None, QueryPlan]:
    began = time.monotonic()
    request = several_request(by_rule.question, history, budget.boundary)
    planned, reply = budget.ask(request, read_queries)
    queries, notices = _with_own_words(by_rule, planned)
    detail = Planned(planned.goal, queries)
    yield Step("several queries", detail, time.monotonic() - began, len(queries), reply.tokens)
    return replace(
        by_rule, goal=planned.goal, queries=queries, notices=notices,
        level=Level.SEVERAL, tokens=budget.spent,
    )  # fmt: skip


def _rewritten(
    by_rule: QueryPlan, history: Sequence[Message], budget: ModelBudget
) -> Generator[Step, None, QueryPlan]:
    began = time.monotonic()
    request = rewrite_request(by_rule.question, history, budget.boundary)
    query, reply = budget.ask(request, read_rewrite)
    queries, notices = _with_own_words(by_rule, PlannedQueries(query, (query,)))
    yield Step("rewritten", Planned(query), time.monotonic() - began, len(queries), reply.tokens)
    return replace(
        by_rule, goal=query, queries=queries, notices=notices,
        level=Level.REWRITTEN, tokens=budget.spent,
    )  # fmt: skip


def _with_own_words(
    by_rule: QueryPlan, planned: PlannedQueries
) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """The queries of a model, with the person's own where they lost words that matter."""
    typed = " ".join(by_rule.question.split())
    queries = planned.queries
    gone = lost_words(typed, " ".join(queries))
    if not gone:
        return queries, ()
    own = distinct(by_rule.queries[:1], queries)
    if not own:
        return queries, ()
    text = f"The queries lost {', '.join(gone)}, so the question was searched as typed as well."
    notice = Notice("words-lost", text, "", "info")
    return (queries[0], *own, *queries[1 : MOST_QUERIES - 1]), (notice,)


def _fell_back(failure: PlanningFailed, doing: str, instead: str) -> Notice:
    text = f"{failure.reason} So {doing} was given up, and {instead}."
    return Notice("planning-failed", text, failure.cure)
