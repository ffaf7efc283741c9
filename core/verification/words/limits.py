"""How far a statement goes: of how many, how often, up to what, at which place (pure).

Every word of "Most members left" stands in "Some of the members left": what goes too far is one
word that limits another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.text.terms import content_keys, fold, folded_words
from core.text.word_lists import ORDINAL_VALUES
from core.verification.numbers.quantities import read_terms

_WHOLE = folded_words("all every each alle jeder jede jedes")
_PART = folded_words(
    "most some several few many half majority minority part third quarter fifth tenth thirds "
    "quarters fifths percent meisten einige mehrere wenige viele hälfte teil drittel prozent"
)
_FEW = folded_words("few minority wenige")
_SOME = "some"
_ASIDE = folded_words("of the these those its their his her our der die das den ihrer seiner")
"""What may stand between the word for how many and that which is counted."""
_OUT_OF = re.compile(r"\s+of\s+(?:the|its|their|our|his|her)\b", re.I)
"""What stands behind a number that is a part: "two of the five bridges"."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NEXT = 4
"""Words behind the word for how many among which is what is counted: "all of the old bridges"."""
_OFTEN = {
    "always": 5, "constantly": 5, "immer": 5, "stets": 5,
    "usually": 4, "often": 4, "mostly": 4, "frequently": 4, "generally": 4, "typically": 4,
    "normally": 4, "meist": 4, "meistens": 4, "oft": 4, "häufig": 4,
    "sometimes": 3, "occasionally": 3, "manchmal": 3, "gelegentlich": 3,
    "rarely": 2, "seldom": 2, "hardly": 2, "selten": 2, "kaum": 2,
    "never": 1, "nie": 1, "niemals": 1,
}  # fmt: skip
"""How often, from always to never."""
_FAR_APART = 2
_BOUND = re.compile(
    r"\b(?:(?P<exact>exactly|genau)"
    r"|(?P<least>at\s+least|(?:not|no)\s+(?:less|fewer)\s+than|more\s+than|over|a\s+minimum\s+of"
    r"|mindestens|mehr\s+als|über)"
    r"|(?P<most>at\s+(?:the\s+)?most|up\s+to|(?:not|no)\s+more\s+than|less\s+than|fewer\s+than|under"
    r"|a\s+maximum\s+of|höchstens|bis\s+zu|maximal|weniger\s+als|unter))"
    r"\s+(?:[$€£]\s?)?(?P<number>\d[\d.,]*\d|\d|[^\W\d_]+)",
    re.I,
)
"""A number that is the least, the most, or exact."""
_LIMITS = (
    (
        re.compile(
            r"(?<!\bnot\s)(?<!\bnicht\s)\b(?P<said>only|solely|exclusively|nur|ausschließlich)\b"
            r"(?!\s+(?:an?|one|some|few|part|half|ein\w*|wenige|\W?\d|(?:two|three|four|five|six|seven|"
            r"eight|nine|ten|zwei|drei|vier|fünf|(?:gives?|says?|states?|mentions?|lists?|shows?|tells?|"
            r"names?|covers?|describes?|reports?|speaks?|nenn\w+|sag\w+|erwähn\w+))\b))",
            re.I,
        ),
        re.compile(
            r"\b(?:only|sole(?:ly)?|exclusive(?:ly)?|just|alone|merely|nothing|nobody|no|none|not|"
            r"never|without|cannot|limited|restrict\w*|except|unless|until|if|must|requir\w*|"
            r"reserved|nur|ausschließlich\w*|allein\w*|lediglich|bloß|kein\w*|nicht\w*|außer|ohne|wenn|"
            r"muss|müssen|einzig\w*|erst)\b|n['’]t\b",
            re.I,
        ),
        3,
    ),
    (
        re.compile(r"(?<=\w\s)(?P<said>always|immer|stets)\b", re.I),
        re.compile(
            r"\b(?:always|all|every|each|any|both|must|whenever|ever|never|not?|none|only|entire\w*|"
            r"whole|throughout|permanent\w*|constant\w*|continu\w*|consistent\w*|immer|stets|jede\w*|"
            r"alle\w*|ständig\w*|dauernd\w*|muss|müssen|nie\w*|nicht|kein\w*|nur)\b",
            re.I,
        ),
        1,
    ),
)
"""A limit, the words with which a source may say the same, and in how many of its sentences."""
_PLACES = {
    **{"first": 1, "debut": 1, "second": 2},
    **{word: int(place) for word, place in ORDINAL_VALUES.items()},
}
"""Words for a place in an order."""
_PLACE = re.compile(
    rf"(?<!\w)(?:(?P<place>{'|'.join(_PLACES)}|\d+(?:st|nd|rd|th))[\s-]+)?"
    r"(?P<of>(?:most|least)\s+[^\W\d_]+|[^\W\d_]{3,}est)"
    r"(?P<what>(?:[\s-]+[^\W\d_]+){0,6})",
    re.I,
)
"""A superlative, with the place before it and the words behind it."""


