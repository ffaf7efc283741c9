"""How sure a quoted answer is, in words: figures of a model's belief say more than it knows (pure).

Learned by logistic regression on halves of squad, xquad-de, talks and the sample questions, from
the best sentence's score and its lead over the second. docs/evaluation.md gives the share of right
answers behind each word; `eval_custom.py run` prints it for any set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.types import Answer

_SCORE, _LEAD, _BIAS = 0.17, 0.14, -1.54
DIRECTLY = 0.8
"""The chance of being right from which on an answer was found directly."""
_RIGHT = "In tests with three sets of questions, {} to {} % of such answers were right."
_MEANINGS = {
    "found directly": ("One passage clearly fits your question best. " + _RIGHT.format(93, 100)),
    "found nearby": (
        "Several passages fit about as well; this one comes nearest. Read around it before you "
        "rely on it. " + _RIGHT.format(81, 94)
    ),
    "not found": (
        "No passage seems to answer this. That may be wrong: in test conversations it was said of "
        "2 % of the questions that a document did answer."
    ),
}
"""What each word means, with figures of docs/evaluation.md."""


def is_direct(scores: Sequence[float]) -> bool:
    """Return whether the best of the sentences' scores is so high, and so far ahead.

    >>> is_direct([18.0, 14.0]), is_direct([12.0, 11.9])
    (True, False)
    """
    best, *others = sorted(scores, reverse=True)
    lead = best - others[0] if others else 0.0
    return 1 / (1 + math.exp(-(_SCORE * best + _LEAD * lead + _BIAS))) >= DIRECTLY


def in_words(answer: Answer) -> str:
    """Return "found directly", "found nearby" or "not found"; "" where nothing was estimated."""
    if answer.abstention is not None:
        return "not found"
    if answer.confidence is None:
        return ""
    return "found directly" if answer.direct else "found nearby"


def meaning(answer: Answer) -> str:
    """Return what the word for an answer means, and how often it was right where it was measured.

    "" where nothing was estimated: of what a language model writes nothing was measured.
    """
    return _MEANINGS[in_words(answer)] if answer.confidence is not None else ""
