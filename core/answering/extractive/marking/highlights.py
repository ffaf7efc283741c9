"""The few words of a quoted sentence that answer: a date, an amount, a name, a clause (pure).

Rules by the kind of answer that a question wants. Where they find nothing that is clearly it,
nothing is marked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from core.answering.extractive.question.answer_types import (
    OF_MONEY,
    TERM,
    Wanted,
    asked_keys,
    asks_amount,
    asks_price,
    contact,
    wanted,
)
from core.answering.extractive.question.kinds import (
    asks_for_list,
    asks_who_one_is,
    asks_yes_or_no,
)
from core.answering.extractive.question.measures import measure
from core.answering.extractive.sentences.defining import says_which_kind, what_it_does
from core.answering.extractive.spans import (
    BEGINS,
    COUNT,
    DATE,
    DURATION,
    ENDS,
    HOURS,
    MONEY,
    MONTH,
    MOST_NEAR,
    YEAR,
    Span,
    all_counted,
    bare,
    counted_in,
    names_in,
    nearest,
    number_in,
    shared_in_clause,
    spans_of,
    with_about,
    with_noun,
)
from core.text.acronyms import short_form_asked, spelled_out
from core.text.terms import content_keys, terms

_HOW_LONG = re.compile(r"\bhow long\b|\bwie lange\b", re.I)
_OPEN = re.compile(
    r"\b(?:open|opening|close[sd]?|closing|hours|geöffnet|offen|öffnungszeiten)\b", re.I
)
_COPULA = re.compile(
    r"\b(?:is|are|was|were|means?|refers? to|stands? for|ist|sind|war|waren|bezeichnet)\s+", re.I
)
_CAUSE = re.compile(
    r"\b(?:because|due to|as a result of|in order to|so that|to make way for|owing to|thanks to|"
    r"since|after|for fear of|weil|wegen|aufgrund)\b",
    re.I,
)
_IN_PLACE = re.compile(r"(?<=\b(?:in|at|zu) )[^\W\d_a-zß-ÿ][\w-]+(?: [^\W\d_a-zß-ÿ][\w-]+)*")
_CLAUSE_END = re.compile(r"[,;:][\"”’]?(?:\[\d+\])*\s|\s[–—]\s|\.\s*$|\s\(|(?<=\w)\.\s")
_IN_A_ROW = re.compile(
    r"(?:, (?:[^\s,;.]+ ){0,2}[^\s,;.]+){1,4},? (?:and|or|und|oder) (?:[^\s,;.]+ ){0,2}[^\s,;.]+"
)
"""Things of a few words each behind the first of them."""
_NEXT_CLAUSE = re.compile(
    r"[,;]\s+(?:(?:and|but|so|while|which|who|where|und|aber|wobei)\s+)"
    r"(?:it|he|she|they|we|I|the|this|that|there|was|is|were|are|has|had|have|will|es|er|sie|wir"
    r"|wurden?|ist|sind|hat|haben)\b"
)
"""Where a clause ends and another begins: ", and it was"."""
_SAID = (
    r"sa(?:id|ys)|t(?:old|ells)|announce[sd]|declare[sd]|state[sd]|report(?:s|ed)|sagt\w?|erklärte?"
)
_SAYING = re.compile(
    rf"\b(?:{_SAID}|say|tell|announce|declare|state|report|sagen|erklär\w*)\b", re.I
)
_SAID_THAT = re.compile(
    rf"\s*(?:,[^,]{{1,60}},)?\s*(?:ha[sd] )?(?:{_SAID})\b,?(?! (?:that )?(?:he|she|they|er|sie)\b)"
)
"""What stands behind the name of one who tells of others: not "said she would come"."""
_WHO_IS = re.compile(r"\W*(?:who(?:['’]s| is)|wer ist)\b", re.I)
_IN_PLACE_OF = re.compile(
    r"\b(?:succeed(?:ed|s)|replace[ds]|in place of|instead of|t(?:ook|akes) over from|former|ex"
    r"|anstelle von|(?:folgte|löste)(?: auf)?|statt|früherer?)(?:[ -][\w.]+){0,2}[ -]$",
    re.I,
)
"""What stands before the name of one who was replaced."""
_QUOTED = re.compile(r"[\"“”„«»]")
_RANGE_WORDS = 3
"""Words between the two dates of one span: "12 May until 3 June"."""
_JOINED = re.compile(r"(?:so|and|but|because|that|und|aber|denn|so dass)\s+", re.I)
_SHARE = re.compile(r"\b(?:percent\w*|per cent|share|proportion|rate|anteil|prozent\w*)\b|%", re.I)
_REFERENCE_MARKS = re.compile(r"[.,;]?(?:\[\d{1,3}\])+$")
_LONGEST_NAME = 60
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
_DOER = re.compile(
    r"\W*(?P<who>[^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+){0,3})(?:, [^,.;]{1,60},)?"
    r" (?P<did>\w+)\b"
)
"""Who opens a sentence, and what they do: "Ida Holm, 27, won"."""
_WHO_DID = re.compile(r"\b(?:who|wer) (?P<did>\w+)", re.I)
_SEVERAL = re.compile(
    r"(?::|—|\bsuch as|\bincluding|\bnamely|\bnämlich)\s*"
    r"(?P<items>[^:—;.]{3,}?\b(?:and|or|und|oder)\b[^:—;.,]+)"
)
_DEGREE = re.compile(r"(?:Ph\.?\s?D|[BM]\.?(?:D|A|Sc)|MBA|CPA|Esq|[JS]r)\b")
"""What stands behind a name and is none: "Jo Reed, Ph.D."."""
_WHO_IS_THE = re.compile(r"\W*(?:who(?:['’]?s| is| was)|wer (?:ist|war)) (?:the|der|die)\b", re.I)
_NEXT_NAME = re.compile(r"\s*(?:,|,?\s*(?:and|or|und|oder))\s*(?:the\s+|die\s+)?", re.I)
_BOTH = re.compile(r"\s(?:and|und)\s")
_LONGEST_VALUE = 8
_LONGEST_CLAUSE = 25
"""Words; a longer clause is no mark."""
_UNTIL = re.compile(
    r"\b(?:until|till|through|to|ends?(?: on)?|ended(?: on| in)?|expires?(?: on)?|bis(?: zum)?"
    r"|finish\w*(?: in| on| by)?|endet(?: am)?)\s+(?:the\s+)?$",
    re.I,
)
_SINCE = re.compile(
    r"\b(?:from|since|begins?(?: on)?|began(?: on| in)?|starts?(?: on)?|started(?: on| in)?"
    r"|ab|von|vom|seit|beginnt(?: am)?)\s+(?:the\s+)?$",
    re.I,
)
_FARTHEST_VERB = 7
"""Words of content from what is defined to "is", with what is said of it in between."""


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
        said = spans_of(shape, sentence)
        return said[0] if len(said) == 1 else None
    short, long = short_form_asked(question)
    written = spelled_out(sentence, short) if short else None
    if written and (long or _predicate(sentence, asked) is None):
        return written
    if _HOW_LONG.search(question):
        return nearest(spans_of(DURATION, sentence), sentence, asked)
    if shape := measure(question):
        measured = nearest(spans_of(shape, sentence), sentence, asked)
        return measured and (with_about(sentence, measured[0]), measured[1])
    if kind is Wanted.TIME:
        exact = [spans_of(form, sentence) for form in (DATE, HOURS)]
        vague = [spans_of(form, sentence) for form in (TERM, MONTH)]
        forms = exact if any(exact) else vague
        return next(filter(None, (nearest(found, sentence, asked) for found in forms)), None)
    if kind is Wanted.NUMBER:
        money = nearest(spans_of(MONEY, sentence), sentence, asked)
        share = _SHARE.search(question) is not None
        if asks_amount(question) and (money or asks_price(question)):
            return money
        number = number_in(sentence, asked, share)
        return number and widened(question, sentence, number)
    if asks_amount(question) and (money := nearest(spans_of(MONEY, sentence), sentence, asked)):
        return money
    if kind is Wanted.PERSON and asks_who_one_is(question):
        return _predicate(sentence, asked)
    if kind is Wanted.PERSON and (agent := _agent(sentence, asked)):
        return agent
    if kind is Wanted.PLACE and (where := _predicate(sentence, asked)):
        return where
    if kind in (Wanted.PERSON, Wanted.PLACE):
        names = list(names_in(sentence, asked))
        if kind is Wanted.PLACE and len(names) != 1:
            names = [
                one
                for one in spans_of(_IN_PLACE, sentence)
                if asked.isdisjoint(content_keys(sentence[slice(*one)]))
            ]
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


def mark_definition(question: str, sentence: str) -> Span | None:
    """Return what a sentence says that a thing is or does, where that is asked for; else None.

    >>> text = "A lens, or glass, bends light and burns paper."
    >>> start, end = mark_definition("what is a lens?", text) or (0, 0)
    >>> text[start:end]
    'bends light and burns paper'
    """
    if wanted(question) is not Wanted.DEFINITION:
        return None
    asked = asked_keys(question)
    if says_which_kind(sentence, asked):
        return _predicate(sentence, asked)
    does = what_it_does(sentence, asked, short_form_asked(question)[0])
    span = None if does is None else _clause(sentence, does)
    return span if span and sentence[span[1] - 1].isalnum() else None  # "adds 1 / (k + rank)"


def mark_by_clause(question: str, sentence: str) -> Span | None:
    """Return which of two amounts or durations is asked for, where their clauses tell; else None.

    To "how long" it is the one duration that is there, to when something is open its hours.

    >>> text = "A plot costs £45; half plots pay £25."
    >>> start, end = mark_by_clause("what does a half plot cost?", text) or (0, 0)
    >>> text[start:end]
    '£25'
    """
    if _HOW_LONG.search(question):
        found = spans_of(DURATION, sentence)
        if len(found) == 1:
            return found[0]
    elif wanted(question) is Wanted.TIME and _OPEN.search(question):
        return next(iter(spans_of(HOURS, sentence)), None)
    elif wanted(question) is Wanted.TIME:
        return _end_of_span(question, sentence)
    elif wanted(question) is Wanted.PERSON:
        return _doer(question, sentence)
    elif asks_amount(question):
        found = spans_of(MONEY, sentence)
    elif wanted(question) is Wanted.NUMBER and measure(question) is None:
        asked = set(content_keys(question))
        return counted_in(sentence, asked) or _counted_in_year(question, sentence, asked)
    else:
        return None
    asked = set(content_keys(question)) - OF_MONEY
    places = [term for term in terms(sentence) if term.kind != "stop" and term.key in asked]
    shared = [shared_in_clause(sentence, span, places) for span in found]
    if len(found) != MOST_NEAR or shared[0] == shared[1]:
        return None
    return found[shared.index(max(shared))]


def _doer(question: str, sentence: str) -> Span | None:
    """Who a sentence says does just what is asked for: not whom they do it to."""
    found, asks = _DOER.match(sentence), _WHO_DID.search(question)
    if found is None or asks is None:
        return None
    did = content_keys(asks["did"])
    if not did or did != content_keys(found["did"]):
        return None
    who = set(content_keys(found["who"]))
    return found.span("who") if who and who.isdisjoint(content_keys(question)) else None


def _counted_in_year(question: str, sentence: str, asked: Collection[str]) -> Span | None:
    """Of figures with what is asked for behind them, the one behind the year that is asked for."""
    years = YEAR.findall(question)
    named = [(found.start(), found.group()) for found in YEAR.finditer(sentence)]
    if len(years) != 1 or len({year for _, year in named}) < 2:
        return None
    of_year = [
        span
        for span in all_counted(sentence, asked)
        if next((year for at, year in reversed(named) if at < span[0]), "") == years[0]
    ]
    return of_year[0] if len(of_year) == 1 else None


def _end_of_span(question: str, sentence: str) -> Span | None:
    """The date at which something begins or ends, where a sentence has both."""
    dates = spans_of(DATE, sentence)
    for asked, before in ((ENDS, _UNTIL), (BEGINS, _SINCE)):
        if asked.search(question) and len(dates) > 1:
            said = [date for date in dates if before.search(sentence, 0, date[0])]
            return said[0] if len(said) == 1 else None
    return None


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
    while start < end - 1 and sentence[start] in " :,;":
        start += 1
    person = wanted(question) is Wanted.PERSON
    asked = set(content_keys(question))
    for pattern in (DURATION, MONEY, DATE, COUNT):
        for first, last in spans_of(pattern, sentence):
            if first < end and start < last:
                wide = min(first, start), max(last, end)
                return with_noun(sentence, wide, asked) if pattern is COUNT else wide
    names = [one for one in names_in(sentence, ()) if one[1] - one[0] <= _LONGEST_NAME]
    for first, last in names:
        if first < end and start < last:
            start, end = min(first, start), max(last, end)
    return _with_names(question, sentence, names, start, end) if person else (start, end)


def _with_names(question: str, sentence: str, names: Sequence[Span], start: int, end: int) -> Span:
    """A span of a name with those that stand in a row with it; of one office only the first."""
    one = _WHO_IS_THE.match(question) is not None
    if one:
        end = next((n[1] for n in names if n[0] == start and sentence[n[1] : end][:1] == ","), end)
    for first, last in names:
        in_row = first > end and _NEXT_NAME.fullmatch(sentence, end, first)
        if in_row and not _DEGREE.match(sentence, first) and not (one and "," in in_row.group()):
            end = last
    return start, end


def within_clause(question: str, sentence: str, span: Span) -> Span | None:
    """Return a span as far as its clause goes; of several dates none is told to be the answer.

    >>> text = "It was printed in the Velmark Post, and it was read by all."
    >>> start, end = within_clause("Where was it printed?", text, (22, 47))
    >>> text[start:end]
    'Velmark Post'
    """
    start, end = span
    money = [one for one in spans_of(MONEY, sentence) if start <= one[0] and one[1] <= end]
    if len(money) == 1 and asks_amount(question):
        return money[0]
    dates = [one for one in spans_of(DATE, sentence) if start <= one[0] and one[1] <= end]
    apart = pairwise(dates)
    if any(len(sentence[first[1] : last[0]].split()) > _RANGE_WORDS for first, last in apart):
        asks_when = wanted(question) is Wanted.TIME
        return nearest(dates, sentence, set(content_keys(question))) if asks_when else None
    behind = _NEXT_CLAUSE.search(sentence, start + 1, end)
    return (start, behind.start()) if behind else span


def only_reports(question: str, sentence: str, span: Span) -> bool:
    """Return whether a span is who says something, and who said it is not what is asked for.

    >>> text = "Mayor Ida Holm said that two guards were killed."
    >>> only_reports("who was killed", text, (0, 14)), only_reports("who said so", text, (0, 14))
    (True, False)
    """
    if (
        wanted(question) is not Wanted.PERSON
        or _SAYING.search(question)
        or _QUOTED.search(sentence)
    ):
        return False
    return _SAID_THAT.match(sentence, span[1]) is not None


def is_replaced(question: str, sentence: str, span: Span) -> bool:
    """Return whether a span is who was replaced, where who it is now is asked for.

    >>> text = "Ada Finn succeeded Jo Reed as the CEO."
    >>> is_replaced("who is the ceo", text, (19, 26)), is_replaced("who is the ceo", text, (0, 8))
    (True, False)
    """
    return bool(_WHO_IS.match(question) and _IN_PLACE_OF.search(sentence, 0, span[0]))


def _agent(text: str, asked: Collection[str]) -> Span | None:
    """Who does it: the name behind "by", else the subject that the sentence opens with.

    Behind "funded by" stands nobody who invented, unless the sentence names nobody else.
    """
    everybody = [(a, b) for a, b in names_in(text, asked) if not text[a:b].isupper()]
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
        start, end = bare(text, *found.span("items"))
        fresh = set(content_keys(text[start:end])) - set(asked)
        if fresh and len(text[start:end].split()) <= _LONGEST_CLAUSE:
            return start, end
    run: list[Span] = []
    for span in names_in(text, asked):
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


def _clause_from(pattern: re.Pattern[str], text: str) -> Span | None:
    found = pattern.search(text)
    return _clause(text, found.start()) if found else None


def _end(text: str) -> int:
    """Where the words of a sentence end: before its full stop and the marks of references."""
    return len(_REFERENCE_MARKS.sub("", text.rstrip()).rstrip(" .!;"))


def _clause(text: str, start: int) -> Span | None:
    """From `start` to the end of the clause, if it is no longer than a mark should be."""
    stop = _CLAUSE_END.search(text, start + 1)
    if stop and (row := _IN_A_ROW.match(text, stop.start())):
        stop = _CLAUSE_END.search(text, row.end())  # "study materials, meals and transport"
    end = stop.start() if stop else _end(text)
    span = bare(text, start, end)
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
    best: tuple[int, int, Span] | None = None
    start = 0
    rows = [found.span() for found in _IN_A_ROW.finditer(text)]
    stops = [
        found.span()
        for found in _CLAUSE_END.finditer(text)
        if not any(first <= found.start() < last for first, last in rows)
    ]
    for end, after in [*stops, (_end(text), len(text))]:
        span = bare(text, start, end)
        clause = text[span[0] : span[1]]
        if len(clause.split()) > 2:
            shared = {t.key: 1 + (t.kind == "name") for t in terms(clause) if t.key in asked}
            if best is None or sum(shared.values()) > best[0]:
                best = sum(shared.values()), len(shared), span
        start = after
    if best is None or 2 * best[1] < len(asked):
        return None
    _, _, (start, end) = best
    joined = _JOINED.match(text, start, end)
    span = (joined.end() if joined else start), end
    return span if len(text[span[0] : span[1]].split()) <= _LONGEST_CLAUSE else None
