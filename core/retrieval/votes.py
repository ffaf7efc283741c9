"""What people voted for the answer of a collected pair, as a signal of its rank (pure)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from core.citations.answer_start import is_pair
from core.retrieval.fusion import weighted
from core.types import Hit

_SCORE = re.compile(r"\banswer by .*\((?:[^()]*, )?score (-?\d{1,9})\)[^()]*$")
"""The last bracket of an attribution: the name of an author before it may hold another one."""


def votes_of(attribution: str) -> int | None:
    """Return the score of the answer that an attribution names, None where it says none.

    >>> votes_of("Question by A (2016-08-02, score 3), answer by B (2016-08-03, score -1), CC BY")
    -1
    """
    found = _SCORE.search(attribution)
    return int(found[1]) if found else None


def by_votes(hits: Sequence[Hit], weight: float) -> list[Hit]:
    """Return the hits by `weight` times the votes plus the rest times their order so far.

    Votes count by their logarithm, so that 100 are not ten times 10, and none of them count less
    than 0. Hits without votes stand in the middle of those with some.
    """
    votes = {hit.chunk.id: _counted(hit) for hit in hits}
    known = [value for value in votes.values() if value is not None]
    if not known:
        return list(hits)
    middle = sum(known) / len(known)
    liked = [(key, middle if value is None else value) for key, value in votes.items()]
    order = [(hit.chunk.id, -float(place)) for place, hit in enumerate(hits)]
    of_id = {hit.chunk.id: hit for hit in hits}
    ranked = weighted(liked, order, weight)
    return [of_id[key] for key, _ in ranked]


def _counted(hit: Hit) -> float | None:
    votes = votes_of(hit.document.attribution) if is_pair(hit) else None
    return None if votes is None else math.log1p(max(votes, 0))
