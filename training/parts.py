"""What a document is for: to learn from, to choose by, or for the final figures (pure)."""

from __future__ import annotations

import hashlib
from enum import StrEnum


class Part(StrEnum):
    """What a document is for."""

    LEARNED = "learned"
    CHOICES = "choices"
    HELD_OUT = "held out"


def part_of(document: str, aside: frozenset[str] = frozenset()) -> Part:
    """By a hash of the document's name: a tenth is held out, another is for choices.

    Documents `aside` are held out too: other evaluations ask about them.
    """
    tenth = hashlib.sha256(document.encode()).digest()[0] % 10
    if tenth == 0 or document in aside:
        return Part.HELD_OUT
    return Part.CHOICES if tenth == 1 else Part.LEARNED