def overstated(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """What a statement limits otherwise than the source, and what the source says, "" for nothing.

    `best` are the sentences of the source that have most of its words, `lines` all of them.

    >>> source = ["Some of the members left. It rarely fails."]
    >>> overstated("All members left.", source, source)
    ('All members', 'Some of the members')
    >>> overstated("It always fails.", source, source)
    ('always', 'rarely')
    >>> source = ["Visitors pay up to 20 euros.", "It is the second highest peak of Wales."]
    >>> overstated("Visitors pay at least 20 euros.", source, source)
    ('at least 20', 'up to 20')
    >>> overstated("It is the highest peak of Wales.", source, source)
    ('highest peak of Wales', 'second highest peak of Wales')
    >>> overstated("Visitors always pay.", ["Visitors pay."], ["Visitors pay."])
    ('always', '')
    """
    return (
        _of_how_many(words, best, lines)
        or _how_often(words, best, lines)
        or _bound(words, lines)
        or _place(words, lines)
        or _order(words, best, lines)
        or _added(words, best)
    )


def _of_how_many(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """All of what the source has a part of; most of what it has less of."""
    there = [one for line in best for one in _parts(line, counted=True)]
    for how, what, said in _parts(words):
        if how not in ("all", "most"):
            continue
        others = [their for other, key, their in there if key == what and other != how]
        less = _PART if how == "all" else _FEW
        lesser = [their for other, key, their in there if key == what and other in less]
        whole = [one for line in lines for one in _parts(line) if one[1] == what and one[0] == how]
        if lesser and len(lesser) == len(others) and not whole:
            return said, lesser[0]
    return None


def _parts(text: str, *, counted: bool = False) -> Iterator[tuple[str, str, str]]:
    """Each word for how many with the word that it counts: "all", the other's key, both."""
    found = read_terms(text)
    for at, term in enumerate(found):
        how = fold(term.form)
        counts = counted and not _YEAR.fullmatch(term.form)
        if term.kind == "number" and (counts or _OUT_OF.match(text, term.end)):
            how = _SOME
        elif how not in _WHOLE | _PART or text[term.end : term.end + 1] == ",":
            continue  # "In all, 36 people"
        behind = found[at + 1 : at + 1 + _NEXT]
        for other in behind:
            if other.kind in ("word", "name") and fold(other.form) not in _PART:
                yield ("all" if how in _WHOLE else how), other.key, text[term.start : other.end]
                break
            if fold(other.form) not in _ASIDE and other.kind != "number":
                break


def _how_often(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """How often something is, where the source says it is much more or less often."""
    ours = _often(words)
    theirs = _often(best[0]) if best else []
    if len(ours) != 1 or len(theirs) != 1:
        return None
    (mine, said), (other, found) = ours[0], theirs[0]
    if abs(mine - other) < _FAR_APART or any((mine, said) in _often(line) for line in lines):
        return None
    return said, found


def _often(text: str) -> list[tuple[int, str]]:
    forms = (fold(term.form) for term in read_terms(text))
    return [(_OFTEN[form], form) for form in forms if form in _OFTEN]


def _bound(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """A number that is the least here and the most there, or exact."""
    there = [one for line in lines for one in _bounds(line)]
    for kind, number, said in _bounds(words):
        same = [(other, their) for other, count, their in there if count == number]
        if same and all(other != kind for other, _ in same):
            return said, same[0][1]
    return None


def _bounds(text: str) -> Iterator[tuple[str, str, str]]:
    for found in _BOUND.finditer(text):
        numbers = [term.key for term in read_terms(found["number"]) if term.kind == "number"]
        if len(numbers) == 1:
            yield _kind(found), numbers[0], found[0]


def _kind(found: re.Match[str]) -> str:
    return next(kind for kind in ("exact", "least", "most") if found[kind])


def _place(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """The highest of what the source has as the second highest, or the other way round."""
    there = [one for line in lines for one in _placed(line)]
    for place, of, what, said in _placed(words):
        alike = [one for one in there if one[1] == of and (what <= one[2] or not one[2])]
        if what and alike and all(other != place for other, *_ in alike):
            return said, alike[0][3]
    return None


def _placed(text: str) -> Iterator[tuple[int, str, frozenset[str], str]]:
    for found in _PLACE.finditer(text):
        said = (found["place"] or "first").lower()
        place = _PLACES.get(said) or int(said[:-2])  # "3rd"
        yield place, found["of"].lower(), frozenset(content_keys(found["what"])), found[0]


def _added(words: str, best: Sequence[str]) -> tuple[str, str] | None:
    """A limit that the sentences of the source do not have that are about the same."""
    for limit, alike, most in _LIMITS:
        found = limit.search(words)
        if found and best and not any(map(alike.search, best[:most])):
            return found["said"], ""
    return None


def _order(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """The second of what the source has as the first, and never as the second."""
    there = [one for line in lines for one in _orders(line)]
    near = [one for line in best for one in _orders(line)]
    for place, what, said in _orders(words):
        theirs = [their for other, key, their in near if key == what and other != place]
        if theirs and not any(key == what and other == place for other, key, _ in there):
            return said, theirs[0]
    return None


def _orders(text: str) -> Iterator[tuple[int, str, str]]:
    """Each word for a place with the noun right behind it."""
    for term, noun in pairwise(read_terms(text)):
        place = _PLACES.get(fold(term.form))
        if place and noun.kind == "word" and text[term.end : noun.start] == " ":
            yield place, noun.key, text[term.start : noun.end]
