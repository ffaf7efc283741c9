"""Text of documents, models and people, made safe to show (pure)."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line end
    r"\ud800-\udfff"  # halves of a pair, which no file can hold
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # marks of direction
)


def escape_markdown(text: str) -> str:
    """Text for a place where Streamlit reads Markdown (a label, a title), shown as it is.

    Every sign with a meaning is escaped, and an invisible joiner breaks what is recognised
    without signs: addresses, emoji names, mail. Control and direction marks are dropped.
    """
    return _escaped(" ".join(printable(text).split()))


def escape_markdown_except_code(text: str) -> str:
    """Like `escape_markdown`, but text between backticks stays code.

    >>> print(escape_markdown_except_code("Run `make run`."))
    Run `make run`\\.
    """
    parts = " ".join(printable(text).split()).split("`")
    if len(parts) % 2 == 0:
        return escape_markdown(text)
    return "".join(f"`{part}`" if i % 2 else _escaped(part) for i, part in enumerate(parts))


def _escaped(text: str) -> str:
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
    joined = re.sub(r"(\\[:@])", "\\1\u2060", escaped)
    return re.sub(r"\b(www)(?=\\\.)", "\\1\u2060", joined, flags=re.IGNORECASE)


def printable(text: str) -> str:
    """Text without control characters and direction marks, which can forge what is read."""
    return _UNSEEN.sub("", text)
