"""Questions that a table answers by computing: "the cheapest", "how many lamps" (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.text.terms import content_keys, number_key, terms


class Computed(StrEnum):
    """What is computed from the rows that a question is about."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    SUM = "sum"
    MEAN = "mean"
    COUNT = "count"
    ROWS = "rows"


@dataclass(frozen=True, slots=True)
class Bound:
    """What the number of a row must be: `sign` is one of "<", "<=", ">", ">=", "=".

    `is_year` says that the number is a year, and the row may have a date.
    """

    sign: str
    number: float
    is_year: bool = False


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question to a table.

    `columns` are ways to compute it, each with words that its column may be called by: the oldest
    has the highest age, or else the lowest year of birth. Where there are none, the question names
    the column. `keys` are the terms of the question that must stand in the table or its name, and
    `subject` those of them that only say what a row is ("products"). `denied` asks for the rows
    that are not so, `who` for somebody.
    """

    columns: tuple[tuple[Computed, tuple[str, ...]], ...]
    keys: frozenset[str]
    subject: frozenset[str] = frozenset()
    bound: Bound | None = None
    denied: bool = False
    who: bool = False


PRICES = ("price", "cost", "fee", "amount", "rent", "charge", "fare", "rate", "preis", "kosten",
          "betrag")  # fmt: skip
PAY = ("salary", "pay", "wage", "income", "earnings", "gehalt", "lohn", "verdienst")
PEOPLE = ("name", "person", "employee", "member", "mitarbeiter")
_STOCK = ("stock", "quantity", "qty", "inventory", "available", "bestand", "lager", "menge")
_DATES = ("date", "year", "born", "birth", "founded", "built", "released", "created", "joined",
          "started", "datum", "jahr")  # fmt: skip
_AGES = ("age", "alter")
_GRADES = ("note", "gesamtnote", "schulnote", "testnote")
_RATINGS = ("bewertung", "punkte", "sterne", "rating", "score", "stars")
_LENGTHS = ("length", "duration", "distance", "länge", "dauer", "minutes", "hours", "days")
_SIZES = ("size", "area", "population", "größe", "fläche")

_LOW, _HIGH = Computed.LOWEST, Computed.HIGHEST
_SUPERLATIVES: tuple[tuple[str, tuple[tuple[Computed, tuple[str, ...]], ...]], ...] = (
    (r"cheapest|least expensive|billigste\w*|günstigste\w*", ((_LOW, PRICES),)),
    (r"most expensive|dearest|priciest|costliest|teuerste\w*", ((_HIGH, PRICES),)),
    (r"oldest|earliest|älteste\w*|früheste\w*", ((_HIGH, _AGES), (_LOW, _DATES))),
    (r"youngest|newest|latest|most recent|jüngste\w*|neu(?:e)?ste\w*",
     ((_LOW, _AGES), (_HIGH, _DATES))),
    (r"(?:start|join|beg[ai]n|c[ao]me)(?:ed)? (?:here )?first", ((_LOW, _DATES),)),
    (r"(?:start|join|beg[ai]n|c[ao]me)(?:ed)? (?:here )?last", ((_HIGH, _DATES),)),
    (r"longest|längste\w*", ((_HIGH, _LENGTHS),)),
    (r"shortest|kürzeste\w*", ((_LOW, (*_LENGTHS, "height")),)),
    (r"tallest|höchste\w*", ((_HIGH, ("height", "elevation", "altitude", "höhe")),)),
    (r"heaviest|schwerste\w*", ((_HIGH, ("weight", "mass", "gewicht")),)),
    (r"lightest|leichteste\w*", ((_LOW, ("weight", "mass", "gewicht")),)),
    (r"best[- ]rated|top[- ]rated|best[- ]reviewed", ((_HIGH, ("rating", "score", "stars")),)),
    (r"worst[- ]rated|worst[- ]reviewed", ((_LOW, ("rating", "score", "stars")),)),
    (r"beste[nmrs]?|testsieger\w*", ((_LOW, _GRADES), (_HIGH, _RATINGS))),
    (r"schlechteste\w*", ((_HIGH, _GRADES), (_LOW, _RATINGS))),
    (r"most populous|most populated", ((_HIGH, ("population", "inhabitants", "einwohner")),)),
    (r"(?:best|highest|most highly)[- ]paid|(?:earn|make|get)s? (?:the )?most(?: money)?"
     r"|verdien\w* am meisten", ((_HIGH, PAY), (_HIGH, ()))),
    (r"(?:worst|lowest|least)[- ]paid|(?:earn|make|get)s? (?:the )?least(?: money)?"
     r"|verdien\w* am wenigsten", ((_LOW, PAY), (_LOW, ()))),
    (r"highest|largest|biggest|greatest|maximum|max|most|größte\w*|meisten?",
     ((_HIGH, ()), (_HIGH, _SIZES))),
    (r"lowest|smallest|least|fewest|minimum|min|kleinste\w*|niedrigste\w*|wenigsten?",
     ((_LOW, ()), (_LOW, _SIZES))),
    (r"average|mean|avg|durchschnitt\w*", ((Computed.MEAN, ()),)),
    (r"(?:sum|total)(?: of)?|in total|altogether|overall|summe|insgesamt", ((Computed.SUM, ()),)),
)  # fmt: skip
_COMPUTED = tuple(
    (re.compile(rf"(?<![-\w])(?:{pattern})(?![-\w])", re.I), columns)
    for pattern, columns in _SUPERLATIVES
)
_ARTICLE = re.compile(r"\b(?:the|der|die|das|den|dem|am) $", re.I)
_NUMBER = r"[$€£]?\s?(?P<number>\d[\d.,]*)\s?(?P<money>euros?|dollars?|pounds?|usd|eur|gbp|[$€£])?"
_BOUNDS = tuple(
    (re.compile(rf"\b(?:{pattern})\s+{_NUMBER}", re.I), sign)
    for pattern, sign in (
        (r"under|below|less than|fewer than|cheaper than|lower than|unter|weniger als", "<"),
        (r"over|above|more than|higher than|greater than|more expensive than|über|mehr als", ">"),
        (r"at most|up to|no more than|höchstens|bis zu", "<="),
        (r"at least|no less than|mindestens", ">="),
    )
)  # fmt: skip
_YEAR = r"(?P<number>[12]\d{3})(?![\d-])"
_TIMES = tuple(
    (re.compile(rf"\b(?:{pattern})\s+{what}", re.I), sign, columns)
    for what, pattern, sign, columns in (
        (_YEAR, r"older than|earlier than|before|älter als|vor", "<", ((), _DATES)),
        (_YEAR, r"younger than|newer than|later than|after|jünger als|neuer als|nach", ">",
         ((), _DATES)),
        (_YEAR, r"since|seit", ">=", ((), _DATES)),
        (_NUMBER, r"older than|älter als", ">", (_AGES, ())),
        (_NUMBER, r"younger than|jünger als", "<", (_AGES, ())),
    )
)  # fmt: skip
"""Bounds of dates and ages, with what their column may be called; () is one that is named."""
_NONE_LEFT = re.compile(
    r"\b(?:out of stock|sold out|not in stock|no stock|ausverkauft|nicht (?:auf lager|vorrätig))\b",
    re.I,
)
_LEFT = re.compile(r"\b(?:in stock|auf lager|vorrätig)\b", re.I)
_EARNS = re.compile(r"\b(?:earn(?:s|ed|ing)?|(?:gets? |is |are )paid|verdien\w*)\b", re.I)
_FIELDS = tuple(
    (re.compile(pattern, re.I), words)
    for pattern, words in (
        (
            r"\bhow much (?:money )?(?:does|do|did|is|are|was|were)\b(?P<who>.*)"
            r"\b(?:earn|make|get paid|paid|get)\b|\bwie ?viel verdient\b(?P<wer>.*)",
            PAY,
        ),
        (
            r"\bwhere (?:does|do|did|is|are|was|were)\b(?P<who>.*)"
            r"\b(?:lives?|work|based|located|from)\b|\bwo (?:wohnt|arbeitet)\b(?P<wer>.*)",
            ("town", "city", "place", "location", "address", "office", "country", "ort", "stadt"),
        ),
    )
)
"""What is asked of one row, in words that name no column."""
_WHO = re.compile(
    r"^\W*(?:(?:and|so|ok|und),? )*(?:who(?:'?s| all)?|wer)(?: (?:else|all))?"
    r"(?: (?:is|are|was|were|works?|worked|lives?|lived|has|have|ist|sind|arbeitet|wohnt|hat)\b)?",
    re.I,
)
_COUNTS = re.compile(r"\bhow many\b|\b(?:the )?number of\b|\bwie ?viele\b", re.I)
_LISTS = re.compile(
    r"^\W*(?:(?:and|so|ok|und),? )*(?:which|what|list|show|give|find|welche|zeige?|liste)\b", re.I
)
_DENIES = re.compile(r"\b(?:not?|without|never|nicht|kein\w*|ohne)\b|n't\b", re.I)
_SUBJECT = re.compile(
    r"\b(?:which|what|list(?: all| every)?(?: the)?|show(?: me)?(?: all)?(?: the)?|how many"
    r"|number of|welche|wie ?viele)\s+(\w+)",
    re.I,
)
_IN_WHICH = re.compile(
    r"\b(?:in|on|at|during) (?:which|what) \w+|\b(?:in|an|bei) welche[mnr] \w+", re.I
)
"""What is asked for, and not what is most of all: "in which year were there the most lamps"."""
_LIGHT = frozenset(
    content_keys(
        "show give list tell find name got get have row rows record records entry entries item"
        " items thing things one ones table file csv spreadsheet sheet workbook excel column value"
        " zeile zeilen eintrag tabelle all every each listed"
    )
)


def table_question(question: str) -> TableQuestion | None:
    """Return what a question may ask of a table, None where it asks for nothing to compute.

    Whether a table has the columns and the words is for `answering.routes.tables` to say.

    >>> found = table_question("what is the cheapest lamp?")
    >>> found.columns[0][0].value, sorted(found.keys)
    ('lowest', ['lamp'])
    >>> table_question("when was the town founded?") is None
    True
    """
    rest, bound, after = question, None, ""
    asked: tuple[tuple[Computed, tuple[str, ...]], ...] = ()
    for pattern, sign in _BOUNDS:
        if found := pattern.search(rest):
            bound = Bound(sign, float(number_key(found["number"].rstrip(".,"))))
            money = found["money"] or re.search(r"[$€£]|cheap|expens", found[0])
            words: tuple[str, ...] = PRICES if money else ()
            rest = rest[: found.start()] + " " + rest[found.end() :]
            if _EARNS.search(rest):
                words, rest = PAY, _EARNS.sub(" ", rest)
            asked = ((Computed.ROWS, words),)
    for pattern, sign, called in _TIMES:
        if bound is None and (found := pattern.search(rest)):
            is_year = called[-1] is _DATES
            bound = Bound(sign, float(number_key(found["number"].rstrip(".,"))), is_year)
            asked = tuple((Computed.ROWS, words) for words in called)
            rest = rest[: found.start()] + " " + rest[found.end() :]
    for pattern, sign in ((_NONE_LEFT, "="), (_LEFT, ">")):
        if bound is None and (found := pattern.search(rest)):
            bound, asked = Bound(sign, 0.0), ((Computed.ROWS, _STOCK),)
            rest = rest[: found.start()] + " " + rest[found.end() :]
    if bound is None:
        for pattern, columns in _COMPUTED:
            if found := pattern.search(rest):
                asked, after = columns, next(iter(rest[found.end() :].split()), "")
                before = _ARTICLE.sub(" ", rest[: found.start()])  # "ist die beste"
                rest = before + " " + rest[found.end() :]
                break
    for pattern, field in _FIELDS:
        if not asked and (found := pattern.search(rest)):
            asked, rest = ((Computed.ROWS, field),), found["who"] or found["wer"]
    if who := _WHO.match(rest):
        asked = asked or ((Computed.ROWS, PEOPLE), (Computed.ROWS, ()))
        rest = rest[who.end() :]
    if not asked and not (_COUNTS.search(rest) or _LISTS.match(rest)):
        return None
    if asked and asked[0][0] in (_LOW, _HIGH):
        rest = _IN_WHICH.sub(" ", rest)
    named = _SUBJECT.search(rest)
    if not asked and not named and _COUNTS.search(rest):
        return None  # "how many?"
    subject = frozenset(content_keys(f"{after} {named[1] if named else ''}"))
    counts = bool(_COUNTS.search(rest))
    rest = _COUNTS.sub(" ", rest)
    if not asked or (counts and asked[0][0] is Computed.ROWS):
        kind = Computed.COUNT if counts else Computed.ROWS
        asked = tuple((kind, words) for _, words in asked) or ((kind, ()),)
    keys = frozenset(content_keys(rest)) - _LIGHT
    denied = _DENIES.search(rest) is not None
    return TableQuestion(asked, keys, subject - _LIGHT, bound, denied, who is not None)


def asks_for_extreme(question: str) -> TableQuestion | None:
    """Return what a question asks of the column of a table whose most or least it wants, or None.

    >>> asks_for_extreme("which town has the most lamps") is None
    False
    >>> asks_for_extreme("how many lamps are there") is None
    True
    """
    asked = table_question(question)
    if asked is None or asked.bound is not None or asked.columns[0][0] not in (_LOW, _HIGH):
        return None
    return asked


def extreme_in(text: str) -> tuple[int, int] | None:
    """Return where a text says the most or the least of something, None where it does not.

    >>> extreme_in("and the lowest?"), extreme_in("and Linz?")
    ((8, 14), None)
    """
    for pattern, columns in _COMPUTED:
        if columns[0][0] in (_LOW, _HIGH) and (found := pattern.search(text)):
            return found.span()
    return None


def words_of_rows(question: str, asked: TableQuestion) -> set[str]:
    """Return the words of a question that must stand in the rows asked for, as they were typed.

    >>> asked = TableQuestion((), keys=frozenset({"lamp", "oak"}), subject=frozenset({"lamp"}))
    >>> words_of_rows("how many oak lamps", asked)
    {'oak'}
    """
    keys = asked.keys - asked.subject
    return {term.form for term in terms(question) if term.key in keys}
