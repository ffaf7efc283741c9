"""Votes move answers of collected pairs as far as they are weighed, and no other document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.retrieval.ranking import Ranking, weigh_votes
from core.retrieval.votes import by_votes, votes_of
from core.types import Hit, SearchOptions
from scraper.qa_pairs import Pair, Post, attribution
from tests.support.hits import hit


def answered(name: str, score: int | None, author: str = "B") -> Hit:
    question = Post("1", "Why?", score=900, author="A", date="2016-08-02")
    pair = Pair("T", question, Post("2", "So.", score=score, author=author, date="2016-08-03"))
    one = hit(f"Answer {name}.", document=name)
    said = replace(one.document, source="stack-exchange-x", attribution=attribution(pair))
    return replace(one, document=said)


def names(hits: list[Hit]) -> list[str]:
    return [one.document.id for one in hits]


@pytest.mark.parametrize(
    ("score", "author", "votes"),
    [
        (12, "B", 12),
        (-3, "B", -3),
        (None, "B", None),
        (7, "B (score 99)", 7),
        (None, "B (score 99)", None),
    ],
)
def test_the_votes_are_those_of_the_answer(
    score: int | None, author: str, votes: int | None
) -> None:
    assert votes_of(answered("d", score, author).document.attribution) == votes


def test_many_votes_move_an_answer_up_as_far_as_they_are_weighed() -> None:
    hits = [answered("few", 1), answered("some", 3), answered("many", 200)]
    assert names(by_votes(hits, 0.0)) == ["few", "some", "many"]
    assert names(by_votes(hits, 0.4)) == ["few", "many", "some"]
    assert names(by_votes(hits, 0.9)) == ["many", "some", "few"]


def test_votes_count_by_their_logarithm_and_below_zero_as_none() -> None:
    first, second = answered("b", 30), answered("c", 100)
    assert names(by_votes([answered("a", 0), first, second], 0.5)) == ["b", "a", "c"]
    assert names(by_votes([answered("a", 0), answered("d", -9), first], 0.4)) == ["a", "b", "d"]


def test_other_documents_stand_in_the_middle() -> None:
    other = replace(hit("A page.", document="page"))
    hits = [answered("none", 0), other, answered("many", 200)]
    assert names(by_votes(hits, 1.0)) == ["many", "page", "none"]
    claims = replace(
        other, document=replace(other.document, attribution="answer by X (score 9999)")
    )
    assert names(by_votes([answered("many", 200), claims], 1.0)) == ["many", "page"]


def test_votes_are_weighed_among_the_first_only_and_the_step_is_told() -> None:
    ranking = Ranking((answered("few", 1), answered("many", 200), answered("most", 5000)))
    assert weigh_votes(ranking, SearchOptions()) == ranking
    weighed = weigh_votes(ranking, SearchOptions(votes=1.0, fetch_k=2))
    assert names(list(weighed.hits)) == ["many", "few", "most"]
    assert [step.name for step in weighed.steps] == ["votes"]
    plain = Ranking((hit("A page.", document="page"),))
    assert weigh_votes(plain, SearchOptions(votes=1.0)) == plain
