"""How a question was understood and searched for, as plain values to draw (pure)."""

from __future__ import annotations

from typing import Any

from core.types import Level, SearchResult, SentQuery, Step
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import count, format_seconds

EFFORTS = {
    Level.AUTO: "Automatic",
    Level.AS_TYPED: "Quick",
    Level.REWRITTEN: "Standard",
    Level.SEVERAL: "Thorough",
    Level.IN_DEPTH: "Deep",
}
"""What each level is called on the page, in the order of the switch."""


STEPS = {
    "dense": "by meaning",
    "lexical": "by words",
    "fuse": "combined",
    "rerank": "reranked",
    "diversify": "repeats passed over",
    "join": "neighbours joined",
    "context": "given to the model",
    "condensed": "read in parts",
    "fallback": "without the model",
    "level": "effort",
}
"""What a step is called on the page where its own name is none that a person knows."""


def understood_view(result: SearchResult) -> dict[str, Any]:
    """The level, the goal, and every query with where it was sent and what became of it."""
    sent = result.sent or tuple(SentQuery(query) for query in result.plan.queries)
    return {
        "level": EFFORTS[result.plan.level],
        "goal": "" if result.plan.queries == (result.plan.goal,) else printable(result.plan.goal),
        "queries": [_query_view(query, counted=bool(result.sent)) for query in sent],
        "own": [printable(query) for query in dict.fromkeys(result.plan.queries)],
        "summary": printable(result.summary),
    }


def title(result: SearchResult, seconds: float) -> str:
    """What the folded block says: passages, time, and queries and tokens where there are some.

    What is answered without a search, such as a sum of a table, has no steps and no passages.
    """
    passages = f"{count(len(result.hits), 'passage')} in "
    parts = [f"{passages if result.hits or result.steps else ''}{format_seconds(seconds)}"]
    if len(result.sent) > 1:
        parts.append(f"{len(result.sent)} queries")
    if tokens := sum(step.tokens or 0 for step in result.steps):
        parts.append(f"{tokens:,} tokens")
    return f"How it searched · {' · '.join(parts)}"


def tokens_words(step: Step) -> str:
    """The tokens of a step, "" where no model was asked."""
    return "" if step.tokens is None else f"{step.tokens:,} tokens"


def _query_view(query: SentQuery, *, counted: bool) -> dict[str, Any]:
    return {
        "text": printable(query.text),
        "where": printable(query.where),
        "why": printable(query.why),
        "found": f"{query.found:,} found" if counted else "",
        "kept": f"{query.kept:,} kept" if counted and query.where != "web" else "",
        "time": format_seconds(query.seconds) if query.seconds else "",
    }
