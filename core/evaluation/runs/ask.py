"""Ask one question of a golden set with the settings of a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Protocol

from core.config import Settings
from core.errors import InvalidRequest
from core.evaluation.golden.sets import GoldenItem
from core.evaluation.runs.presets import NEEDS_MODEL
from core.evaluation.runs.results import RunSettings
from core.llm.metering import Meter
from core.llm.port import ChatMessage
from core.llm.providers import make_chat_model
from core.retrieval.presets import PRESETS
from core.types import (
    Answer,
    AskRequest,
    Event,
    Level,
    Message,
    ModelChoice,
    QueryOptions,
    SearchOptions,
    Session,
    Usage,
)

Cancelled = Callable[[], bool]
PLAIN = "Answer the question in one to three sentences. If you do not know, say that you do not."


class Asks(Protocol):
    """Answers from the documents of a session (`core.pipeline.Pipeline`)."""

    def ask(self, request: AskRequest) -> Iterator[Event]:
        """Yield events, then exactly one `Answer`."""
        ...


def ask_item(
    asker: Asks,
    session: Session,
    item: GoldenItem,
    run: RunSettings,
    model: ModelChoice | None,
    settings: Settings,
    cancelled: Cancelled = lambda: False,
) -> Answer:
    """Return the answer to one item. Raises `AppError` if a model or the web fails."""
    if run.way == "plain":
        return _plain(item, model, settings, cancelled)
    now = datetime.now(UTC)
    history = [Message(at, "user", text, now) for at, text in enumerate(item.follows, 1)]
    answer: Answer | None = None
    request = AskRequest(
        session, item.question, history=history, options=query_options(run), model=model,
        cancelled=cancelled,
    )  # fmt: skip
    for event in asker.ask(request):
        if isinstance(event, Answer):
            answer = event
    if answer is None:
        raise InvalidRequest("The question has no answer.", "Ask again.")
    return answer


def query_options(run: RunSettings) -> QueryOptions:
    """Return the query options for the questions of a run."""
    preset = PRESETS.get(run.preset)
    options = preset.search if preset else search_options(run)
    web, name = run.way.startswith("web"), run.preset if preset else None
    return QueryOptions(options, Level(run.level), web=web, preset=name)


def search_options(run: RunSettings) -> SearchOptions:
    """Return the search settings of a run; names from other versions are ignored."""
    known = {field.name for field in fields(SearchOptions)}
    return SearchOptions(**{key: value for key, value in run.options.items() if key in known})


def _plain(
    item: GoldenItem, choice: ModelChoice | None, settings: Settings, cancelled: Cancelled
) -> Answer:
    """Yield what the model answers without documents."""
    if choice is None or not choice.provider:
        raise InvalidRequest("There is no language model to ask.", NEEDS_MODEL)
    meter = Meter(settings.prices)
    model = meter.of(make_chat_model(choice, settings), "answering")
    said = [ChatMessage("user", earlier) for earlier in item.follows]
    messages = [ChatMessage("system", PLAIN), *said, ChatMessage("user", item.question)]
    began = time.monotonic()
    with model.stream(messages, max_tokens=settings.answer_tokens, cancelled=cancelled) as stream:
        text = "".join(stream)
        end = stream.end
    answer = Answer(item.question, text.strip(), answerer=choice.model)
    usage = Usage(choice.provider, choice.model)
    if end is not None:
        usage = replace(usage, prompt_tokens=end.prompt_tokens, answer_tokens=end.answer_tokens)
    seconds = time.monotonic() - began
    return replace(answer, usage=usage, seconds=seconds, spent=meter.spent())
