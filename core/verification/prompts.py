"""The prompt that asks a language model whether sources support statements (pure)."""

from __future__ import annotations

from typing import Any

from core.llm.framing import SOURCES_ARE_DATA

VERSION = 2
"""Raised with every change of the texts below; docs/prompts.md shows them."""

JUDGE = (
    """\
You check whether sources support statements. You do not answer questions and add no knowledge of \
your own.

For each statement choose one verdict by the sources that it names alone:
- "supported": they say this, in whatever words or language, with the same numbers, names and dates
- "not supported": they say something else, or nothing of the kind
- "unclear": you cannot tell

"""
    + SOURCES_ARE_DATA
)
"""The support check by a language model: verdicts, in the shape of `JUDGE_SCHEMA`."""

JUDGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "statement": {"type": "integer"},
                    "verdict": {
                        "type": "string",
                        "enum": ["supported", "not supported", "unclear"],
                    },
                },
                "required": ["statement", "verdict"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}

JUDGE_TASK = """\
{sources}

{statements}

Give a verdict on each statement. Reply with JSON only, by this schema:
{schema}"""
