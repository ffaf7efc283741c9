"""Who did something, when it happened, what was paid: as sentences in any words say it (pure).

"Who won the final?" asks for whom "X won", "X has clinched", "was awarded to X" and "winner: X"
name. Only what stands right beside a word for what is asked counts, so that it is sure: English
alone, in the words of `_RELATIONS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from core.text.sentences import SentenceKind, split_sentences
from core.text.terms import content_keys, fold, terms
from core.text.word_lists import MONTH_NUMBERS

Kind = Literal["name", "day", "sum"]


@dataclass(frozen=True, slots=True)
class Relation:
    """Something that is done, by the patterns of words that ask for it and that say it.

    `verbs` stand behind who does it, `passive` before the name, `nouns` beside it. `events` stand
    before the day on which it happened, `paid` beside the sum that was paid for it.
    """

    asked: str
    verbs: str = ""
    passive: str = ""
    nouns: str = ""
    events: str = ""
    paid: str = ""


_RELATIONS = (
    Relation(
        asked=r"wins?|won|winning|winners?|champions?|awarded",
        verbs=r"won|wins|defeat(?:ed|s)|beats?|clinch(?:ed|es)|took|takes|captured|triumphed"
        r"|came out on top|became (?:the )?(?:\w+ )?(?:champion|winner)s?|received",
        passive=r"won|awarded to|presented to|goes to|went to",
        nouns=r"winner|champion|recipient",
    ),
    Relation(
        asked=r"acquir(?:ed?|es)|buys?|bought|purchas(?:ed?|es)|owns?|takes? over",
        verbs=r"acquire[ds]?|bought|buys|purchase[ds]?|owns|took over|takes over",
        passive=r"acquired|bought|purchased|owned|taken over",
        nouns=r"owner",
        paid=r"acquir\w+|buy|bought|purchas\w+|takeover|sold|deal",
    ),
    Relation(
        asked=r"direct(?:ed|s)|directors?", verbs=r"directed|directs", passive=r"directed",
        nouns=r"director",
    ),
    Relation(
        asked=r"wrote|writes?|written|authors?|writers?", verbs=r"wrote|writes|authored",
        passive=r"written|authored|novel|book|play|poem", nouns=r"author|writer",
    ),
    Relation(
        asked=r"found(?:ed|ers?)|establish(?:ed)?|creat(?:ed|ors?)",
        verbs=r"(?:co-)?founded|established|created|set up",
        passive=r"(?:co-)?founded|established|created|set up",
        nouns=r"(?:co-)?founder|creator",
        events=r"founded|established|created|set up|incorporated",
    ),
    Relation(
        asked=r"invent(?:ed|ors?)|discover(?:ed|ers?)|design(?:ed|ers?)|architects?"
        r"|compos(?:ed|ers?)|paint(?:ed|ers?)|develop(?:ed|ers?)|built|build|produc(?:ed|ers?)",
        verbs=r"invented|discovered|designed|composed|painted|developed|built|produced",
        passive=r"invented|discovered|designed|composed|painted|developed|built|produced",
        nouns=r"inventor|discoverer|designer|architect|composer|painter|developer|builder|producer",
        events=r"invented|discovered|designed|composed|painted|built|completed|constructed",
    ),
    Relation(
        asked=r"releas(?:ed?|es)|publish(?:ed)?|publication|launch(?:ed)?|premier(?:ed?|es)"
        r"|debut(?:ed)?|air(?:ed)?|c[ao]mes? out|issued",
        events=r"released?|published|launched?|premiered?|debuted?|aired|came out|issued"
        r"|(?:release|premiere|publication) date",
    ),
    Relation(
        asked=r"open(?:ed)?|clos(?:ed?)|beg[ai]n|start(?:ed)?|end(?:ed)?|happen(?:ed)?|held"
        r"|takes? place|took place|played",
        events=r"opened|closed|began|started|ended|happened|held|t(?:ook|akes?|aken) place|played",
    ),
    Relation(asked=r"born|birth", events=r"born|birth(?:day| date)?"),
    Relation(asked=r"die[ds]?|death", events=r"died|death|passed away"),
    Relation(
        asked=r"plays?|played|portray(?:ed|s)|voice[ds]?", verbs=r"plays|portray(?:ed|s)|voice[ds]",
        passive=r"(?:played|portrayed|voiced) by",
    ),
)  # fmt: skip
_OFFICES = (
    r"ceo|cfo|president|chair(?:man|woman|person)|prime minister|minister|mayor|governor"
    r"|head coach|coach|manager|captain|leader|chancellor|king|queen|host"
)
_SUMS = (
    r"revenues?|turnover|sales|profits?|(?:net )?income|budget|net worth|box office|price|cost"
    r"|salary"
)
"""What a question names is what a statement must name: no other word says the same."""

_CAPITAL = r"(?:[^\W\d_a-zß-öø-ÿ][\w'’\-]*|(?:[A-Z]\.){2,})"
_NAME = rf"(?P<a>{_CAPITAL}(?: (?:(?:de|da|del|der|di|la|le|of|van|von) )?{_CAPITAL}){{0,4}})"
_DAY = (
    r"(?P<a>(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?[A-Z][a-z]{2,8}\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?"
    r"[12]\d{3}|[12]\d{3})\b"
)
_SUM = r"(?P<a>(?:[$€£]|USD|EUR|GBP) ?\d[\d.,]*(?:[ -](?i:thousand|million|billion|trillion)\b)?)"
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_ASKED: tuple[tuple[Kind, str], ...] = (
    ("day", r"\bwhen\b|\b(?:date|day|year)\b"),
    ("sum", rf"\bhow much\b|\bwhat\b.*\b(?:{_SUMS})\b"),
    (
        "name",
        r"\bwho(?:m)?\b|\b(?:which|what) (?:\w+ ){0,2}?(?:team|country|nation|company|firm"
        rf"|person|player|club|band|actor|actress)\b|\b(?:winner|director|author|founder|{_OFFICES})\b",
    ),
)
_TYPES = frozenset(
    "date day year team country nation company firm person player club band actor actress price "
    "cost movie film".split()
)
"""Words of a question that say what is asked for, and that an answer need not have."""
_NO_NAMES = frozenset(
    "the a an it he she they this that these those who which what in on at by and but as after "
    "before when while if his her their its i we you there here both many some all most one two no "
    "not for from with".split()
)
_YEAR = re.compile(r"\b[12]\d{3}\b")
_EARLIER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|originally|until|re-?released|reissued|remaster\w*)\b",
    re.I,
)
"""What was once, or was again, is not what is asked for."""
_CLAUSE = re.compile(r"[.;·!?]\s")
_SHARE = 0.6  # of what the question is about, that a passage must hold
_MOST_OTHERS = 3  # content words before an event that the question does not have
_ROUNDED = 0.05  # of the larger of two sums


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of a relation; `about` are the keys of its other content words."""

    relation: Relation
    kind: Kind
    keys: frozenset[str]
    about: frozenset[str]
    years: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a sentence, `[start, end)` of its text, states as the answer."""

    kind: Kind
    value: str
    start: int
    end: int

    def disagrees(self, other: Stated) -> bool:
        """Whether both cannot be right: no word of a name in common, another day, another sum."""
        if self.kind == "name":
            return not (_name_words(self.value) & _name_words(other.value))
        if self.kind == "day":
            return any(
                a != b for a, b in zip_longest(_day(self.value), _day(other.value)) if a and b
            )
        return not _same_sum(self.value, other.value)

    def is_in(self, text: str) -> bool:
        """Whether a text has the name, or about the sum; a day is compared as it is stated."""
        if self.kind == "name":
            return bool(_name_words(self.value) & _name_words(text))
        return self.kind == "sum" and any(
            _same_sum(self.value, found["a"]) for found in re.finditer(_SUM, text)
        )


def asked_of(question: str) -> Asked | None:
    """Return what a question asks for, None where it is of no relation that is known here.

    >>> asked_of("Who won the final in 2018?").kind
    'name'
    >>> asked_of("What is the height of the mast?") is None
    True
    """
    folded = question.casefold()
    kind = next((kind for kind, words in _ASKED if re.search(words, folded)), None)
    for relation in (*_RELATIONS, *_of_one_word(folded)) if kind else ():
        said = {"day": relation.events, "sum": relation.paid}
        said["name"] = relation.verbs or relation.nouns
        if kind and said[kind] and re.search(rf"\b(?:{relation.asked})\b", folded):
            about = frozenset(
                term.key
                for term in terms(question)
                if term.kind != "stop"
                and fold(term.form) not in _TYPES
                and not re.fullmatch(relation.asked, fold(term.form))
            )
            keys = frozenset(content_keys(question))
            return Asked(relation, kind, keys, about, frozenset(_YEAR.findall(question)))
    return None


def _of_one_word(folded: str) -> Iterator[Relation]:
    """The relation of an office or a sum that a question names."""
    if office := re.search(rf"\b(?:{_OFFICES})\b", folded):
        yield Relation(asked=office[0], nouns=office[0])
    if amount := re.search(rf"\b(?:{_SUMS})\b", folded):
        yield Relation(asked=amount[0], paid=f"{amount[0].removesuffix('s')}s?")


def statements(asked: Asked, text: str, heads: str = "") -> list[Stated]:
    """Return what a passage below these `heads` states as the answer, in its prose."""
    keys = {*content_keys(f"{heads}\n{text}")}
    if len(asked.about & keys) < _SHARE * len(asked.about):
        return []
    years = [(found.start(), found[0]) for found in _YEAR.finditer(text)]
    if asked.kind != "day" and not asked.years <= {year for _, year in years}:
        return []
    found: dict[tuple[int, int], Stated] = {}
    for sentence in split_sentences(text):
        if sentence.kind is not SentenceKind.PROSE or _EARLIER.search(sentence.text):
            continue
        for pattern in _patterns(asked):
            for match in re.finditer(pattern, sentence.text):
                if _counts(asked, match, sentence.text, sentence.start, years):
                    span = (sentence.start, sentence.end)
                    found.setdefault(span, Stated(asked.kind, match["a"], *span))
    return list(found.values())


def _patterns(asked: Asked) -> Iterator[str]:
    one = asked.relation
    if asked.kind == "day":
        between = r"(?:[^.;]|\.(?!\s)){0,60}?\b(?:(?i:on|in|for|at) |: |\. )(?:[A-Z][a-z]+day,? )?"
        yield rf"\b(?i:{one.events})\b{between}{_DAY}"
    elif asked.kind == "sum":
        yield rf"\b(?i:{one.paid})\b(?:[^.;]|\.(?!\s)){{0,80}}?{_SUM}"
        yield rf"{_SUM} [^.;]{{0,30}}?\b(?i:{one.paid})\b"
    else:
        if one.verbs:
            yield rf"{_NAME}(?: \([^)]*\))?,? (?:(?:has|have|had|also|later) )*(?:{one.verbs})\b"
        if one.passive:
            yield rf"\b(?i:{one.passive}) (?:by )?(?:the )?(?:[a-z\-]+ ){{0,2}}{_NAME}"
        if one.nouns:
            of = r"(?: (?:of|at) (?:the )?[\w '’]{1,40}? (?:is|was)|:|,| is| was)?"
            yield rf"\b(?i:{one.nouns}){of} {_NAME}"
            yield rf"{_NAME}(?:,| is| was) (?:the )?(?:\w+ ){{0,2}}(?i:{one.nouns})\b"


def _counts(
    asked: Asked, match: re.Match[str], sentence: str, base: int, years: list[tuple[int, str]]
) -> bool:
    """Whether a match names the answer, and of what is asked: of its year, of its thing."""
    if asked.kind == "name":
        first = fold(match["a"].split()[0]).strip(".")
        if first in _NO_NAMES or first in MONTH_NUMBERS or asked.keys & {*content_keys(match["a"])}:
            return False
        at = base + match.start("a")
        near = min(years, key=lambda year: abs(year[0] - at), default=None)
        return not asked.years or near is None or near[1] in asked.years
    if asked.kind == "day":
        before = _CLAUSE.split(sentence[: match.start()])[-1]
        return len({*content_keys(before)} - asked.keys) <= _MOST_OTHERS
    return True


def _name_words(text: str) -> set[str]:
    """Return the words of a name, or of a text in which one is looked for."""
    return {fold(word) for word in re.findall(r"[^\W_]+", text)} - {"the", "of", "de", "and"}


def _day(text: str) -> tuple[int, int, int]:
    """Year, month and day, 0 where one is not said."""
    named = re.search(r"[^\W\d_]{3,}", text)
    day = re.match(r"(?:[^\W\d_]+\.? )?(\d{1,2})\b", text) or re.match(r"(\d{1,2})[a-z]", text)
    month = MONTH_NUMBERS.get(fold(named[0]), 0) if named else 0
    return int(_YEAR.findall(text)[-1]), month, int(day[1]) if day else 0


def _same_sum(one: str, other: str) -> bool:
    """Whether two sums are about the same; one that is cut before "million" counts as it stands."""
    (ours, scale), (theirs, scale_there) = _sum(one), _sum(other)
    if scale and scale_there:
        ours, theirs = ours * scale, theirs * scale_there
    return abs(ours - theirs) <= _ROUNDED * max(ours, theirs)


def _sum(text: str) -> tuple[float, float]:
    """The number and its scale, 0 where none is said."""
    number = float(re.sub(r"[^\d.]", "", text).strip(".") or 0)
    return number, next((by for word, by in _SCALES.items() if word in text.casefold()), 0.0)
