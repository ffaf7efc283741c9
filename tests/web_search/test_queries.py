"""What the web is asked for: queries of a person, of a model, of the question's words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from core.errors import ModelUnreachable
from core.llm.port import ChatMessage
from core.types import Chunk, Document, DocumentState, Hit, QueryOptions, QueryPlan
from core.web_search.freshness import asks_for_newest, newest_first, time_range
from core.web_search.queries import keywords, web_queries

TODAY = date(2026, 11, 21)


class Scripted:
    """A model that says one thing, and keeps what it was asked."""

    name, provider, context_length = "scripted", "test", 8_192

    def __init__(self, text: str = "", error: Exception | None = None) -> None:
        self.text, self.error = text, error
        self.asked: list[tuple[str, Mapping[str, Any] | None]] = []

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Any:
        from contextlib import nullcontext

        self.asked.append((messages[-1].text, json_schema))
        return nullcontext(self._said())

    def _said(self) -> Iterator[str]:
        if self.error:
            raise self.error
        yield self.text


def plan(*queries: str) -> QueryPlan:
    return QueryPlan(queries[0], queries[0], queries)


def asked(question: str, model: Any = None, most: int = 3, **options: Any) -> Any:
    return web_queries(plan(question), QueryOptions(**options), model, most, TODAY)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Who built the lantern house of Velmark in 1783?", "built lantern house Velmark 1783"),
        ("¿Cuál es la población de São Paulo?", "población São Paulo"),
        ("Wie hoch ist der Großglockner?", "hoch Großglockner"),
        ('What does "exit code 137" mean?', '"exit code 137" mean'),
        ("最新のPythonのバージョンは何ですか", "最新のPythonのバージョンは何ですか"),
        ("Who is who?", "Who is who?"),
    ],
)
def test_content_words_as_they_are_written(question: str, query: str) -> None:
    assert keywords(question) == query


def test_a_model_writes_the_queries() -> None:
    model = Scripted(json.dumps({"queries": ["one", "two ", "one", "three", "four"]}))
    found = asked("What is new in Velmark?", model)
    assert (found.queries, found.by) == (("one", "two", "three"), "model")
    prompt, schema = model.asked[0]
    assert "2026-11-21" in prompt
    assert "What is new in Velmark?" in prompt
    assert schema is not None
    assert schema["required"] == ["queries"]


@pytest.mark.parametrize("text", ["no json", '{"queries": 7}', '{"queries": []}', "{}", "[]"])
def test_what_a_model_says_wrongly_is_not_used(text: str) -> None:
    found = asked("Who built Velmark?", Scripted(text))
    assert (found.queries, found.by) == (("built Velmark",), "words")


def test_a_model_that_fails_is_said() -> None:
    found = asked("Who built Velmark?", Scripted(error=ModelUnreachable("Nobody there.")))
    assert found.by == "words"
    assert found.notices[0].code == "web-queries-by-words"


def test_ones_own_queries_are_used_as_they_are() -> None:
    model = Scripted("x")
    found = asked("Who?", model, queries=(" a  b ", "site:e.org c", "a b"))
    assert (found.queries, found.by) == (("a b", "site:e.org c"), "yours")
    assert not model.asked


def test_several_queries_of_a_plan_are_several_here() -> None:
    several = plan("Who built Velmark?", "Velmark architect", "Velmark history")
    found = web_queries(several, QueryOptions(), None, 2, TODAY)
    assert (found.queries, found.by) == (("built Velmark", "Velmark architect"), "words")


def test_a_model_writes_the_queries_of_a_plan_that_has_several_too() -> None:
    several = plan("Who built Velmark?", "Velmark architect", "Velmark history")
    model = Scripted(json.dumps({"queries": ["Velmark builder biography"]}))
    found = web_queries(several, QueryOptions(), model, 2, TODAY)
    assert (found.queries, found.by) == (("Velmark builder biography",), "model")
    assert "Who built Velmark?" in model.asked[0][0]


@pytest.mark.parametrize(
    ("question", "range_", "newest"),
    [
        ("What happened today in Velmark?", "day", True),
        ("Was ist diese Woche passiert?", "week", True),
        ("Qu'est-il arrivé aujourd'hui ?", "day", True),
        ("What changed this year?", "year", True),
        ("What is the latest release?", "", True),
        ("Wie ist die aktuelle Lage?", "", True),
        ("最新のバージョンは?", "", True),
        ("Who built the lantern house in 1783?", "", False),
        ("What is a daily newspaper?", "", False),
    ],
)
def test_how_new_a_question_wants_it(question: str, range_: str, newest: bool) -> None:
    assert time_range(question) == range_
    assert asks_for_newest(question) is newest


def test_newer_pages_gain_some_places_and_unknown_dates_none() -> None:
    def hit(name: str, published: str) -> Hit:
        document = Document(name, "s", name, name, None, DocumentState.READY, published=published)
        return Hit(Chunk(f"{name}:0", name, 0, 0, None, 0, 1, "x"), document)

    hits = [hit("none", ""), hit("old", "2001-01-01"), hit("odd", "soon"), hit("new", "2026-11-01")]
    ordered = newest_first(hits, TODAY)
    assert [h.document.id for h in ordered] == ["none", "new", "old", "odd"]
    assert [h.rank for h in ordered] == [1, 2, 3, 4]
