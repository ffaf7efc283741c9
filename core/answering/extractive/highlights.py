"""The few words of a quoted sentence that answer: a date, an amount, a name, a clause (pure).

Rules by the kind of answer that a question wants. Where they find nothing that is clearly it,
nothing is marked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from core.answering.extractive.answer_types import OFFICE, Wanted, asks_price, contact, wanted
from core.answering.extractive.measures import measure
from core.answering.extractive.quotes import asks_for_list
from core.answering.extractive.tables import cells
from core.text.acronyms import short_form_asked, spelled_out
from core.text.terms import Term, content_keys, fold, terms
from core.text.word_lists import MONTHS

Span = tuple[int, int]

_MONTH = "(?:" + "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True)) + ")"
_DATE = re.compile(
    rf"(?:\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+|de\s+)?{_MONTH}\b(?:,?\s+(?:de\s+)?\d{{4}})?)"
    rf"|(?:\b{_MONTH}\s+\d{{1,2}}\b(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}}\b)?(?:,?\s+\d{{4}})?)"
    rf"|(?:\b{_MONTH}(?:\s+of)?,?\s+\d{{4}})"
    r"|\d{4}\s*[-–]\s*\d{2,4}\b|\b(?:1\d|20)\d\ds?\b(?:\s+(?:BC|AD|CE|BCE))?"
    r"|\b\d{1,2}(?:st|nd|rd|th)\s+century(?:\s+(?:BC|AD))?|\b\d{1,4}\s+(?:BC|BCE|AD|CE)\b",
    re.I,
)
_CLOCK = r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock|Uhr)|\d{1,2}:\d\d|noon|midnight)"
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?)"
_HOURS = re.compile(
    rf"(?:(?:\bfrom\s+|\bvon\s+)?\b{_DAY}(?:\s*(?:[-–]|to|and|until|bis|und)\s*{_DAY})?,?\s+)?"
    rf"(?:\b(?:before|after|from|until|till|between|at|by|vor|nach|von|bis|um)\s+)?\b"
    rf"(?:\d{{1,2}}(?:[:.]\d\d)?\s*(?:[-–]|to|bis)\s*)?{_CLOCK}"
    rf"(?:\s*(?:[-–]|to|and|or|until|bis|und)\s*(?:before\s+|after\s+|vor\s+|nach\s+)?{_CLOCK})?",
    re.I,
)
_ABOUT = (
    r"(?:(?:approximately|about|around|nearly|almost|over|under|more than|less than|at least|"
    r"at most|up to|not less than|not more than|only|some|roughly|circa|mindestens|etwa|rund|"
    r"über|fast|knapp)\s+)?"
)
_ABOUT_BEFORE = re.compile(rf"\b{_ABOUT.removesuffix('?')}$", re.I)
_FIGURE = r"\d+(?:[.,\u00a0\u202f]\d+)*"
_WORDED = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    "hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)"
)
_SCALE = r"(?:\s*(?:million|billion|trillion|thousand|hundred|Millionen|Milliarden|bn|m)\b)?"
_MONEY = re.compile(
    rf"{_ABOUT}(?:(?:US|C|A)?[$€£¥]\s?{_FIGURE}{_SCALE}"
    rf"|{_FIGURE}{_SCALE}\s?(?:dollars?|euros?|pounds?|USD|EUR|GBP|€|Euro|Dollar)\b)",
    re.I,
)
_UNIT = (
    "(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|ms|jahren?|monaten?|wochen?|tagen?|"
    "stunden?|minuten?|sekunden?)"
)
_DURATION = re.compile(
    rf"(?:from\s+(?:\w+\s+){{1,3}}{_UNIT}\s+(?:up\s+)?to\s+(?:\w+\s+){{1,2}}{_UNIT})"
    rf"|{_ABOUT}(?:every\s+)?(?:{_FIGURE}|{_WORDED}|several|a few|a)(?:[-–\s]+(?:to\s+)?"
    rf"(?:{_FIGURE}|{_WORDED}))?[-–\s]+{_UNIT}\b",
    re.I,
)
_COUNT = re.compile(
    rf"{_ABOUT}(?:(?<![\w.])\d+(?:[.,\u00a0\u202f]\d+)*(?![\w]){_SCALE}"
    rf"(?:\s?(?:%|percent|per cent|Prozent))?|\b{_WORDED}\b{_SCALE})",
    re.I,
)
_POINTS = re.compile(
    r"(?:§+|\b(?:sections?|sec\.|figures?|fig\.|tables?|pages?|p\.|chapters?|clauses?|articles?"
    r"|appendix|equations?|eq\.|abschnitt|kapitel|seiten?|tabelle|abbildung|abb\.))\s*$",
    re.I,
)
"""Before a number that only says where something stands: "§ 1"."""
_HOW_LONG = re.compile(r"\bhow long\b|\bwie lange\b", re.I)
_OPEN = re.compile(
    r"\b(?:open|opening|close[sd]?|closing|hours|geöffnet|offen|öffnungszeiten)\b", re.I
)
_HOW_MUCH = re.compile(
    r"\bhow much\b|\bcosts?\b|\bprice\b|\bpa(?:y|id|ying)\b|\bworth\b|\brevenue\b|\bfees?\b", re.I
)
_OF_MONEY = frozenset(content_keys("cost costs price pay paid charge worth"))
_COPULA = re.compile(
    r"\b(?:is|are|was|were|means?|refers? to|stands? for|ist|sind|war|waren|bezeichnet)\s+", re.I
)
_CAUSE = re.compile(
    r"\b(?:because|due to|as a result of|in order to|so that|to make way for|owing to|thanks to|"
    r"since|after|for fear of|weil|wegen|aufgrund)\b",
    re.I,
)
_YES_NO = re.compile(
    r"^\W*(?:(?:and|but|ok|so|is it true that)\s+)*(?:is|are|was|were|can|could|do|does|did|has|"
    r"have|had|will|would|should|may|must|ist|sind|war|kann|können|hat|haben|wird|darf|muss)\b",
    re.I,
)
_CLAUSE_END = re.compile(r"[,;:][\"”’]?(?:\[\d+\])*\s|\s[–—]\s|\.\s*$|\s\(|(?<=\w)\.\s")
_PART_END = re.compile(r";\s|,\s(?:and|but|while|whereas|und|aber)\s|\.\s")
_JOINED = re.compile(r"(?:so|and|but|because|that|und|aber|denn|so dass)\s+", re.I)
_SHARE = re.compile(r"\b(?:percent\w*|per cent|share|proportion|rate|anteil|prozent\w*)\b|%", re.I)
_REFERENCE_MARKS = re.compile(r"[.,;]?(?:\[\d{1,3}\])+$")
_WHO_IS = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:who(?:'?s| is| was| are| were)|wer (?:ist|war|sind))\b", re.I
)
_OF_OFFICE = re.compile(rf"\b(?:the|{OFFICE}s?|der|die|das)\b", re.I)
_NAME_WORDS = 3
_SAME_BEGINNING = 5
"""Letters."""
_LONGEST_NAME = 60
_COMPANY = re.compile(r"(?:inc|ltd|llc|corp|co|plc|gmbh|ag|sa|nv|bv)\.?", re.I)
"""What ends a company's name, and is none."""
_LINKS = frozenset("of the and de la von van der den di da for upon le du & al bin".split())
_WHICH = re.compile(r"\b(?:which|what|welche[mnrs]?) \w+", re.I)
_BY = re.compile(r"\b(?:by|von|durch|par|por)\s+", re.I)
_SOMEBODY = re.compile(
    r"\b(?:by|von|durch)\s+(?P<who>(?:the|an?|his|her|its|their|our|your|der|dem|den|die)\s+[\w-]+"
    r"(?:\s[\w-]+)?)(?=\s*[.,;)]|$)",
    re.I,
)
"""Who does it, by no name: "paid by the tenants"."""
_BETWEEN = 4
"""Blanks between "by" and a name: "by former director Larry Roberts"."""
_SUBJECT = re.compile(
    r"(?P<subject>[^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+){0,2}) "
    r"(?:is|was|were|has|had|\w+ed|wrote|built|led|made|won|hat|hatte|wurde|war)\b"
)
_SEVERAL = re.compile(
    r"(?::|—|\bsuch as|\bincluding|\bnamely|\bnämlich)\s*"
    r"(?P<items>[^:—;.]{3,}?\b(?:and|or|und|oder)\b[^:—;.,]+)"
)
_NEXT_NAME = re.compile(r"\s*(?:,|,?\s*(?:and|or|und|oder))\s*(?:the\s+|die\s+)?", re.I)
_BOTH = re.compile(r"\s(?:and|und)\s")
_LONGEST_VALUE = 8
_LONGEST_CLAUSE = 25
"""Words; a longer clause is no mark."""
_ENDS = re.compile(
    r"\b(?:ends?|ended|over|expires?|expired?|finish\w*|runs? out|until when|how long|bis wann"
    r"|endet\w*|läuft .* (?:ab|aus))\b",
    re.I,
)
_UNTIL = re.compile(
    r"\b(?:until|till|through|to|ends?(?: on)?|ended(?: on| in)?|expires?(?: on)?|bis(?: zum)?"
    r"|endet(?: am)?)\s+(?:the\s+)?$",
    re.I,
)
_BEGINS = re.compile(
    r"\b(?:begins?|began|starts?|started|since when|beginnt|begann|seit wann)\b", re.I
)
_SINCE = re.compile(
    r"\b(?:from|since|begins?(?: on)?|began(?: on| in)?|starts?(?: on)?|started(?: on| in)?"
    r"|ab|von|vom|seit|beginnt(?: am)?)\s+(?:the\s+)?$",
    re.I,
)
_FARTHEST_VERB = 7
"""Words of content from what is defined to "is", with what is said of it in between."""
_MOST_NEAR = 2


