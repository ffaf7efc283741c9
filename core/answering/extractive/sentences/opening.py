"""Which sentence opens the answer: of the wanted kind, or what shows more than it says (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import (
    STRICT,
    Wanted,
    asked_keys,
    contact,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.kinds import (
    asks_for_list,
    asks_how,
    asks_yes_or_no,
    questions_of,
)
from core.answering.extractive.question.measures import DURATION, FREQUENCY, measure
from core.answering.extractive.sentences.candidates import (
    Candidate,
    code_below,
    is_sentence,
    runs_on,
)
from core.answering.extractive.sentences.quotable import is_signature, without_number
from core.answering.extractive.sentences.scoring import continues, says_what_it_is
from core.answering.extractive.spans import YEAR
from core.answering.extractive.structures.lists import leads_in
from core.answering.extractive.structures.quotes import leads_to_more, steps_title
from core.answering.extractive.structures.tables import cells, has_column, label
from core.planning.paraphrases import beside, formal_words
from core.text.acronyms import short_form_asked, spelled_out
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, terms
from core.types import Hit

TYPE_MARGIN = 4.0
"""How much worse the opening may be where only it holds a date, an amount, a person, a count."""
NAME_MARGIN = 2.0
"""The same where only it names something and one of a kind is asked for: "which engine"."""
PRICE_MARGIN = 6.0
"""The same where only it says what something costs, or how dear it is."""
CELL_MARGIN = 8.0
"""The same where only it is the row, and has the column, that the question names."""
LIST_MARGIN = 1.5
"""The same where it leads into the list that is asked for."""
OWN_WORDS = 8.0
"""What the words of one question of several count for the sentence that answers it."""
_IN_WORDS = frozenset({Wanted.DEFINITION, Wanted.PERSON, Wanted.PLACE, Wanted.REASON})
_YEAR_ASKED = re.compile(
    r"(?:\b(?:in|for|during|im|für|en|nel|em) (?:(?:the )?year |jahre? )?"
    r"|(?<!from )(?<!since )(?<!after )(?<!before )(?<!until )(?<!till )(?<!to )(?<!and )(?<!seit )"
    r"(?<!nach )(?<!vor )(?<!bis )(?<!und )\b(?=\d{4}\W*$))((?:19|20)\d\d)\b",
    re.I,
)
_LIGHT = frozenset(content_keys("got get make made show give list tell total number amount value"))
"""Words of a question that name nothing by themselves: "have they got", "show me"."""
_WHAT_IS_THE = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which)(?:['’]?s| is| are| was| were) (?:the|your|their|its"
    r"|our|his|her)\b",
    re.I,
)
_WHICH = re.compile(  # one thing of a kind: "which engine", not "what is" nor "which engines"
    r"\W*(?:(?:and|so|ok|und),? )*(?:which|what|welche[mnrs]?) "
    r"(?!(?:are|were|do|did|if|can)\b)\w+(?<!s)\b",
    re.I,
)
_VERBS = (
    "(?:is|are)", "(?:was|were)", "(?:can|could)", "may", "must", "(?:does|do|did)", "(?:has|have)",
    "will", "should", "(?:ist|sind)", "(?:kann|können)", "darf", "muss", "(?:wird|werden)",
    "(?:hat|haben)",
)  # fmt: skip
"""What a question begins with that yes or no answers."""
_DENIES = re.compile(r"\b(?:not|never|nicht|nie|kein\w{0,2}|without|ohne)\b|n['’]t\b", re.I)
_WHAT_IS = re.compile(r"(?:what|was) (?:is|are|ist|sind)\b", re.I)
_IS_ONE = re.compile(
    r"\b(?:is|are|was|were|means?|ist|sind|war|waren|refers? to|called?)\s(?:\w+ly\s)?"
    r"(?:an?|the|one|ein\w{0,2}|der|die|das)\b",
    re.I,
)
"""What says which kind of thing it is: "is a gas", not "is cheap"."""
_BRACKETED = re.compile(r"\s\([^()]*\)")
_BY_THAT = re.compile(
    r"(?:this|these|that|those|doing (?:so|this|that)|dies|das|so|dazu|damit|dadurch|in this way"
    r"|this way|thus)\s(?:also\s)?(?:will|can|may|k[öo]nnten?|w[äa]ren?"
    r"|should|helps?|prevents?|keeps?|makes?|allows?|stops?|ensures?|avoids?|wird|kann|hilft|verhindert)\b",
    re.I,
)
"""What opens a sentence about the effect of what the one before it says."""
_NAME_FIELD = re.compile(r"(?:^|[:\n] ?)(?:\w+ )?names?:\s", re.I)
"""The line of a form that holds a name."""


def means_before(
    best: tuple[Candidate, float], order: Sequence[tuple[Candidate, float]]
) -> tuple[Candidate, float] | None:
    """The sentence before one that only says what that leads to: "Dry them. This keeps them"."""
    one = best[0]
    if not _BY_THAT.match(one.sentence.text):
        return None
    return next(
        (
            other
            for other in order
            if other[0].hit == one.hit and other[0].sentence.text == one.before
        ),
        None,
    )


def cell_asked_for(
    part: str, order: Sequence[tuple[Candidate, float]], best: float, hits: Sequence[Hit]
) -> tuple[Candidate, float] | None:
    """The row whose label and whose column the question names: "revenue in 2015"; None without.

    What else is asked for must stand in what its document or its section is called. Of several the
    first of the document: the whole comes before its parts.
    """
    asked = set(content_keys(part))
    found: list[tuple[Candidate, float]] = []
    for one, score in order:
        if score < best - CELL_MARGIN:
            break
        row = one.sentence.text
        fits = one.sentence.kind is SentenceKind.ROW and has_column(part, one.above, row)
        named = set(content_keys(label(row))) if fits else set()
        if not named or not named <= asked:
            continue
        hit = hits[one.hit]
        called = (hit.document.title, hit.document.label, *hit.chunk.headings, one.under)
        if asked - _LIGHT <= named | set(content_keys(" ".join((one.before, *called)))):
            found.append((one, score))
    same = (
        one for one in found if hits[one[0].hit].document.id == hits[found[0][0].hit].document.id
    )
    return min(same, key=lambda one: _place(one[0], hits), default=None)


def _place(candidate: Candidate, hits: Sequence[Hit]) -> tuple[int, int]:
    return hits[candidate.hit].chunk.page_ordinal, candidate.sentence.start


def is_row_asked_for(question: str, candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table whose label the question names, and no words are wanted."""
    if candidate.sentence.kind is not SentenceKind.ROW or wanted(question) in _IN_WORDS:
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named <= asked


