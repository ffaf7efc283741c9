"""What a statement says otherwise than the source, of the same thing, by a word or two (pure).

Words, names and numbers are all there: "higher interest, lower debt" turned round, "49 goals" of
"19 goals in 49 games", "weekly" for "daily".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.text.terms import Term, content_keys, fold, folded_words, stem
from core.text.word_lists import IRREGULAR, OPPOSITES, SCALE_VALUES, UNITS
from core.verification.numbers.quantities import read_terms
from core.verification.words.limits import overstated
from core.verification.words.roles import exchanged_roles, opposite_done, other_time

_OPPOSITE_OF: dict[str, set[str]] = {}
for _one, _other in OPPOSITES:
    _OPPOSITE_OF.setdefault(_one, set()).add(_other)
    _OPPOSITE_OF.setdefault(_other, set()).add(_one)
_NAME = r"(?<![\w.])[A-Z][\w.’'-]*(?:\s(?:[A-Z][\w.’'-]*|de|of|von|van)){0,4}"
_FROM_BOTH_SIDES = ({"bought", "sold"}, {"won", "lost"}, {"win", "lose"})
"""What one has sold, the other has bought: who did it decides (`opposite_done`)."""
_NAMES = rf"{_NAME}(?:(?:,\s|,?\sand\s){_NAME}){{0,4}}"
_PASTS = tuple(sorted(IRREGULAR))
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
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
_ANY = folded_words(
    "people persons men women others members items units cases times more personen menschen leute"
)
"""What many other words may be said for: of 97 people 36 passengers are people too."""
_MORE = re.compile(
    r"\b(?P<how>more|fewer|less)\s+(?P<one>[^\W\d_]{3,})\b[^.;]{0,40}?\bthan\s+(?P<other>[^\W\d_]{3,})",
    re.I,
)
"""Two things of which there is more of one."""
_BY = re.compile(rf"\b(?P<verb>[^\W\d_]{{2,}}ed|{'|'.join(_PASTS)})\s+by\s+(?P<who>{_NAMES})")
_DID = re.compile(
    rf"(?P<who>{_NAMES})\s+(?:also\s+)?(?P<verb>[^\W\d_]{{2,}}ed|{'|'.join(_PASTS)})\b(?!\s+by\b)"
)
"""Who did what, as "done by" and as "did"."""


def difference(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """What a statement says, and what stands for it in the source; None where nothing differs.

    `best` are the sentences of the source that have most of its words, `lines` all of them.

    >>> source = ["He scored 19 goals in 49 games."]
    >>> difference("He scored 49 goals.", source, source)
    ('49 goals', '19 goals')
    >>> source = ["The cause was higher interest."]
    >>> difference("The cause was lower interest.", source, source)
    ('lower', 'higher')
    >>> source = ["It was produced by Ada Lund and directed by Max Ober."]
    >>> difference("Max Ober produced it.", source, source)
    ('Max Ober', 'Ada Lund')
    >>> source = ["On board were 36 passengers and 61 crewmen."]
    >>> difference("There were more passengers than crewmen.", source, source)
    ('more passengers than crewmen', '36 passengers, 61 crewmen')
    >>> difference("It is cleaned weekly.", ["It is cleaned daily."], ["It is cleaned daily."])
    ('weekly', 'daily')
    """
    return (
        _turned(words, best)
        or opposite_done(words, best, lines)
        or _counted(words, lines)
        or _frequency(words, best, lines)
        or _compared(words, lines)
        or _done_by(words, lines)
        or overstated(words, best, lines)
        or exchanged_roles(words, lines)
        or other_time(words, lines)
    )


def _turned(words: str, best: Sequence[str]) -> tuple[str, str] | None:
    """An adjective whose opposite the source says of the same word, and never the adjective."""
    there = {said for line in best for said in _described(line)}
    for adjective, of in _described(words):
        for other in sorted(_OPPOSITE_OF[adjective]):
            if {adjective, other} in _FROM_BOTH_SIDES:
                continue
            if (other, of) in there and (adjective, of) not in there:
                return adjective, other
    return None


def _described(text: str) -> Iterator[tuple[str, str]]:
    """Each word that has an opposite, with the keys of the words of content behind it.

    What a comma follows ("Before, it was so") is said of no word.
    """
    found = read_terms(text)
    for at, term in enumerate(found):
        if (folded := fold(term.form)) in _OPPOSITE_OF and text[term.end : term.end + 1] != ",":
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
    for at, (number, thing) in enumerate(pairwise(found)):
        if (
            number.kind != "number"
            or not number.key[0].isdigit()
            or thing.kind != "word"
            or text[number.end : thing.start] not in (" ", "-")
        ):
            continue
        scale = SCALE_VALUES.get(fold(thing.form), 0) if _PLAIN.fullmatch(number.key) else 0
        behind = found[at + 2] if scale and at + 2 < len(found) else None
        if behind and behind.kind == "word" and _is_thing(behind):  # "7 million cars"
            scaled = f"{float(number.key) * 10.0**scale:g}"
            yield scaled, behind.key, text[number.start : behind.end]
        elif _is_thing(thing):
            yield number.key, thing.key, text[number.start : thing.end]


def _compared(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """More of one thing than of another, where the source counts both and says less each time."""
    found = _MORE.search(words)
    if not found:
        return None
    ones, others = (content_keys(found[part])[:1] for part in ("one", "other"))
    told: list[tuple[tuple[float, str], tuple[float, str]]] = []
    for line in lines:
        counts = [*_counts(line)]
        mine = [(float(count), said) for count, what, said in counts if [what] == ones]
        theirs = [(float(count), said) for count, what, said in counts if [what] == others]
        told += zip(mine, theirs, strict=True) if len(mine) == len(theirs) else []
    more = found["how"].lower() == "more"
    if not told or any((one >= other) if more else (one <= other) for (one, _), (other, _) in told):
        return None
    (_, mine_said), (_, theirs_said) = told[0]
    return found[0], f"{mine_said}, {theirs_said}"


def _done_by(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """Who did something, where a source says by whom, and that one did something else there."""
    agents: dict[str, list[str]] = {}
    for found in (found for line in lines for found in _BY.finditer(line)):
        agents.setdefault(_verb(found["verb"]), []).append(found["who"])
    for found in (found for pattern in (_BY, _DID) for found in pattern.finditer(words)):
        verb, ours = _verb(found["verb"]), {*content_keys(found["who"])}
        theirs = agents.get(verb, [])
        elsewhere = [who for other, said in agents.items() if other != verb for who in said]
        if not theirs or any(ours & {*content_keys(who)} for who in theirs):
            continue
        if ours and any(ours <= {*content_keys(who)} for who in elsewhere):
            return found["who"].rstrip("."), theirs[0].rstrip(".")
    return None


def _verb(form: str) -> str:
    folded = fold(form)
    return stem(IRREGULAR.get(folded, folded))


def _is_thing(term: Term) -> bool:
    folded = fold(term.form)
    return not (folded in UNITS or folded in SCALE_VALUES or folded in _ANY) and len(folded) > 2


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
