"""Where the answer begins in a collected question with its answer (pure)."""

from __future__ import annotations

import re

from core.types import CollectKind, Hit

_ANSWER = re.compile(r"^## Answer\b[^\n]*\n", re.M)


def is_pair(hit: Hit) -> bool:
    """Whether a hit is on a question with its answer, as they are collected."""
    return hit.document.source.startswith(CollectKind.STACK_EXCHANGE)


def answer_start(hit: Hit) -> int:
    """Where in its page the answer begins in what is read of a pair; 0 where none is found."""
    found = _ANSWER.search(hit.context) if is_pair(hit) else None
    return hit.context_start + found.end() if found else 0
