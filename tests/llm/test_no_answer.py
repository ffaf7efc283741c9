"""Nothing, white space, only a thought, a refusal in a field of its own."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, ask

pytestmark = pytest.mark.G09


@pytest.mark.parametrize("mode", ["empty", "whitespace", "think-only"])
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_no_text(provider: str, mode: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(mode))
    assert "The model returned" in asked.told
    assert "Retry" in asked.told
    assert asked.answer.answerer == "extractive", "it is not kept as the model's answer"
    assert "<think>" not in asked.answer.text + asked.shown


def test_a_refusal_in_its_own_field() -> None:
    with STANDINS["openai"]() as standin:
        asked = ask(standin, Reply("refusal"))
    assert "The model returned no answer" in asked.told


def test_nothing_but_marks() -> None:
    with STANDINS["ollama"]() as standin:
        asked = ask(standin, Reply(text="[Source 99] [Source 98]"))
    assert "nothing but marks" in asked.told
    assert asked.answer.answerer == "extractive"


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_a_thought_that_the_template_opened(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("unopened-thought", text=ANSWER))
    assert asked.answer.text == asked.shown == GIVEN
    assert asked.answer.complete
    assert "were the model's thinking" in asked.told


def test_such_a_thought_and_no_answer() -> None:
    with STANDINS["openai"]() as standin:
        asked = ask(standin, Reply("unopened-thought", text=" "))
    assert "thoughts, but no answer" in asked.told
    assert asked.answer.answerer == "extractive"
    assert "Hm" not in asked.shown


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_a_thought_before_an_answer(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("thinking", text=ANSWER))
    assert asked.answer.text == asked.shown == GIVEN
