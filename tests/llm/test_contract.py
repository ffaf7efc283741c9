"""One contract for the three providers, over real HTTP on loopback."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from core.errors import (
    AnswerBlocked,
    AppError,
    BadKey,
    ContextTooLong,
    EmptyAnswer,
    ModelBusy,
    ModelFailed,
    ModelMissing,
    ModelTimeout,
    ModelUnreachable,
    QuotaExceeded,
    StreamInterrupted,
)
from core.llm.choice import check_provider
from core.llm.port import ChatEnd, ChatMessage, ChatModel, complete
from core.llm.providers import list_models, make_chat_model
from core.types import ModelChoice
from tests.standins.providers import KEY, STANDINS, choice_for, settings_for
from tests.standins.scripts import Reply
from tests.standins.server import Standin

TEXT = "Grüße: 数字 42 [Source 1]."
ASKED = [
    ChatMessage("system", "Answer."),
    ChatMessage("user", "What {is} it?"),
    ChatMessage("assistant", "A number."),
    ChatMessage("user", "Which?"),
]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.llm.stream._WAITS", (0.02, 0.05))


@pytest.fixture(params=sorted(STANDINS))
def standin(request: pytest.FixtureRequest) -> Iterator[Standin]:
    with STANDINS[request.param]() as server:
        yield server


def model_of(standin: Standin, **settings: object) -> ChatModel:
    return make_chat_model(choice_for(standin), settings_for(standin, **settings))


def told(standin: Standin, *replies: Reply, **settings: object) -> tuple[str, ChatEnd | AppError]:
    """What a model said before it ended, and how it ended."""
    standin.queue(*replies)
    model = model_of(standin, **settings)
    pieces = []
    with model.stream(ASKED, max_tokens=200) as stream:
        try:
            for piece in stream:
                pieces.append(piece)
        except AppError as error:
            return "".join(pieces), error
        assert stream.end is not None
        return "".join(pieces), stream.end


def test_an_answer_comes_whole_in_pieces_with_its_usage(standin: Standin) -> None:
    text, end = told(standin, Reply(text=TEXT, prompt_tokens=77))
    assert text == TEXT
    assert isinstance(end, ChatEnd)
    assert (end.finish, end.prompt_tokens) == ("stop", 77)
    assert end.answer_tokens


def test_pieces_are_given_as_they_come(standin: Standin) -> None:
    standin.queue(Reply(text="one two three four", gap=0.15))
    times = []
    for _ in model_of(standin).stream(ASKED, max_tokens=50):
        times.append(time.monotonic())
    assert times[-1] - times[0] > 0.4


def test_messages_arrive_in_order_and_word_for_word(standin: Standin) -> None:
    told(standin, Reply())
    sent = str(standin.chats()[-1].body)
    places = [sent.index(message.text) for message in ASKED]
    assert places == sorted(places) or standin.provider == "gemini"  # it has a field for "system"


def test_several_objects_and_characters_split_over_segments(standin: Standin) -> None:
    assert told(standin, Reply("split", text=TEXT))[0] == TEXT


@pytest.mark.parametrize("mode", ["empty", "whitespace", "think-only"])
def test_no_answer_is_an_error(standin: Standin, mode: str) -> None:
    text, error = told(standin, Reply(mode))
    assert text == ""
    assert isinstance(error, EmptyAnswer)
    assert error.cure
    assert len(standin.chats()) == 1


def test_a_thought_before_the_answer_is_left_out(standin: Standin) -> None:
    assert told(standin, Reply("thinking", text=TEXT))[0] == TEXT


def test_the_limit_of_tokens_is_told(standin: Standin) -> None:
    text, end = told(standin, Reply("length", text=TEXT))
    assert text == TEXT
    assert isinstance(end, ChatEnd)
    assert end.finish == "length"


def test_a_limit_reached_before_the_answer_says_so(standin: Standin) -> None:
    finish = {"gemini": "MAX_TOKENS"}.get(standin.provider, "length")
    _, error = told(standin, Reply("think-only", finish=finish))
    assert isinstance(error, EmptyAnswer)
    assert "ANSWER_TOKENS" in error.cure


@pytest.mark.parametrize("mode", ["repeat", "giant"])
def test_a_flood_is_stopped_and_hung_up_on(standin: Standin, mode: str) -> None:
    text, end = told(standin, Reply(mode))
    assert isinstance(end, ChatEnd)
    assert end.finish == {"repeat": "repetition", "giant": "too long"}[mode]
    assert len(text) < 5_000
    if mode == "repeat":
        assert standin.wait_gone() is not None


@pytest.mark.parametrize("mode", ["eof", "rst", "cut-chunk", "hang-middle", "error-in-stream"])
def test_a_broken_stream_keeps_its_text_and_is_interrupted(standin: Standin, mode: str) -> None:
    text, error = told(standin, Reply(mode, text=TEXT), between_tokens_seconds=1.5)
    assert text == TEXT
    assert isinstance(error, StreamInterrupted)
    assert error.message.startswith("The answer was interrupted")
    assert len(standin.chats()) == 1, "never again once text came"


@pytest.mark.parametrize("mode", ["eof", "rst", "cut-chunk"])
def test_a_stream_broken_before_its_first_word_is_tried_again(standin: Standin, mode: str) -> None:
    empty = Reply(mode, pieces=(" ",))
    assert told(standin, empty, Reply(text=TEXT))[0] == TEXT
    assert len(standin.chats()) == 2


def test_silence_before_the_first_word_has_its_limit(standin: Standin) -> None:
    began = time.monotonic()
    _, error = told(standin, Reply("hang-first"), first_token_seconds=0.6)
    assert isinstance(error, ModelTimeout)
    assert time.monotonic() - began < 20
    assert standin.wait_gone() is not None


def test_silence_between_words_has_its_limit(standin: Standin) -> None:
    _, error = told(standin, Reply("hang-middle", text=TEXT), between_tokens_seconds=1.5)
    assert isinstance(error, StreamInterrupted)
    assert standin.wait_gone() is not None


@pytest.mark.parametrize("mode", ["hang-first", "hang-middle"])
def test_stop_ends_the_request_at_the_server(standin: Standin, mode: str) -> None:
    standin.queue(Reply(mode, text=TEXT))
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    model = model_of(standin, between_tokens_seconds=20.0, first_token_seconds=20.0)
    with model.stream(ASKED, max_tokens=50, cancelled=stop.is_set) as stream:
        text = "".join(stream)
    assert stream.end is not None
    assert stream.end.finish == "cancelled"
    assert text == ("" if mode == "hang-first" else TEXT)
    stopped = time.monotonic()
    gone = standin.wait_gone()
    assert gone is not None
    assert gone - stopped < 8


def test_a_reader_who_leaves_ends_the_request(standin: Standin) -> None:
    standin.queue(Reply("repeat", gap=0.02))
    stream = model_of(standin).stream(ASKED, max_tokens=500)
    next(stream)
    left = time.monotonic()
    stream.close()
    gone = standin.wait_gone()
    assert gone is not None
    assert gone - left < 8


@pytest.mark.parametrize("status", [500, 502, 503])
@pytest.mark.parametrize("mode", ["status", "html"])
def test_a_server_that_recovers_is_tried_again(standin: Standin, status: int, mode: str) -> None:
    failing = Reply(mode, status=status, retry_after="0.1")
    assert told(standin, failing, Reply(text=TEXT))[0] == TEXT
    assert len(standin.chats()) == 2


def test_a_server_that_does_not_recover_is_tried_three_times(standin: Standin) -> None:
    _, error = told(standin, Reply("status", status=503, retry_after="0.2"))
    assert isinstance(error, ModelBusy)
    assert len(standin.chats()) == 3


def test_a_long_wait_is_left_to_the_person(standin: Standin) -> None:
    _, error = told(standin, Reply("status", status=503, retry_after="40"))
    assert isinstance(error, ModelBusy)
    assert "40 seconds" in error.cure
    assert len(standin.chats()) == 1


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("mode", ["odd-json", "invalid-json", "two-objects", "html"])
def test_what_is_no_protocol_is_an_error_or_read(standin: Standin, mode: str) -> None:
    text, error = told(standin, Reply(mode, text=TEXT, status=200))
    read = text == TEXT and isinstance(error, ChatEnd)
    assert read or isinstance(error, StreamInterrupted | ModelFailed | EmptyAnswer)


def test_a_missing_model_names_its_cure(standin: Standin) -> None:
    _, error = told(standin, Reply("missing"))
    assert isinstance(error, ModelMissing)
    cure = "`ollama pull standin:latest`" if standin.provider == "ollama" else "list"
    assert cure in error.cure


def test_a_server_that_is_not_there(standin: Standin) -> None:
    model = model_of(standin)
    standin.close()
    with pytest.raises(ModelUnreachable) as caught:
        complete(model, ASKED, max_tokens=10)
    assert f"127.0.0.1:{standin.port}" in caught.value.message
    assert caught.value.cure


def test_the_context_is_the_servers_or_the_settings(standin: Standin) -> None:
    standin.context_length = 2048
    assert model_of(standin).context_length == 2048
    standin.context_length = 131_072
    assert model_of(standin, context_tokens=6000).context_length == 6000


def test_models_are_listed(standin: Standin) -> None:
    listed = list_models(choice_for(standin), settings_for(standin))
    assert [info.name for info in listed] == standin.models


def test_a_schema_is_sent(standin: Standin) -> None:
    standin.queue(Reply(text='{"a": 1}'))
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    answer = complete(model_of(standin), ASKED, max_tokens=50, json_schema=schema)
    assert answer == '{"a": 1}'
    assert "integer" in str(standin.chats()[-1].body).lower()


def test_the_doctor_says_what_is_wrong(standin: Standin) -> None:
    named = {"chat_provider": standin.provider, "gemini_api_key": KEY}
    settings = settings_for(standin, chat_model=standin.models[0], **named)
    assert check_provider(settings)[0] == "ok"
    other = settings_for(standin, chat_model="other", **named)
    state, detail, cure = check_provider(other)
    assert state == "error"
    assert "other is not there" in detail
    assert cure
    standin.close()
    assert check_provider(settings)[0] == "error"


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 300, "a/../../b", "?key=1"])
def test_what_is_no_name_never_reaches_an_address(standin: Standin, name: str) -> None:
    choice = ModelChoice(standin.provider, name)
    model = make_chat_model(choice, settings_for(standin))
    for use in (lambda: model.context_length, lambda: complete(model, ASKED, max_tokens=9)):
        with pytest.raises(ModelMissing):
            use()
    assert standin.requests == []


@pytest.mark.parametrize("standin", ["openai", "gemini"], indirect=True)
class TestKeys:
    """What only providers with keys do."""

    def test_a_refused_key(self, standin: Standin) -> None:
        _, error = told(standin, Reply("bad-key"))
        assert isinstance(error, BadKey)
        assert len(standin.chats()) == 1

    def test_a_quota(self, standin: Standin) -> None:
        _, error = told(standin, Reply("quota", retry_after="34"))
        assert isinstance(error, QuotaExceeded)
        assert len(standin.chats()) == 1

    def test_a_prompt_that_is_too_long(self, standin: Standin) -> None:
        _, error = told(standin, Reply("overflow-error"))
        assert isinstance(error, ContextTooLong)

    def test_an_empty_stream_at_200(self, standin: Standin) -> None:
        _, error = told(standin, Reply("overflow-empty"))
        assert isinstance(error, EmptyAnswer)

    def test_an_answer_that_is_blocked(self, standin: Standin) -> None:
        _, error = told(standin, Reply("safety-answer", text=TEXT))
        assert isinstance(error, AnswerBlocked)

    def test_the_key_stays_in_its_header(
        self, standin: Standin, caplog: pytest.LogCaptureFixture
    ) -> None:
        secret = "sk-very-secret-0123456789"
        standin.key = secret
        choice = choice_for(standin, secret)
        caplog.set_level(logging.DEBUG)
        standin.queue(Reply(text=TEXT), Reply("bad-key"))
        model = make_chat_model(choice, settings_for(standin))
        assert complete(model, ASKED, max_tokens=20) == TEXT
        with pytest.raises(BadKey) as caught:
            complete(model, ASKED, max_tokens=20)
        shown = [caplog.text, repr(choice), repr(model), str(caught.value), repr(caught.value)]
        assert not [text for text in shown if secret in text]
        assert all(secret not in request.path + str(request.body) for request in standin.requests)
