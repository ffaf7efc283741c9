"""Conversations to go on with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.types import Abstention, Answer, Citation, DocumentKind, Message, QueryPlan, SearchResult

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RELEASE = (
    "The net debt of Northstar rose. Its revenue, net sales, cash flow and profit are shown below."
)


def talk(
    *turns: tuple[str, str | None], goal: str = "", passage: str = "", title: str = ""
) -> list[Message]:
    """A history of questions, each with what its answer quotes; None is a refusal."""
    history: list[Message] = []
    for question, quote in turns:
        plan = QueryPlan(question, goal or question, (question,))
        answer = Answer(question, quote or "", search=SearchResult(plan, ()))
        if quote is None:
            answer = replace(answer, abstention=Abstention("nothing", 1, 1))
        else:
            cited = Citation(
                1, "c", "d", "x.txt", DocumentKind.TEXT, 0, None, 0, len(quote), quote,
                passage=passage, title=title,
            )  # fmt: skip
            answer = replace(answer, citations=(cited,))
        history.append(Message(0, "user", question, NOW))
        history.append(Message(0, "assistant", quote or "", NOW, answer))
    return history
