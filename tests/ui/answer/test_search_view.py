"""What "How it searched" is told to draw."""

from __future__ import annotations

from dataclasses import replace

from core.types import Level, QueryPlan, SearchOptions, SearchResult, SentQuery, Step
from core.types.search import MOST_DROPPED
from core.ui.answer.search_view import EFFORTS, title, tokens_words, understood_view
from core.ui.answer.views import searched_view
from tests.ui.app.fake_service import canned_search

PLAN = QueryPlan("q", "the goal", ("one", "two"), Level.SEVERAL)


def test_every_level_has_a_name() -> None:
    assert list(EFFORTS) == [
        Level.AUTO, Level.AS_TYPED, Level.REWRITTEN, Level.SEVERAL, Level.IN_DEPTH
    ]  # fmt: skip


def test_queries_with_what_became_of_them() -> None:
    sent = (
        SentQuery("the goal", why="the goal", found=30, kept=3, seconds=0.5),
        SentQuery("one", "web", "by the model", 9, seconds=1.0),
    )
    steps = (Step("graded", tokens=1200), Step("query"), Step("summary", tokens=34))
    result = SearchResult(PLAN, (), steps=steps, sent=sent, summary="So it is.")
    view = understood_view(result)
    assert (view["level"], view["goal"], view["own"]) == ("Thorough", "the goal", ["one", "two"])
    assert view["summary"] == "So it is."
    assert view["queries"][0] == {
        "text": "the goal", "where": "documents", "why": "the goal",
        "found": "30 found", "kept": "3 kept", "time": "500 ms",
    }  # fmt: skip
    assert view["queries"][1]["kept"] == ""
    assert title(result, 2.0) == "How it searched · 0 passages in 2.0 s · 2 queries · 1,234 tokens"
    assert [tokens_words(step) for step in steps] == ["1,200 tokens", "", "34 tokens"]


def test_an_answer_from_before_queries_were_counted() -> None:
    view = understood_view(SearchResult(PLAN, ()))
    assert [query["text"] for query in view["queries"]] == ["one", "two"]
    assert view["queries"][0]["found"] == ""


def test_what_was_dropped_is_listed_in_part_and_the_rest_counted() -> None:
    found = canned_search("q", SearchOptions())
    many = replace(found, dropped=found.hits[:1] * (MOST_DROPPED + 4))
    assert len(searched_view(many, 1.0)["dropped"]) == MOST_DROPPED
    assert searched_view(many, 1.0)["more"] == "4 more passages"
    kept = many.shortened(MOST_DROPPED)
    assert searched_view(kept, 1.0) == searched_view(many, 1.0)
    assert searched_view(replace(found, dropped=()), 1.0)["more"] == ""
