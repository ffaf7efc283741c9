"""Fields of records as programs write them: `"ip_address": "10.0.0.1"` (pure)."""

from __future__ import annotations

import re

from core.answering.extractive.spans import Span
from core.text.terms import content_keys

_FIELD = re.compile(
    r'"(?P<name>[^"\n]{1,60})"\s*:\s*(?:"(?P<text>[^"\n]+)"|(?P<bare>true|false|null|-?\d[\w.+-]*))'
)
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_.-]+")


def mark_field(question: str, text: str) -> Span | None:
    """Return the value of the one field of a line that a question names, or None.

    >>> line = '"net": {"ip_address": "10.0.0.1", "port": 9100},'
    >>> start, end = mark_field("what is the ip address?", line) or (0, 0)
    >>> line[start:end]
    '10.0.0.1'
    """
    asked = set(content_keys(question))
    named: dict[int, list[Span]] = {}
    for field in _FIELD.finditer(text):
        keys = set(content_keys(_PARTS.sub(" ", field["name"])))
        if keys and keys <= asked:
            named.setdefault(len(keys), []).append(field.span("text" if field["text"] else "bare"))
    best = named[max(named)] if named else []
    return best[0] if len(best) == 1 else None