def mark_words(question: str, sentence: str) -> Span | None:
    """Return the stretch of a sentence that answers the question, or None where it is not clear.

    >>> text = "Tesla died on 7 January 1943 in New York."
    >>> start, end = mark_words("When did Tesla die?", text) or (0, 0)
    >>> text[start:end]
    '7 January 1943'
    """
    asked = set(content_keys(question))
    kind = wanted(question)
    if shape := contact(question):
        said = _spans(shape, sentence)
        return said[0] if len(said) == 1 else None
    short, long = short_form_asked(question)
    written = spelled_out(sentence, short) if short else None
    if written and (long or _predicate(sentence, asked) is None):
        return written
    if _HOW_LONG.search(question):
        return _nearest(_spans(_DURATION, sentence), sentence, asked)
    if shape := measure(question):
        measured = _nearest(_spans(shape, sentence), sentence, asked)
        return measured and (_with_about(sentence, measured[0]), measured[1])
    if kind is Wanted.TIME:
        dates = _nearest(_spans(_DATE, sentence), sentence, asked)
        return dates or _nearest(_spans(_HOURS, sentence), sentence, asked)
    if kind is Wanted.NUMBER:
        money = _nearest(_spans(_MONEY, sentence), sentence, asked)
        share = _SHARE.search(question) is not None
        if _HOW_MUCH.search(question) and (money or asks_price(question)):
            return money
        return _number(sentence, asked, share)
    if _HOW_MUCH.search(question) and (
        money := _nearest(_spans(_MONEY, sentence), sentence, asked)
    ):
        return money
    if kind is Wanted.PERSON and asks_who_one_is(question):
        return _predicate(sentence, asked)
    if kind is Wanted.PERSON and (agent := _agent(sentence, asked)):
        return agent
    if kind is Wanted.PLACE and (where := _predicate(sentence, asked)):
        return where
    if kind in (Wanted.PERSON, Wanted.PLACE):
        names = list(_names(sentence, asked))
        return names[0] if len(names) == 1 else None
    if asks_for_list(question) and (several := _enumeration(sentence, asked)):
        return several
    if kind is Wanted.REASON:
        return _clause_from(_CAUSE, sentence)
    if kind is Wanted.DEFINITION:
        return _predicate(sentence, asked) or _behind_label(sentence, asked)
    if asks_yes_or_no(question):
        return _deciding(sentence, asked)
    if _WHICH.search(question):
        return _value(sentence, asked)
    return None  # what else may be asked for has no form by which it could be told


