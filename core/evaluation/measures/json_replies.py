"""Ask a model for a JSON object and check its reply.

A reply that cannot be read, lacks a field or exceeds its time limit is `None` with a reason;
nothing is guessed from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import ModelError
from core.llm.port import ChatMessage, ChatModel, complete
from core.llm.replies import read_object

SECONDS = 90.0
"""The time limit of one reply."""
Value = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """A model's reply: the object, or None with the reason."""

    value: Value | None
    problem: str = ""


@dataclass(frozen=True)
class Questioner:
    """A model that is asked for JSON. `cancelled` tells whether the person stopped it."""

    model: ChatModel
    cancelled: Callable[[], bool] = lambda: False
    seconds: float = SECONDS

    def ask(
        self, system: str, user: str, schema: Mapping[str, Any], *, max_tokens: int = 500
    ) -> Said:
        """Return one object of this schema. A `ModelError` is returned as the problem."""
        end = time.monotonic() + self.seconds
        messages = [
            ChatMessage("system", f"{system}\n\nReply with JSON of this schema alone:\n"
                        f"{json.dumps(schema)}"),
            ChatMessage("user", user),
        ]  # fmt: skip
        try:
            text = complete(
                self.model,
                messages,
                max_tokens=max_tokens,
                json_schema=schema,
                cancelled=lambda: self.cancelled() or time.monotonic() > end,
            )
        except ModelError as error:
            return Said(None, error.message)
        if time.monotonic() > end:
            return Said(None, f"The model took longer than {self.seconds:.0f} s.")
        value = read_object(text, repair=False)
        if value is None:
            return Said(None, "The reply was no JSON.")
        return _checked(value, schema)


def _checked(value: Value, schema: Mapping[str, Any]) -> Said:
    """Whether every required field is present with its type and an allowed value."""
    for name in schema["required"]:
        rule, found = schema["properties"][name], value.get(name)
        if not _fits(found, rule):
            return Said(None, f"The reply has no usable {name}.")
    return Said(value)


def _fits(found: Any, rule: Mapping[str, Any]) -> bool:
    kinds: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "array": list}
    if not isinstance(found, kinds[rule["type"]]) or (
        rule["type"] == "integer" and isinstance(found, bool)
    ):
        return False
    if "enum" in rule:
        return found in rule["enum"]
    return bool(rule.get("minimum", found) <= found <= rule.get("maximum", found))


def schema(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with all of these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT: Mapping[str, Any] = {"type": "string"}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}
ONE_TO_FIVE: Mapping[str, Any] = {"type": "integer", "minimum": 1, "maximum": 5}
