"""One question as it travels from a face to its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from core.types.answers import Message
from core.types.models import ModelChoice
from core.types.people import Session
from core.types.search import QueryOptions


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question to search for or to answer in a session.

    With `conversation_id`, the messages of that conversation are the history, and question and
    answer are added to it; without one, `history` holds the messages before the question, oldest
    first, and nothing is stored. `model` None quotes the sources. `cancelled` is polled while the
    work goes on; once it returns True, the work ends early. Days in the answer are days of `zone`.
    """

    session: Session
    question: str
    conversation_id: str | None = None
    history: Sequence[Message] = ()
    options: QueryOptions = field(default_factory=QueryOptions)
    model: ModelChoice | None = None
    cancelled: Callable[[], bool] = lambda: False
    zone: tzinfo = UTC
