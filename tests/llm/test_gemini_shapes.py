"""What Gemini answers besides text: each has its own message, and none is a traceback."""

from __future__ import annotations

import pytest

from tests.standins.gemini import GeminiStandin
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, Asked, ask

pytestmark = pytest.mark.G14

SHAPES = {
    "no candidates": (Reply("overflow-empty"), "empty answer"),
    "the prompt is blocked": (Reply("safety-prompt"), "safety rules blocked the question"),
    "the answer is blocked": (Reply("safety-answer"), "blocked the answer by its safety rules"),
    "missing text": (Reply("no-text"), "rules on quoting others"),
    "a key that is not valid": (Reply("bad-key"), "refused the key"),
    "the quota": (Reply("quota", retry_after="34"), "Wait 34 seconds"),
    "overloaded": (Reply("busy", retry_after="60"), "overloaded"),
    "a model that has gone": (Reply("missing"), "does not have the model"),
    "a prompt too long": (Reply("overflow-error", times=None), "longer than the model's context"),
}


def asked(reply: Reply) -> Asked:
    with GeminiStandin() as standin:
        return ask(standin, reply)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_each_has_its_own_message(shape: str) -> None:
    reply, message = SHAPES[shape]
    told = asked(reply)
    assert message in told.told
    assert "NoneType" not in told.told
    assert told.answer.answerer == "extractive"
    assert told.answer.notices[0].cure


def test_messages_differ() -> None:
    messages = [message for _, message in SHAPES.values()]
    assert len(set(messages)) == len(messages)


def test_max_tokens() -> None:
    told = asked(Reply("length", text=ANSWER))
    assert told.answer.text == GIVEN
    assert "cut at the limit" in told.told