def _is_its_row(part: str, candidate: Candidate) -> bool:
    """Whether it is the row of a table that is called just what is asked for: "the fees"."""
    if candidate.sentence.kind is not SentenceKind.ROW or not _WHAT_IS_THE.match(part):
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named == set(content_keys(part)) - _LIGHT


def opening(
    part: str,
    question: str,
    order: Sequence[tuple[Candidate, float]],
    chosen: Sequence[tuple[Candidate, float]],
    *,
    alone: bool,
) -> tuple[Candidate, float] | None:
    """The sentence that answers one part best, of the wanted type where one is there."""
    ranked = sorted(of_its_year(question, order), key=lambda one: runs_on(one[0]))
    top = max(score for _, score in ranked)
    kind = wanted(part)
    asked = set(content_keys(question))
    rows = (one for one in ranked if one[1] >= top - TYPE_MARGIN and _is_its_row(part, one[0]))
    if alone and (row := next(rows, None)):
        return row
    if not alone:
        rest = [other for other in questions_of(question) if other != part]
        others = set(content_keys(" . ".join(rest)))
        own = set(content_keys(part)) - others or set(content_keys(part))
        ranked.sort(
            key=lambda one: -one[1] - OWN_WORDS * (_covered(own, one[0]) - _covered(others, one[0]))
        )
        top = ranked[0][1]
    near = [one for one in ranked if one[1] >= top - TYPE_MARGIN]
    short, long = short_form_asked(part)
    written = [one for one in ranked if short and spelled_out(one[0].sentence.text, short)]
    if shape := contact(part):
        near = [one for one in ranked if shape.search(one[0].sentence.text)]
    elif kind is Wanted.DEFINITION:
        defined = asked_keys(part)
        near = [one for one in near if says_what_it_is(one[0].sentence.text, defined)]
        near.sort(key=lambda one: _IS_ONE.search(one[0].sentence.text) is None)
        asks = (one for one in ranked if _asks_the_same(one[0], defined) and is_sentence(one[0]))
        near = [one for one in asks if one[1] >= top - TYPE_MARGIN] or near
    elif alone and kind is Wanted.OTHER and _WHICH.match(part):
        near = [
            one
            for one in ranked
            if (one[1] >= top - CELL_MARGIN and _has_such_cell(one[0], asked))
            or (one[1] >= top - NAME_MARGIN and _names_one(one[0], asked))
        ]
    elif alone and asks_yes_or_no(part) and not _decides(part, ranked[0][0]):
        near = [one for one in near if asked <= _keys(one[0]) and _decides(part, one[0])]
    else:
        near = [one for one in near if kind in STRICT and states(kind, _told(one[0]), asked)]
        if kind is Wanted.PERSON:
            near.sort(
                key=lambda one: not (_NAME_FIELD.search(_told(one[0])) or _is_field(one[0], asked))
            )
        if alone and _BRACKETED.search(part):  # any date is one, also of what was not carried over
            plain = _BRACKETED.sub("", part)
            typed = set(content_keys(beside(plain, formal_words(plain))))
            near.sort(key=lambda one: (not _has_any(typed, one[0]), not _speaks_of(asked, one[0])))
    priced = [one for one in ranked if says_price(part, one[0].sentence.text)]
    near = [one for one in priced if one[1] >= top - PRICE_MARGIN] or near
    if shape := measure(part):
        said = [one for one in near if shape.search(one[0].sentence.text)]
        near = said or ([] if shape is FREQUENCY else near)
    if near or written:
        return [*written, *near][0] if long else [*near, *written][0]
    return ranked[0] if alone or ranked[0] not in chosen else None


