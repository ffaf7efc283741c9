"""Questions that an English sentence answers: what, when, where, who, how many (pure)."""

from __future__ import annotations

import re

from core.answering.suggestions.subjects import (
    NAME,
    has_no_part,
    in_a_sentence,
    is_person,
    is_subject,
    with_capital,
)

_SUBJECT = rf"^(?P<article>An? |The )?{NAME}"
_DEFINITION = re.compile(
    rf"{_SUBJECT}(?:,? or [\w -]{{2,20}},?| \([\w .-]{{1,20}}\))? "
    r"(?P<be>is|are) (?P<as>an?|the|one of the) \w"
)
_DONE = (
    "founded|built|opened|established|completed|created|introduced|published|signed|launched"
    "|formed|invented|discovered|rebuilt|abolished|renamed|restored|destroyed|incorporated|acquired"
    "|elected|appointed|approved|adopted"
)
_DATED = re.compile(
    rf"{_SUBJECT} (?P<be>was|were) (?:first |originally |officially )?"
    rf"(?P<done>{_DONE})\b[^.;]{{0,60}}?\b(?:in|on)\b[^.;]{{0,20}}?\b(?:1\d|20)\d\d\b"
)
_BORN = re.compile(r"^(?P<x>[A-Z][\w'’-]+(?: [A-Z][\w'’.-]+){1,3}) \((?:born|b\.) [^()]{0,30}\d{4}")
_PLACED = re.compile(
    rf"{_SUBJECT} (?P<be>is|are) (?P<done>located|situated|based|headquartered)"
    r" (?:in|at|on|near) \w"
)
_TAKES = re.compile(rf"{_SUBJECT} (?P<verb>takes|lasts|took|lasted) [^.;]{{0,20}}?\d")
_COSTS = re.compile(rf"{_SUBJECT} (?P<verb>costs|cost) [^.;]{{0,20}}?\d")
_BY = r"(?:within|no later than|by the|before the|on or before)"
_DUE = re.compile(
    rf"{_SUBJECT} must be (?P<done>[a-z]+(?:ed|en|id|de|pt)"
    rf"(?: in(?= {_BY})| (?:back|out|off|up|over)\b)?) [^.;]{{0,60}}?{_BY} \w"
)
_COUNT = re.compile(
    rf"(?:{_SUBJECT}|^(?:[^.;:]{{0,60}}, )?(?P<we>we)) "
    r"(?P<have>has|have|had|employs|employed|operates|operated|owns|owned)"
    r" (?:about |over |approximately |nearly |more than |around |a total of |some )?"
    r"(?:\d[\d,.]*(?: million| billion)?|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r" (?P<things>[a-z][a-z-]+(?: [a-z][a-z-]+)?s)\b(?! of\b)",
    re.I,
)
_ROLE = re.compile(
    r"^(?P<who>[A-Z][\w'’-]+ (?:[A-Z]\.? )?[A-Z][\w'’-]+),?"
    r" (?:is |was |serves as |has served as |became )?(?:the |our |its )?"
    r"(?P<role>(?:chief [a-z]+ officer|president|chair(?:man|woman|person)?|managing director|mayor"
    r"|prime minister|founder|editor|head coach)"
    r"(?: of (?:the )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)?)\b",
)
_FOLLOWING = re.compile(
    r"^The following (?P<things>[a-z][\w -]{3,40}?) (?P<verb>are|must be|should be|can be|may be"
    r"|have been|were) (?P<rest>[\w -]{3,30}):$"
)
_SHORT = re.compile(
    r"\b(?P<long>[A-Z][\w-]+(?: (?:of|and|for|the|[A-Z][\w-]+)){1,5}) \((?P<short>[A-Z]{2,6})s?\)"
)
_PLURAL = re.compile(r"[A-Z][a-z]+(?<![sui])s")
_BASE = {"took": "take", "takes": "take", "lasts": "last", "lasted": "last"}
_HAVE = {"has": "have", "had": "have", "employs": "employ", "employed": "employ"}
_HAVE |= {"operates": "operate", "operated": "operate", "owns": "own", "owned": "own"}


def question_of(sentence: str, text: str) -> str:
    """Return the question that a sentence of a text answers, "" where none is seen."""
    return next((asked for rule in _RULES if (asked := rule(sentence, text))), "")


def _subject(found: re.Match[str], text: str) -> str:
    """The subject as it stands within a question; "" of what is none."""
    if not found["x"] or not is_subject(found["x"]):
        return ""
    article = (found["article"] or "").lower()
    several = found.re is _DUE or found.groupdict().get("be") in ("are", "were")
    if several and _PLURAL.fullmatch(found["x"]) and not with_capital(found["x"], text):
        return article + str(found["x"]).lower()
    return article + (found["x"] if article else in_a_sentence(found["x"], text))


def _definition(sentence: str, text: str) -> str:
    found = _DEFINITION.match(sentence)
    subject = _subject(found, text) if found else ""
    if found is None or not subject:
        return ""
    name = found["x"]
    # "Trains are the first choice" says what is done with them, not what they are
    several = found["be"] == "are" and (found["as"] == "the" or not name.endswith("s"))
    if not found["article"] and (is_person(subject) or several or name[0].islower()):
        return ""
    return f"What {found['be']} {subject}?"


def _date(sentence: str, text: str) -> str:
    if born := _BORN.match(sentence):
        return f"When was {born['x']} born?"
    found = _DATED.match(sentence)
    subject = _subject(found, text) if found else ""
    return f"When {found['be']} {subject} {found['done']}?" if found and subject else ""


def _place(sentence: str, text: str) -> str:
    found = _PLACED.match(sentence)
    subject = _subject(found, text) if found else ""
    return f"Where {found['be']} {subject} {found['done']}?" if found and subject else ""


def _extent(sentence: str, text: str) -> str:
    for rule, how in ((_TAKES, "How long does"), (_COSTS, "How much does")):
        found = rule.match(sentence)
        if found and (subject := _subject(found, text)):
            return f"{how} {subject} {_BASE.get(found['verb'], 'cost')}?"
    return ""


def _deadline(sentence: str, text: str) -> str:
    found = _DUE.match(sentence)
    subject = _subject(found, text) if found else ""
    return f"When must {subject} be {found['done']}?" if found and subject else ""


def _count(sentence: str, text: str) -> str:
    found = _COUNT.match(sentence)
    if found is None:
        return ""
    things = found["things"].lower()
    if found["we"]:
        return f"How many {things} are there?"
    # "An answer has four claims" is said of an example
    subject = "" if found["article"] in ("A ", "An ") else _subject(found, text)
    have = found["have"].lower()
    return f"How many {things} does {subject} {_HAVE.get(have, have)}?" if subject else ""


def _role(sentence: str, text: str) -> str:
    found = _ROLE.match(sentence)
    return f"Who is the {found['role']}?" if found and is_subject(found["who"]) else ""


def _list(sentence: str, text: str) -> str:
    found = _FOLLOWING.match(sentence)
    if found is None or not has_no_part(found["rest"].split()):
        return ""
    return f"Which {found['things']} {found['verb']} {found['rest']}?"


def _abbreviation(sentence: str, text: str) -> str:
    for found in _SHORT.finditer(sentence):
        initials = "".join(
            word[0] for word in re.split(r"[ -]", found["long"]) if word[0].isupper()
        )
        if initials.endswith(found["short"]):
            return f"What does {found['short']} stand for?"
    return ""


_RULES = (
    _list,
    _definition,
    _date,
    _count,
    _role,
    _place,
    _deadline,
    _extent,
    _abbreviation,
)
