"""Who writes the answer: a language model where one is chosen, else quotes from the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.generative.prompts import PRESETS, Prompt
from core.config import Settings
from core.llm.choice import ModelChoice
from core.models.embedding import Embedder
from core.types import Event, Message, SearchResult


class Answerer(Protocol):
    """The port: events as the answer is written, ending with exactly one `Answer`.

    `searched` is how many documents and chunks were searched, for saying so in a refusal.
    """

    name: str

    def answer(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message] = (),
        *,
        searched: tuple[int, int] = (0, 0),
    ) -> Iterator[Event]:
        """Answer `question` from the hits of `result`."""
        ...


def make_answerer(
    choice: ModelChoice | None,
    settings: Settings,
    embedder: Embedder,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    prompt: Prompt = PRESETS["balanced"],
) -> Answerer:
    """The answerer for a choice of model; None, or no provider, quotes.

    `prompt` holds the instructions that a model gets.
    """
    quoting = ExtractiveAnswerer(embedder)
    if choice is None or not choice.provider:
        return quoting
    from core.answering.generative.answerer import (
        GenerativeAnswerer,  # brings LangChain: only when asked
    )
    from core.llm.chat import make_chat_model

    return GenerativeAnswerer(
        make_chat_model(choice, settings), embedder, quoting, settings, cancelled, prompt=prompt
    )