def _asks_the_same(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the first below a heading that asks the question: "What is a lens?"."""
    heading = candidate.under
    asks = candidate.opens and _WHAT_IS.match(heading) is not None
    return asks and bool(asked) and asked == set(content_keys(heading))


def only_lasts(candidate: Candidate) -> bool:
    """Whether it says how long, and not how often."""
    text = candidate.sentence.text
    return DURATION.search(text) is not None and FREQUENCY.search(text) is None


def _is_field(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the line of a form whose label is asked for: "Present: Jo Reed, Ann Bell"."""
    label, sign, _ = candidate.sentence.text.partition(": ")
    named = set(content_keys(label))
    return bool(sign and named) and named <= asked


def _told(candidate: Candidate) -> str:
    """What is told with a sentence: what leads in has its first line with it."""
    text = candidate.sentence.text
    return f"{text} {candidate.after}" if leads_in(text) else text


def _has_such_cell(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table of which one cell is what is asked for: "critical"."""
    if candidate.sentence.kind is not SentenceKind.ROW:
        return False
    said = (set(content_keys(cell)) for cell in cells(candidate.sentence.text)[1:])
    return any(keys and keys <= asked for keys in said)


def _names_one(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it has a name or a code that the question lacks: "which engine" wants one."""
    found = terms(candidate.sentence.text)
    return any(term.kind == "name" and term.key not in asked for term in found)


def shows_how(
    part: str,
    order: Sequence[tuple[Candidate, float]],
    best: float,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
) -> tuple[Candidate, float] | None:
    """What shows more than it says: what leads into a list that is asked for, or to "how do I" the
    steps, what stands below the heading that names it, the sentence below a function's parameters
    or above an example. None where nothing near does.
    """
    listed, how = asks_for_list(part), asks_how(part)
    if not listed and not how:
        return None
    near = [one for one in order if one[1] >= best - TYPE_MARGIN]
    steps = [one for one in near if how and steps_title(part, one[0], hits[one[0].hit])]
    if steps:  # carried words, in brackets, only tell apart what those typed do not
        typed, asked = set(content_keys(_BRACKETED.sub("", part))), set(content_keys(part))
        titles = [set(content_keys(steps_title(part, one, hits[one.hit]))) for one, _ in steps]
        shared = [(len(keys & typed), len(keys & asked)) for keys in titles]
        return steps[shared.index(max(shared))]
    section = [one for one in order if how and says_how(one[0].under, part)]
    if section:
        lists = (one for one in section if leads_to_more(part, one[0], hits[one[0].hit]))
        return next(lists, section[0])
    for one, score in order:
        leads = score >= best - LIST_MARGIN and leads_in(one.sentence.text)
        if listed and leads and leads_to_more(part, one, hits[one.hit]):
            return one, score
        if not listed and leads and code_below(one, candidates):
            return one, score
        if not listed and score >= best - TYPE_MARGIN and is_signature(one.before):
            return one, score
    return None


def says_how(heading: str, part: str) -> bool:
    """Whether a heading says what a question asks how to do, and hardly more: "Retiring"."""
    named, asked = set(content_keys(without_number(heading))), set(content_keys(part))
    return bool(asked) and asked <= named and len(named) <= len(asked) + 1


def of_its_side(
    question: str, order: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Those that do not stand below the opposite of a heading that is asked for.

    Of "What we liked" and "What we did not like" one is meant.
    """
    asked = set(content_keys(question))
    titles = {one.under: frozenset(content_keys(one.under)) & asked for one, _ in order}
    denied = {title for title in titles if _DENIES.search(title)}
    both = {titles[title] for title in denied} & {titles[title] for title in titles.keys() - denied}
    against = _DENIES.search(question) is not None
    return [
        one
        for one in order
        if not titles[one[0].under]
        or titles[one[0].under] not in both
        or (one[0].under in denied) == against
    ]


def of_its_year(
    question: str, order: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Those that can be about the year asked for: what names only later or earlier ones cannot."""
    found = _YEAR_ASKED.search(question)
    if found is None:
        return order
    return [one for one in order if _may_be_of(found[1], one[0].sentence.text)] or order


def _may_be_of(year: str, text: str) -> bool:
    named = YEAR.findall(text)
    return not named or min(named) <= year <= max(named)


def _has_any(keys: set[str], candidate: Candidate) -> bool:
    return not keys.isdisjoint(content_keys(candidate.sentence.text))


def _speaks_of(asked: set[str], candidate: Candidate) -> bool:
    """Whether it has a word of the question, or goes on with what stands before or above it."""
    text = candidate.sentence.text
    around = f"{candidate.before} . {text}" if continues(terms(text)) else text
    return not asked.isdisjoint(content_keys(f"{candidate.under} . {around}"))


def _decides(question: str, candidate: Candidate) -> bool:
    """Whether it has the verb of a question that yes or no answers, or a "not"."""
    text = candidate.sentence.text
    verb = next(
        (one for one in _VERBS if re.match(rf"\W*(?:and |so )?{one}\b", question, re.I)), ""
    )
    return bool(verb and re.search(rf"\b{verb}\b", text, re.I)) or _DENIES.search(text) is not None


def _keys(candidate: Candidate) -> set[str]:
    return set(content_keys(candidate.sentence.text))


def _covered(asked: set[str], candidate: Candidate) -> float:
    return len(asked & set(content_keys(candidate.sentence.text))) / max(1, len(asked))
