"""What flows to and from language models: the choice, messages, and how a stream ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.types import ModelChoice as ModelChoice
from core.types import Provider as Provider

Role = Literal["system", "user", "assistant"]
PROVIDERS: tuple[Provider, ...] = ("ollama", "gemini", "openai")
Finish = Literal["stop", "length", "repetition", "too long", "cancelled"]


def provider_named(name: str) -> Provider:
    """The provider of that name; "" where none has it."""
    return next((provider for provider in PROVIDERS if provider == name), "")


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a server offers. `context_length` in tokens, `size` in bytes, 0 if unknown."""

    name: str
    context_length: int = 0
    size: int = 0
    detail: str = ""


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
    answers sends it as text; it is known for one only when `</think>` comes.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer as an adapter reads it; `finish` marks the proper end."""

    text: str = ""
    finish: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


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
