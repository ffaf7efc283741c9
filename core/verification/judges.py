"""The chat model as the judge of the support check: one request for all sentences of an answer.

Sentences that it does not judge (no time, no room, no usable JSON) keep the verdict of the check
by code, and a notice says so.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial

from core.config import Settings
from core.errors import ModelError, ModelUnavailable
from core.llm.framing import MESSAGE_TOKENS, defused, frame, text_block
from core.llm.port import ChatMessage, ChatModel, joined
from core.models.nli import NliJudge
from core.models.port import Embedder
from core.text.token_estimate import estimate
from core.types import Citation, Claim, Notice
from core.verification.check import Case, check_support
from core.verification.prompts import JUDGE, JUDGE_SCHEMA, JUDGE_TASK

_TOKENS_A_VERDICT = 24
_SPARE_TOKENS = 128
_VERDICTS: dict[object, bool | None] = {
    "supported": True, "not supported": False, "unclear": None, True: True, False: False,
}  # fmt: skip
_OBJECT = re.compile(r"\{[^{}]*\}")


def judged_claims(
    text: str,
    citations: Sequence[Citation],
    unused: Sequence[Citation],
    embedder: Embedder,
    question: str,
    model: ChatModel,
    settings: Settings,
    cancelled: Callable[[], bool],
) -> tuple[tuple[Claim, ...], tuple[Notice, ...]]:
    """The claims of an answer, by the judge that the settings name; by code where it fails."""
    check = partial(check_support, text, citations, unused, embedder, question=question)
    if settings.support_judge == "model":
        judge = ModelJudge(model, settings.support_judge_seconds, cancelled)
        return check(judge=judge), judge.notices()
    try:
        name = settings.nli_model
        return check(judge=NliJudge(name, settings.models_dir) if name else None), ()
    except ModelUnavailable as error:
        said = f"{error.message} The sentences were checked without it."
        return check(), (Notice("no-nli-model", said, error.cure),)


class ModelJudge:
    """A judge for one answer: `model` says of each sentence whether its passages support it."""

    any_language = True

    def __init__(
        self, model: ChatModel, seconds: float, cancelled: Callable[[], bool] = lambda: False
    ) -> None:
        self._model = model
        self._seconds = seconds
        self._cancelled = cancelled
        self._asked = 0
        self._judged = 0
        self._failure: ModelError | None = None
        self._late = False

    def __call__(self, cases: Sequence[Case]) -> list[bool | None]:
        """A verdict for each sentence; None where the model gave none. Raises nothing."""
        self._asked = len(cases)
        try:
            verdicts = read_verdicts(self._reply(cases))
        except ModelError as error:
            self._failure, verdicts = error, {}
        self._judged = sum(number in verdicts for number in range(1, len(cases) + 1))
        return [verdicts.get(number) for number in range(1, len(cases) + 1)]

    def notices(self) -> tuple[Notice, ...]:
        """What was not judged, and why; () where everything was."""
        if self._judged == self._asked:
            return ()
        left = f"{self._asked - self._judged} of {self._asked} cited sentences"
        why = "The model gave no usable verdict on them."
        if self._failure is not None:
            why = self._failure.message
        elif self._late:
            why = f"The model did not finish within {self._seconds:g} seconds."
        cure = "Raise SUPPORT_JUDGE_SECONDS, choose another model, or leave SUPPORT_JUDGE empty."
        if self._cancelled():
            why, cure = "The model was stopped before its end.", "Ask again to have them judged."
        text = f"{left} were checked by code alone. {why}"
        return (Notice("not-judged", text, cure),)

    def _reply(self, cases: Sequence[Case]) -> str:
        max_tokens = _SPARE_TOKENS + _TOKENS_A_VERDICT * len(cases)
        budget = self._model.context_length - max_tokens - _SPARE_TOKENS
        messages = judge_messages(cases, budget, secrets.token_hex(8))
        if not messages or self._cancelled():
            return ""
        deadline = time.monotonic() + self._seconds

        def over() -> bool:
            self._late = self._late or time.monotonic() > deadline
            return self._late or self._cancelled()

        said: list[str] = []
        with self._model.stream(
            messages, max_tokens=max_tokens, json_schema=JUDGE_SCHEMA, cancelled=over
        ) as stream:
            try:
                for piece in stream:
                    said.append(piece)
            except ModelError as error:
                self._failure = error
        return joined(said)  # of a reply that was cut, the verdicts that came whole count


def judge_messages(cases: Sequence[Case], budget: int, boundary: str) -> tuple[ChatMessage, ...]:
    """The request: each passage once, then the statements; as many as fit into `budget` tokens.

    () where not even the first fits.
    """
    system = ChatMessage("system", JUDGE.format(boundary=boundary))
    left = budget - estimate(system.text) - estimate(JUDGE_TASK) - 2 * MESSAGE_TOKENS
    numbers: dict[str, int] = {}
    blocks: list[str] = []
    statements: list[str] = []
    for place, (sentence, passages) in enumerate(cases, 1):
        new = [passage for passage in dict.fromkeys(passages) if passage not in numbers]
        numbered = numbers | {text: len(numbers) + at for at, text in enumerate(new, 1)}
        added = [text_block(numbered[text], defused(text).strip()) for text in new]
        cited = ", ".join(str(numbered[text]) for text in dict.fromkeys(passages))
        said = f"Statement {place} (source {cited}): {defused(' '.join(sentence.split()))}"
        cost = sum(map(estimate, added)) + estimate(said)
        if cost > left:
            continue
        left, numbers = left - cost, numbered
        blocks += added
        statements.append(said)
    if not statements:
        return ()
    task = JUDGE_TASK.format(
        sources=frame(blocks, boundary), statements="\n".join(statements),
        schema=json.dumps(JUDGE_SCHEMA),
    )  # fmt: skip
    return system, ChatMessage("user", task)


def read_verdicts(reply: str) -> dict[int, bool | None]:
    """Statement to verdict (None is unclear), from whatever of the reply is readable.

    Prose, fences and a missing end harm nothing: each verdict is an object of its own.

    >>> read_verdicts('```json\\n{"verdicts": [{"statement": 1, "verdict": "supported"}, {"st')
    {1: True}
    """
    found: dict[int, bool | None] = {}
    for match in _OBJECT.finditer(reply):
        try:
            item = json.loads(match.group())
        except ValueError:
            continue
        number, verdict = item.get("statement"), item.get("verdict")
        if isinstance(verdict, str):
            verdict = verdict.strip().lower().replace("_", " ")
        is_verdict = isinstance(verdict, str | bool) and verdict in _VERDICTS
        if isinstance(number, int) and not isinstance(number, bool) and is_verdict:
            found.setdefault(number, _VERDICTS[verdict])
    return found
