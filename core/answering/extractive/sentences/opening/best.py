"""Which sentence opens the answer: of the wanted kind, where one is near the best (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.answering.extractive.question.answer_types import (
    OF_MONEY,
    STRICT,
    Wanted,
    asked_keys,
    contact,
    countable,
    names_what_is_asked,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.happenings import names_event, names_happening
from core.answering.extractive.question.kinds import (
    asks_for_list,
    asks_how,
    asks_yes_or_no,
    questions_of,
)
from core.answering.extractive.question.measures import (
    AGE,
    COUNT,
    DURATION,
    FREQUENCY,
    counts,
    measure,
)
from core.answering.extractive.sentences.candidates import Candidate, Rated, is_sentence, runs_on
from core.answering.extractive.sentences.opening.definitions import defining, saying
from core.answering.extractive.sentences.opening.findings import findings_first
from core.answering.extractive.sentences.opening.headings import (
    asks_it,
    asks_just_this,
)
from core.answering.extractive.sentences.opening.persons import holding
from core.answering.extractive.sentences.opening.rows import (
    CELL_MARGIN,
    called_so,
    has_such_cell,
    is_its_row,
)
from core.answering.extractive.sentences.opening.subject import BRACKETED, of_its_year
from core.answering.extractive.sentences.opening.telling import (
    ASKS_WHETHER,
    DENIES,
    IF,
    MORE,
    WO,
    came_on_top,
    counts_off,
    counts_those_of,
    decides,
    has_any,
    has_words_of,
    introduces,
    is_ahead,
    is_field,
    is_its_age,
    is_its_subject,
    is_name,
    is_the_most,
    names_last,
    names_one,
    only_if,
    says_where,
    says_which_of,
    speaks_of,
    told_with,
)
from core.answering.extractive.sentences.reading import SURE, Read
from core.answering.extractive.spans import BEGINS, ENDS, YEAR
from core.answering.extractive.structures.quotes import leads_to_more
from core.answering.extractive.structures.records import mark_field
from core.planning.paraphrases import beside, formal_words
from core.text.acronyms import short_form_asked, spelled_out
from core.text.terms import content_keys
from core.types import Hit

TYPE_MARGIN = 4.0
"""How much worse the opening may be where only it holds a date, an amount, a person, a count."""
READ_ENOUGH = 1.0
"""A score of the reader from which on the best opens whatever its words look like: in "Euclid also
showed how" only the reader sees a name."""
MUCH_WORSE = 2.0
"""How much worse than a best of which the reader is sure another reads that may not open."""
READ_WORSE = 4.0
"""How much worse than such a best another may read and still open."""
NAME_MARGIN = 2.0
"""The same where only it names something and one of a kind is asked for: "which engine"."""
KIND_MARGIN = 5.0
"""The same where only it counts off several of the kind that is asked for: "which counties"."""
PRICE_MARGIN = 6.0
"""The same where only it says what something costs, or how dear it is."""
OWN_WORDS = 8.0
"""What the words of one question of several count for the sentence that answers it."""
_WHICH = re.compile(  # one thing of a kind: "which engine", not "what is" nor "which engines"
    r"\W*(?:(?:and|so|ok|und),? )*(?:which|what|welche[mnrs]?) "
    r"(?!(?:are|were|do|did|if|can)\b)\w+(?<!s)\b",
    re.I,
)
_WHO_IS = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:who(?:['’]?s| is| was)|wer (?:ist|war)) "
    r"(?!(?:the|an?|in|its?|their|his|her|our|your|der|die|das|eine?)\b)"
    r"(?:\w+ \w+|(?P<word>\w{3,}))\W*$",
    re.I,
)
"""Who somebody is that is called by name."""
PLACE_MARGIN = 3.0
"""How much worse the opening may be where only it has a place: in German, which no reader reads,
and after what was carried over."""
VERB_MARGIN = 2.0
"""The same where only it has the verb that is asked for."""
_WHO_IS_THE = re.compile(
    r"\W*(?:who(?:['’]s| is| are| was)|wer (?:ist|war)) (?:(?:the|der|die|das) )?"
    r"(?P<office>\w+)\W*$",
    re.I,
)
_WHO_IS_NOW = re.compile(
    r"\W*(?:who(?:['’]s| is)|wer ist)(?: (?:now|today|currently|heute|jetzt|derzeit))?"
    r" (?:(?:the|der|die) )?(?:[\w'’]+ )?(?:c[efot]o|boss|head"
    r"|chair\w*|president|mayor|minister|leader|chef|leiter|präsident|bürgermeister)(?:in)?\b",
    re.I,
)
"""Who holds an office now."""
_DENIED = (Wanted.OTHER, Wanted.DEFINITION)
"""What is asked for with a "not" that only a "not" answers: "what does it not do"."""
_KIND = re.compile(
    r"\b(?:which|what|welche|(?:list|name|all)(?: of)?(?: the)?) (?:\w+ )?(?P<noun>\w{3,}s)\b", re.I
)
"""What several are asked for of: "which counties", "list all the counties"."""
WARNS = re.compile(
    r"\W*(?:please\s)?(?:(?:do not|don['’]t|never|avoid)\b"
    r"|(?:note|bear in mind|keep in mind|remember|be aware) that\b)",
    re.I,
)
"""What says what not to do, or what else to know, to one who asks how."""
_NAME_FIELD = re.compile(r"(?:^|[:\n] ?)(?:\w+ )?names?:\s", re.I)
"""The line of a form that holds a name."""


def opening(
    part: str,
    question: str,
    order: Sequence[Rated],
    chosen: Sequence[Rated],
    hits: Sequence[Hit],
    reads: Mapping[Candidate, Read] = MappingProxyType({}),
    *,
    alone: bool,
    frequent: str = "",
) -> Rated | None:
    """Return the sentence that answers one part best, of the wanted type where one is there.

    `order` are the candidates of all parts, the best first, `chosen` those of the parts before;
    `alone` is false where the question has several. None where the best was chosen already.
    """
    ranked = sorted(of_its_year(question, order), key=lambda one: runs_on(one[0]))
    ranked = findings_first(question, ranked)
    same = {frequent} - {""} | {
        one[0].under for one in ranked if asks_just_this(one[0].under, part)
    }
    if alone and (below := [one for one in ranked if one[0].under in same]):
        ranked = below
        if wanted(part) not in STRICT:
            ranked.sort(key=lambda one: not one[0].opens)
    top = max(score for _, score in ranked)
    close = _within(TYPE_MARGIN, ranked, top)
    fields = (one for one in close if mark_field(part, one[0].sentence.text))
    if alone and (field := next(fields, None)):
        return field
    rows = (one for one in close if is_its_row(part, one[0]))
    if alone and (row := next(rows, None)):
        return row
    if alone and (row := called_so(part, ranked[0][0], close)):
        return row
    if alone and (held := holding(part, _within(CELL_MARGIN, ranked, top), hits)):
        return held
    if alone and not is_the_most(part, ranked[0][0].sentence.text):
        others = (o for o in _within(NAME_MARGIN, ranked, top) if is_sentence(o[0]))
        others = (o for o in others if is_the_most(part, o[0].sentence.text))
        if (most := next(others, None)) and not _reads_far_worse(most[0], ranked[0][0], reads):
            return most
    if not alone:
        counted = (one for one in close if counts_those_of(part, question, one[0].sentence.text))
        if (found := next(counted, None)) and found not in chosen:
            return found
        ranked = _by_own_words(part, question, ranked)
        top = ranked[0][1]
    near = _of_its_kind(part, question, ranked, hits, top, reads, alone=alone)
    if alone and wanted(part) in (*STRICT, Wanted.PLACE) and BRACKETED.search(part):
        # Any date is one, also of what was not carried over.
        plain, asked = BRACKETED.sub("", part), set(content_keys(question))
        typed = set(content_keys(beside(plain, formal_words(plain)))) | names_happening(plain)[1]
        near.sort(key=lambda one: (not has_any(typed, one[0]), not speaks_of(asked, one[0])))
    priced = [one for one in ranked if says_price(part, one[0].sentence.text)]
    thing = set(content_keys(question)) - OF_MONEY  # any amount is a price, also of something else
    priced.sort(key=lambda one: not speaks_of(thing, one[0]))
    near = _measured(part, question, _within(PRICE_MARGIN, priced, top) or near, ranked, top)
    short, long = short_form_asked(part)
    written = [one for one in ranked if short and spelled_out(one[0].sentence.text, short)]
    if near or written:
        first = [*written, *near][0] if long else [*near, *written][0]
        read = alone and wanted(part) is not Wanted.DEFINITION  # what defines, the rules know
        return ranked[0] if read and _reads_far_worse(first[0], ranked[0][0], reads) else first
    return ranked[0] if alone or ranked[0] not in chosen else None


def _within(margin: float, ranked: Sequence[Rated], top: float) -> list[Rated]:
    """Those that are at most `margin` worse than the best."""
    return [one for one in ranked if one[1] >= top - margin]


def _by_own_words(part: str, question: str, ranked: Sequence[Rated]) -> list[Rated]:
    """The candidates for one question of several, by what is asked in it and in no other."""
    rest = [other for other in questions_of(question) if other != part]
    others = set(content_keys(" . ".join(rest)))
    own = set(content_keys(part)) - others or set(content_keys(part))

    def worth(one: Rated) -> float:
        return one[1] + OWN_WORDS * (_covered(own, one[0]) - _covered(others, one[0]))

    return sorted(ranked, key=worth, reverse=True)


def _of_its_kind(
    part: str,
    question: str,
    ranked: Sequence[Rated],
    hits: Sequence[Hit],
    top: float,
    reads: Mapping[Candidate, Read],
    *,
    alone: bool,
) -> list[Rated]:
    """Those near the best that hold what is asked for: an address, a definition, a name, a date."""
    kind, asked = wanted(part), set(content_keys(question))
    near = _within(TYPE_MARGIN, ranked, top)
    named = _WHO_IS.match(part)
    who = named is not None and (named["word"] is None or is_name(named["word"], near))
    told = [one for one in near if who and introduces(one[0].sentence.text, asked)]
    about = told or [one for one in near if who and is_its_subject(one[0], asked)]
    if shape := contact(part):
        return [one for one in ranked if shape.search(one[0].sentence.text)]
    if alone and kind in _DENIED and DENIES.search(part) and not _denies(ranked[0]):
        shared = len(asked & _keys(ranked[0][0]))
        return [one for one in near if _denies(one) and len(asked & _keys(one[0])) >= shared]
    if kind is Wanted.DEFINITION or about:
        defined = asked_keys(part)
        ranked = [one for one in ranked if has_words_of(part, defined, one[0])] or ranked
        near = _within(TYPE_MARGIN, ranked, top)
        close = _within(CELL_MARGIN, ranked, top)
        found = defining(part, defined, near, close, hits, alone=alone)
        return found or about or saying(defined, near)
    if alone and kind is Wanted.OTHER and _WHICH.match(part):
        return [
            one
            for one in _within(CELL_MARGIN, ranked, top)
            if has_such_cell(one[0], asked)
            or (one[1] >= top - NAME_MARGIN and names_one(one[0], asked))
        ]
    if alone and asks_for_list(part) and (kinds := _KIND.search(part)):
        nouns = [set(content_keys(one)) for one in (kinds["noun"], *formal_words(kinds["noun"]))]
        return [
            one
            for one in _within(KIND_MARGIN, ranked, top)
            if any(counts_off(one[0].sentence.text, noun) for noun in nouns)
            or (one in near and _leads_to(nouns[0], part, one[0], hits))
        ]
    if alone and asks_yes_or_no(part):
        return _answering_yes_or_no(part, question, ranked, near)
    if alone and kind is Wanted.PLACE and (WO.search(part) or BRACKETED.search(part)):
        placed = _within(PLACE_MARGIN, ranked, top)
        return [one for one in placed if says_where(one[0].sentence.text, asked)]
    if alone and asks_how(part) and not DENIES.search(part):
        return [one for one in near if not WARNS.match(one[0].sentence.text)]
    if kind not in STRICT:
        return []
    near += [one for one in _within(CELL_MARGIN, ranked, top)[len(near) :] if asks_it(one[0], part)]
    near = _read_as_well(near, ranked[0][0], reads)
    near = [one for one in near if states(kind, countable(part, told_with(one[0])), asked)]
    if kind is Wanted.TIME and not IF.search(part):
        near.sort(key=lambda one: only_if(told_with(one[0])))
    if kind is Wanted.NUMBER:
        near.sort(key=lambda one: not names_what_is_asked(part, told_with(one[0])))
    near = _of_its_verb(part, near)
    if _WHO_IS_NOW.match(part):
        near = _not_replaced(near)
    if kind is Wanted.PERSON:
        near.sort(key=lambda one: not _is_name_line(one[0], asked))
    return near


def _answering_yes_or_no(
    part: str, question: str, ranked: Sequence[Rated], near: Sequence[Rated]
) -> list[Rated]:
    """What stands behind somebody's question, else what decides, or speaks of what is asked for."""
    best = ranked[0][0]
    if said := [one for one in near if says_which_of(part, one[0].sentence.text)]:
        return said
    if ASKS_WHETHER.search(best.sentence.text):
        return [one for one in ranked if one[0].before == best.sentence.text]
    named = names_happening(question)[0] or set(content_keys(question))  # "use" need not be said
    about = [
        one
        for one in near
        if named <= _keys(one[0]) and not ASKS_WHETHER.search(one[0].sentence.text)
    ]
    if not has_any(named, best):
        return about
    return [] if decides(part, best) else [one for one in about if decides(part, one[0])]


def _read_as_well(
    near: Sequence[Rated], best: Candidate, reads: Mapping[Candidate, Read]
) -> list[Rated]:
    """What is near the best; where the reader finds the answer in that, only what reads as well."""
    if best not in reads or reads[best].score < READ_ENOUGH:
        return list(near)
    least = reads[best].score - READ_WORSE
    return [one for one in near if one[0] in reads and reads[one[0]].score >= least]


def _reads_far_worse(
    candidate: Candidate, best: Candidate, reads: Mapping[Candidate, Read]
) -> bool:
    """Whether the reader is sure of the best, and sees much less of an answer in the candidate."""
    if best not in reads or candidate not in reads or reads[best].score < SURE:
        return False
    return reads[candidate].score < min(SURE, reads[best].score - MUCH_WORSE)


def _is_name_line(candidate: Candidate, asked: set[str]) -> bool:
    return _NAME_FIELD.search(told_with(candidate)) is not None or is_field(candidate, asked)


def _measured(
    part: str, question: str, near: list[Rated], ranked: Sequence[Rated], top: float
) -> list[Rated]:
    """Those that have the measure or the count that is asked for, the surest first."""
    if shape := measure(part):
        close = near if shape is DURATION else _within(CELL_MARGIN, ranked, top)
        said = [one for one in close if shape.search(one[0].sentence.text)]
        said.sort(key=lambda one: shape is DURATION and is_ahead(one[0].sentence.text))
        if shape is AGE:
            said.sort(key=lambda one: not is_its_age(one[0].sentence.text, question))
        return said or ([] if shape is FREQUENCY else near)
    if counts(part):
        near.sort(key=lambda one: COUNT.search(told_with(one[0])) is None)
        if not MORE.search(part):
            asked = set(content_keys(question))
            near.sort(key=lambda one: came_on_top(told_with(one[0]), asked))
    return near


def _of_its_verb(part: str, near: list[Rated]) -> list[Rated]:
    """What is near, first what says itself that something begins or ends, where that is asked for.

    To "who is the X" it is what says "X is", to "the X" of somebody else it only belongs. "When did
    Jo die" is not answered by when Jo was born.
    """
    said = next((verb for verb in (BEGINS, ENDS) if verb.search(part)), None)
    who = _WHO_IS_THE.match(part)
    if who:
        noun = re.escape(who["office"])
        said = re.compile(
            rf"\b{noun} (?:is|are|was|ist|war|:)|\b(?:is|ist|war|was) (?:the |der |die )?{noun}\b",
            re.I,
        )
    if not near:
        return near
    event, told = names_event(part)
    close = near[0][1] - VERB_MARGIN
    if event and wanted(part) is Wanted.TIME:
        return sorted(near, key=lambda one: one[1] < close or told.isdisjoint(_keys(one[0])))
    if said is None:
        return near
    return sorted(near, key=lambda one: one[1] < close or not said.search(one[0].sentence.text))


def _not_replaced(near: Sequence[Rated]) -> list[Rated]:
    """What is near, what tells of earlier years than another that is as good behind it.

    Of two that held an office, the one of 2014 still may.
    """
    best = max((score for _, score in near), default=0.0) - VERB_MARGIN
    last = [
        max(map(int, YEAR.findall(one.sentence.text)), default=0) if score >= best else 0
        for one, score in near
    ]
    newest = max(last, default=0)
    order = sorted(range(len(near)), key=lambda at: 0 < last[at] < newest)
    return [near[at] for at in order]


def _leads_to(of: set[str], part: str, one: Candidate, hits: Sequence[Hit]) -> bool:
    """Whether it leads into a list of what these keys name."""
    return names_last(one.sentence.text, of) and leads_to_more(part, one, hits[one.hit])


def _denies(one: Rated) -> bool:
    return DENIES.search(one[0].sentence.text) is not None


def _keys(candidate: Candidate) -> set[str]:
    return set(content_keys(candidate.sentence.text))


def _covered(asked: set[str], candidate: Candidate) -> float:
    return len(asked & set(content_keys(candidate.sentence.text))) / max(1, len(asked))
