"""Estimate how many tokens a text takes, without a tokenizer (pure).

Each model has a tokenizer of its own, which would have to be downloaded. The estimate is based on
the scripts of the characters instead. The weights were fitted by quantile regression on 520
passages of 1,000 characters in nine languages, code and financial tables, against six
vocabularies of 32,000 to 200,000 tokens: `estimate` is the 95th percentile for the vocabulary with
the most tokens (its counts were 0.70 to 1.06 of that), `least` three quarters of the 5th percentile
for the one with the fewest.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

_HIGH = {"letter": 0.285, "digit": 1.12, "space": 0.10, "mark": 1.05, "latin": 2.9, "greek": 1.33,
         "cyrillic": 0.62, "semitic": 1.11, "east": 1.35, "other": 2.0}  # fmt: skip
_LOW = {"letter": 0.105, "digit": 0.10, "space": 0.10, "mark": 0.30, "latin": 0.70, "greek": 0.22,
        "cyrillic": 0.15, "semitic": 0.17, "east": 0.32, "other": 0.20}  # fmt: skip


def estimate(text: str) -> int:
    """Return an upper estimate of the tokens of `text`, for budgets."""
    return _weighed(text, _HIGH)


def least(text: str) -> int:
    """Return a lower bound of the tokens of `text`; a server that counts fewer has truncated it."""
    return _weighed(text, _LOW)


def _weighed(text: str, weights: dict[str, float]) -> int:
    return math.ceil(sum(weights[_script(c)] * n for c, n in Counter(text).items()))


@cache
def _script(character: str) -> str:
    code = ord(character)
    if code < 0x80:
        if character.isalpha():
            return "letter"
        return "digit" if character.isdigit() else "space" if character.isspace() else "mark"
    for end, name in _ENDS:
        if code < end:
            return name
    return "other"


_ENDS = ((0x250, "latin"), (0x370, "other"), (0x400, "greek"), (0x530, "cyrillic"),
         (0x590, "other"), (0x900, "semitic"), (0x1F00, "other"), (0x2000, "greek"),
         (0x2E80, "other"), (0xA4D0, "east"), (0xAC00, "other"), (0xD7B0, "east"),
         (0xF900, "other"), (0xFB00, "east"), (0xFF00, "other"), (0xFFE0, "east"))  # fmt: skip
