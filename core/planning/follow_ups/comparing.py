"""Comparisons with what was spoken of, and what follows a comparison (pure)."""

from __future__ import annotations

import re

from core.planning.follow_ups.content import OPENING, content_of, is_code
from core.planning.follow_ups.pronouns import points_back

_DIFFERENCE = re.compile(
    rf"{OPENING}(?:what(?:'?s| is| are)? )?(?:the )?"
    r"(?:(?:main|big(?:gest)?|key) )?(?:diff(?:s|erence|erences|rence)? (?:to|from|with)|vs\.?"
    r"|versus|(?:as )?(?:compared|opposed) (?:to|with)) (?P<other>[^,;?]+?)\W*",
    re.I,
)
_IS_MORE = re.compile(
    rf"{OPENING}(?:whose|which|what) (?P<what>\w[\w -]*?)"
    r" (?:is|are|was|were) (?:\w+er|more|less|better|worse)[,:]? \w.* or .+",
    re.I,
)
"""Which of two things has more of something: "whose revenue is bigger, Acme or Bolt"."""

_THEIRS_IS_MORE = re.compile(
    rf"{OPENING}(?:is|are|was|were) "
    r"(?P<whose>[^\W_][\w .&-]{0,28}?)(?P<s>['’]?)s"
    r" (?:(?:much|any|even|also) )?(?:\w{2,}er|more|less|better|worse)\W*",
    re.I,
)


def more_than_that(question: str) -> str:
    """Return whose the same thing is that is compared with what was just told, "" without.

    >>> more_than_that("is 3ms higher?"), more_than_that("is Bolt's any better")
    ('3m', 'Bolt')
    >>> more_than_that("is gas cheaper?"), more_than_that("is that's more?")
    ('', '')
    """
    found = _THEIRS_IS_MORE.fullmatch(question)
    if found is None or not (found["s"] or is_code(found["whose"])):
        return ""
    return found["whose"] if content_of(found["whose"]) else ""


def compared_with(question: str) -> str:
    """Return what is to be compared with what was spoken of, "" where both are named or none.

    >>> compared_with("diff to a likert scale?"), compared_with("difference between A and B?")
    ('a likert scale', '')
    """
    found = _DIFFERENCE.fullmatch(question)
    if found is None or points_back(question) or " and " in found["other"]:
        return ""
    return found["other"] if content_of(found["other"]) else ""


def asked_of_one(question: str, part: str) -> str:
    """Return a question after which of two has more of something, asked of a third; "" for others.

    >>> asked_of_one("whose revenue is bigger, Acme or Bolt", "coke")
    'what is the revenue of coke?'
    """
    found = _IS_MORE.fullmatch(question)
    if found is None or not content_of(found["what"]):
        return ""
    return f"what is the {found['what']} of {part}?"
