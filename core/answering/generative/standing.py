"""Whether what a model wrote is an answer, by what the check of its sentences found (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.types import STATES_NOTHING, Claim, Support
from core.verification.about_sources import lacks

UNSOURCED = "unsourced"
"""The code of the notice on an answer of which nothing comes from the sources."""
_FOUND = (Support.VERBATIM, Support.SUPPORTED, Support.MATCHED)


class Standing(StrEnum):
    """What an answer is worth as a whole."""

    ANSWER = "answer"
    UNSUPPORTED = "unsupported"
    """Nothing of it comes from the sources."""
    REFUSAL = "refusal"
    """It says that the sources do not hold the answer, and nothing else that they support."""


def standing(text: str, claims: Sequence[Claim], *, says_not_found: bool = False) -> Standing:
    """What an answer is, by its claims.

    >>> words = "The sources do not mention the price."
    >>> standing(words, [Claim(0, len(words), (), Support.UNCHECKED, STATES_NOTHING)]).value
    'refusal'
    """
    if any(claim.support in _FOUND for claim in claims):
        return Standing.ANSWER
    stating = [claim for claim in claims if claim.reason != STATES_NOTHING]
    denies = any(
        lacks(text[claim.start : claim.end]) is not None
        for claim in claims
        if claim.reason == STATES_NOTHING
    ) or (not claims and lacks(text) is not None)
    if says_not_found or (denies and not stating):
        return Standing.REFUSAL
    if any(claim.support is Support.UNCHECKED for claim in stating):
        return Standing.ANSWER  # code, or another language: nothing is known against it
    return Standing.UNSUPPORTED
