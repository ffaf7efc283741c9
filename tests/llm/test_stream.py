"""A guarded stream with an adapter that is played here: what is tried again, how it is told, and
that the connection is cut however it ends. With real servers: test_contract.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from core.errors import (
    AnswerBlocked,
    EmptyAnswer,
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelTimeout,
    ModelUnreachable,
    StreamInterrupted,
)
from core.llm.port import ChatEnd, Restart
from core.llm.stream import Delta, Limits, guarded
from core.llm.transport import Wire

LIMITS = Limits(first_token=60.0, between_tokens=60.0, max_tokens=200)
STOP = Delta(finish="stop")

Said = Sequence[Delta | ModelError]


class PlayedWire(Wire):
    """A wire that leads nowhere and notes what is done with it."""

    def __init__(self, _: float) -> None:
        self.was_cut = threading.Event()
        self.closed = threading.Event()

    def cut(self) -> None:
        self.was_cut.set()

    def close(self) -> None:
        self.closed.set()


class Server:
    """Gives one of `attempts` after another, and remembers the wires."""

    def __init__(self, *attempts: Said) -> None:
        self.attempts = list(attempts)
        self.wires: list[PlayedWire] = []

    def read(self, _: Wire) -> Iterator[Delta]:
        for item in self.attempts.pop(0):
            if isinstance(item, ModelError):
                raise item
            yield item

    def wire(self, seconds: float) -> PlayedWire:
        self.wires.append(PlayedWire(seconds))
        return self.wires[-1]

    def ask(
        self, limits: Limits = LIMITS, cancelled: Callable[[], bool] = lambda: False
    ) -> tuple[list[str], ChatEnd]:
        """The pieces and the end."""
        stream, pieces = guarded(self.read, limits, cancelled, self.wire), list[str]()
        while True:
            try:
                pieces.append(next(stream))
            except StopIteration as stop:
                return pieces, stop.value


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.llm.stream._WAITS", (0.0, 0.0))


def busy(after: float | None = None) -> ModelBusy:
    """The server is busy, and says for how long."""
    error = ModelBusy("The server is busy.")
    error.retry_after = after
    return error


def test_the_usage_of_all_pieces_is_summed_and_the_finish_kept() -> None:
    server = Server([Delta("One ", prompt_tokens=7, answer_tokens=1), Delta("two.", "length"),
                     Delta(answer_tokens=2)])  # fmt: skip
    assert server.ask() == (["One ", "two."], ChatEnd("length", 7, 3))


@pytest.mark.parametrize(
    "error", [busy(), busy(0.01), ModelFailed("Half an answer."), StreamInterrupted("Cut.")]
)
def test_what_may_pass_is_tried_three_times_in_all(error: ModelError) -> None:
    assert Server([error], [error], [Delta("Here."), STOP]).ask()[0] == ["Here."]
    server = Server([error], [error], [error], [Delta("Too late."), STOP])
    with pytest.raises(type(error)):
        server.ask()
    assert len(server.wires) == 3


@pytest.mark.parametrize(
    "error",
    [
        busy(40.0),
        AnswerBlocked("The answer was blocked."),
        ModelUnreachable("Nobody answers."),
        ModelTimeout("The model said nothing."),
    ],
)
def test_what_does_not_pass_is_not_tried_again(error: ModelError) -> None:
    server = Server([error], [Delta("Not asked."), STOP])
    with pytest.raises(type(error)) as caught:
        server.ask()
    assert caught.value is error
    assert len(server.wires) == 1


def test_nothing_is_tried_beyond_the_time_for_the_first_word() -> None:
    server = Server([busy(2.0)], [Delta("Not asked."), STOP])
    with pytest.raises(ModelBusy):
        server.ask(Limits(first_token=1.0, between_tokens=60.0, max_tokens=200))
    assert len(server.wires) == 1


def test_after_the_first_word_an_error_is_an_interruption() -> None:
    server = Server([Delta("Half"), busy()], [Delta("Whole."), STOP])
    stream = guarded(server.read, LIMITS, lambda: False, server.wire)
    assert next(stream) == "Half"
    with pytest.raises(StreamInterrupted, match=r"interrupted\. The server is busy"):
        next(stream)
    assert len(server.wires) == 1


def test_a_block_after_the_first_word_is_told_as_one() -> None:
    blocked = AnswerBlocked("The answer was blocked.")
    stream = guarded(Server([Delta("Half"), blocked]).read, LIMITS, lambda: False, PlayedWire)
    assert next(stream) == "Half"
    with pytest.raises(AnswerBlocked):
        next(stream)


def test_a_thought_that_was_given_is_withdrawn_once_and_what_follows_is_the_answer() -> None:
    said = [Delta("I think so.\n"), Delta("</think>\n"), Delta("Yes."), STOP]
    pieces, end = Server(said).ask()
    at = [isinstance(piece, Restart) for piece in pieces].index(True)
    assert "".join(pieces[at:]).strip() == "Yes."
    assert sum(isinstance(piece, Restart) for piece in pieces) == 1
    assert end.finish == "stop"


def test_a_withdrawn_thought_alone_is_no_answer() -> None:
    with pytest.raises(EmptyAnswer, match="thoughts, but no answer"):
        Server([Delta("I think so.\n"), Delta("</think>\n"), STOP]).ask()


def test_white_space_alone_is_no_first_word() -> None:
    server = Server([Delta(" \n"), busy()], [Delta(" \nHere."), STOP])
    assert server.ask()[0] == ["Here."]


def test_the_connection_is_cut_however_it_ends() -> None:
    left = Server([Delta("One "), Delta("two."), STOP])
    stream = guarded(left.read, LIMITS, lambda: False, left.wire)
    next(stream)
    stream.close()  # the reader leaves
    whole = Server([Delta("One."), STOP])
    whole.ask()
    failing = Server([AnswerBlocked("The answer was blocked.")])
    with pytest.raises(AnswerBlocked):
        failing.ask()
    stopped = Server([Delta("One.")])
    assert stopped.ask(cancelled=lambda: True)[1].finish == "cancelled"
    flood = Server([Delta("word " * 20_000), STOP])
    assert flood.ask()[1].finish == "too long"
    for server in (left, whole, failing, stopped, flood):
        (wire,) = server.wires
        assert wire.was_cut.is_set()
        assert wire.closed.wait(20)
