"""Planning and searching on each level, with a model that replies by a script over real HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.config import Settings
from core.llm.providers import make_chat_model
from core.planning.budget import ModelBudget
from core.planning.plan import make_plan
from core.retrieval.search import search
from core.steps import Recorder, drain
from core.types import (
    Answer,
    Citation,
    Level,
    Message,
    ModelChoice,
    QueryOptions,
    QueryPlan,
    SearchOptions,
    SearchResult,
)
from tests.retrieval.library import Library
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = SearchOptions(top_k=4, diversify=False, join_neighbours=False)
QUESTION = "Where was the builder of the Amber lighthouse born?"
TEXTS = {
    "lighthouse.txt": "The lighthouse of Port Amber was built in 1874 by Ida Holm.",
    "holm.txt": "Ida Holm was an engineer. She was born in Visby in 1831.",
    "bread.txt": "Sourdough bread needs flour, water and salt.",
    "ships.txt": "The harbour of Port Amber serves forty ships a day.",
    "lamps.txt": "The lamp of a lighthouse is seen from twenty miles away.",
}


class Scripted:
    """Models that give the replies that a test wants; afterwards they fail."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.standins: list[OllamaStandin] = []

    def __call__(self, *replies: Reply | dict[str, Any] | str, **limits: Any) -> ModelBudget:
        script = [_reply(reply) for reply in replies]
        standin = OllamaStandin(replies=[*script, Reply("status", status=400, times=None)])
        standin.start()
        self.standins.append(standin)
        here = self.settings.model_copy(update={"ollama_url": standin.url})
        model = make_chat_model(ModelChoice("ollama", "standin:latest"), here)
        return ModelBudget(model, **{"deadline": time.monotonic() + 60, **limits})

    def close(self) -> None:
        """End every stand-in."""
        for standin in self.standins:
            standin.close()

    @property
    def asked(self) -> list[str]:
        """What the last model was asked, each request as one text."""
        chats = [r for r in self.standins[-1].requests if r.path == "/api/chat"]
        return ["\n".join(m["content"] for m in request.body["messages"]) for request in chats]


def _reply(reply: Reply | dict[str, Any] | str) -> Reply:
    if isinstance(reply, Reply):
        return reply
    return Reply(text=reply if isinstance(reply, str) else json.dumps(reply))


def verdict(*kept: int, of: int, query: str = "", enough: bool = False) -> dict[str, Any]:
    hits = [{"id": n, "keep": n in kept, "reason": f"reason {n}"} for n in range(1, of + 1)]
    return {"hits": hits, "enough": enough, "next_query": query}


def planned(
    budget: ModelBudget, level: Level, question: str = QUESTION, history: Sequence[Message] = ()
) -> QueryPlan:
    return drain(make_plan(question, history, QueryOptions(level=level), budget))


def sought(library: Library, plan: QueryPlan, budget: ModelBudget, **options: Any) -> SearchResult:
    work = search(
        library.retriever(), library.session_id, plan, QueryOptions(PLAIN, **options), budget
    )
    recorder = Recorder()
    return replace(drain(recorder.run(work)), steps=tuple(recorder.steps))


def names(result: SearchResult) -> list[str]:
    return [hit.document.name for hit in result.hits]


def talk() -> list[Message]:
    """One turn: a question, and an answer that cites something."""
    cited = Citation(1, "x:0", "x", "apples.txt", None, 0, None, 0, 0, "", "All about apples")
    asked = "What are apples?"
    found = SearchResult(QueryPlan(asked, asked, (asked,)), ())
    answer = Answer(asked, "Apples are fruit.", (cited,), search=found)
    return [
        Message(1, "user", "What are apples?", NOW),
        Message(2, "assistant", answer.text, NOW, answer),
    ]
