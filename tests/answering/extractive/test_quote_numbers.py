"""The label [n] of a quote leads to the passage n, also after repeats and deletions."""

from __future__ import annotations

import re

import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.citations.stream import CitationStream
from core.types import Answer, Hit
from tests.support.hits import embedder, found, hit

pytestmark = pytest.mark.D09

TOKENS = [
    "zircon",
    "walnut",
    "violin",
    "turtle",
    "saddle",
    "rocket",
    "quartz",
    "pepper",
    "onion",
    "marble",
]


def passages(tokens: list[str]) -> list[Hit]:
    return [
        hit(
            f"The warehouse keeps its {token} in hall {at + 20}. It is dry there.",
            label=f"{token}.txt", document=token, ordinal=at, page=None, score=0.9 - at / 50,
        )
        for at, token in enumerate(tokens)
    ]  # fmt: skip


def ask(token: str, hits: list[Hit]) -> Answer:
    question = f"In which hall does the warehouse keep its {token}?"
    answer = list(ExtractiveAnswerer(embedder()).answer(question, found(question, hits)))[-1]
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize("count", [1, 10])
def test_each_label_leads_to_its_passage(count: int) -> None:
    hits = passages(TOKENS[:count])
    for token in TOKENS[:count:3]:
        answer = ask(token, hits)
        assert answer.citations[0].label == f"{token}.txt"
        for claim in answer.claims:
            said = answer.text[claim.start : claim.end]
            (number,) = claim.numbers
            mark = re.match(r" \[(\d+)\]", answer.text[claim.end :])
            assert mark
            assert int(mark.group(1)) == number
            assert said in answer.citations[number - 1].passage


def test_also_when_a_passage_was_found_twice() -> None:
    hits = passages(TOKENS)
    answer = ask("violin", [hits[0], hits[2], hits[2], hits[1]])
    assert answer.citations[0].label == "violin.txt"
    labels = [c.label for c in (*answer.citations, *answer.unused)]
    assert len(labels) == len(set(labels)) == 3


def test_also_after_a_document_was_deleted() -> None:
    left = [one for one in passages(TOKENS) if one.chunk.document_id != "walnut"]
    answer = ask("turtle", left)
    assert answer.citations[0].label == "turtle.txt"
    assert "walnut" not in answer.text


@pytest.mark.parametrize("count", [1, 10])
def test_the_marks_of_a_model_are_mapped_to_their_sources(count: int) -> None:
    stream = CitationStream.of(count)
    order = [7, 3, 3, 10, 1, 7, 2]
    text = " ".join(f"{TOKENS[n - 1]} [Source {n}]" for n in order)
    written = "".join(stream.feed(ch) for ch in text) + stream.finish()
    for token, number in re.findall(r"(\w+) \[(\d+)\]", written):
        assert TOKENS[stream.cited[int(number) - 1] - 1] == token
    assert len(stream.cited) == len({n for n in order if n <= count})
