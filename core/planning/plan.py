"""From a question to its plan, with as much effort as its level asks for.

Each level falls back to the one below where it fails, and the plan says so: several queries to one
rewritten query, that to the plan by rule.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import replace

from core.planning.budget import ModelBudget, PlanningFailed, Unusable
from core.planning.lost_words import lost_words
from core.planning.parsing import (
    MOST_QUERIES,
    PlannedQueries,
    distinct,
    read_choice,
    read_line,
    read_queries,
    read_rewrite,
)
from core.planning.prompts import (
    choose_request,
    plain_request,
    rewrite_request,
    several_request,
)
from core.planning.rules import choose_level, continues_topic, plan_by_rule
from core.types import Document, Level, Message, Notice, QueryOptions, QueryPlan, Step
from core.types.steps import LevelChosen, Planned


def make_plan(
    question: str,
    history: Sequence[Message],
    options: QueryOptions,
    budget: ModelBudget | None = None,
    library: Sequence[Document] = (),
) -> Generator[Step, None, QueryPlan]:
    """The plan for a question after the messages of `history`, oldest first, with its steps.

    A model is told what is in `library`, by titles and languages.

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
        if budget.model is not None and (budget.chooses or level is not Level.AS_TYPED):
            try:
                return (yield from _chosen(by_rule, history, level, why, budget, library))
            except PlanningFailed as failure:
                why = f"{failure.reason} By rule: {why}"
                yield Step("fallback", LevelChosen(level, why))
        elif level is not Level.AS_TYPED:
            yield Step("level", LevelChosen(level, why))
    if level is Level.AS_TYPED:
        return replace(by_rule, tokens=budget.spent)
    if budget.model is None:
        return _without_model(by_rule, level, asked=options.level is not Level.AUTO)
    return (yield from _with_model(by_rule, history, level, budget, library))


def _chosen(
    by_rule: QueryPlan,
    history: Sequence[Message],
    level: Level,
    why: str,
    budget: ModelBudget,
    library: Sequence[Document],
) -> Generator[Step, None, QueryPlan]:
    """The plan of the level that the model chooses, that by rule (`level`) where it names none.

    One reply has both the level and the queries, so that a choice costs no request of its own
    where one plans anyway.
    """
    began = time.monotonic()
    request = choose_request(by_rule.question, history, budget.boundary, library)
    choice, reply = budget.ask(request, read_choice)
    if choice.level is not None:
        level, why = choice.level, choice.reason or "the model chose it"
    yield Step("level", LevelChosen(level, why), time.monotonic() - began, None, reply.tokens)
    if level is Level.AS_TYPED and not by_rule.notices:
        return replace(by_rule, level=level, tokens=budget.spent)
    planned = choice.planned
    if level is Level.AS_TYPED:  # what points back is read as the model reads it
        level, planned = Level.REWRITTEN, PlannedQueries(planned.goal, (planned.goal,))
    queries, notices = _with_own_words(by_rule, planned)
    yield Step("several queries", Planned(planned.goal, queries), 0.0, len(queries))
    return replace(
        by_rule, goal=planned.goal, queries=queries, notices=notices, level=level,
        tokens=budget.spent, follows=by_rule.follows or continues_topic(planned.goal, history),
    )  # fmt: skip


def _without_model(by_rule: QueryPlan, level: Level, *, asked: bool) -> QueryPlan:
    """The plan by rule, with a notice where a level was asked for that needs a model."""
    hops = level in (Level.SEVERAL, Level.IN_DEPTH) and (asked or not by_rule.notices)
    level = level if hops else Level.AS_TYPED
    if not asked:
        return replace(by_rule, level=level)
    text = "No language model is chosen, so none rewrote the question."
    if hops:
        text = "No language model is chosen, so what to search for was chosen by rule."
    notice = Notice("no-model-for-queries", text, "Choose one under Language model.", "info")
    return replace(by_rule, level=level, notices=(*by_rule.notices, notice))


def _with_model(
    by_rule: QueryPlan,
    history: Sequence[Message],
    level: Level,
    budget: ModelBudget,
    library: Sequence[Document],
) -> Generator[Step, None, QueryPlan]:
    """The plan of a level above "as typed", or of the first one below that works."""
    notices: list[Notice] = []
    if level in (Level.SEVERAL, Level.IN_DEPTH):
        try:
            made = yield from _several(by_rule, history, budget, library)
            return replace(
                made, level=level, follows=made.follows or continues_topic(made.goal, history)
            )
        except PlanningFailed as failure:
            notices.append(_fell_back(failure, "The question was searched for as a whole."))
            yield Step("fallback", LevelChosen(Level.REWRITTEN, failure.reason))
    try:
        made = yield from _rewritten(by_rule, history, budget, library, plainly=bool(notices))
    except PlanningFailed as failure:
        instead = "completed by rule" if by_rule.notices else "searched as typed"
        said = _fell_back(failure, f"The question was {instead} instead.")
        yield Step("fallback", LevelChosen(Level.AS_TYPED, failure.reason))
        return replace(by_rule, notices=(said, *by_rule.notices))
    deep = Level.IN_DEPTH if level is Level.IN_DEPTH else made.level
    follows = made.follows or continues_topic(made.goal, history)
    return replace(made, level=deep, notices=(*notices, *made.notices), follows=follows)


def _several(
    by_rule: QueryPlan,
    history: Sequence[Message],
    budget: ModelBudget,
    library: Sequence[Document],
) -> Generator[Step, None, QueryPlan]:
    began = time.monotonic()
    request = several_request(by_rule.question, history, budget.boundary, library)
    planned, reply = budget.ask(request, read_queries)
    queries, notices = _with_own_words(by_rule, planned)
    detail = Planned(planned.goal, queries)
    yield Step("several queries", detail, time.monotonic() - began, len(queries), reply.tokens)
    return replace(
        by_rule, goal=planned.goal, queries=queries, notices=notices,
        level=Level.SEVERAL, tokens=budget.spent,
    )  # fmt: skip


def _rewritten(
    by_rule: QueryPlan,
    history: Sequence[Message],
    budget: ModelBudget,
    library: Sequence[Document],
    *,
    plainly: bool,
) -> Generator[Step, None, QueryPlan]:
    """The plan of one query; `plainly` asks for a plain line where no JSON came again."""
    began = time.monotonic()
    request = rewrite_request(by_rule.question, history, budget.boundary, library)
    try:
        query, reply = budget.ask(request, read_rewrite)
    except Unusable:
        if not plainly:
            raise
        query, reply = budget.ask(
            plain_request(by_rule.question, history, budget.boundary, library), read_line
        )
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
    words = ", ".join(f"“{word.strip(chr(34))}”" for word in gone)
    text = f"The question was also searched as you typed it: the model left out {words}."
    notice = Notice("words-lost", text, "", "info")
    return (queries[0], *own, *queries[1 : MOST_QUERIES - 1]), (notice,)


def _fell_back(failure: PlanningFailed, instead: str) -> Notice:
    return Notice("planning-failed", f"{failure.reason} {instead}", failure.cure)
