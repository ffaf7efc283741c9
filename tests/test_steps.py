"""Steps are data: recorded as they pass, stored and loaded, put into words by the faces."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import replace

import pytest

from core.step_text import step_text
from core.steps import Recorder, Timer, drain
from core.storage.sql.rows import dump_answer, load_answer
from core.types import Answer, Level, QueryPlan, SearchResult, SentQuery, Step
from core.types.steps import (
    ByMethod,
    Condensed,
    ContextBuilt,
    Detail,
    Diversified,
    Fused,
    Graded,
    Interleaved,
    LevelChosen,
    NameFollowed,
    Planned,
    Queried,
    Sectioned,
    Waiting,
    WebIndexed,
    WebPageRead,
    WebQueried,
    WebSearched,
)

SAID: list[tuple[str, Detail | str, str]] = [
    ("level", LevelChosen(Level.SEVERAL, "it has several parts"), "several: it has several parts"),
    ("understood", Planned("The goal"), "The goal"),
    ("several queries", Planned("The goal", ("a", "b")), "The goal: a; b"),
    ("query", Queried(SentQuery("a | b (c)", why="a query")), "a | b (c) (a query)"),
    ("second query", NameFollowed("Ida Holm"), "the first hits name Ida Holm"),
    ("dense", ByMethod("MiniLM"), "MiniLM"),
    ("dense", ByMethod("MiniLM", least=0.35), "MiniLM, from a likeness of 0.35 on"),
    ("rerank", ByMethod("MiniLM", "No weights."), "left out: No weights."),
    ("judging", ByMethod("llama"), "llama reads its sources once more"),
    ("fuse", Fused("hybrid", "weighted", 0.6, ("a",)), "weighted, 0.6 by meaning; named: a"),
    ("fuse", Fused("hybrid", "rrf", 0.6), "reciprocal ranks"),
    ("fuse", Fused("dense", "rrf", 0.6), "by meaning alone"),
    ("diversify", Diversified(0.5), "MMR, lambda 0.5"),
    ("join", "", "neighbours on the page"),
    ("votes", "", "for collected answers"),
    ("share places", Interleaved(3), "among 3 lists"),
    ("graded", Graded(2, 8, True), "kept 2 of 8; enough"),
    ("graded", Graded(2, 8, False, "born where"), "kept 2 of 8; next: born where"),
    ("graded", Graded(0, 8, False), "kept 0 of 8; next: nothing more"),
    ("sections", Sectioned(("Price", "Delivery"), 6, 300.0),
     "Price; Delivery (at most 6 searches and 5 min)"),
    ("web queries", WebQueried(("a | b", "c"), "words", "week"),
     "a | b | c (of its words, of the last week)"),
    ("web search", WebSearched("q", failure="It is down."), "q: It is down."),
    ("web search", WebSearched("q", "queue", ("x", "y"), "42", "A letter.", ("bing",), 2),
     "q · did you mean queue? · see also: x, y · an engine says: 42 · in brief: A letter. · "
     "no answer from bing · 2 addresses refused"),
    ("web page", WebPageRead("e.org/a", failure="Too large."), "e.org/a: Too large."),
    ("web page", WebPageRead("e.org/a", "A", reused=True), "A: read earlier, used again"),
    ("web page", WebPageRead("e.org/a", "A", 2, 5, (("of buttons", 3),), "2026-01-02"),
     "A (e.org/a): 2 of 5 passages, dropped 3 of buttons, published 2026-01-02"),
    ("web indexed", WebIndexed(7, 1), "7 passages of 1 page"),
    ("waiting", Waiting(2), "Place 2 in the queue"),
    ("context", ContextBuilt(3, 7, 1200), "3 of 7 passages, about 1,200 tokens"),
    ("condensed", Condensed(3, 7), "passages up to 3 of 7"),
    ("condensed", Condensed(), "notes on notes"),
]  # fmt: skip


def stored(*steps: Step) -> Answer:
    plan = QueryPlan("q", "q", ("q",))
    return Answer("q", "a", search=SearchResult(plan, (), steps=steps))


@pytest.mark.parametrize(("name", "detail", "words"), SAID)
def test_a_step_is_put_into_words_and_stored_as_data(
    name: str, detail: Detail | str, words: str
) -> None:
    step = Step(name, detail, 0.5, 3)
    assert step_text(step) == words
    assert load_answer(dump_answer(stored(step))) == stored(step)


def test_an_answer_of_an_earlier_version_has_text_for_detail() -> None:
    old = stored(Step("fuse", "weighted, 0.6 dense", 0.1, 7))
    text = dump_answer(old)
    assert text is not None
    kept = json.loads(text)
    kept["search"]["plan"]["known"] = ["d:0"]  # a field that was renamed
    found = load_answer(json.dumps(kept))
    assert found == old
    assert found is not None
    assert found.search is not None
    assert step_text(found.search.steps[0]) == "weighted, 0.6 dense"


def test_a_recorder_keeps_what_passes() -> None:
    def stage() -> Generator[Step, None, str]:
        yield Step("one")
        yield Timer().step("two", Waiting(1), 4)
        return "value"

    recorder = Recorder()
    passing = recorder.run(stage())
    assert next(passing).name == "one"
    assert drain(passing) == "value"
    assert [replace(step, seconds=0.0) for step in recorder.steps] == [
        Step("one"), Step("two", Waiting(1), count=4)
    ]  # fmt: skip
