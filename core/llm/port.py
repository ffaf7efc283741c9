"""The port of chat models, and what flows through it: the choice, messages, the stream's end."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "repetition", "too long", "cancelled"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a server offers. `context_length` in tokens, `size` in bytes, 0 if unknown."""

    name: str
    context_length: int = 0
    size: int = 0
    detail: str = ""


def is_listed(model: str, listed: Iterable[ModelInfo]) -> bool:
    """Whether a list of models has this one; Ollama's `:latest` may be left out."""
    return not {model, f"{model}:latest"}.isdisjoint(info.name for info in listed)


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far the download of a model is, in bytes; `total` 0 while it is unknown."""

    status: str
    completed: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt, sent word for word."""

    role: Role
    text: str


class Restart(str):
    """An empty piece of an answer: what came before it was the model's thinking.

    Some templates open the thought themselves, so that a server that does not part thoughts from
    answers sends it as text; only a later `</think>` shows what it was.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ChatEnd:
    """How a stream ended, in tokens; None where the server did not say.

    `finish`: "stop" is the proper end, "length" the limit of tokens, "repetition" and "too long"
    are our guards, "cancelled" is the person's stop. `context_length` is what the server really
    allocated.
    """

    finish: Finish = "stop"
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    context_length: int | None = None


@dataclass(frozen=True, slots=True)
class Embedded:
    """A server's vectors of texts, as it lists them, and the tokens that it counted.

    `tokens` is None where the server did not say.
    """

    vectors: list[Any]
    tokens: int | None = None


def token_count(said: Any) -> int | None:
    """A number of tokens in a server's reply, None where it is none.

    >>> token_count(12), token_count("12"), token_count(None)
    (12, None, None)
    """
    return said if type(said) is int and said >= 0 else None


class ChatStream(Iterator[str]):
    """The pieces of an answer. `end` says how it ended, once the iteration is over.

    A piece that is a `Restart` takes back all before it.

    Iterating raises `ModelError`; what was given before stays good. Use it as a context manager
    or call `close()`: that ends the request at the server.
    """

    def __init__(self, pieces: Generator[str, None, ChatEnd]) -> None:
        self.end: ChatEnd | None = None
        self._pieces = pieces

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as stop:
            self.end = self.end or stop.value
            raise StopIteration from None

    def __enter__(self) -> ChatStream:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the request; nothing more comes."""
        self._pieces.close()


class ChatModel(Protocol):
    """One model at one provider. Every method raises only `ModelError`."""

    name: str

    @property
    def provider(self) -> str:
        """The name of its provider."""
        ...

    @property
    def context_length(self) -> int:
        """The tokens that prompt and answer may take together; asked of the server once."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        """The answer, piece by piece; `.end` says how it ended. Nothing is sent before `next()`."""
        ...

    def models(self) -> list[ModelInfo]:
        """The models that the server offers."""
        ...

    def preload(self) -> None:
        """Import what the first answer would otherwise wait for."""
        ...


def complete(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    json_schema: Mapping[str, Any] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> str:
    """A whole answer at once, for planning and judging."""
    with model.stream(
        messages, max_tokens=max_tokens, json_schema=json_schema, cancelled=cancelled
    ) as stream:
        return joined(stream)


def joined(pieces: Iterable[str]) -> str:
    """The text of pieces, without what a `Restart` took back."""
    said: list[str] = []
    for piece in pieces:
        if isinstance(piece, Restart):
            said.clear()
        said.append(piece)
    return "".join(said)
