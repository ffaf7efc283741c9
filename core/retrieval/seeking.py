"""From a plan to what is found for it: one search, or several that build on each other."""

from __future__ import annotations

from collections.abc import Callable, Generator

from core.models.chat import ChatModel
from core.retrieval.hybrid import Retriever
from core.types import QueryPlan, SearchResult, Step, Wish


def seek(
    retriever: Retriever,
    session_id: str,
    plan: QueryPlan,
    wish: Wish,
    model: ChatModel | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[Step, None, SearchResult]:
    """What is found for the plan, with the steps of the search as they are done."""
    result = retriever.search(session_id, plan, wish.search)
    yield from result.steps
    return result
