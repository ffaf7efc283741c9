"""A question that the documents do not answer: said so, with no citation."""

from __future__ import annotations

import pytest

from core.answering.generative.prompts import NOT_FOUND
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.G16

SAYINGS = [
    NOT_FOUND,
    f"**{NOT_FOUND}**",
    f"{NOT_FOUND}.\n\nThe sources speak of towers and bridges only.",
    f' "{NOT_FOUND.lower()}"',
]


@pytest.mark.parametrize("saying", SAYINGS)
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_the_model_says_so(provider: str, saying: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(text=saying), question="Who won the cup in 2022?")
    assert asked.answer.abstention
    assert asked.answer.abstention.searched_documents == 2
    assert asked.answer.citations == ()
    assert asked.answer.unused, "the nearest passages, for a look"
    assert NOT_FOUND not in asked.shown + asked.answer.text


def test_an_answer_out_of_memory_is_marked() -> None:
    with STANDINS["ollama"]() as standin:
        asked = ask(standin, Reply(text="Argentina won the cup."), question="Who won the cup?")
    assert asked.answer.citations == ()
    assert "no source supports" in asked.told.lower()
