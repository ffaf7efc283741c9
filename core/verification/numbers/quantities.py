"""The numbers, dates and units of a text, each with one key for all of its spellings (pure).

"Twenty-five", "25" and "25th" are one number; "3 March 2020", "March 3, 2020" and "2020-03-03" one
date. A number has a unit and a sign where they stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.text.languages import language_of
from core.text.place_names import PLACE_OF, PLACES_OF_SEVERAL_WORDS
from core.text.terms import Term, fold, terms
from core.text.word_lists import (
    AMBIGUOUS_MONTHS,
    FALLING,
    GOING_DOWN,
    GOING_UP,
    MONTH_NUMBERS,
    NUMBER_VALUES,
    ORDINAL_VALUES,
    SCALE_VALUES,
    UNITS,
)

_YEAR_FIRST = re.compile(r"(?<![\d.,/-])(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?![\d-])")
_DAY_FIRST = re.compile(
    r"(?<![\d.,/-])(?P<d>\d{1,2})(?P<sep>[./-])(?P<m>\d{1,2})(?P=sep)(?P<y>\d{4})(?!\d)"
)
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?"
_MONTH = r"(?P<{0}>[^\W\d_]{{3,12}})\.?"
_ALWAYS = re.compile(r"(?<![\d/])24\s?/\s?7(?![\d/])")
"""24 hours a day, which is said without the seven days as well."""
_OF_ONE_LANGUAGE = {"once": "es", "due": "it", "cent": "fr", "opt": "ro"}
"""Number words of one language that are other words in English; Romanian is never told."""
_NAMED = re.compile(
    rf"(?<![\d.,])(?:{_DAY.format('d1')}\s+(?:of\s+|de\s+)?{_MONTH.format('m1')}"
    rf"|{_MONTH.format('m2')}\s+{_DAY.format('d2')}(?![\d.,:]*\d)"
    rf"|{_MONTH.format('m3')}(?=,?\s+(?:of\s+|de\s+)?\d{{4}}\b))"
)
_SHORT_RANGE = re.compile(
    r"(?<![\d.,])(?P<century>1\d|20)\d\d\s?[-\u2013/]\s?(?P<end>\d\d)(?![\d.,]*\d)"
)
"""Years of which the second is short: "1914-18"."""
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ème"})
_NOT_ORDINAL = re.compile(
    r"[-\s]+(?:part(?:y|ies)|centur(?:y|ies)|jahrhundert\w*|siècle|siglo)\b", re.I
)
"""A third party is no third of anything, and a century is told in years as well."""
_ONE = re.compile(r"\b(?:an?|one)\s+$", re.I)
_OF = re.compile(r"\s+of\b", re.I)
_SECOND = re.compile(r"\b(?:the|a|his|her|its|their|our)\s+$", re.I)
"""What stands before "second" where it is an ordinal, and neither a unit nor "secondly"."""
_MINUS = re.compile(
    r"(?:^|[\s(|$€£])[-\u2212\u2013][$€£]?$|(?:^|(?<![\d%])[\s(|$€£])[-\u2212\u2013]\s$"
)
"""A sign before a number; between two numbers with a space to each side it is a range."""
_BEFORE = re.compile(r"(US\$|[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY))\s?$")
_AFTER = re.compile(r"\s?(%|°C|°F|[€$£¥]|[^\W\d_]+)")
_FALLING = re.compile("|".join(FALLING), re.I)
_MOVED = re.compile(rf"(?P<up>{'|'.join(GOING_UP)})|(?P<down>{'|'.join(GOING_DOWN)})", re.I)
_CLAUSE = re.compile(r"[.;:,](?=\s)|[()|\n]")
_WORDS_BETWEEN = 3
"""Words between a change and its number at most: "fell from 612 kg to 588"."""
_ONES = {
    word: number
    for number, line in enumerate(
        ("one ein first", "two zwei second", "three drei", "four vier", "five funf",
         "six sechs", "seven sieben", "eight acht", "nine neun"), 1
    )
    for word in line.split()
}  # fmt: skip
_UNIT = "one|two|three|four|five|six|seven|eight|nine"
_UNIT_TH = f"{_UNIT}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SMALL = f"{_UNIT}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_JOIN = r"(?:\s?-\s?|\s)"  # tokenised texts have spaces around a hyphen
_BELOW = rf"(?:{_TENS})(?:{_JOIN}(?:{_UNIT_TH}))?|{_SMALL}|{_UNIT_TH}"
_CHAIN = re.compile(
    rf"\b(?:(?P<times>(?:{_TENS})(?:{_JOIN}(?:{_UNIT}))?|{_SMALL})\s+(?P<scale>hundred|thousand)"
    rf"(?:\s+and\s+(?P<rest>{_BELOW}))?|(?P<below>(?:{_TENS}){_JOIN}(?:{_UNIT_TH}))"
    r"|(?P<unit_first>ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und"
    r"(?P<tens_last>zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig))\b",
    re.I,
)
"""Numbers in several words, English and German; single words are in the word lists."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text: its key, its form, and what stands beside it."""

    key: str
    form: str
    unit: str = ""
    scale: int = 0  # the power of ten that a word after it names
    negative: bool = False
    moved: int = 0  # 1 where something is said to have gone up by it or to it, -1 where down
    change: str = ""  # the words that say so, with the number: "rose by 5 %"


