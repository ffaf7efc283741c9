"""A model's answer as it streams: time limits, bounded retries, a proper end or an error.

A thread reads the connection and puts pieces into a queue; the caller takes them out with a
clock. Whatever ends the stream (the end, an error, a limit, the person's stop, the caller's
`close()`), the connection is cut at once, so that the server can stop computing.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from core.errors import (
    AnswerBlocked,
    EmptyAnswer,
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelTimeout,
    StreamInterrupted,
)
from core.llm.port import ChatEnd, Finish, Restart
from core.llm.text_guards import ControlFilter, LoopGuard, ThoughtFilter
from core.llm.transport import Wire


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer as an adapter reads it; `finish` marks the proper end."""

    text: str = ""
    finish: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


Read: TypeAlias = Callable[[Wire], Iterator[Delta]]
"""What an adapter gives: read one answer over a wire; raises only `ModelError`."""

_POLL_SECONDS = 0.05
_WAITS = (0.5, 1.5)
"""Seconds before the second and the third attempt, where the server names none."""
_LONGEST_WAIT = 5.0
_CHARACTERS_A_TOKEN = 16
"""More text than this for each token asked for is a server that ignores the limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The waits in seconds and the longest answer in tokens."""

    first_token: float
    between_tokens: float
    max_tokens: int


def guarded(
    read: Read,
    limits: Limits,
    cancelled: Callable[[], bool],
    make_wire: Callable[[float], Wire] = Wire,
) -> Generator[str, None, ChatEnd]:
    """The text of an answer, guarded; returns how it ended.

    Only what fails before the first text is tried again, at most twice and within the limit for
    the first token. Raises `ModelTimeout`, `StreamInterrupted` (text came, its end did not),
    `EmptyAnswer`, `AnswerBlocked`, or what the adapter raised.
    """
    deadline = time.monotonic() + limits.first_token
    for wait in (*_WAITS, None):
        has_text = False
        attempt = _attempt(read, limits, deadline, cancelled, make_wire)
        try:
            while True:
                piece = next(attempt)
                has_text = not isinstance(piece, Restart)
                yield piece
        except StopIteration as stop:
            end: ChatEnd = stop.value
            return end
        except AnswerBlocked:
            raise
        except ModelError as error:
            if has_text:
                raise _interrupted(error) from None
            pause = _pause(error, wait, deadline)
            if pause is None:
                raise
        finally:
            attempt.close()
        if not _sleep(pause, cancelled):
            return ChatEnd("cancelled")
    raise AssertionError("the last attempt returns or raises")


def _pause(error: ModelError, wait: float | None, deadline: float) -> float | None:
    """How long to wait before trying again; None is not at all."""
    transient = isinstance(error, ModelBusy | ModelFailed | StreamInterrupted) and error.retry
    if wait is None or not transient:
        return None
    pause = wait if error.retry_after is None else error.retry_after
    return None if pause > _LONGEST_WAIT or time.monotonic() + pause > deadline else pause


def _interrupted(error: ModelError) -> ModelError:
    return StreamInterrupted(f"The answer was interrupted. {error.message}", error.cure)