def mark_by_clause(question: str, sentence: str) -> Span | None:
    """Return which of two amounts or durations is asked for, where their clauses tell; else None.

    To "how long" it is the one duration that is there, to when something is open its hours.

    >>> text = "A plot costs £45; half plots pay £25."
    >>> start, end = mark_by_clause("what does a half plot cost?", text) or (0, 0)
    >>> text[start:end]
    '£25'
    """
    if _HOW_LONG.search(question):
        found = _spans(_DURATION, sentence)
        if len(found) == 1:
            return found[0]
    elif wanted(question) is Wanted.TIME and _OPEN.search(question):
        return next(iter(_spans(_HOURS, sentence)), None)
    elif wanted(question) is Wanted.TIME:
        return _end_of_span(question, sentence)
    elif _HOW_MUCH.search(question):
        found = _spans(_MONEY, sentence)
    else:
        return None
    asked = set(content_keys(question)) - _OF_MONEY
    places = [term for term in terms(sentence) if term.kind != "stop" and term.key in asked]
    shared = [_shared_in_clause(sentence, span, places) for span in found]
    if len(found) != _MOST_NEAR or shared[0] == shared[1]:
        return None
    return found[shared.index(max(shared))]


def _end_of_span(question: str, sentence: str) -> Span | None:
    """The date at which something begins or ends, where a sentence has both."""
    dates = _spans(_DATE, sentence)
    for asked, before in ((_ENDS, _UNTIL), (_BEGINS, _SINCE)):
        if asked.search(question) and len(dates) > 1:
            said = [date for date in dates if before.search(sentence, 0, date[0])]
            return said[0] if len(said) == 1 else None
    return None


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is one that yes or no answers.

    >>> asks_yes_or_no("is water included?"), asks_yes_or_no("can you say who paid?")
    (True, False)
    """
    return wanted(question) is Wanted.OTHER and _YES_NO.search(question) is not None


def asks_who_one_is(question: str) -> bool:
    """Return whether somebody who is named is asked about, and not for a name.

    >>> asks_who_one_is("who was Genghis Khan?"), asks_who_one_is("who was the first khan?")
    (True, False)
    """
    found = _WHO_IS.match(question)
    if found is None or _OF_OFFICE.search(question):
        return False
    said = [term for term in terms(question[found.end() :]) if term.kind != "stop"]
    return 0 < len(said) <= _NAME_WORDS


def only_points(sentence: str, span: Span) -> bool:
    """Return whether a span is the number of a section, a figure or a page.

    >>> only_points("Taken in the sense of § 1.", (24, 26)), only_points("It has 1.", (7, 8))
    (True, False)
    """
    number = sentence[slice(*span)].strip(" .,;:)")
    return number.isdigit() and _POINTS.search(sentence, 0, span[0]) is not None


def widened(question: str, sentence: str, span: Span) -> Span:
    """Return a span with the whole of the date, amount or name in which it begins or ends.

    >>> text = "It was opened on 21 January 1788 by Ada King and Jo Bell."
    >>> start, end = widened("When was it opened?", text, (28, 32))
    >>> text[start:end]
    '21 January 1788'
    """
    start, end = span
    if (marks := _REFERENCE_MARKS.search(sentence, start, end)) is not None:
        end = marks.start()
    person = wanted(question) is Wanted.PERSON
    asked = set(content_keys(question))
    for pattern in (_DURATION, _MONEY, _DATE, _COUNT):
        for first, last in _spans(pattern, sentence):
            if first < end and start < last:
                wide = min(first, start), max(last, end)
                return _with_noun(sentence, wide, asked) if pattern is _COUNT else wide
    names = [one for one in _names(sentence, ()) if one[1] - one[0] <= _LONGEST_NAME]
    for first, last in names:
        if first < end and start < last:
            start, end = min(first, start), max(last, end)
    for first, last in names:
        if person and first > end and _NEXT_NAME.fullmatch(sentence, end, first):
            end = last
    return start, end


def mark_cell(question: str, header: str, row: str) -> Span | None:
    """Return the stretch of the cell that is asked for by the name of its column, or None.

    >>> row = "2010 | 62,484 | 89,000"
    >>> start, end = mark_cell("how many employees in 2010?", "Year | Revenue | Employees", row)
    >>> row[start:end]
    '89,000'
    """
    asked = set(content_keys(question))
    shared = [len(asked & set(content_keys(name))) for name in cells(header)]
    if not shared or not max(shared) or shared.count(max(shared)) > 1:
        return None
    column = shared.index(max(shared))
    found = [m.span() for m in re.finditer(r"[^|]+", row)]
    if column >= len(found) or len(found) != len(shared):
        return None
    return _bare(row, *found[column])


def mark_record(question: str, row: str) -> Span | None:
    """Return what a row of labelled cells says of what is asked for, or None.

    >>> row = "Geese: 2020 95 | 2021 110 | 2022 130"
    >>> start, end = mark_record("how many geese in 2021?", row) or (0, 0)
    >>> row[start:end]
    '2021 110'
    """
    asked = set(content_keys(question))
    found = [_bare(row, *cell.span()) for cell in re.finditer(r"[^|]+", row)]
    if len(found) == 2 and _is_asked_for(row[slice(*found[0])], asked):
        return found[1]
    labelled = [(start, *row[start:end].partition(": ")) for start, end in found]
    if all(sign for _, _, sign, _ in labelled):
        fields = [
            (start + len(name) + len(sign), start + len(name) + len(sign) + len(value))
            for start, name, sign, value in labelled
            if _names_field(name, asked)
        ]
        if fields:
            return fields[0] if len(fields) == 1 else None
    numbers = {term.key for term in terms(question) if term.kind == "number"}
    named = [(a, b) for a, b in found if numbers & set(content_keys(row[a:b]))]
    counted = [(a, b) for a, b in found if any(t.kind == "number" for t in terms(row[a:b]))]
    if len(named) == 1 and set(content_keys(row[slice(*named[0])])) - asked:
        return named[0]
    if wanted(question) is Wanted.NUMBER and len(counted) == 1 and len(found) > 1:
        start, end = counted[0]
        label = row.find(": ", start, end)
        return (label + 2, end) if label >= 0 else (start, end)
    return None


def _names_field(name: str, asked: Collection[str]) -> bool:
    """Whether a word of the question is one of a field's name, or begins as it: "supplies"."""
    begun = {word[:_SAME_BEGINNING] for word in asked if len(word) >= _SAME_BEGINNING}
    return any(key in asked or key[:_SAME_BEGINNING] in begun for key in content_keys(name))


