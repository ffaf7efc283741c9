"""Questions after the reason of what was told: "why not ...?", "why did it get worse?" (pure)."""

from __future__ import annotations

import re

from core.planning.follow_ups.content import OPENING, content_of
from core.text.terms import folded_words, terms

_WHY_NOT = re.compile(
    rf"{OPENING}why (?:not|no|only|so (?:few|many|much|little)) (?P<other>"
    r"(?:(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|than)\b)"
    r"[\w'’-]+\s*){1,6})\W*",
    re.I,
)
_WHY = re.compile(r"\b(?:why|how come)\b.*\b(?:it|they|that|this|those|these)\b", re.I)
_CHANGE = folded_words(
    "worse better higher lower bigger smaller more less fewer up down much bad badly good well low"
    " high fast quickly suddenly change changed drop dropped fall fell fallen rise rose risen grow"
    " grew grown increase increased decrease decreased decline declined shrink shrank get got go"
    " went become became happen happened year time"
)
"""What is said of a figure, or of how things went, and hardly of who was named."""


def lacks_reason(question: str) -> bool:
    """Return whether a question after a reason has no predicate: "why not Linz?".

    >>> lacks_reason("why so few women?"), lacks_reason("why are there so few women?")
    (True, False)
    """
    found = _WHY_NOT.fullmatch(question)
    return found is not None and bool(content_of(found["other"]))


def why_changed(question: str) -> bool:
    """Return whether it is asked why what was told of got better or worse.

    >>> why_changed("why did it get so much worse"), why_changed("why did they sell the roof?")
    (True, False)
    """
    if not _WHY.search(question):
        return False
    own = [term for term in terms(question) if term.kind != "stop"]
    return all(folded_words(term.form) <= _CHANGE for term in own) and bool(content_of(question))
