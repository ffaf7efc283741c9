"""Sentences that answer by where they stand: the entry of a glossary, below a heading (pure)."""

from __future__ import annotations

import re

from core.answering.extractive.question.answer_types import wanted
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.answering.extractive.sentences.quotable import without_number
from core.text.lines import LABEL
from core.text.signatures import is_signature
from core.text.terms import content_keys
from core.types import Hit

_WHAT_IS = re.compile(
    r"(?:what|was) (?:is|are|ist|sind)\b|what (?:\w+ ){1,4}(?:is|are|means)\W*$"
    r"|was (?:\w+ ){1,4}(?:ist|sind|bedeutet)\W*$",
    re.I,
)
_NUMBER = re.compile(r"^[\d.]+ ")
_OF_IT = re.compile(r"\b(?:how|when|why|where|wie|wann|warum|wo)\b", re.I)
"""What tells something of a thing in a heading, and not what it is: "How to file a lien"."""
_ASKING = re.compile(
    r"\b(?:when|who|how (?:long|often|much|many|old)|wann|wer|wie (?:lange|oft|viele?|hoch|alt))\b",
    re.I,
)
"""What asks for a time, a person or a number."""
_NAME_WORDS = 3
"""Words of the name of a thing: more ask for something of it."""
_QUESTION_SIGN = re.compile(r"(?:q|f|question|frage)\s?\d*\s?[:.)]\s+", re.I)


def asks_just_this(heading: str, part: str) -> bool:
    """Whether a heading is the question itself, as in a list of frequent questions.

    >>> asks_just_this("Q3: Can I cancel my order?", "can i cancel my order")
    True
    >>> asks_just_this("Cancelling", "can i cancel"), asks_just_this("When may I?", "may i?")
    (False, False)
    """
    plain = BRACKETED.sub("", part)
    asked = set(content_keys(plain))
    if not heading.endswith("?") or not asked or wanted(heading) is not wanted(plain):
        return False
    return asked == set(content_keys(_QUESTION_SIGN.sub("", without_number(heading))))


def asks_it(candidate: Candidate, part: str) -> bool:
    """Whether the heading above asks for the same of all that a question names, and may for more.

    "Clearing snow: when and where?" asks "when do I clear snow".
    """
    said = {found.group().casefold() for found in _ASKING.finditer(candidate.under)}
    asked = set(content_keys(part))
    same = any(found.group().casefold() in said for found in _ASKING.finditer(part))
    return same and bool(asked) and asked <= set(content_keys(candidate.under))


def asks_the_same(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the first below a heading that asks the question: "What is a lens?"."""
    heading = _NUMBER.sub("", candidate.under)
    asks = candidate.opens and _WHAT_IS.match(heading) is not None
    return asks and bool(asked) and asked == set(content_keys(heading))


def is_its_section(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the first sentence below a heading that is just what is asked for: "Liens".

    Where nothing says what that is, its own section does.
    """
    title = without_number(candidate.under)
    titled = 0 < len(asked) <= _NAME_WORDS and asked == set(content_keys(title))
    if _OF_IT.search(title):
        return False
    return candidate.opens and titled and not is_signature(candidate.under)


def is_entry(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the entry of a glossary for just what is asked for: "Lien: a claim on land"."""
    text = candidate.sentence.text
    term = LABEL.match(text)
    if term is None or not asked or set(content_keys(term["label"])) != asked:
        return False
    return " " in text[term.end() :].strip()


def says_how(heading: str, part: str, hit: Hit) -> bool:
    """Whether a heading says what a question asks how to do, and hardly more: "Retiring".

    What the document is called need not stand in it, nor all that the conversation was about.
    """
    named = set(content_keys(without_number(heading)))
    titles = set(content_keys(hit.document.title)) - named
    asked, typed = set(content_keys(part)), set(content_keys(BRACKETED.sub("", part)))
    of_it = asked == typed or not (named | titles).isdisjoint(asked - typed)
    left = typed - titles
    return bool(left) and left <= named and of_it and len(named - asked) <= 1
