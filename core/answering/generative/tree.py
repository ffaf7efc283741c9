"""Tree summarisation: more passages than fit are condensed to notes, and the notes joined.

The marks of the sources are carried through every level, with the numbers of the whole list, so
that the answer cites passages and never notes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from core.answering.generative.context import Context, build_context
from core.answering.generative.prompts import JOIN, LEAF, NOT_FOUND
from core.errors import ContextTooLong
from core.llm.framing import defused, frame, prompt_tokens
from core.llm.port import ChatMessage, ChatModel, complete
from core.text.token_estimate import least
from core.types import Hit, Step
from core.types.steps import Condensed

_MOST_ROUNDS = 4


def condensed(
    model: ChatModel,
    question: str,
    hits: Sequence[Hit],
    *,
    budget: int,
    max_tokens: int,
    boundary: str,
    cancelled: Callable[[], bool],
) -> Generator[Step, None, Context]:
    """Yield a step for each request; return a context whose sources are all the hits read.

    The context has no sources where no passage helps with the question.

    Raises `ModelError` like a request itself.
    """
    notes: list[str] = []
    sources: list[Hit] = []
    while len(sources) < len(hits) and not cancelled():
        part = build_context(
            question, hits[len(sources) :], LEAF, budget=budget, boundary=boundary,
            first_number=len(sources) + 1, in_order=True,
        )  # fmt: skip
        sources += part.sources
        notes += _asked(model, part.messages, max_tokens, cancelled)
        detail = Condensed(len(sources), len(hits))
        yield Step("condensed", detail, count=len(part.sources))
    if not notes:
        return Context((), (), (), len(hits), 0, 0)
    for _ in range(_MOST_ROUNDS):
        messages = _joining(question, notes, boundary)
        tokens = prompt_tokens(messages)
        if tokens <= budget:
            lowest = sum(least(message.text) for message in messages)
            return Context(messages, tuple(sources), (), len(hits), tokens, lowest)
        half = max(1, len(notes) // 2)
        parts = (notes[:half], notes[half:])
        notes = [
            note
            for part in parts
            if part
            for note in _asked(model, _joining(question, part, boundary), max_tokens, cancelled)
        ]
        yield Step("condensed", Condensed(), count=len(notes))
    raise ContextTooLong("The notes on the passages do not fit into the model's context.")


def _asked(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    max_tokens: int,
    cancelled: Callable[[], bool],
) -> list[str]:
    """The model's notes, [] where nothing helps."""
    note = complete(model, messages, max_tokens=max_tokens, cancelled=cancelled).strip()
    return [] if not note or note.upper().lstrip("*`\"' ").startswith(NOT_FOUND) else [note]


def _joining(question: str, notes: Sequence[str], boundary: str) -> tuple[ChatMessage, ...]:
    given = frame([defused(note) for note in notes], boundary)
    return (
        ChatMessage("system", JOIN.system_text(boundary)),
        ChatMessage("user", JOIN.task_text(given, question)),
    )
