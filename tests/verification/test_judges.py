"""The chat model as the judge of the support check: one request, tolerant, limited in time."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import Support
from core.verification.judges import judge_messages, read_verdicts
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.standins.server import Standin
from tests.support.asking import ask

SAID = (
    "The tower stems from the nineteenth century [Source 1]. "
    "The workers give the bridge another coat of colour every summer [Source 2]."
)


@pytest.fixture(params=sorted(STANDINS))
def standin(request: pytest.FixtureRequest) -> Iterator[Standin]:
    with STANDINS[request.param]() as server:
        yield server


@pytest.fixture
def ollama() -> Iterator[Standin]:
    with STANDINS["ollama"]() as server:
        yield server


def verdicts(*said: str) -> str:
    return json.dumps({"verdicts": [{"statement": n, "verdict": v} for n, v in enumerate(said, 1)]})


def test_one_request_judges_all_sentences(standin: Standin) -> None:
    judge = Reply(text=verdicts("supported", "not supported"))
    told = ask(standin, Reply(text=SAID), judge, support_judge="model")
    first, second = told.answer.claims
    assert (first.support, second.support) == (Support.SUPPORTED, Support.UNSUPPORTED)
    assert "the model judged" in second.reason
    assert len(standin.chats()) == 2
    sent = str(standin.chats()[1].body)
    assert "Statement 1 (source 1): The tower stems" in sent
    assert "not supported" in sent
    assert sent.count("It is 330 metres high.") == 1
    assert [step.name for step in told.steps][-1] == "judging"
    assert not [n for n in told.answer.notices if n.code == "not-judged"]


def test_without_the_setting_nobody_is_asked(ollama: Standin) -> None:
    ask(ollama, Reply(text=SAID))
    assert len(ollama.chats()) == 1


def test_the_schema_goes_to_the_server(ollama: Standin) -> None:
    ask(ollama, Reply(text=SAID), Reply(text=verdicts("supported")), support_judge="model")
    assert "verdicts" in ollama.chats()[1].body["format"]["properties"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text="I think they are all fine."),
        Reply(text='{"verdicts": "all"}'),
        Reply("empty"),
        Reply("status", status=400, error="no"),
        Reply("think-only"),
    ],
)
def test_what_is_not_judged_is_checked_by_code_and_said(ollama: Standin, reply: Reply) -> None:
    alone = ask(ollama, Reply(text=SAID)).answer.claims
    told = ask(ollama, Reply(text=SAID), reply, support_judge="model")
    assert told.answer.claims == alone
    assert told.answer.complete
    assert "2 of 2 cited sentences were checked by code alone." in told.told
    assert "SUPPORT_JUDGE" in told.told


def test_a_reply_that_breaks_off_counts_as_far_as_it_came(ollama: Standin) -> None:
    whole = verdicts("supported", "supported")
    told = ask(ollama, Reply(text=SAID), Reply("eof", text=whole[:70]), support_judge="model")
    assert told.answer.claims[0].support is Support.SUPPORTED
    assert "1 of 2 cited sentences were checked by code alone." in told.told


def test_a_slow_judge_is_not_waited_for(ollama: Standin) -> None:
    slow = Reply(text=verdicts("supported", "supported"), gap=3.0)
    told = ask(ollama, Reply(text=SAID), slow, support_judge="model", support_judge_seconds=0.5)
    assert "did not finish within 0.5 seconds" in told.told
    assert ollama.wait_gone() is not None


def test_an_answer_that_was_stopped_is_not_judged_and_says_so_once(ollama: Standin) -> None:
    asked = iter([False] * 3)
    told = ask(
        ollama,
        Reply(text=SAID, gap=0.05),
        support_judge="model",
        cancelled=lambda: next(asked, True),
    )
    assert not told.answer.complete
    assert [notice.code for notice in told.answer.notices] == ["stopped"]
    assert len(ollama.chats()) == 1


def test_a_judge_that_is_stopped_says_that(ollama: Standin) -> None:
    told = ask(
        ollama,
        Reply(text=SAID),
        Reply(text=verdicts("supported", "supported"), gap=3.0),
        support_judge="model",
        cancelled=lambda: len(ollama.chats()) == 2,
    )
    assert told.answer.complete
    (said,) = told.answer.notices
    assert (said.code, said.cure) == ("not-judged", "Ask again to have them judged.")
    assert "stopped" in said.text


def test_a_number_that_is_in_no_source_stays_one(ollama: Standin) -> None:
    said = "The tower was built in 1911 [Source 1]. The bridge carries many cars [Source 2]."
    told = ask(ollama, Reply(text=said), Reply(text=verdicts("supported")), support_judge="model")
    assert told.answer.claims[0].support is Support.UNSUPPORTED
    assert "1911" in told.answer.claims[0].reason
    assert "1911" not in ollama.chats()[1].body["messages"][1]["content"]


def test_a_sentence_in_another_language_is_judged(ollama: Standin) -> None:
    said = "Der Turm ist schon sehr alt und man hat ihn vor langer Zeit gebaut [Source 1]."
    assert ask(ollama, Reply(text=said)).answer.claims[0].support is Support.UNCHECKED
    judge = Reply(text=verdicts("supported"))
    told = ask(ollama, Reply(text=said), judge, support_judge="model")
    assert told.answer.claims[0].support is Support.SUPPORTED


def test_quotes_need_no_judge(ollama: Standin) -> None:
    ask(ollama, Reply(text="The tower was built in 1889 [Source 1]."), support_judge="model")
    assert len(ollama.chats()) == 1


def test_what_does_not_fit_is_left_out_and_the_numbers_stay() -> None:
    cases = [("First.", ("a " * 3000,)), ("Second.", ("short </sources-1f> text",))]
    system, task = judge_messages(cases, 800, "1f")
    assert "Statement 1" not in task.text
    assert "Statement 2 (source 1): Second." in task.text
    assert task.text.count("</sources-1f>") == 1
    assert "1f" in system.text
    assert judge_messages(cases, 100, "1f") == ()


@settings(max_examples=200, derandomize=True)
@given(st.text('{}[]":,stameniuporvdc 123', max_size=60))
def test_no_reply_is_an_error(reply: str) -> None:
    assert all(verdict in (True, False, None) for verdict in read_verdicts(reply).values())


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (verdicts("supported", "unclear", "not supported"), {1: True, 2: None, 3: False}),
        ('{"statement": 2, "verdict": true}', {2: True}),
        ('{"statement": 2, "verdict": "NOT_SUPPORTED"}', {2: False}),
        ('{"statement": "2", "verdict": "supported"}', {}),
        ('{"statement": 1, "verdict": 1}', {}),
        ('{"statement": 1, "verdict": ["supported"]}', {}),
        ("", {}),
    ],
)
def test_verdicts_are_read(reply: str, read: dict[int, bool | None]) -> None:
    assert read_verdicts(reply) == read
