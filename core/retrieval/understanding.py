"""From a question to its plan, with as much effort as its level asks for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from core.models.chat import ChatModel
from core.retrieval.planning import plan
from core.types import Message, QueryPlan, Step, Wish


def understand(
    question: str,
    history: Sequence[Message],
    wish: Wish,
    model: ChatModel | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[Step, None, QueryPlan]:
    """The plan for a question after the messages of `history`, oldest first.

    Queries that a person wrote (`wish.queries`) are used as they are.
    """
    yield from ()
    if wish.queries:
        return QueryPlan(question, question, wish.queries, wish.level)
    return plan(question, history, wish.level)