def read_terms(text: str) -> list[Term]:
    """The terms of `text`; numbers in words, ordinals and the parts of dates are numbers too.

    A place that has other names in other languages, or a short one, is a name wherever it stands,
    with one key: "Wien" is "Vienna", "the U.S." is "the United States".

    >>> [term.key for term in read_terms("twenty-five on 3 March 2020") if term.kind == "number"]
    ['25', '3', 'month 3', '2020']
    >>> [term.key for term in read_terms("2020-03-03")]
    ['2020', 'month 3', '3']
    """
    return list(_read_terms(text))


@lru_cache(maxsize=2048)  # one answer compares the same sentences again and again
def _read_terms(text: str) -> tuple[Term, ...]:
    composed = list(_composed(text))
    found: list[Term] = []
    for term in _in_digits(terms(text), text):
        if any(start <= term.start < end for start, end, _ in composed):
            continue
        if fold(term.form) in _ORDINAL_ENDINGS and text[term.start - 1 : term.start].isdigit():
            continue
        if term.kind == "number" and text[term.start - 1 : term.start].isalpha():
            term = replace(term, kind="name")  # a part of an identifier: "IC3"
        found.append(_place(_month_alone(term)))
    for _, _, parts in composed:
        found += parts
    return tuple(sorted(found, key=lambda term: term.start))


def _place(term: Term) -> Term:
    key = PLACE_OF.get(fold(term.form)) if term.form[0].isupper() else None
    return term if key is None else replace(term, key=key, kind="name")


