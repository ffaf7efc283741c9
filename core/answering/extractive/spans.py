"""Stretches of a sentence that have a form: dates, amounts, durations, counts, names (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from core.text.terms import Term, content_keys, fold, terms
from core.text.word_lists import MONTHS

Span = tuple[int, int]
_MONTH = "(?:" + "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True)) + ")"
DATE = re.compile(
    r"\b(?:\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)\b"
    rf"|(?:\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+|de\s+)?{_MONTH}\b(?:,?\s+(?:de\s+)?\d{{4}})?)"
    rf"|(?:\b{_MONTH}\s+\d{{1,2}}\b(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}}\b)?(?:,?\s+\d{{4}})?)"
    rf"|(?:\b{_MONTH}(?:\s+of)?,?\s+\d{{4}})"
    r"|\d{4}\s*[-–]\s*\d{2,4}\b|\b(?:1\d|20)\d\ds?\b(?:\s+(?:BC|AD|CE|BCE))?"
    r"|\b\d{1,2}(?:st|nd|rd|th)\s+century(?:\s+(?:BC|AD))?|\b\d{1,4}\s+(?:BC|BCE|AD|CE)\b",
    re.I,
)
_NAMED = "(?:" + "|".join(month.capitalize() for month in MONTHS) + ")"
MONTH = re.compile(rf"\b{_NAMED}(?:\s*(?:[-–]|to|until|through|and|or|bis|und|oder)\s*{_NAMED})?\b")
"""Months without a day or a year: "April to October"; written small, "may" is none."""
HOUR_WORDS = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins?|zwei|drei|vier|fünf|sechs"
    "|sieben|acht|neun|zehn|elf|zwölf)"
)
_CLOCK = (
    r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock|Uhr)|\d{1,2}:\d\d|noon|midnight"
    rf"|\b{HOUR_WORDS}\s(?:o['’]clock|Uhr)(?:\s(?:morgens|abends|mittags|nachts))?)"
)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?)"
HOURS = re.compile(
    rf"(?:(?:\bfrom\s+|\bvon\s+)?\b{_DAY}(?:\s*(?:[-–]|to|and|until|bis|und)\s*{_DAY})?,?\s+)?"
    rf"(?:\b(?:before|after|from|until|till|between|at|by|vor|nach|von|bis|um)\s+)?\b"
    rf"(?:\d{{1,2}}(?:[:.]\d\d)?\s*(?:[-–]|to|bis)\s*)?{_CLOCK}"
    rf"(?:\s*(?:[-–]|to|and|or|until|bis|und)\s*(?:before\s+|after\s+|vor\s+|nach\s+)?{_CLOCK})?",
    re.I,
)
_ABOUT = (
    r"(?:(?:approximately|about|around|nearly|almost|over|under|more than|less than|at least|"
    r"at most|up to|not? (?:less|more|fewer) than|only|some|roughly|circa|mindestens|"
    r"höchstens|maximal|bis zu|mehr als|weniger als|etwa|rund|über|fast|knapp)\s+)?"
)
_ABOUT_BEFORE = re.compile(rf"\b{_ABOUT.removesuffix('?')}$", re.I)
_FIGURE = r"(?<!\d)(?<!\d[.,\u00a0\u202f])\d+(?:[.,\u00a0\u202f]\d+)*(?:,[-–]+)?"
"""A figure from its first digit on: begun at each digit of "1.1.1.1", a long row takes seconds."""
_WORDED = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    "hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)"
)
_SCALE = r"(?:\s*(?:million|billion|trillion|thousand|hundred|Millionen|Milliarden|bn|m)\b)?"
_CURRENCY = (
    "(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|ZAR|BRL|MXN|SGD"
    "|HKD|KRW|ILS)"
)
_IN_WORDS = (
    rf"\b(?:(?:a|an|ein|eine|half a|a few|several|{_WORDED}|million|billion)[\s-](?:and\s)?){{1,6}}"
)
MONEY = re.compile(
    rf"{_ABOUT}(?:{_IN_WORDS}(?:dollars?|euros?|francs?|rupees?|cents?|pence|shillings?|guineas?)\b"
    rf"|{_IN_WORDS}pounds?\b(?! of\b)"
    rf"|(?:(?:US|C|A)?[$€£¥₹₽₩]|\b{_CURRENCY}|\bRs\.?)\s?{_FIGURE}(?:\s\d{{3}}(?!\d))*{_SCALE}"
    rf"|{_FIGURE}{_SCALE}\s?(?:(?:dollars?|euros?|pounds?|francs?|rupees?|roubles?|rubles?|yen|yuan"
    rf"|crowns?|cents?|pence|p/\w+|zł|Kč|Franken|Kronen|{_CURRENCY})\b|[€¢$£]))",
    re.I,
)
"""An amount of money: "EUR 4 873", "12 cents", "£5m", "thirteen dollars"."""
_UNIT = (
    "(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|ms|jahren?|monaten?|wochen?|tagen?|"
    "stunden?|minuten?|sekunden?)"
)
_ENDED = rf"[$€£]?{_FIGURE}(?:\s?(?:%|€|°[CF]?))?"
_RANGE = re.compile(
    rf"(?:\b(?:between|zwischen)\s+{_ENDED}\s+(?:and|und)\s+"
    rf"|(?<!from )(?<!von )(?<![\w:/.-]){_ENDED}(?:\s*[-–]\s*|\s+(?:to|bis(?: zu)?)\s+))"
    rf"{_ENDED}(?![\w:/-])(?:\s?(?:percent|per cent|Prozent|{_UNIT})\b)?",
    re.I,
)
"""Two figures of which one begins a range and the other ends it; not what rises from one to one."""
_SORT = "(?:working|business|calendar|consecutive|full|school|bank|banking)"
DURATION = re.compile(
    rf"(?:from\s+(?:\w+\s+){{1,3}}{_UNIT}\s+(?:up\s+)?to\s+(?:\w+\s+){{1,2}}{_UNIT})"
    rf"|{_ABOUT}(?:every\s+)?(?:{_FIGURE}|{_WORDED}|several|a few|a)(?:[-–\s]+(?:to\s+)?"
    rf"(?:{_FIGURE}|{_WORDED}))?[-–\s]+(?:{_SORT}\s+)?{_UNIT}\b",
    re.I,
)
COUNT = re.compile(
    rf"{_ABOUT}(?:(?<![\w.])(?<!\d,)\d+(?:[.,\u00a0\u202f]\d+)*(?![\w]){_SCALE}"
    rf"(?:\s?(?:%|percent|per cent|Prozent))?|\b{_WORDED}\b{_SCALE})",
    re.I,
)
ENDS = re.compile(
    r"\b(?:ends?|ended|over|expires?|expired?|finish\w*|runs? out|until when|how long|bis wann"
    r"|endet\w*|läuft .* (?:ab|aus))\b",
    re.I,
)
"""What asks when something ends, or says it."""
BEGINS = re.compile(
    r"\b(?:begins?|began|starts?|started|since when|beginnt|begann|seit wann)\b", re.I
)
"""The same of what begins."""
_POINTS = re.compile(
    r"(?:§+|\b(?:sections?|sec\.|figures?|fig\.|tables?|pages?|p\.|chapters?|clauses?|articles?"
    r"|appendix|equations?|eq\.|abschnitt|kapitel|seiten?|tabelle|abbildung|abb\.))\s*$",
    re.I,
)
"""Before a number that only says where something stands: "§ 1"."""
_BEFORE_BRACKET = re.compile(r"([\w-]+)\s\(\Z")
_PART_END = re.compile(r";\s|,\s(?:and|but|while|whereas|und|aber)\s|\.\s")
_COMPANY = re.compile(r"(?:inc|ltd|llc|corp|co|plc|gmbh|ag|sa|nv|bv)\.?", re.I)
"""What ends a company's name, and is none."""
_LINKS = frozenset("of the and de la von van der den di da for upon le du & al bin".split())
_MONTH_NAMES = frozenset(fold(month) for month in MONTHS)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NEXT_WORD = re.compile(r"[ \n]([\w-]+)")
MOST_NEAR = 2
"""Of more stretches of a form none is told to be the one asked for."""


