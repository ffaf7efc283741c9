"""Tree summarisation: notes on all passages, then one answer that cites passages."""

from __future__ import annotations

import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.generative.answerer import GenerativeAnswerer
from core.answering.generative.prompts import NOT_FOUND, PRESETS
from core.llm.providers import make_chat_model
from core.types import Hit, Step
from core.types.steps import Condensed
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import choice_for, settings_for
from tests.standins.scripts import Reply, sources_in
from tests.support.asking import Asked, gathered, numbers_are_listed
from tests.support.hits import embedder, found, hit

QUESTION = "Which facts are green?"


def facts(count: int = 12) -> list[Hit]:
    return [
        hit(f"Fact {n} is green. " + "Words go on here. " * 60, ordinal=n) for n in range(count)
    ]


def asked(standin: OllamaStandin, context: int = 2_600, count: int = 12) -> Asked:
    standin.context_length = context
    settings = settings_for(standin)
    model = make_chat_model(choice_for(standin), settings)
    answerer = GenerativeAnswerer(
        model, embedder(), ExtractiveAnswerer(embedder()), settings, prompt=PRESETS["python-docs"]
    )
    return gathered(answerer.answer(QUESTION, found(QUESTION, facts(count))))


def test_all_passages_are_read_and_cited_by_their_own_numbers() -> None:
    last = Reply(text="Facts 0 and 11 are green [Source 1][Source 12].")
    with OllamaStandin() as standin:
        standin.queue(*[Reply(text=f"Fact is green [Source {n}].") for n in range(1, 7)], last)
        told = asked(standin)
        prompts = [chat.body["messages"][-1]["content"] for chat in standin.chats()]
    read = [number for prompt in prompts[:-1] for number in sources_in(prompt)]
    assert read == list(range(1, 13)), "every passage once, in order, with a number of its own"
    assert "Fact is green [Source 1]." in prompts[-1]
    assert told.answer.citations
    assert numbers_are_listed(told.answer)
    assert "fitted" not in told.told
    assert sum(step.name == "condensed" for step in told.steps) == len(prompts) - 1


def test_what_fits_is_asked_at_once() -> None:
    with OllamaStandin(replies=[Reply(text="Fact 3 is green [Source 4].")]) as standin:
        told = asked(standin, context=32_000)
        assert len(standin.chats()) <= 4
    assert told.answer.citations[0].chunk_id == "d1:3"


def test_nothing_helps() -> None:
    with OllamaStandin(replies=[Reply(text=NOT_FOUND)]) as standin:
        told = asked(standin)
    assert told.answer.abstention
    assert told.answer.citations == ()


def test_notes_that_are_too_long_are_joined_in_turn() -> None:
    ways = [f"It is as green as number {n * 7919 % 1000} of the list. " for n in range(45)]
    long = Reply(text="Fact [Source 1] is green. " + "".join(ways))
    last = Reply(text="Fact 1 is green [Source 1].")
    with OllamaStandin() as standin:
        standin.queue(*[long] * 5, *[last] * 6)
        told = asked(standin, count=24)
    assert any(step.detail == Condensed() for step in told.steps if isinstance(step, Step))
    assert numbers_are_listed(told.answer)


@pytest.mark.parametrize("mode", ["missing", "hang-first"])
def test_a_failure_in_a_part_is_a_failure(mode: str) -> None:
    with OllamaStandin(replies=[Reply(mode)]) as standin:
        settings = settings_for(standin, first_token_seconds=0.4)
        standin.context_length = 2_600
        model = make_chat_model(choice_for(standin), settings)
        answerer = GenerativeAnswerer(
            model, embedder(), ExtractiveAnswerer(embedder()), settings,
            prompt=PRESETS["python-docs"],
        )  # fmt: skip
        told = gathered(answerer.answer(QUESTION, found(QUESTION, facts())))
    assert told.answer.answerer == "extractive"
    assert told.answer.notices[0].cure
