"""Disagreement is said where it is sure, and both sides are shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.answering.conflicts import find_conflicts, with_conflicts
from core.citations.mark import find_marks, plain_words
from core.citations.passages import citation_of
from core.types import Abstention, Answer, Claim, Hit, QueryPlan, SearchResult, Support
from tests.support.hits import hit

QUESTION = "When was the lighthouse of Port Amber built?"
OLD = "The lighthouse of Port Amber was built in 1874 by Ida Holm."
NEW = "The lighthouse of Port Amber was built in 1901 by Ida Holm."


def two(first: str, second: str) -> list[Hit]:
    return [
        hit(first, document="d1", label="old.pdf"),
        hit(second, document="d2", label="new.pdf"),
    ]


@pytest.mark.parametrize(
    ("question", "first", "second", "values"),
    [
        (QUESTION, OLD, NEW, ("1874", "1901")),
        (
            "Who built the lighthouse of Port Amber?",
            OLD,
            OLD.replace("Ida Holm", "Nils Berg"),
            ("Ida Holm", "Nils Berg"),
        ),
    ],
)
def test_the_same_sentence_with_another_value(
    question: str, first: str, second: str, values: tuple[str, str]
) -> None:
    (conflict,) = find_conflicts(question, two(first, second))
    assert conflict.values == values


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Is the reading room open on Sundays?",
            "The reading room is open on Sundays.",
            "The reading room is not open on Sundays.",
        ),
        (
            "Are dogs allowed in the reading room?",
            "Dogs are allowed in the reading room.",
            "Dogs are forbidden in the reading room.",
        ),
    ],
)
def test_one_says_what_the_other_denies(question: str, first: str, second: str) -> None:
    (conflict,) = find_conflicts(question, two(first, second))
    assert conflict.values == (first, second)


WON = "Who won the regatta of Port Amber in 2018?"
HOLM = "In the regatta of Port Amber 2018 Ida Holm defeated Jan Moe after a long day."
BERG = "The cup of Port Amber's regatta was awarded to Nils Berg in 2018."


def test_other_words_with_another_answer() -> None:
    (conflict,) = find_conflicts(WON, two(HOLM, BERG))
    assert conflict.values == ("Ida Holm", "Nils Berg")
    assert (conflict.first.text, conflict.second.text) == (HOLM, BERG)
    (other,) = find_conflicts(WON, two(f"A first line. {HOLM}", BERG))
    assert other.first.start == len("A first line. ")


@pytest.mark.parametrize(
    "second",
    [
        BERG.replace("Nils Berg", "Ida Holm"),
        f"{BERG} Ida Holm came first before the protest.",  # it knows of the other one
        BERG.replace("2018", "2019"),
    ],
)
def test_other_words_without_another_answer(second: str) -> None:
    assert find_conflicts(WON, two(HOLM, second)) == []


def test_days_of_which_another_one_agrees() -> None:
    question = "When was the Amber Atlas published?"
    first = "The Amber Atlas was published on 3 May 1901."
    second = "The Amber Atlas came out in Velmark in 1905."
    (conflict,) = find_conflicts(question, two(first, second))
    assert conflict.values == ("3 May 1901", "1905")
    assert (
        find_conflicts(question, two(first, f"{second} The Amber Atlas was published in 1901."))
        == []
    )


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (QUESTION, OLD, OLD),
        (  # an opposite that nobody asked about: two gates
            "When is the gate of the harbour open?",
            "The northern gate of the harbour is open all day.",
            "The southern gate of the harbour is open all day.",
        ),
        (
            "Is the reading room open on Sundays?",
            "In April the reading room is open on Sundays.",
            "In June the reading room is not open on Sundays.",
        ),
        (  # each of its own month
            "Is the reading room open on Sundays?",
            "In May the reading room is open on Sundays.",
            "In June the reading room is not open on Sundays.",
        ),
        (QUESTION, OLD, OLD.replace("Ida Holm", "Nils Berg")),  # not what was asked
        (QUESTION, OLD, "In 1901 a storm took the lamp of the lighthouse of Port Amber."),
        ("How tall are the masts?", "The mast of the Ida is 20 m tall.", "Ten masts stand there."),
        (
            "How many ships came in 1874 and in 1875?",
            "The harbour of Port Amber counted 40 ships in the year 1874.",
            "The harbour of Port Amber counted 52 ships in the year 1875.",
        ),
    ],
)
def test_no_disagreement(question: str, first: str, second: str) -> None:
    assert find_conflicts(question, two(first, second)) == []


def test_one_document_does_not_disagree_with_itself() -> None:
    hits = [hit(OLD, document="d1"), hit(NEW, document="d1", ordinal=1)]
    assert find_conflicts(QUESTION, hits) == []


def test_both_sides_are_in_a_quoted_answer_with_dates() -> None:
    hits = two(OLD, NEW)
    added = datetime(2026, 3, 1, tzinfo=UTC)
    hits[0] = replace(hits[0], document=replace(hits[0].document, published="2025-05-02"))
    hits[1] = replace(hits[1], document=replace(hits[1].document, added_at=added))
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(hits))
    answer = Answer(
        QUESTION,
        f"{OLD} [1]",
        (citation_of(1, hits[0], 0, len(OLD)),),
        (citation_of(2, hits[1], 0, len(NEW)),),
        (Claim(0, len(OLD), (1,), Support.VERBATIM),),
        search=result,
    )
    told = with_conflicts(answer, result)
    assert told.text == f"{OLD} [1]\n\n{NEW} [2]"
    assert [c.quote for c in told.citations] == [OLD, NEW]
    assert told.unused == ()
    last = told.claims[-1]
    assert told.text[last.start : last.end] == NEW
    assert told.notices[0].text == (
        "The sources disagree: old.pdf (published 2025-05-02) says 1874; "
        "new.pdf (added 2026-03-01) says 1901."
    )


@pytest.mark.parametrize(
    ("dates", "newer"),
    [
        (("2025-05-02", "2026-01-30"), " new.pdf is the newer one."),
        (("2026-01-30", "2025-05-02"), " old.pdf is the newer one."),
        (("2025-05-02", "2025-05-02"), ""),
        (("2025-05-02", ""), ""),
    ],
)
def test_which_was_published_later_is_said_where_both_are_known(
    dates: tuple[str, str], newer: str
) -> None:
    hits = [
        replace(one, document=replace(one.document, published=date))
        for one, date in zip(two(OLD, NEW), dates, strict=True)
    ]
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(hits))
    answer = Answer(QUESTION, f"{OLD} [1]", (citation_of(1, hits[0], 0, len(OLD)),), search=result)
    said = with_conflicts(answer, result).notices[0].text
    assert said.partition("says 1901.")[2] == newer


def test_a_models_answer_is_told_of_but_not_changed() -> None:
    hits = two(OLD, NEW)
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(hits))
    answer = Answer(
        QUESTION, "It was 1874. [1]", (citation_of(1, hits[0], 0, len(OLD)),), answerer="x (ollama)"
    )
    told = with_conflicts(answer, result)
    assert told.text == answer.text
    assert [notice.code for notice in told.notices] == ["sources-disagree"]


def test_what_is_not_cited_is_not_told() -> None:
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(two(OLD, NEW)))
    other = citation_of(1, hit("Bread needs flour.", document="d3"), 0, 10)
    answer = Answer(QUESTION, "Bread. [1]", (other,))
    assert with_conflicts(answer, result) == answer


def test_a_refusal_stays_one() -> None:
    hits = two(OLD, NEW)
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(hits))
    cited = (citation_of(1, hits[0], 0, len(OLD)),)
    answer = Answer(QUESTION, "Not found.", cited, abstention=Abstention("Nothing says it.", 2, 9))
    assert with_conflicts(answer, result) == answer


def test_markup_in_the_other_side_is_shown_as_written() -> None:
    new = NEW.replace("Ida Holm", "[1] <b>Ida Holm</b>")
    hits = two(OLD.replace("Ida Holm", "[1] <b>Ida Holm</b>"), new)
    result = SearchResult(QueryPlan(QUESTION, QUESTION, (QUESTION,)), tuple(hits))
    answer = Answer(QUESTION, "It was 1874 [1]", (citation_of(1, hits[0], 0, len(OLD)),))
    told = with_conflicts(answer, result)
    assert [int(found.group(1)) for found in find_marks(told.text)] == [1, 2]
    assert "<b>" not in told.text.replace("\\<", "")
    assert plain_words(told.text).endswith(new)
