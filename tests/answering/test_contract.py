"""One contract for whoever writes answers: the three providers, and quoting without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from core.answering.factory import make_answerer
from core.answering.port import Answerer
from core.config import Settings
from core.types import Answer, Message, Step, TextPiece
from tests.standins.providers import STANDINS, choice_for, settings_for
from tests.standins.scripts import Reply
from tests.support.asking import Asked, gathered, numbers_are_listed
from tests.support.hits import embedder, found, hit

QUESTION = "When was the tower built, and how high is it?"
HITS = [
    hit("Ada wrote it. The tower was built in 1889. It rained.", document="d1", start=100),
    hit("The tower is 330 metres high. Nobody knows why.", document="d2", label="b.pdf"),
    hit("The bridge was opened in 1932 by the queen.", document="d3", label="c.pdf"),
]


@pytest.fixture(params=["extractive", *sorted(STANDINS)])
def answerer(request: pytest.FixtureRequest) -> Iterator[Answerer]:
    if request.param == "extractive":
        yield make_answerer(None, Settings(), embedder())
        return
    with STANDINS[request.param](replies=[Reply("quote", times=None)]) as standin:
        yield make_answerer(choice_for(standin), settings_for(standin), embedder())


def asked(answerer: Answerer, **named: object) -> Asked:
    return gathered(answerer.answer(QUESTION, found(QUESTION, HITS), **named))


def test_events_end_with_exactly_one_answer(answerer: Answerer) -> None:
    events = list(answerer.answer(QUESTION, found(QUESTION, HITS)))
    assert [type(event) for event in events].count(Answer) == 1
    assert isinstance(events[-1], Answer)
    assert {type(event) for event in events[:-1]} <= {Step, TextPiece}


def test_what_was_shown_is_the_answer(answerer: Answerer) -> None:
    told = asked(answerer)
    assert told.shown == told.answer.text
    assert told.answer.question == QUESTION
    assert told.answer.complete
    assert told.answer.search is not None


def test_numbers_run_from_one_in_order_of_use(answerer: Answerer) -> None:
    answer = asked(answerer).answer
    assert numbers_are_listed(answer)
    assert answer.citations
    used = list(dict.fromkeys(re.findall(r"\[(\d+)\]", answer.text)))
    assert used == [str(n) for n in range(1, len(used) + 1)]


def test_a_citation_is_a_stretch_of_its_page(answerer: Answerer) -> None:
    pages = {hit.document.id: (hit.context_start, hit.context) for hit in HITS}
    answer = asked(answerer).answer
    for citation in (*answer.citations, *answer.unused):
        start, text = pages[citation.document_id]
        assert citation.quote == text[citation.start - start : citation.end - start]
        assert citation.quote
    for citation in answer.citations:
        assert citation.quote in ("The tower was built in 1889.", "The tower is 330 metres high.",
                                  "Ada wrote it. The tower was built in 1889.",
                                  "The bridge was opened in 1932 by the queen.")  # fmt: skip


def test_every_hit_is_listed_once(answerer: Answerer) -> None:
    answer = asked(answerer).answer
    listed = [citation.document_id for citation in (*answer.citations, *answer.unused)]
    assert sorted(listed) == ["d1", "d2", "d3"]


def test_no_hits_is_a_refusal(answerer: Answerer) -> None:
    told = gathered(answerer.answer(QUESTION, found(QUESTION, ()), searched=(4, 90)))
    assert told.answer.abstention
    assert told.answer.abstention.searched_documents == 4
    assert told.answer.abstention.searched_chunks == 90
    assert told.answer.citations == ()
    assert told.answer.text


def test_claims_are_stretches_of_the_text(answerer: Answerer) -> None:
    answer = asked(answerer).answer
    known = {citation.number for citation in (*answer.citations, *answer.unused)}
    assert answer.claims
    for claim in answer.claims:
        assert 0 <= claim.start < claim.end <= len(answer.text)
        assert set(claim.numbers) <= known


def test_a_history_is_taken(answerer: Answerer) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    history = [Message(1, "user", "Hello?", now), Message(2, "assistant", "Yes [1].", now)]
    assert asked(answerer, history=history).answer.text


def test_the_same_passage_twice_is_one_source(answerer: Answerer) -> None:
    twice = [HITS[0], HITS[0], HITS[1]]
    answer = gathered(answerer.answer(QUESTION, found(QUESTION, twice))).answer
    listed = [citation.chunk_id for citation in (*answer.citations, *answer.unused)]
    assert len(listed) == len(set(listed))