def _sleep(seconds: float, cancelled: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if cancelled():
            return False
        time.sleep(min(left, _POLL_SECONDS))
    return True


def _attempt(
    read: Read,
    limits: Limits,
    deadline: float,
    cancelled: Callable[[], bool],
    make_wire: Callable[[float], Wire],
) -> Generator[str, None, ChatEnd]:
    control, thoughts = ControlFilter(), ThoughtFilter()
    loop = LoopGuard(limits.max_tokens * _CHARACTERS_A_TOKEN)
    has_text, last, restarted = False, Delta(), False
    with contextlib.closing(_deltas(read, limits, deadline, cancelled, make_wire)) as deltas:
        for delta in deltas:
            if delta is None:
                return ChatEnd("cancelled", last.prompt_tokens, last.answer_tokens)
            last = _merged(last, delta)
            text = loop.allowed(thoughts.feed(control.feed(delta.text)))
            if thoughts.withdrawn and not restarted:
                has_text, restarted = False, True
                yield Restart()
            if not has_text:
                text = text.lstrip()  # white space alone is no answer yet
            has_text = has_text or bool(text)
            if text:
                yield text
            if loop.full or loop.repeats(text):
                finish: Finish = "too long" if loop.full else "repetition"
                return ChatEnd(finish, last.prompt_tokens, last.answer_tokens)
    rest = loop.allowed(thoughts.feed(control.finish()) + thoughts.finish())
    if thoughts.withdrawn and not restarted:
        has_text = False
        yield Restart()
    if rest.strip() or (has_text and rest):
        has_text = True
        yield rest
    return _proper_end(has_text, thoughts.thought, last)


def _merged(last: Delta, delta: Delta) -> Delta:
    """The last finish and the sum of the usage: LangChain gives each chunk its own share."""
    return Delta(
        "",
        delta.finish or last.finish,
        _sum(last.prompt_tokens, delta.prompt_tokens),
        _sum(last.answer_tokens, delta.answer_tokens),
    )


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b


def _proper_end(has_text: bool, thought: bool, last: Delta) -> ChatEnd:
    if not last.finish:
        how = "before its proper end" if has_text else "without an answer"
        raise StreamInterrupted(f"The model's server closed the stream {how}.")
    if not has_text and last.finish == "length":
        raise EmptyAnswer(
            "The model used up its tokens before it began to answer.",
            "Raise ANSWER_TOKENS, or choose a model that thinks less.",
        )
    if not has_text:
        what = "thoughts, but no answer." if thought else "no answer."
        raise EmptyAnswer(f"The model returned {what}")
    finish: Finish = "length" if last.finish == "length" else "stop"
    return ChatEnd(finish, last.prompt_tokens, last.answer_tokens)


def _deltas(
    read: Read,
    limits: Limits,
    deadline: float,
    cancelled: Callable[[], bool],
    make_wire: Callable[[float], Wire],
) -> Generator[Delta | None, None, None]:
    """What the reading thread brings, under the clock; None when the person stopped it."""
    wire = make_wire(limits.first_token + limits.between_tokens)
    box: queue.Queue[Delta | ModelError | None] = queue.Queue(maxsize=256)
    stopped = threading.Event()
    threading.Thread(
        target=_pump, args=(read, wire, box, stopped), name="model-stream", daemon=True
    ).start()
    has_text = False
    try:
        while True:
            if cancelled():
                yield None
            try:
                item = box.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise _silence(has_text, limits) from None
                continue
            if item is None:
                return
            if isinstance(item, ModelError):
                raise item
            has_text = has_text or bool(item.text.strip())
            wait = limits.between_tokens if has_text else limits.first_token
            deadline = time.monotonic() + wait
            yield item
    finally:
        stopped.set()
        wire.cut()


def _silence(has_text: bool, limits: Limits) -> ModelTimeout:
    seconds = limits.between_tokens if has_text else limits.first_token
    what = "stopped writing for" if has_text else "said nothing for"
    return ModelTimeout(f"The model {what} {seconds:g} seconds.")


def _pump(
    read: Read,
    wire: Wire,
    box: queue.Queue[Delta | ModelError | None],
    stopped: threading.Event,
) -> None:
    """Read one answer into the box; the last item is None or an error, whatever happens."""
    last: ModelError | None = ModelFailed("Reading the model's answer failed.")
    try:
        for delta in read(wire):
            if not _put(box, delta, stopped):
                break
        last = None
    except ModelError as error:
        last = error
    finally:
        _put(box, last, stopped)
        wire.close()


def _put(
    box: queue.Queue[Delta | ModelError | None],
    item: Delta | ModelError | None,
    stopped: threading.Event,
) -> bool:
    while not stopped.is_set():
        with contextlib.suppress(queue.Full):
            box.put(item, timeout=_POLL_SECONDS)
            return True
    return False
