"""Which measure a question asks for, and how texts say one: a duration, a temperature (pure)."""

from __future__ import annotations

import re

_WORDED = (
    r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|few|dozen|half"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf"
)
_FIGURE = r"(?<![\w.,])\d+(?:[.,\u00a0\u202f]\d+)*"
_RANGE = rf"{_FIGURE}(?:\s*(?:[-–—]|to|or|and|bis)\s*{_FIGURE})?"
_LENGTH = (
    r"(?:[cmk]?m|met(?:er|re)[ns]?|kilomet(?:er|re)[ns]?|[cz]entimet(?:er|re)[ns]?|miles?|feet|foot|ft"
    r"|inch(?:es)?|yards?)"
)
_SPELL = (
    r"(?:second|minute|hour|day|night|week|month|quarter|year|season|morning|evening|spring|summer"
    r"|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tag|woche|monat|jahr|stunde)"
)

DURATION = re.compile(
    rf"(?:\d[\d.,]*|\b(?:{_WORDED}))[-\s]"
    r"(?:(?:to|or|bis|oder)[-\s](?:[^\W\d_]+\s)?\S+[-\s])?(?:(?:full|working|more|business)\s)?"
    r"(?:years?|months?|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?|ms|decades?|centur(?:y|ies)"
    r"|jahre?n?|monate?n?|wochen?|tage?n?|stunden?|minuten?|sekunden?"
    rf"|{_LENGTH}|pages?|words?|letters?|characters?)\b"
    r"|\b(?:until|till|bis(?: zum)?):?\s+(?:\w+\s+)?\d",
    re.I,
)
"""A duration or a length, or until when: what "how long" asks for."""
FREQUENCY = re.compile(
    rf"\b(?:every|each|per|jede[nrsm]?|pro)\s+(?:(?:other|few|\d+|{_WORDED}|\w+th|second|third)\s+)?"
    rf"(?:or \w+ )?{_SPELL}\w*\b|\b(?:once|twice|(?:{_WORDED}|\d+) times|einmal|zweimal)\s+(?:an?"
    rf"|per|every|each|in|pro|im|am)\s+(?:\w+\s+)?{_SPELL}\w*\b"
    rf"|\balle\s+(?:\d+|{_WORDED})\s+{_SPELL}\w*"
    r"|\b(?:hourly|daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|annual(?:ly)?|yearly"
    r"|regularly|rarely|seldom|occasionally|continuously|täglich|wöchentlich|monatlich|jährlich"
    r"|regelmäßig|selten)\b|\b(?:on|at)\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)\b",
    re.I,
)
"""How often something comes: "every four hours", "twice a year", "regularly"."""
_DEGREES = r"(?:[°º]\s?[CFK]\b|[°º](?:\s*degrees?\b)?|(?:degrees?|grad|[CFK])\b)"
_TEMPERATURE = re.compile(
    rf"(?:(?<!\S)[-–−])?{_FIGURE}\s*[°º]?(?:\s*(?:[-–—]|to|or|and|bis)\s*[-–−]?{_FIGURE})?\s*"
    rf"(?:{_DEGREES}(?:\s(?i:celsius|fahrenheit|kelvin)\b)?|(?i:celsius|fahrenheit|kelvin)\b)"
    rf"(?:\s?/\s?{_FIGURE}\s?[°º]?\s?[CFcf]\b)?"
)
_WEIGHT = re.compile(
    rf"{_RANGE}\s?(?:kg|g|mg|grams?|kilograms?|kilos?|lbs?|pounds?|ounces?|oz|tons?|tonnes?|stone|gramm|kilogramm|tonnen|pfund|zentner)\b",
    re.I,
)
_SPEED = re.compile(
    rf"{_RANGE}\s?(?:km/h|kmh|kph|mph|knots?|k?m/s|ft/s|[kmgt]?b(?:it|yte)?s?/s|[kmgt]bps|rpm|fps|[kmg]?hz"
    r"|\S+ (?:per|an|a|pro) (?:second|minute|hour|day|sekunde|minute|stunde))\b",
    re.I,
)
_LOUDNESS = re.compile(rf"{_RANGE}\s?(?:db(?:\(A\))?|decibels?|dezibel)(?!\w)", re.I)
_DISTANCE = re.compile(
    rf"{_RANGE}[-\s]?(?:{_LENGTH}\b(?:,? (?:and )?\d{{1,2}} in(?:ch(?:es)?)?\b)?|[′″\"](?!\w)"
    r"|stor(?:ey|ie)s\b|floors\b)",
    re.I,
)
SIZE = re.compile(
    rf"{_DISTANCE.pattern}"
    rf"|{_RANGE}\s?(?:hectares?|hektar|ha|acres?|sq(?:uare)? \w+|quadrat\w+"
    r"|[kc]?m[²³]|lit(?:er|re)[ns]?)\b",
    re.I,
)
_RATIO = re.compile(
    rf"{_RANGE}[-\s]?(?:%|(?:percent|per cent|prozent\w*|points?|times|fold|x|mal|fach\w*)\b"
    r"|\S+ (?:more|less|higher|lower|better|faster)\b)"
    rf"|\b(?:{_WORDED})[-\s](?:times|fold)\b|\b(?:twice|doppelt|halb)\b",
    re.I,
)
_COUNTED = re.compile(
    r"\b(?:how many|wie ?viele) (?!percent|prozent)(?!\w*(?:metre|meter|mile|hour|minute|second|day"
    r"|week|month|year|gram|kilo|litre|liter|gallon|pound|ton|degree|stunde|tage|woche|monate|jahre"
    r"|grad|meilen)\w*\b)(?!(?:km|kg|mm|cm|mg|[kmg]b|feet|inch\w*|hectare\w*|hektar)\b)",
    re.I,
)
COUNT = re.compile(
    r"(?<![\w.,])(?!(?:19|20)\d\d\b(?![.,]\d))\d{1,3}(?:[.,'\u00a0\u202f]\d{3})+(?![\w.,]*\d|\s?%)"
    r"|(?<![\w.,])(?!(?:19|20)\d\d\b)\d+(?![\w.,]*\d|\s?(?:%|percent|prozent))"
    r"|\d\s(?:thousand|million|billion|tausend|million|milli?arde)|\b(?:"
    rf"{_WORDED}|none|no|hundreds?|thousands?|keine?)\b",
    re.I,
)
"""A count of things: no year, no share, and no part of one ("37.8")."""
AGE = re.compile(
    r"\b(?:aged?|im alter von)\s\d{1,3}\b|(?<=,\s)\d{1,3}(?=,)"
    r"|(?<![\w.])(?<!\d,)\d[\d.,]*[-\s]years?(?:[-\s]old)?\b|(?<![\w.])(?<!\d,)\d[\d.,]*\s(?:jahre?n?|ans|months?[-\s]old)\b",
    re.I,
)
_MEASURES = (
    (re.compile(r"\bhow old\b|\bwie alt\b", re.I), AGE),
    (re.compile(r"\bhow long\b|\bwie lange?\b", re.I), DURATION),
    (re.compile(r"\bhow (?:often|frequently|regularly)\b|\bwie oft\b", re.I), FREQUENCY),
    (
        re.compile(
            r"\bhow (?:hot|cold|warm|cool|many degrees)\b|\bwie ?viele? grad\b|"
            r"\b(?:what|which|welche\w?) (?:\w+ )?temperatur|\bwie (?:heiß|kalt|warm)\b",
            re.I,
        ),
        _TEMPERATURE,
    ),
    (
        re.compile(
            r"\bhow heavy\b|\bhow much (?:do|does|did) .*\bweigh|\bwhat (?:is|was) .*\bweight\b"
            r"|\bwie schwer\b|\bwie ?viel (?:wiegt|wiegen|wog|wogen)\b",
            re.I,
        ),
        _WEIGHT,
    ),
    (
        re.compile(
            r"\bhow much (?:more|less|better|worse|faster|slower|higher|lower|cheaper|larger"
            r"|bigger|smaller|longer|shorter|stronger)\b"
            r"|\bwie ?viel (?:mehr|weniger|besser|schneller|höher|größer|kleiner|billiger|teurer"
            r"|länger|kürzer|stärker)\b",
            re.I,
        ),
        _RATIO,
    ),
    (
        re.compile(
            r"\bhow (?:big|large) (?:is|are|was|were|do|does|did|can|will)\b"
            r"|\bwie gro(?:ß|ss) (?:ist|sind|war|waren|wird|werden|kann|können)\b",
            re.I,
        ),
        SIZE,
    ),
    (re.compile(r"\bhow (?:loud|noisy)\b|\bwie laut\b", re.I), _LOUDNESS),
    (re.compile(r"\bhow fast\b|\b(?:what|which) (?:\w+ )?speed\b|\bwie schnell\b", re.I), _SPEED),
    (
        re.compile(
            r"\bhow (?:far|tall|deep|wide|thick)\b"
            r"|\bhow high\b(?!.*\b(?:fees?|tax\w*|rates?|costs?|prices?|rents?|interest|risks?)\b)"
            r"|\bwie (?:weit|tief|breit|dick)\b"
            r"|\bwie hoch .*(?:turm|berg|haus|baum|gebäude|brücke|mauer|kirche|wand|fall)\w*",
            re.I,
        ),
        _DISTANCE,
    ),
)


def counts(question: str) -> bool:
    """Return whether a question wants a count of things, not an amount of some unit.

    >>> counts("how many people live there?"), counts("how many miles is it?")
    (True, False)
    >>> [COUNT.search(text) is not None for text in ("2,014 people", "aged 37.8", "in 2014")]
    [True, False, False]
    """
    return _COUNTED.search(question) is not None


def measure(question: str) -> re.Pattern[str] | None:
    """Return what the measure that a question asks for looks like in a text, None without one.

    >>> said = measure("what temperature?")
    >>> [said.search(text) is not None for text in ("Bake at 200°C.", "Bake for 20 minutes.")]
    [True, False]
    """
    return next((said for asked, said in _MEASURES if asked.search(question)), None)
