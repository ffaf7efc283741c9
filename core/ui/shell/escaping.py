"""Text of documents, models and people, made safe to show (pure)."""

from __future__ import annotations

import re
import unicodedata

_BIDI = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])
_UNSEEN = ("Cc", "Cs")  # control characters, and halves of a pair that no file can hold


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
    return "".join(
        c for c in text.translate(_BIDI) if c in "\n\t" or unicodedata.category(c) not in _UNSEEN
    )
