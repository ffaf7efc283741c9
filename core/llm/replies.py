"""Reading the JSON object in what a model wrote, also where it is not quite JSON (pure).

Small models put their object into a code block, say something before or after it, use single
quotes, Python's words, comments or trailing commas, or stop before its end: json-repair reads
these. Its time grows with the square of the text, so it gets a bounded piece, and few attempts.
"""

from __future__ import annotations

import json
from typing import Any

from json_repair import repair_json

LONGEST = 20_000
"""Characters of a reply that are read: no plan is longer, and a model may write without end."""
_LONGEST_REPAIRED = 4_000
_MOST_REPAIRS = 2


def read_object(text: str, *, repair: bool = True) -> dict[str, Any] | None:
    """The first JSON object in `text` that is not empty; None where there is none.

    With `repair`, an object that is not quite JSON is read as well.

    >>> read_object("Sure!\\n```json\\n{'queries': ['a', 'b',], enough: True")
    {'queries': ['a', 'b'], 'enough': True}
    """
    text = text[:LONGEST]
    repairs = _MOST_REPAIRS if repair else 0
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            value = _repaired(text[start : start + _LONGEST_REPAIRED]) if repairs else None
            repairs = max(0, repairs - 1)
        if isinstance(value, dict) and value:
            return value
        start = text.find("{", start + 1)
    return None


def _repaired(text: str) -> Any:
    """The object at the beginning of `text`; of several, the first."""
    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):  # nested too deep
        return None
    if isinstance(value, list):
        return next((item for item in value if isinstance(item, dict)), None)
    return value
