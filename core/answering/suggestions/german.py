"""Questions that a German sentence answers: what, when, where, how long and how much (pure)."""

from __future__ import annotations

import re

from core.answering.suggestions.subjects import NAME, is_subject, with_capital

_SUBJECT = rf"^(?P<article>Der |Die |Das |Ein |Eine )?{NAME}"
_DEFINITION = re.compile(
    rf"{_SUBJECT}(?: \([\w .-]{{1,20}}\))? (?P<be>ist|sind) (?:eine?|der|die|das) \w"
)
_BORN = re.compile(
    r"^(?P<x>[A-ZÄÖÜ][\w'’-]+(?: (?:von |van )?[A-ZÄÖÜ][\w'’.-]+){1,3}) "
    r"\((?:\*|geboren|geb\.) ?[^()]{0,40}\d{4}"
)
_DATED = re.compile(
    rf"{_SUBJECT} (?P<be>wurde|wurden) [^.;]{{0,60}}?\b(?:1\d|20)\d\d\b[^.;]{{0,60}}? "
    r"(?P<done>gegründet|gebaut|erbaut|errichtet|eröffnet|eingeweiht|eingeführt|veröffentlicht|fertiggestellt|erfunden"
    r"|entdeckt|unterzeichnet|gestartet)\b"
)
_PLACED = re.compile(
    rf"{_SUBJECT} (?P<verb>liegt|befindet sich|steht) (?:in|im|am|an|auf|bei|nahe) \w"
)
_COSTS = re.compile(rf"{_SUBJECT} (?P<verb>kostet|kosten|dauert|dauern) [^.;]{{0,30}}?\d")
_PARTS = re.compile(rf"{_SUBJECT} (?P<verb>besteht|bestehen) aus \w")
_ASKS = {
    "liegt": "Wo liegt {x}?",
    "steht": "Wo steht {x}?",
    "befindet sich": "Wo befindet sich {x}?",
    "kostet": "Wie viel kostet {x}?",
    "kosten": "Wie viel kosten {x}?",
    "dauert": "Wie lange dauert {x}?",
    "dauern": "Wie lange dauern {x}?",
    "besteht": "Woraus besteht {x}?",
    "bestehen": "Woraus bestehen {x}?",
}


def question_of(sentence: str, text: str) -> str:
    """Return the question that a sentence of a text answers, "" where none is seen."""
    if born := _BORN.match(sentence):
        return f"Wann wurde {born['x']} geboren?"
    if (found := _DEFINITION.match(sentence)) and (subject := _subject(found, text)):
        return f"Was {found['be']} {subject}?"
    if (found := _DATED.match(sentence)) and (subject := _subject(found, text)):
        return f"Wann {found['be']} {subject} {found['done']}?"
    for rule in (_PLACED, _COSTS, _PARTS):
        if (found := rule.match(sentence)) and (subject := _subject(found, text)):
            return _ASKS[found["verb"]].format(x=subject)
    return ""


def _subject(found: re.Match[str], text: str) -> str:
    """The subject as it stands within a question; "" of what is none.

    Every first word has a capital, so without an article it must have one elsewhere.
    """
    if not is_subject(found["x"]):
        return ""
    if found["article"]:
        return found["article"].lower() + found["x"]
    return found["x"] if with_capital(found["x"], text) else ""
