"""What a model wrote, read as a plan: short, plain, without repeats, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.planning.lost_words import lost_words
from core.planning.parsing import (
    LONGEST_QUERY,
    MOST_QUERIES,
    PlannedQueries,
    Section,
    distinct,
    read_line,
    read_queries,
    read_rewrite,
    read_sections,
    read_summary,
    read_verdict,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
NAMES = st.sampled_from(["goal", "queries", "query", "hits", "enough", "next_query", "x"])


@settings(derandomize=True, max_examples=400)
@given(st.dictionaries(NAMES, ANYTHING))
def test_whatever_comes_a_plan_is_plain(given_: dict[str, Any]) -> None:
    text = json.dumps(given_)
    for query in (read_rewrite(text), *(read_queries(text) or PlannedQueries("x", ("x",))).queries):
        assert query is None or (0 < len(query) <= LONGEST_QUERY and "\n" not in query)
    aim = read_queries(text)
    assert aim is None or (1 <= len(aim.queries) <= MOST_QUERIES)
    assert aim is None or distinct(aim.queries) == aim.queries
    verdict = read_verdict(text, 3)
    assert verdict is None or set(verdict.kept) <= {1, 2, 3}
    assert verdict is None or not (verdict.enough and verdict.query)


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.text(max_size=30), max_size=8))
def test_distinct_keeps_the_first_of_each(queries: list[str]) -> None:
    found = distinct(queries)
    assert set(found) <= set(queries)
    assert distinct(found) == found
    assert distinct(queries, queries) == ()


def test_plans_in_other_shapes() -> None:
    assert read_queries('{"queries": "one query"}') == PlannedQueries("one query", ("one query",))
    assert read_queries('{"goal": "the goal"}') == PlannedQueries("the goal", ("the goal",))
    assert read_queries(
        '{"Goal": "g a", "Queries": [{"query": "q b"}, {"text": "q c"}, 3]}'
    ) == PlannedQueries("g a", ("q b", "q c"))
    five = json.dumps({"goal": "g", "queries": [f"query number {n}" for n in range(9)]})
    assert len(read_queries(five).queries) == MOST_QUERIES
    assert read_rewrite('{"question": "a\\n b"}') == "a b"
    assert read_rewrite('{"query": "???"}') is None
    assert read_summary('{"summary": " So it is. "}') == "So it is."


def test_verdicts() -> None:
    listed = read_verdict('{"keep": [1, "3", 9, true], "enough": "yes"}', 3)
    assert listed is not None
    assert (listed.kept, listed.enough, listed.query) == ((1, 3), True, "")
    graded = read_verdict(
        '{"hits": [{"id": "hit 2", "keep": "true", "reason": "r\\n2"}, {"id": 1, "keep": 0}], '
        '"next_query": "more"}', 2,
    )  # fmt: skip
    assert graded is not None
    assert (graded.kept, graded.reasons, graded.query) == ((2,), {2: "r 2", 1: ""}, "more")
    assert read_verdict('{"enough": true}', 2) is None
    assert read_verdict("nothing", 2) is None


@pytest.mark.parametrize(
    ("question", "rewrite", "gone"),
    [
        ("How much do they cost?", "How much do apples cost?", ()),
        ("Who is Ida Holm?", "Who is the engineer?", ("Ida", "Holm")),
        ("What changed in 2019?", "What changed?", ("2019",)),
        ("Set max_files to 7", "Set the limit to 7", ("max_files",)),
        ('find "to be or not"', "find the phrase", ('"to be or not"',)),
        ('find "To Be"', "the phrase to be", ()),
        ("transubstantiation rules", "rules of the mass", ("transubstantiation",)),
        ("1,577 metres", "1577 metres high", ()),
    ],
)
def test_what_a_rewrite_lost(question: str, rewrite: str, gone: tuple[str, ...]) -> None:
    assert lost_words(question, rewrite) == gone


@settings(derandomize=True, max_examples=200)
@given(st.text(max_size=120))
def test_a_question_loses_nothing_to_itself(question: str) -> None:
    assert lost_words(question, question) == ()


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ('Sure! The rewritten query is: "height of the Eiffel Tower"',
         "height of the Eiffel Tower"),
        ("**Rewritten query:** height of the Eiffel Tower", "height of the Eiffel Tower"),
        ("Search query:\nheight of the tower", "height of the tower"),
        ("I think they are all fine.", None),
        ("Hello.", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_rewrite_in_a_plain_line(said: str, query: str | None) -> None:
    assert read_rewrite(said) == query


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("height of the tower", "height of the tower"),
        ("`height of the tower`\n", "height of the tower"),
        ("Query: height of the tower", "height of the tower"),
        ("I cannot do that.", None),
        ("One line.\nAnd another.", None),
    ],
)
def test_one_line_that_was_asked_for(said: str, query: str | None) -> None:
    assert read_line(said) == query


@pytest.mark.E16
def test_a_title_of_a_section_is_plain_words() -> None:
    """It is shown in notices, steps and headings, on every face."""
    planned = [
        {"title": "Price ![a](https://evil.example/?q=x)", "question": "Which price?"},
        {"title": "<img src=x> `Delivery`", "question": "How long does it take?"},
        {"title": "![](//)", "question": "Who [pays](https://evil.example)?", "query": "payer"},
    ]
    assert read_sections(json.dumps({"sections": planned}), 4) == (
        Section("Price a", "Which price?"),
        Section("img src=x Delivery", "How long does it take?"),
        Section("Who pays", "Who [pays](https://evil.example)?", "payer"),
    )
