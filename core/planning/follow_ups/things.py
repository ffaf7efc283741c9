"""The thing that an answer names: what "it" and "there" mean behind it (pure)."""

from __future__ import annotations

import re
from collections.abc import Set

from core.planning.follow_ups.content import OPENING, content_of
from core.planning.follow_ups.pronouns import PLACE
from core.planning.follow_ups.turns import Turn, quote_of
from core.text.terms import content_keys

_WHICH = re.compile(
    rf"{OPENING}(?:which|what) (?!(?:is|are|was|were|do|does|did|has|have|had|can|will|if|about)\b)"
    rf"|{OPENING}(?:(?:what|which)(?:'?s| is| are| was| were)? )?(?:the )?(?:most|\w{{2,}}est)\b",
    re.I,
)
"""What asks for one thing of a kind: "which bird", "the most common illness"."""
_WHAT = re.compile(rf"{OPENING}(?:which|what)\b", re.I)
_IT = frozenset({"it", "its"})
_LONGEST = 4  # words of what may be a thing
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*(?: [^\W\d_a-zß-ÿ][\w'’-]*)*")
_IS = re.compile(r"\s+(?:is|are|was|were)\b")


def thing_of(turn: Turn, pronouns: Set[str]) -> str:
    """Return the thing that an answer names and one of the `pronouns` can mean, "" without one.

    After "which bird eats most?" and "Terns eat ...", set off, "is it rare?" is asked of terns, and
    after the capital of a country "who lives there?" of the city. After "what is the aim of the
    project?" it is the project still.
    """
    if turn.answer is None or len(turn.answer.highlights) != 1:
        return ""
    [(start, end)] = turn.answer.highlights
    named = " ".join(turn.answer.text[start:end].split())
    words, quote = named.split(), " ".join(quote_of(turn).split())
    if len(words) > _LONGEST or not all(word.isalpha() and content_of(word) for word in words):
        return ""
    if not set(content_keys(named)).isdisjoint(content_keys(turn.goal)):
        return ""
    is_name = _NAME.fullmatch(named) is not None and not quote.startswith(named)
    is_subject = quote.startswith(named) and _IS.match(quote, len(named)) is not None
    if pronouns & _IT and _WHICH.match(turn.goal) and (is_name or is_subject):
        return named
    if pronouns & PLACE and _WHAT.match(turn.goal) and is_name:
        return named
    return ""
