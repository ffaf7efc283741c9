"""More passages than the context holds. We trim and say so; a server that cuts is caught."""

from __future__ import annotations

import pytest

from core.text.token_estimate import estimate
from tests.standins.ollama import OllamaStandin
from tests.standins.openai_server import OpenAIStandin
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, ask
from tests.support.hits import hit

pytestmark = pytest.mark.G08

NINE = [
    hit(f"Passage {n}. The tower was built in 1889. " + "More words follow here. " * 60, ordinal=n)
    for n in range(9)
]


def test_trimmed_by_us() -> None:
    with OllamaStandin() as standin:
        standin.context_length = 4096
        asked = ask(standin, Reply(text=ANSWER), hits=NINE)
        body = standin.chats()[0].body
    given = asked.answer.usage.passages_given if asked.answer.usage else 0
    assert 0 < given < 9
    assert f"{given} of 9 passages fitted" in asked.told
    prompt = sum(estimate(message["content"]) for message in body["messages"])
    assert body["options"]["num_ctx"] == 4096
    assert prompt + body["options"]["num_predict"] < 4096
    assert len(asked.answer.unused) == 8, "what did not fit is listed as found"


def test_cut_by_the_server_in_silence() -> None:
    long = [hit("The tower was built in 1889. " + "Some words more. " * 400, ordinal=n)
            for n in range(5)]  # fmt: skip
    with OllamaStandin() as standin:
        standin.context_length = 32_768
        reply = Reply(text=ANSWER, prompt_tokens=2_050)
        asked = ask(standin, reply, hits=long, context_tokens=32_768)
    notice = next(n for n in asked.answer.notices if n.code == "prompt-cut")
    assert "read only 2,050 of about" in notice.text
    assert notice.level == "error"


@pytest.mark.parametrize(
    ("read", "allocated", "code"), [(50, None, "prompt-cut"), (None, 1_024, "prompt-may-be-cut")]
)
def test_no_two_cures_that_are_opposite(read: int | None, allocated: int | None, code: str) -> None:
    with OllamaStandin() as standin:
        standin.context_length = 4096
        standin.allocated = allocated
        asked = ask(standin, Reply(text=ANSWER, prompt_tokens=read), hits=NINE)
    assert [notice.code for notice in asked.answer.notices] == [code, "passages-left-out"]
    assert "lower CONTEXT_TOKENS" in asked.told
    assert "Raise CONTEXT_TOKENS" not in asked.told
    assert asked.answer.usage
    assert asked.answer.usage.passages_given < asked.answer.usage.passages_found


def test_no_false_alarm() -> None:
    with OllamaStandin() as standin:
        asked = ask(standin, Reply(text=ANSWER), hits=NINE)
    assert "prompt-cut" not in asked.told


def test_the_window_that_was_really_given_is_shown() -> None:
    with OllamaStandin() as standin:
        standin.allocated = 2_048
        asked = ask(standin, Reply(text=ANSWER))
    assert asked.answer.usage
    assert asked.answer.usage.context_length == 2_048


def test_a_server_that_refuses_gets_less() -> None:
    with OpenAIStandin(says_length=False) as standin:
        replies = Reply("overflow-error"), Reply(text=ANSWER)
        asked = ask(standin, *replies, hits=NINE, context_tokens=8_192)
        first, second = (len(str(chat.body)) for chat in standin.chats())
    assert second < first
    assert "passages fitted" in asked.told
    assert asked.answer.complete


def test_a_server_that_refuses_all() -> None:
    with OpenAIStandin(says_length=False) as standin:
        asked = ask(standin, Reply("overflow-error", times=None), context_tokens=32_768)
    assert asked.answer.answerer == "extractive"
    assert "longer than the model's context" in asked.told
