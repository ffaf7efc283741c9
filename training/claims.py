"""Sentences made of a source's sentence by rule: shortened, or with one thing changed (pure)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_OPENING = re.compile(r"^(?:In|By|On|At|During|After|However|Today|Since)\b[^,]{0,40},\s+(\w)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|can|could|will|would|may|must)\b")
_NOT = re.compile(r"\b(?:not|never)\s+")
_NEGATED = re.compile(r"\b(?:not|no|never|none|neither|nor|without)\b|n't", re.I)
_UNITS = (
    ("million", "billion"), ("hundred", "thousand"), ("kilometres", "miles"),
    ("kilometers", "miles"), ("km", "miles"), ("metres", "feet"), ("meters", "feet"),
    ("percent", "million"), ("%", " million"), ("years", "months"), ("days", "weeks"),
    ("hours", "minutes"), ("dollars", "euros"), ("century", "decade"), ("kg", "tonnes"),
    ("°C", "°F"),
)  # fmt: skip
_OPPOSITES = (
    ("increase", "decrease"), ("higher", "lower"), ("more", "fewer"), ("largest", "smallest"),
    ("first", "last"), ("before", "after"), ("north", "south"), ("east", "west"),
    ("always", "rarely"), ("most", "few"), ("all", "some"), ("older", "newer"),
    ("early", "late"), ("above", "below"), ("oldest", "newest"), ("rejected", "accepted"),
)  # fmt: skip


def shortened(sentence: str) -> str:
    """The sentence without brackets and without an opening clause: it says nothing new.

    >>> shortened("In 1943, the engineer (aged 86) died.")
    'The engineer died.'
    """
    text = " ".join(_BRACKETS.sub("", sentence).split())
    return _OPENING.sub(lambda found: found[1].upper(), text)


def changed(sentence: str, passage: str, chance: random.Random) -> str | None:
    """The sentence with a number, a date, a name, a unit, a word or a negation changed.

    None where nothing can be.
    """
    ways = [_number, _month, _name, _unit, _opposite, _negation]
    chance.shuffle(ways)
    ways.sort(key=lambda way: way is _negation)  # it fits nearly everywhere: last, or half the time
    if chance.random() < 0.2:
        ways.reverse()
    made = (way(sentence, passage, chance) for way in ways)
    found = next((new for new in made if new is not None and new != sentence), None)
    return None if found is None else shortened(found)


def _number(sentence: str, passage: str, chance: random.Random) -> str | None:
    found = list(_NUMBER.finditer(sentence))
    if not found:
        return None
    one = chance.choice(found)
    others = [o.group() for o in _NUMBER.finditer(passage) if o.group() not in sentence]
    if others and chance.random() < 0.4:
        return _put(sentence, one.span(), chance.choice(others))
    digits = [at for at, letter in enumerate(one.group()) if letter.isdigit()]
    at = chance.choice(digits)
    digit = chance.choice([d for d in "123456789" if d != one.group()[at]])
    return _put(sentence, (one.start() + at, one.start() + at + 1), digit)


def _month(sentence: str, passage: str, chance: random.Random) -> str | None:
    found = list(_MONTH.finditer(sentence))
    if not found:
        return None
    one = chance.choice(found)
    other = chance.choice([month for month in _MONTHS if month != one.group()])
    return _put(sentence, one.span(), other)


def _name(sentence: str, passage: str, chance: random.Random) -> str | None:
    found = [one for one in _NAME.finditer(sentence) if one.group() not in _MONTHS]
    others = sorted({
        o.group() for o in _NAME.finditer(passage)
        if o.group() not in _MONTHS and not set(o.group().split()) & set(sentence.split())
    })  # fmt: skip
    if not found or not others:
        return None
    return _put(sentence, chance.choice(found).span(), chance.choice(others))


def _unit(sentence: str, passage: str, chance: random.Random) -> str | None:
    return _swapped(sentence, _UNITS, chance, r"(?<=\d)\s?{}(?!\w)|\b{}\b")


def _opposite(sentence: str, passage: str, chance: random.Random) -> str | None:
    return _swapped(sentence, _OPPOSITES, chance, r"\b{}\b|\b{}\b")


def _negation(sentence: str, passage: str, chance: random.Random) -> str | None:
    if there := _NOT.search(sentence):
        return _put(sentence, there.span(), "")
    if _NEGATED.search(sentence):
        return None  # two negations would say what the source says
    verb = _AUXILIARY.search(sentence)
    return None if verb is None else _put(sentence, (verb.end(), verb.end()), " not")


def _swapped(
    sentence: str, pairs: Sequence[tuple[str, str]], chance: random.Random, form: str
) -> str | None:
    both = [*pairs, *((b, a) for a, b in pairs)]
    chance.shuffle(both)
    for old, new in both:
        found = re.search(form.format(re.escape(old.strip()), re.escape(old.strip())), sentence)
        if found:
            space = " " if found.group()[0].isspace() else ""
            return _put(sentence, found.span(), space + new.strip())
    return None


def _put(sentence: str, place: tuple[int, int], new: str) -> str:
    return sentence[: place[0]] + new + sentence[place[1] :]
