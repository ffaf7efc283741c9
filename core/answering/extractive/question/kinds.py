"""What kind of question it is, by its words: one, several, how, yes or no, whom (pure)."""

from __future__ import annotations

import re

from core.answering.extractive.question.answer_types import (
    OFFICE,
    Wanted,
    wanted,
)
from core.text.languages import language_of
from core.text.terms import content_keys, terms

_YES_NO = re.compile(
    r"^\W*(?:(?:and|but|ok|so|is it true that)\s+)*(?:is|are|was|were|can|could|do|does|did|has|"
    r"have|had|will|would|should|may|must|ist|sind|waren?|kann|können|hat|haben|wird|werden|wurden?"
    r"|darf|dürfen|muss|müssen|soll(?:te)?n?|gibt es|gab es|geht|gilt|lohnt|reicht|funktioniert"
    r"|eignet|gehört|hilft)\b",
    re.I,
)
_WAS = re.compile(r"\W*was\b", re.I)
"""What asks for yes or no in English, and in German for a thing."""
_WHO_IS = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:who(?:'?s| is| was| are| were)|wer (?:ist|war|sind))\b", re.I
)
_OF_OFFICE = re.compile(rf"\b(?:the|{OFFICE}s?|der|die|das)\b", re.I)
_NAME_WORDS = 3
_HOW_TO = re.compile(
    r"\bhow (?:do|can|could|to|should|would)\b"
    r"|\bwie (?:kann|geht|(?!lange|oft|viel|alt)\w+ ich|\w+t man)\b"
    r"|\bwhat (?:do|should|must|shall) (?:i|we|you) (?:(?:have|need) to )?do\b"
    r"|\b(?:steps|instructions?) (?:to|for)\b|\banleitung (?:zum|zur|für)\b",
    re.I,
)
_TIPS_ASKED = re.compile(
    r"\bwhat (?:should|do|must|can) (?:i|we|you|one) (?:look|watch)(?: out)? for\b"
    r"|\bwhat to (?:look(?: out)? for|watch out for|consider|check|bring|pack|avoid|keep in mind)\b"
    r"|\bwhat (?:should|do|must) (?:i|we|you|one) (?:have to |need to )?(?:consider|check"
    r"|keep in mind|pay attention to|be careful about|know before)\b"
    r"|\bworauf (?:muss|soll(?:te)?|sollten?|kann|achte|ist)\b|\bwas (?:muss|soll(?:te)?|ist) .*"
    r"\b(?:beachten|achten|wissen)\b|\b(?:tips|tipps) (?:for|to|on|für|zu[mr]?|bei)\b",
    re.I,
)
_LIST_ASKED = re.compile(
    r"^(?:\W|(?:ok|and|now|please|pls|(?:can|could|would) (?:you|u))\b)*list\b"
    r"|\b(?:an?|the) (?:\w+ )?list of\b|\ball (?:of )?(?:the|them)\b"
    r"|\bwhich (?:\w+ )?(?!(?:is|was|has|does|this|its|us|as)\b)\w+s\b"
    r"(?! (?:me|us|you|the|an?|it|them)\b)"
    r"|\bwhat (?:are(?! .*\bmade (?:out )?of\b)|\w+s are|(?:\w+ ){1,3}(?:is|are) there)\b|"
    r"\bname (?:all|the)\b|\bfull list\b|\bsteps?\b|\bliste\b|\bwelche\b|\balle\b|\bzähle\b"
    r"|\bwas sind (?:die|alle)\b|\bpros\b"
    r"|\b(?:(?:dis)?advantages|drawbacks|benefits|(?:vor|nach)teile)\b",
    re.I,
)
_SECOND = re.compile(
    r"[,;]?\s+(?:and|und|et|y|e)\s+(?=(?:what|when|where|who|why|how|which|whose|does|did|is|was|"
    r"wann|wer|wo|was|wie|warum|welche\w*|(?:ab|bis|seit|since|until|from) (?:wann|when))\b)"
    r"|\?\s+(?=\w)",
    re.I,
)
_INTERJECTION = re.compile(
    r"(?:ok(?:ay|ey)?|great|good|nice|cool|right|well|thanks|thank you|thx|yes|yeah|no|hm+|so|wow"
    r"|gut|schön|super|danke|ja|nein|alles klar)\W*",
    re.I,
)


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is one that yes or no answers.

    >>> asks_yes_or_no("is water included?"), asks_yes_or_no("can you say who paid?")
    (True, False)
    >>> asks_yes_or_no("was it sold?"), asks_yes_or_no("was kostet eine Karte?")
    (True, False)
    """
    if wanted(question) is not Wanted.OTHER or _YES_NO.search(question) is None:
        return False
    return _WAS.match(question) is None or language_of(question) != "de"


def asks_who_one_is(question: str) -> bool:
    """Return whether somebody who is named is asked about, and not for a name.

    >>> asks_who_one_is("who was Genghis Khan?"), asks_who_one_is("who was the first khan?")
    (True, False)
    """
    found = _WHO_IS.match(question)
    if found is None or _OF_OFFICE.search(question):
        return False
    said = [term for term in terms(question[found.end() :]) if term.kind != "stop"]
    return 0 < len(said) <= _NAME_WORDS


def asks_how(question: str) -> bool:
    """Return whether a question asks how something is done.

    >>> asks_how("how do i clean it?"), asks_how("how long is it?")
    (True, False)
    """
    return bool(_HOW_TO.search(question))


def asks_for_list(question: str) -> bool:
    """Return whether a question asks for several things.

    >>> asks_for_list("list all the ceos"), asks_for_list("what are the rules")
    (True, True)
    >>> asks_for_list("who is the ceo"), asks_for_list("what are tiles made of")
    (False, False)
    """
    return bool(_LIST_ASKED.search(question))


def asks_for_tips(question: str) -> bool:
    """Return whether a question asks what is to be minded.

    >>> asks_for_tips("worauf muss ich beim Kauf achten?"), asks_for_tips("what did he look for?")
    (True, False)
    """
    return bool(_TIPS_ASKED.search(question))


def questions_of(question: str) -> list[str]:
    """Return the questions that are asked in one, in order.

    >>> questions_of("What is the epoch and when does it start?")
    ['What is the epoch', 'when does it start?']
    """
    parts = [part.strip() for part in _SECOND.split(question) if part.strip()]
    parts = [part for part in parts if not _INTERJECTION.fullmatch(part)] or parts
    return (
        parts if all(len(part.split()) > 2 or content_keys(part) for part in parts) else [question]
    )
