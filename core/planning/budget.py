"""A language model's help in understanding and searching, within limits of time and tokens."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from core.config import Settings
from core.errors import ModelError
from core.llm.choice import planning_choice
from core.llm.metering import Meter
from core.llm.port import ChatModel
from core.llm.providers import make_chat_model
from core.planning.prompts import Request
from core.text.token_estimate import estimate
from core.types import ModelChoice

T = TypeVar("T")

TIME_SHARE = 0.5
"""The part of a question's time that understanding and searching may take; the rest answers."""


class PlanningFailed(Exception):
    """A model gave nothing usable: `reason` is a sentence for the person, `cure` what to do."""

    def __init__(self, reason: str, cure: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.cure = cure


class Unusable(PlanningFailed):
    """The model replied, and its reply could not be read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, with its seconds and tokens."""

    text: str
    seconds: float
    tokens: int


@dataclass(slots=True)
class ModelBudget:
    """A model with the time and the tokens that one question may take of it.

    `deadline` is a reading of the monotonic clock; `rounds` is how often a search in depth may
    search. `chooses` says that the model plans alone: it is cheap enough to be asked how much
    effort any question is worth. With `model` None, every request raises `PlanningFailed`.
    """

    model: ChatModel | None = None
    deadline: float = float("inf")
    tokens_left: int = 1_000_000_000
    rounds: int = 4
    summary: bool = False
    cancelled: Callable[[], bool] = lambda: False
    boundary: str = field(default_factory=lambda: secrets.token_hex(8))
    spent: int = 0
    chooses: bool = False

    @classmethod
    def of(
        cls,
        settings: Settings,
        answering: ModelChoice | None,
        cancelled: Callable[[], bool],
        meter: Meter | None = None,
    ) -> ModelBudget:
        """The model that plans with the budget of the settings, less what the answer needs.

        `answering` is the model that answers; `meter` counts what planning takes.
        """
        choice = planning_choice(settings, answering)
        model = make_chat_model(choice, settings) if choice and choice.provider else None
        if model is not None and meter is not None:
            model = meter.of(model, "planning")
        reserved = settings.context_tokens + settings.answer_tokens
        return cls(
            model,
            time.monotonic() + settings.question_seconds * TIME_SHARE,
            max(0, settings.question_tokens - reserved),
            settings.depth_rounds,
            settings.depth_summary,
            cancelled,
            chooses=bool(settings.planning_model),
        )

    def ask(self, request: Request, read: Callable[[str], T | None]) -> tuple[T, Reply]:
        """The model's reply as `read` parses it, and what the reply took.

        Raises `PlanningFailed` where the model fails, the budget is used up, or `read` gives None.
        """
        if self.model is None:
            raise PlanningFailed("No language model is chosen.", "Choose one under Language model.")
        reply = self._reply(self.model, request)
        value = read(reply.text)
        if value is None:
            raise Unusable(f"{self.model.name} did not answer in the form that was asked for.")
        return value, reply

    def over(self) -> bool:
        """Whether no more requests are allowed: the time is up, or the question was cancelled."""
        return self.cancelled() or time.monotonic() >= self.deadline

    def _reply(self, model: ChatModel, request: Request) -> Reply:
        asked = sum(estimate(message.text) for message in request.messages)
        if self.over():
            raise self._late()
        if asked + request.max_tokens > self.tokens_left:
            raise PlanningFailed(
                "The tokens for understanding and searching are used up.", "Raise QUESTION_TOKENS."
            )
        began = time.monotonic()
        try:
            stream = model.stream(
                request.messages,
                max_tokens=request.max_tokens,
                json_schema=request.schema,
                cancelled=self.over,
            )
            with stream:
                text = "".join(stream)
        except ModelError as error:
            self._spend(asked + request.max_tokens if self.over() else asked)
            raise PlanningFailed(error.message, error.cure) from None
        end = stream.end
        given = (end.prompt_tokens if end else None) or asked
        tokens = given + ((end.answer_tokens if end else None) or estimate(text))
        self._spend(tokens)
        if end is not None and end.finish == "cancelled":
            raise self._late()
        return Reply(text, time.monotonic() - began, tokens)

    def _spend(self, tokens: int) -> None:
        self.tokens_left -= tokens
        self.spent += tokens

    def _late(self) -> PlanningFailed:
        if self.cancelled():
            return PlanningFailed("You stopped it.")
        return PlanningFailed(
            "The time for understanding and searching is used up.", "Raise QUESTION_SECONDS."
        )
