"""What one question takes of language models: requests, tokens, seconds and money, by stage."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

from core.llm.port import ChatEnd, ChatMessage, ChatModel, ChatStream, Embedded, ModelInfo
from core.text.token_estimate import estimate
from core.types import Spent

T = TypeVar("T")
Prices = Mapping[str, tuple[float, float]]
"""Dollars for a million tokens that a model reads, and for a million that it writes."""


class Meter:
    """The requests of one question, summed by stage and model. Thread-safe.

    >>> Meter().spent()
    ()
    """

    def __init__(self, prices: Prices | None = None) -> None:
        self._prices = prices or {}
        self._spent: dict[tuple[str, str, str], Spent] = {}
        self._lock = threading.Lock()

    def of(self, model: ChatModel, stage: str) -> ChatModel:
        """The model, whose requests count for a stage."""
        return _Metered(model, stage, self)

    def spent(self) -> tuple[Spent, ...]:
        """What was taken so far, in the order in which the stages began."""
        with self._lock:
            return tuple(self._spent.values())

    def counting(self, stage: str, events: Generator[T, None, None]) -> Generator[T, None, None]:
        """The events; what `embedded` reports while they are made counts for a stage."""
        try:
            while True:
                before = _counting.set((self, stage))
                try:
                    event = next(events)
                except StopIteration:
                    return
                finally:
                    _counting.reset(before)
                yield event
        finally:
            events.close()

    def add(self, stage: str, model: ChatModel, taken: Spent) -> None:
        """Count one request."""
        key = (stage, model.provider, model.name)
        price = self._prices.get(model.name)
        cost = None
        if price is not None:
            cost = (taken.prompt_tokens * price[0] + taken.answer_tokens * price[1]) / 1_000_000
        with self._lock:
            before = self._spent.get(key, Spent(*key, cost=None if price is None else 0.0))
            self._spent[key] = replace(
                before,
                requests=before.requests + 1,
                prompt_tokens=before.prompt_tokens + taken.prompt_tokens,
                answer_tokens=before.answer_tokens + taken.answer_tokens,
                seconds=before.seconds + taken.seconds,
                cost=None if cost is None else (before.cost or 0.0) + cost,
                estimated=before.estimated or taken.estimated,
            )


_counting: ContextVar[tuple[Meter, str] | None] = ContextVar("counting", default=None)
"""Embedders are shared by all questions: the question in work in this thread, and its stage."""


def embedding_cost(texts: Sequence[str], reply: Embedded, seconds: float) -> Spent:
    """What one request for the vectors of these texts took, without its price."""
    tokens = sum(map(estimate, texts)) if reply.tokens is None else reply.tokens
    return Spent(prompt_tokens=tokens, seconds=seconds, estimated=reply.tokens is None)


def embedded(model: ChatModel, taken: Spent) -> bool:
    """Count a request for vectors for the question in work; False where none is."""
    counting = _counting.get()
    if counting is not None:
        meter, stage = counting
        meter.add(stage, model, taken)
    return counting is not None


class _Metered:
    """A chat model whose requests are counted, also those that fail or are ended early."""

    def __init__(self, model: ChatModel, stage: str, meter: Meter) -> None:
        self.name = model.name
        self._model, self._stage, self._meter = model, stage, meter

    @property
    def provider(self) -> str:
        return self._model.provider

    @property
    def context_length(self) -> int:
        return self._model.context_length

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        inner = self._model.stream(
            messages, max_tokens=max_tokens, json_schema=json_schema, cancelled=cancelled
        )
        return ChatStream(self._counted(inner, messages))

    def models(self) -> list[ModelInfo]:
        return self._model.models()

    def preload(self) -> None:
        self._model.preload()

    def _counted(
        self, inner: ChatStream, messages: Sequence[ChatMessage]
    ) -> Generator[str, None, ChatEnd]:
        began, written = time.monotonic(), list[str]()
        try:
            with inner:
                for piece in inner:
                    written.append(piece)
                    yield piece
            return inner.end or ChatEnd()
        finally:
            end = inner.end or ChatEnd()
            prompt, answer = end.prompt_tokens, end.answer_tokens
            if prompt is None:
                prompt = sum(estimate(message.text) for message in messages)
            if answer is None:
                answer = estimate("".join(written))
            taken = Spent(
                prompt_tokens=prompt,
                answer_tokens=answer,
                seconds=time.monotonic() - began,
                estimated=None in (end.prompt_tokens, end.answer_tokens),
            )
            self._meter.add(self._stage, self._model, taken)