def read_keys(found: Iterable[Term], text: str) -> frozenset[str]:
    """The keys of a source's terms; a month is there as a number too, a date in both readings.

    Of a range like "1914-18" the second year is there as a whole.
    """
    keys = {term.key for term in found if term.kind != "stop"}
    keys |= {key.removeprefix("month ") for key in keys if key.startswith("month ")}
    for match in _DAY_FIRST.finditer(text):
        for part in (match["d"], match["m"]):
            if 1 <= int(part) <= 12:
                keys.add(f"month {int(part)}")
            keys.add(str(int(part)))
    keys |= {match["century"] + match["end"] for match in _SHORT_RANGE.finditer(text)}
    return frozenset(keys)


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text, in order, with their units, scales and signs.

    >>> [(q.key, q.unit, q.scale, q.negative) for q in quantities("-5 % of $3 million")]
    [('5', '%', 0, True), ('3', '$', 6, False)]
    """
    return list(_quantities(text))


@lru_cache(maxsize=2048)
def _quantities(text: str) -> tuple[Quantity, ...]:
    found = []
    for term in read_terms(text):
        if term.kind != "number" or term.key.startswith("month "):
            continue
        before, at = text[max(0, term.start - 8) : term.start], term.end
        money = _BEFORE.search(before)
        unit, scale = UNITS.get(fold(money[1]), "") if money else "", 0
        while after := _AFTER.match(text, at):
            word = fold(after[1])
            if not scale and word in SCALE_VALUES:
                scale = SCALE_VALUES[word]
            elif not unit and word in UNITS:
                unit = UNITS[word]
            else:
                break
            at = after.end()
        negative = bool(_MINUS.search(before))
        start = term.start - (len(money[0]) if money else 0)
        began, moved = _moved(text, start)
        form, change = text[start:at].strip(), text[began:at].strip()
        found.append(Quantity(term.key, form, unit, scale, negative, moved, change))
    return tuple(found)


def _moved(text: str, start: int) -> tuple[int, int]:
    """Where the change begins that a number at `start` is the amount of, and its direction."""
    before = _CLAUSE.split(text[:start])[-1]
    changes = list(_MOVED.finditer(before))
    if not changes or len(before[changes[-1].end() :].split()) > _WORDS_BETWEEN:
        return start, 0
    return start - len(before) + changes[-1].start(), 1 if changes[-1]["up"] else -1


def other_quantity(words: str, sources: Sequence[str]) -> tuple[str, str] | None:
    """A number of `words` that all of the sources have in another unit, scale or sign.

    The forms of both; None where any source has it in the same, or says nothing of it.

    >>> other_quantity("It weighs 5 kg.", ["It weighs 5 g.", "Sold since 1999."])
    ('5 kg', '5 g')
    >>> other_quantity("It fell by 5 %.", ["Growth: -5 %"]) is None
    True
    >>> other_quantity("It rose by 5 %.", ["A decrease of 5 % was seen."])
    ('rose by 5 %', 'decrease of 5 %')
    """
    theirs = [(one, source) for source in sources for one in quantities(source)]
    for ours in quantities(words):
        same = [(one, source) for one, source in theirs if one.key == ours.key]
        if not same or any(_agree(ours, words, one, source) for one, source in same):
            continue
        one = same[0][0]
        if ours.moved * one.moved < 0:
            return ours.change, one.change
        return _signed(ours), _signed(one)
    return None


def _signed(one: Quantity) -> str:
    return f"\u2212{one.form}" if one.negative else one.form


def _agree(ours: Quantity, words: str, theirs: Quantity, source: str) -> bool:
    if ours.unit and theirs.unit and ours.unit != theirs.unit:
        return False
    if ours.scale and theirs.scale and ours.scale != theirs.scale:
        return False
    if ours.moved * theirs.moved < 0:
        return False
    if ours.negative == theirs.negative:
        return True
    return bool(_FALLING.search(words if theirs.negative else source))


def _composed(text: str) -> Iterator[tuple[int, int, list[Term]]]:
    """What several words are together, with its start, end and terms.

    These are dates in numbers or with the name of a month, "24/7", and "the United States".
    """
    for match in PLACES_OF_SEVERAL_WORDS.finditer(text):
        key = f"place {match.lastgroup}"
        yield match.start(), match.end(), [Term(key, match[0], *match.span(), "name")]
    for match in _ALWAYS.finditer(text):
        yield match.start(), match.end(), [Term("24", match[0], *match.span(), "number")]
    for match in _YEAR_FIRST.finditer(text):
        yield match.start(), match.end(), _parts(match, "m")
    for match in _DAY_FIRST.finditer(text):
        first, second = int(match["d"]), int(match["m"])
        certain = match["sep"] == "." or first > 12 or first == second
        month = "m" if certain else "d" if second > 12 else ""
        yield match.start(), match.end(), _parts(match, month)
    for match in _NAMED.finditer(text):
        which = next(number for number in "123" if match.groupdict()[f"m{number}"])
        month_of = MONTH_NUMBERS.get(fold(match[f"m{which}"]))
        if month_of is None:
            continue
        start, end = match.span(f"m{which}")
        parts = [Term(f"month {month_of}", text[start:end], start, end, "number")]
        if which != "3":
            begin, stop = match.span(f"d{which}")
            day_key = str(int(match[f"d{which}"]))
            parts.append(Term(day_key, text[begin:stop], begin, stop, "number"))
        yield match.start(), match.end(), parts


def _parts(match: re.Match[str], month: str) -> list[Term]:
    """The parts of a date in numbers; `month` is the group of its month, "" if that is unclear."""
    found = []
    for name in ("y", "m", "d"):
        key = f"month {int(match[name])}" if name == month else str(int(match[name]))
        found.append(Term(key, match[name], match.start(name), match.end(name), "number"))
    return found


def _month_alone(term: Term) -> Term:
    folded = fold(term.form)
    number = MONTH_NUMBERS.get(folded) if term.kind == "name" or len(folded) > 3 else None
    if number is None or folded in AMBIGUOUS_MONTHS or len(folded) <= 3:
        return term
    return Term(f"month {number}", term.form, term.start, term.end, "number")


def _in_digits(found: Sequence[Term], text: str) -> Iterator[Term]:
    """The terms, with what is a number in words as one number each."""
    chains = [(match.span(), _chain_value(match)) for match in _CHAIN.finditer(text)]
    for (start, end), value in chains:
        yield Term(str(value), text[start:end], start, end, "number")
    for before, term in zip((None, *found), found, strict=False):
        if any(start <= term.start < end for (start, end), _ in chains):
            continue
        key = None if before and before.kind == "number" else _value(term, text)
        if key is None:
            yield term
        else:
            yield Term(key, term.form, term.start, term.end, "number")


def _chain_value(match: re.Match[str]) -> int:
    """The value of "two hundred and five", "twenty-five thousand" or "fünfundzwanzig"."""
    if match["unit_first"]:
        return int(NUMBER_VALUES[fold(match["tens_last"])]) + _ONES[fold(match["unit_first"])]
    if match["times"]:
        times = 100 if fold(match["scale"]) == "hundred" else 1000
        rest = match["rest"]
        return _below(match["times"]) * times + (_below(rest) if rest else 0)
    return _below(match["below"])


def _below(words: str) -> int:
    parts = [fold(part) for part in re.split(r"[-\s]+", words)]
    return sum(_ONES.get(part) or int(_word_value(part) or 0) for part in parts)


def _is_share(term: Term, text: str) -> bool:
    """Whether an ordinal is a part of something: "about a third of it", but not "a third time"."""
    return bool(_ONE.search(text[: term.start]) and _OF.match(text, term.end))


def _word_value(folded: str) -> str | None:
    return ORDINAL_VALUES.get(folded) or NUMBER_VALUES.get(folded)


def _value(term: Term, text: str) -> str | None:
    """The number that one word is, as digits; None where it is none, or may be something else."""
    folded = fold(term.form)
    if folded == "second":
        return "2" if _SECOND.search(text[max(0, term.start - 8) : term.start]) else None
    if folded in _OF_ONE_LANGUAGE and language_of(text) != _OF_ONE_LANGUAGE[folded]:
        return None
    if folded in ORDINAL_VALUES and (_NOT_ORDINAL.match(text, term.end) or _is_share(term, text)):
        return None
    return _word_value(folded)
