"""What a statement says otherwise than the source, of the same thing, by a word or two (pure).

Words, names and numbers are all there: "higher interest, lower debt" turned round, "49 goals" of
"19 goals in 49 games", "weekly" for "daily".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.text.terms import Term, fold
from core.text.word_lists import OPPOSITES, SCALE_VALUES, UNITS
from core.verification.quantities import read_terms

_OPPOSITE_OF: dict[str, set[str]] = {}
for _one, _other in OPPOSITES:
    _OPPOSITE_OF.setdefault(_one, set()).add(_other)
    _OPPOSITE_OF.setdefault(_other, set()).add(_one)
_NEXT = 2
"""Words behind an adjective among which is what it is said of: "low in acid"."""
_PERIODS = {
    "hour": ("hourly", "hour"),
    "day": ("daily|täglich", "day|tag"),
    "week": ("weekly|wöchentlich", "week|woche"),
    "month": ("monthly|monatlich", "month|monat"),
    "quarter": ("quarterly|vierteljährlich", "quarter|quartal"),
    "year": ("yearly|annually|jährlich", "year|jahr"),
}
_OFTEN = {
    name: re.compile(rf"\b(?:{often}|(?:every|each|per|an?|jede[ns]?|pro)\s+(?:{period}))\b", re.I)
    for name, (often, period) in _PERIODS.items()
}
"""How something says that it is done once or more in a period."""


def difference(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """What a statement says, and what stands for it in the source; None where nothing differs.

    `best` are the sentences of the source that have most of its words, `lines` all of them.

    >>> source = ["He scored 19 goals in 49 games."]
    >>> difference("He scored 49 goals.", source, source)
    ('49 goals', '19 goals')
    >>> source = ["The cause was higher interest."]
    >>> difference("The cause was lower interest.", source, source)
    ('lower', 'higher')
    >>> difference("It is cleaned weekly.", ["It is cleaned daily."], ["It is cleaned daily."])
    ('weekly', 'daily')
    """
    return _turned(words, best) or _counted(words, lines) or _frequency(words, best, lines)


def _turned(words: str, best: Sequence[str]) -> tuple[str, str] | None:
    """An adjective whose opposite the source says of the same word, and never the adjective."""
    there = {said for line in best for said in _described(line)}
    for adjective, of in _described(words):
        for other in sorted(_OPPOSITE_OF[adjective]):
            if (other, of) in there and (adjective, of) not in there:
                return adjective, other
    return None


def _described(text: str) -> Iterator[tuple[str, str]]:
    """Each word that has an opposite, with the keys of the words of content behind it."""
    found = read_terms(text)
    for at, term in enumerate(found):
        if (folded := fold(term.form)) in _OPPOSITE_OF:
            for other in found[at + 1 : at + 1 + _NEXT]:
                if other.kind in ("word", "name"):
                    yield folded, other.key
                    break


def _counted(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """A number of one thing that the source has of another thing, and of this one another."""
    there = [one for line in lines for one in _counts(line)]
    for number, thing, form in _counts(words):
        same = {what for count, what, _ in there if count == number}
        others = [said for count, what, said in there if what == thing and count != number]
        if same and thing not in same and others:
            return form, others[0]
    return None


def _counts(text: str) -> Iterator[tuple[str, str, str]]:
    """Each number with the word right behind it: their keys, and both as they stand."""
    found = read_terms(text)
    for number, thing in pairwise(found):
        if number.kind != "number" or thing.kind != "word" or not _is_thing(thing):
            continue
        if text[number.end : thing.start] in (" ", "-") and number.end == thing.start - 1:
            yield number.key, thing.key, text[number.start : thing.end]


def _is_thing(term: Term) -> bool:
    folded = fold(term.form)
    return folded not in UNITS and folded not in SCALE_VALUES and len(folded) > 2


def _frequency(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """How often something is done, where the source says another frequency and never this one."""
    ours = {name: found[0] for name, often in _OFTEN.items() if (found := often.search(words))}
    if len(ours) != 1:
        return None
    ((name, said),) = ours.items()
    if any(_OFTEN[name].search(line) for line in lines):
        return None
    theirs = [how[0] for line in best for often in _OFTEN.values() if (how := often.search(line))]
    return (said, theirs[0]) if theirs else None
