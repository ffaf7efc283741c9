"""Which words of a sentence deny what it says (pure)."""

from __future__ import annotations

import re

from core.text.terms import Term, fold, folded_words
from core.text.word_lists import NEGATIONS

_NEGATIONS = folded_words(*NEGATIONS)
_CONTRACTED = re.compile(r"n['\u2019]t$", re.I)
_ANSWERS = folded_words("no nein non")
_NOTHING = "None"
"""A value in code, unless a sentence begins with it."""
_ANSWERED = re.compile(r"\W*,")
"""What stands behind the "No" that answers a question."""
_MORE_FOLLOWS = re.compile(
    r"\W*(?:(?:only|solely|nur|bloß)\b.*\b(?:but|also|sondern)\b"
    r"|(?:just|merely|simply|limited\s+to)\b"
    r"|(?:less|fewer)\s+than\b|weniger\s+als\b"
    r"|other\b.*\b(?:more|fewer|less|[^\W\d_]+er\s+than)\b"
    r"|(?:pas\s+)?seulement\b.*\bmais\b|s[oó]l[oa](?:mente)?\b.*\b(?:sino|ma)\b"
    r"|soltanto\b.*\bma\b)",
    re.I | re.S,
)
"""What stands behind the "not" of "not only ... but also", which says both, and of "not just",
behind the "no" of "no other ... more", which says most, and of "no less than", which says at least.
"""
_EITHER_WAY = re.compile(r"\b(?:or|oder|ou)\s+$", re.I)
"""What stands before the "not" of "whether or not", which holds either way."""
_CONDITION = re.compile(r"\b(?:if|unless|whether|wenn|falls|sofern|ob)\b[^,;:.]*$", re.I)
"""What stands before a "not" that is part of a condition: "if you cannot pay"."""


def denies(term: Term, text: str) -> bool:
    """Whether a term of `text` denies something.

    >>> from core.text.terms import terms
    >>> [t.form for t in terms("No, it is not red.") if denies(t, "No, it is not red.")]
    ['not']
    """
    folded = fold(term.form)
    if folded in _ANSWERS and _ANSWERED.match(text, term.end):
        return False
    if term.form == _NOTHING and text[: term.start].strip():
        return False
    if not (folded in _NEGATIONS or _CONTRACTED.search(term.form)):
        return False
    return not (_MORE_FOLLOWS.match(text, term.end) or _EITHER_WAY.search(text, 0, term.start))


def is_condition(term: Term, text: str) -> bool:
    """Whether a negation of `text` belongs to a condition, which states nothing.

    >>> from core.text.terms import terms
    >>> [is_condition(t, "If not, call us.") for t in terms("If not, call us.") if t.form == "not"]
    [True]
    """
    return bool(_CONDITION.search(text, 0, term.start))
