"""Number n leads to the passage that the model knew as its source, whatever their number,
order, repetition, or what of them did not fit."""

from __future__ import annotations

import random
import re

import pytest

from core.types import Hit
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ask, numbers_are_listed
from tests.support.hits import hit

pytestmark = pytest.mark.D09

WORDS = "amber birch cedar delta ember flint grove heath ivory jade".split()


def hits_of(count: int) -> list[Hit]:
    """Passages that each hold a word of their own."""
    return [
        hit(f"Room {n} is painted {WORDS[n]}. It has a door.", document=f"d{n}", label=f"{n}.pdf")
        for n in range(count)
    ]


def saying(order: list[int]) -> str:
    """What a model says that cites each source by its number in the prompt."""
    return " ".join(f"One is painted {WORDS[n]} [Source {n + 1}]." for n in order)


@pytest.mark.parametrize("provider", sorted(STANDINS))
@pytest.mark.parametrize("count", [1, 2, 10])
def test_each_number_leads_to_its_word(provider: str, count: int) -> None:
    order = list(range(count))
    random.Random(count).shuffle(order)
    with STANDINS[provider]() as standin:
        answer = ask(standin, Reply(text=saying(order)), hits=hits_of(count)).answer
    assert numbers_are_listed(answer)
    for word, number in re.findall(r"painted (\w+) \[(\d+)\]", answer.text):
        citation = answer.citations[int(number) - 1]
        assert citation.number == int(number)
        assert word in citation.quote
        assert citation.label == f"{WORDS.index(word)}.pdf"


def test_after_a_passage_that_came_twice() -> None:
    hits = hits_of(3)
    with OllamaStandin() as standin:
        reply = Reply(text=saying([2, 0]))
        answer = ask(standin, reply, hits=[hits[0], hits[0], hits[1], hits[1], hits[2]]).answer
    assert [citation.label for citation in answer.citations] == ["2.pdf", "0.pdf"]


def test_after_a_passage_that_did_not_fit() -> None:
    long = hit("Room 9 is painted red. " + "Many words follow. " * 900, document="long")
    hits = hits_of(3)
    with OllamaStandin() as standin:
        standin.context_length = 2_048
        reply = Reply(text=saying([1]))
        asked = ask(standin, reply, hits=[hits[0], long, hits[1], hits[2]])
    assert "3 of 4 passages fitted" in asked.told
    assert [citation.label for citation in asked.answer.citations] == ["1.pdf"]


def test_after_a_document_was_removed() -> None:
    with OllamaStandin() as standin:
        before = ask(standin, Reply(text=saying([0, 1, 2])), hits=hits_of(3)).answer
        after = ask(standin, Reply(text=saying([0, 1])), hits=hits_of(3)[:2]).answer
    assert [citation.label for citation in before.citations] == ["0.pdf", "1.pdf", "2.pdf"]
    assert [citation.label for citation in after.citations] == ["0.pdf", "1.pdf"]
