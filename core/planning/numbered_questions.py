"""Questions for one of a list by its number: "who is number 6", "the third step" (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text.word_lists import ORDINAL_VALUES

LAST = 0
"""The number of the last one."""
_PLACES = {
    **{word: int(value) for word, value in ORDINAL_VALUES.items() if int(value) <= 20},
    **{"first": 1, "1st": 1, "erste": 1, "second": 2, "2nd": 2, "zweite": 2},
    **{"last": LAST, "letzte": LAST},
}
_NOUN = (
    r"(?:number|item|point|step|rule|reason|tip|option|way|one|nummer|punkt|schritt|regel|grund"
    r"|tipp|platz)"
)
_BY_NUMBER = re.compile(
    rf"(?:\b(?:the |der |die |das )?(?:{_NOUN}|section|abschnitt|nr\.?) ?|#)"
    r"(?P<number>\d{1,2})\b(?![.,:/%-]?\d)",
    re.I,
)
_BY_PLACE = re.compile(
    rf"\b(?:the|der|die|das|den|dem) (?P<place>{'|'.join(_PLACES)}|\d{{1,2}}(?=rd|th))"
    rf"(?:[nrs]|rd|th)? {_NOUN}\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """The `number` that is asked for, and the `rest` of the question.

    `placed` says that it is told by its place, "the third step": its list may have bullets.
    """

    number: int
    rest: str
    placed: bool = False


def number_asked(question: str) -> Numbered | None:
    """Return which one of a list a question asks for by its number, None where it asks for none.

    >>> number_asked("who is number 6 on the waiting list?")
    Numbered(number=6, rest='who is   on the waiting list?', placed=False)
    >>> number_asked("what is the third step?"), number_asked("who was the third president?")
    (Numbered(number=3, rest='what is  ?', placed=True), None)
    """
    found = _found(question)
    if found is None:
        return None
    named = found.groupdict()
    told = named.get("number") or named["place"].lower()
    number = int(told) if told.isdigit() else _PLACES[told]
    rest = f"{question[: found.start()]} {question[found.end() :]}"
    return Numbered(number, rest, "place" in named)


def with_number_of(question: str, other: str) -> str:
    """Return a question with the number that another one asks for, "" where one has none.

    >>> with_number_of("who is number 6 on the list?", "and number 3?")
    'who is number 3 on the list?'
    """
    old, new = _found(question), _found(other)
    if old is None or new is None:
        return ""
    return f"{question[: old.start()]}{new.group().strip()}{question[old.end() :]}"


def _found(question: str) -> re.Match[str] | None:
    found = [*_BY_NUMBER.finditer(question), *_BY_PLACE.finditer(question)]
    return found[0] if len(found) == 1 else None