def _is_asked_for(name: str, asked: Collection[str]) -> bool:
    keys = set(content_keys(name))
    return bool(keys) and keys <= set(asked)


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [_bare(text, *found.span()) for found in pattern.finditer(text)]


def _bare(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _nearest(found: Sequence[Span], text: str, asked: Collection[str]) -> Span | None:
    """The stretch that stands nearest to the words of the question, of those that it lacks.

    Of more than `_MOST_NEAR` none is: the nearest is right in half of the cases then.
    """
    fresh = [span for span in found if not set(content_keys(text[span[0] : span[1]])) <= set(asked)]
    if len(fresh) < 2 or len(fresh) > _MOST_NEAR:
        return fresh[0] if len(fresh) == 1 else None
    places = [term for term in terms(text) if term.kind != "stop" and term.key in asked]
    if not places:
        return fresh[0]
    shared = [_shared_in_clause(text, span, places) for span in fresh]
    if shared[0] != shared[1]:
        return fresh[shared.index(max(shared))]
    return min(fresh, key=lambda span: _distance(span, places))


def _with_about(text: str, start: int) -> int:
    """Where a measure begins with "at least", "about" before it."""
    before = _ABOUT_BEFORE.search(text, 0, start)
    return before.start() if before else start


def _shared_in_clause(text: str, span: Span, places: Sequence[Term]) -> int:
    """How many different words of the question stand in the clause of a stretch."""
    start = max((m.end() for m in _PART_END.finditer(text, 0, span[0])), default=0)
    stop = _PART_END.search(text, span[1])
    end = stop.start() if stop else len(text)
    return len({term.key for term in places if start <= term.start < end})


def _distance(span: Span, places: Sequence[Term]) -> float:
    """How far a stretch is from the nearest words; what follows them is nearer."""
    near = sorted(
        span[0] - term.end if term.end <= span[0] else 1.5 * max(0, term.start - span[1])
        for term in places
    )
    return sum(near[:2]) / len(near[:2])


def _number(text: str, asked: Collection[str], share: bool) -> Span | None:
    """A figure with what is counted: the word behind it, where the question names that.

    A day, a year and a place ("section 3") count nothing, and a percentage only where a share is
    asked for.
    """
    dates = _spans(_DATE, text) if len(text.split()) > 3 else []
    found = [
        (start, end)
        for start, end in _spans(_COUNT, text)
        if not any(first < end and start < last for first, last in dates)
        and not only_points(text, (start, end))
        and (share or not text[start:end].endswith(("%", "percent", "per cent", "Prozent")))
    ]
    counted = [span for span in found if _with_noun(text, span, asked) != span]
    best = counted[0] if len(counted) == 1 else _nearest(found, text, asked)
    return _with_noun(text, best, asked) if best else None


def _with_noun(text: str, best: Span, asked: Collection[str]) -> Span:
    """A figure and what it counts: one of the two words behind it, if the question has it."""
    if text[slice(*best)].endswith("%"):
        return best
    behind = re.match(r"\s+(?:[\w-]+\s+)?([\w-]+)", text[best[1] :])
    word = re.match(r"\s+([\w-]+)", text[best[1] :])
    if word and set(content_keys(word[1])) & set(asked):
        return best[0], best[1] + word.end()
    if behind and set(content_keys(behind[1])) & set(asked):
        return best[0], best[1] + behind.end()
    return best


def _agent(text: str, asked: Collection[str]) -> Span | None:
    """Who does it: the name behind "by", else the subject that the sentence opens with.

    Behind "funded by" stands nobody who invented, unless the sentence names nobody else.
    """
    everybody = [(a, b) for a, b in _names(text, asked) if not text[a:b].isupper()]
    for found in _BY.finditer(text):
        names = [name for name in everybody if name[0] >= found.end()]
        done = set(asked) & set(content_keys(" ".join(text[: found.start()].split()[-2:])))
        if not names or (not done and len(everybody) > 1):
            continue
        if text[found.end() : names[0][0]].strip().count(" ") <= _BETWEEN:
            return names[0]
    somebody = None if everybody else _SOMEBODY.search(text)
    if somebody is not None:
        return somebody.span("who")
    opening = _SUBJECT.match(text)
    if opening is None:
        return None
    said = content_keys(opening["subject"])
    return opening.span("subject") if said and not set(said) & set(asked) else None


def _enumeration(text: str, asked: Collection[str]) -> Span | None:
    """Things in a row, behind what leads into them or as names: "A, B, and C"."""
    for found in _SEVERAL.finditer(text):
        start, end = _bare(text, *found.span("items"))
        fresh = set(content_keys(text[start:end])) - set(asked)
        if fresh and len(text[start:end].split()) <= _LONGEST_CLAUSE:
            return start, end
    run: list[Span] = []
    for span in _names(text, asked):
        if run and not _NEXT_NAME.fullmatch(text, run[-1][1], span[0]):
            if len(run) > 1:
                break
            run = []
        run.append(span)
    whole = (run[0][0], run[-1][1]) if run else (0, 0)
    return whole if len(run) > 1 or _BOTH.search(text, *whole) else None


def _value(text: str, asked: Collection[str]) -> Span | None:
    """The few words behind "is" where most of what was asked for stands before it."""
    verb = _COPULA.search(text)
    if verb is None:
        return None
    subject = set(content_keys(text[: verb.start()]))
    span = _clause(text, verb.end())
    if span is None or 2 * len(subject & set(asked)) < len(asked):
        return None
    return span if len(text[span[0] : span[1]].split()) <= _LONGEST_VALUE else None


def _names(text: str, asked: Collection[str]) -> Iterator[Span]:
    """Runs of names that the question does not hold: "Bill Gates and Paul Allen"."""
    run: list[Term] = []
    found = terms(text)
    for at, term in enumerate(found):
        opening = at == 0 and term.form[:1].isupper() and term.kind == "word"
        opening = opening and len(found) > 1 and found[1].kind == "name"
        name = (
            (term.kind == "name" or opening)
            and term.key not in asked
            and fold(term.form) not in _MONTH_NAMES
        )
        gap = text[run[-1].end : term.start] if run else ""
        link = run and term.form.casefold() in _LINKS and gap.strip() in ("", ".")
        if link or (name and (not run or gap.strip() in ("", ".", "-", "&", "'", "’"))):
            run.append(term)
        else:
            yield from _closed(run)
            run = [term] if name else []
    yield from _closed(run)


_MONTH_NAMES = frozenset(fold(month) for month in MONTHS)


def _closed(run: list[Term]) -> Iterator[Span]:
    while run and run[-1].form.casefold() in _LINKS:
        run = run[:-1]
    if run and not all(_COMPANY.fullmatch(term.form) for term in run):
        yield run[0].start, run[-1].end


def _clause_from(pattern: re.Pattern[str], text: str) -> Span | None:
    found = pattern.search(text)
    return _clause(text, found.start()) if found else None


def _end(text: str) -> int:
    """Where the words of a sentence end: before its full stop and the marks of references."""
    return len(_REFERENCE_MARKS.sub("", text.rstrip()).rstrip(" .!;"))


def _clause(text: str, start: int) -> Span | None:
    """From `start` to the end of the clause, if it is no longer than a mark should be."""
    stop = _CLAUSE_END.search(text, start + 1)
    end = stop.start() if stop else _end(text)
    span = _bare(text, start, end)
    return span if 0 < len(text[span[0] : span[1]].split()) <= _LONGEST_CLAUSE else None


def _predicate(text: str, asked: Collection[str]) -> Span | None:
    """What a definition says: all behind "is", where its subject is what was asked for."""
    verb = _COPULA.search(text)
    if verb is None:
        return None
    subject = [term for term in terms(text[: verb.start()]) if term.kind != "stop"]
    named = [at for at, term in enumerate(subject) if term.key in asked]
    if not set(asked) <= {term.key for term in subject}:
        return None
    if named and len(subject) - named[-1] > _FARTHEST_VERB:
        return None  # the verb of another clause: "lamps burn where ... and the rooms are small"
    return _clause(text, verb.end())


def _behind_label(text: str, asked: Collection[str]) -> Span | None:
    """What stands behind "Code 660:" where that is what was asked for."""
    label, sign, _ = text.partition(": ")
    if not sign or not set(asked) <= set(content_keys(label)):
        return None
    return _clause(text, len(label) + 2)


def _deciding(text: str, asked: Collection[str]) -> Span | None:
    """The clause that shares the most with a question that is answered by yes or no."""
    best: tuple[int, Span] | None = None
    start = 0
    stops = [found.span() for found in _CLAUSE_END.finditer(text)]
    for end, after in [*stops, (_end(text), len(text))]:
        span = _bare(text, start, end)
        clause = text[span[0] : span[1]]
        if len(clause.split()) > 2:
            shared = sum(
                {t.key: 1 + (t.kind == "name") for t in terms(clause) if t.key in asked}.values()
            )
            if best is None or shared > best[0]:
                best = shared, span
        start = after
    if best is None or 2 * best[0] < len(asked):
        return None
    joined = _JOINED.match(text, *best[1])
    span = (joined.end() if joined else best[1][0]), best[1][1]
    return span if len(text[span[0] : span[1]].split()) <= _LONGEST_CLAUSE else None