def only_points(sentence: str, span: Span) -> bool:
    """Return whether a span is the number of a section, a figure or a page.

    >>> only_points("Taken in the sense of § 1.", (24, 26)), only_points("It has 1.", (7, 8))
    (True, False)
    """
    number = sentence[slice(*span)].strip(" .,;:)")
    return number.isdigit() and _POINTS.search(sentence, 0, span[0]) is not None


def spans_of(pattern: re.Pattern[str], text: str) -> list[Span]:
    """The stretches of a form, without the blanks around them."""
    return [bare(text, *found.span()) for found in pattern.finditer(text)]


def bare(text: str, start: int, end: int) -> Span:
    """The stretch without the blanks at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def nearest(found: Sequence[Span], text: str, asked: Collection[str]) -> Span | None:
    """The stretch that stands nearest to the words of the question, of those that it lacks.

    Of more than `MOST_NEAR` none is: the nearest is right in half of the cases then.
    """
    fresh = [span for span in found if not set(content_keys(text[span[0] : span[1]])) <= set(asked)]
    if len(fresh) < 2 or len(fresh) > MOST_NEAR:
        return fresh[0] if len(fresh) == 1 else None
    places = [term for term in terms(text) if term.kind != "stop" and term.key in asked]
    if not places:
        return fresh[0]
    shared = [shared_in_clause(text, span, places) for span in fresh]
    if shared[0] != shared[1]:
        return fresh[shared.index(max(shared))]
    return min(fresh, key=lambda span: _distance(span, places))


def with_about(text: str, start: int) -> int:
    """Where a measure begins with "at least", "about" before it."""
    before = _ABOUT_BEFORE.search(text, 0, start)
    return before.start() if before else start


def whole_range(text: str, span: Span) -> Span:
    """A span of a figure, widened to the range that it begins or ends: "between 3 and 5 weeks".

    >>> text = "It lasts 3 to 5 weeks."
    >>> [text[slice(*whole_range(text, span))] for span in ((9, 10), (14, 21), (0, 2))]
    ['3 to 5 weeks', '3 to 5 weeks', 'It']
    """
    start, end = span
    for found in _RANGE.finditer(text):
        if found.start() < end and start < found.end():
            return min(start, found.start()), max(end, found.end())
    return span


def shared_in_clause(text: str, span: Span, places: Sequence[Term]) -> int:
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


def number_in(text: str, asked: Collection[str], share: bool) -> Span | None:
    """A figure with what is counted: the word behind it, where the question names that.

    A day, a year and a place ("section 3") count nothing, and a percentage only where a share is
    asked for.
    """
    if counted := counted_in(text, asked):
        return counted
    best = nearest(_counts(text, share), text, asked)
    return with_noun(text, best, asked) if best else None


def counted_in(text: str, asked: Collection[str]) -> Span | None:
    """The one figure with what the question asks for right behind it, with that; None without.

    Of several in brackets, "Tea (9 towns), milk (7 towns)", it is that of what is asked for.

    >>> text = "Tea (9 towns), milk (7 towns)"
    >>> start, end = counted_in(text, content_keys("how many towns have milk")) or (0, 0)
    >>> text[start:end]
    '7 towns'
    """
    counted = all_counted(text, asked)
    if len(counted) > 1:
        before = [_BEFORE_BRACKET.search(text, 0, start) for start, _ in counted]
        counted = [
            span
            for span, word in zip(counted, before, strict=True)
            if word and not set(asked).isdisjoint(content_keys(word[1]))
        ]
    return counted[0] if len(counted) == 1 else None


def all_counted(text: str, asked: Collection[str]) -> list[Span]:
    """The figures with what the question asks for right behind them, each with that."""
    spans = ((span, with_noun(text, span, asked)) for span in _counts(text, share=False))
    return [with_it for span, with_it in spans if with_it != span]


def _counts(text: str, share: bool) -> list[Span]:
    dates = spans_of(DATE, text) if len(text.split()) > 3 else []
    return [
        (start, end)
        for start, end in spans_of(COUNT, text)
        if not any(first < end and start < last for first, last in dates)
        and not only_points(text, (start, end))
        and (share or not text[start:end].endswith(("%", "percent", "per cent", "Prozent")))
    ]


def with_noun(text: str, best: Span, asked: Collection[str]) -> Span:
    """A figure and what it counts: one of the two words behind it, if the question has it."""
    if text[slice(*best)].endswith("%"):
        return best
    behind = re.match(r"\s+(?:[\w-]+\s+)?([\w-]+)", text[best[1] :])
    word = re.match(r"\s+([\w-]+)", text[best[1] :])
    if word and set(content_keys(word[1])) & set(asked):
        end = best[1] + word.end()
        while (more := _NEXT_WORD.match(text, end)) and set(content_keys(more[1])) & set(asked):
            end = more.end()
        return best[0], end
    if behind and set(content_keys(behind[1])) & set(asked):
        return best[0], best[1] + behind.end()
    return best


def names_in(text: str, asked: Collection[str]) -> Iterator[Span]:
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
        name = name or _begins_title(text, found, at)
        company = gap.strip() == "," and _COMPANY.fullmatch(term.form)
        if link or (name and (not run or company or gap.strip() in ("", ".", "-", "&", "'", "’"))):
            run.append(term)
        else:
            yield from _closed(run)
            run = [term] if name else []
    yield from _closed(run)


def _begins_title(text: str, found: Sequence[Term], at: int) -> bool:
    """Whether everyday words with capitals stand right before a name: "All I Want"."""
    for before, term in zip(found[at - 1 :], found[at:], strict=False) if at else ():
        if text[before.end : term.start].strip(" \n,“\"'’(:") or not term.form[0].isupper():
            return False
        if term.kind == "name":
            return term is not found[at]
    return False


def _closed(run: list[Term]) -> Iterator[Span]:
    while run and run[-1].form.casefold() in _LINKS:
        run = run[:-1]
    if run and not all(_COMPANY.fullmatch(term.form) for term in run):
        yield run[0].start, run[-1].end
