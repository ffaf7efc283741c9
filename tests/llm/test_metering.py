"""What a question takes of models is counted by stage, also where a stream fails or is ended."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from core.config import Settings
from core.errors import ModelError, ModelUnavailable
from core.llm.choice import planning_choice
from core.llm.metering import Meter
from core.llm.port import ChatEnd, ChatMessage, ChatStream, complete
from core.service import Service
from core.types import Answer, AskRequest, Level, ModelChoice, QueryOptions
from core.ui.chat.language_model import spent_line
from tests.conftest import settings_in, settled
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply

ASKED = (ChatMessage("user", "What is the price of tea?"),)


class Counted:
    """A model that says "Five euros." and counts what the test tells it."""

    provider, name, context_length = "ollama", "m", 4096

    def __init__(self, end: ChatEnd | None) -> None:
        self.end = end

    def stream(self, messages: object, **_: object) -> ChatStream:
        def pieces() -> Generator[str, None, ChatEnd]:
            yield "Five "
            yield "euros."
            if self.end is None:
                raise ModelUnavailable("It broke.", "")
            return self.end

        return ChatStream(pieces())

    def models(self) -> list[object]:
        return []

    def preload(self) -> None:
        pass


def test_requests_of_a_stage_are_summed_and_priced() -> None:
    meter = Meter({"m": (2.0, 10.0)})
    counted: Any = Counted(ChatEnd(prompt_tokens=100, answer_tokens=20))
    for stage in ("planning", "answering", "planning"):
        assert complete(meter.of(counted, stage), ASKED, max_tokens=9) == "Five euros."
    planning, answering = meter.spent()
    assert (planning.stage, planning.requests) == ("planning", 2)
    assert (planning.prompt_tokens, planning.answer_tokens) == (200, 40)
    assert planning.cost == pytest.approx(200 * 2e-6 + 40 * 10e-6)
    assert (answering.requests, answering.estimated) == (1, False)
    assert "$0.0012" in spent_line(meter.spent())


@pytest.mark.parametrize("end", [None, ChatEnd()])
def test_what_a_server_does_not_count_is_estimated(end: ChatEnd | None) -> None:
    meter = Meter()
    counted: Any = Counted(end)
    model = meter.of(counted, "answering")
    try:
        complete(model, ASKED, max_tokens=9)
    except ModelError:
        assert end is None
    (spent,) = meter.spent()
    assert spent.estimated
    assert spent.prompt_tokens > 3
    assert spent.answer_tokens > 1
    assert spent.cost is None
    assert "about" in spent_line(meter.spent())
    assert "$" not in spent_line(meter.spent())


def test_a_stream_that_is_closed_counts_once() -> None:
    meter = Meter()
    counted: Any = Counted(ChatEnd())
    model = meter.of(counted, "answering")
    with model.stream(ASKED, max_tokens=9) as stream:
        next(stream)
    assert [one.requests for one in meter.spent()] == [1]


def test_which_model_plans() -> None:
    key: Any = "key"
    answering = ModelChoice("openai", "big", key)
    assert planning_choice(Settings(), answering) == answering
    assert planning_choice(Settings(planning_model="small"), None) is None
    assert planning_choice(Settings(planning_model="small"), ModelChoice()) == ModelChoice()
    same = planning_choice(Settings(planning_model="meta/small"), answering)
    assert same == ModelChoice("openai", "meta/small", answering.key)
    assert same is not None
    assert same.key == "key"
    other = planning_choice(Settings(planning_model="gemini/flash"), answering)
    assert other is not None
    assert other == ModelChoice("gemini", "flash")
    assert other.key is None  # keys are not compared above


def test_a_cheaper_model_plans_and_the_answer_says_what_both_took(tmp_path: Path) -> None:
    aim = '{"goal": "height of the Amber lighthouse", "queries": ["height of the lighthouse"]}'
    replies = [Reply(text=aim), Reply(text="It is 40 metres high [Source 1].")]
    with OllamaStandin(replies=replies) as standin:
        standin.models = ["big:latest", "small:latest"]
        settings = settings_in(
            tmp_path, ollama_url=standin.url, planning_model="small:latest",
            model_prices="big:latest=2/10",
        )  # fmt: skip
        service = Service(settings)
        try:
            session = service.sessions.create(service.owners.for_token("somebody"), "Test")
            service.documents.add_file(session, "a.txt", b"The Amber lighthouse is 40 metres high.")
            settled(service, session)
            asked = AskRequest(
                session, "How high is it?", options=QueryOptions(level=Level.SEVERAL),
                model=ModelChoice("ollama", "big:latest"),
            )  # fmt: skip
            answer = list(service.ask(asked))[-1]
        finally:
            service.close()
        models = [one.body["model"] for one in standin.requests if one.path == "/api/chat"]
    assert models == ["small:latest", "big:latest"]
    assert isinstance(answer, Answer)
    planning, answering = answer.spent
    assert (planning.stage, planning.model, planning.cost) == ("planning", "small:latest", None)
    assert (answering.stage, answering.model) == ("answering", "big:latest")
    assert answering.cost is not None
    assert answering.cost > 0
    assert "at least" in spent_line(answer.spent)
