"""Which sentences answer a question: the best first, and only as many as it needs (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.extractive.question.kinds import (
    asks_for_list,
    asks_how,
    asks_yes_or_no,
    questions_of,
)
from core.answering.extractive.question.measures import FREQUENCY, measure
from core.answering.extractive.sentences.candidates import (
    Candidate,
    Rated,
    code_below,
    is_sentence,
)
from core.answering.extractive.sentences.entries import entry_asked_for
from core.answering.extractive.sentences.further import MOST, add_further
from core.answering.extractive.sentences.opening.antecedents import named_before
from core.answering.extractive.sentences.opening.best import opening
from core.answering.extractive.sentences.opening.headings import asks_just_this, says_how
from core.answering.extractive.sentences.opening.persons import of_its_person, unsigned
from core.answering.extractive.sentences.opening.rows import (
    cell_asked_for,
    is_bare,
    is_row_asked_for,
)
from core.answering.extractive.sentences.opening.showing import (
    begins_entry,
    goes_on,
    means_before,
    only_says_that,
    shows_how,
)
from core.answering.extractive.sentences.opening.subject import of_its_side
from core.answering.extractive.sentences.opening.telling import is_field, only_lasts
from core.answering.extractive.sentences.quotable import (
    is_back_matter,
    is_caption_number,
    is_quotable,
)
from core.answering.extractive.sentences.reading import SURE, Read
from core.answering.extractive.structures.lists import leads_in
from core.answering.extractive.structures.quotes import leads_to_more, steps_title
from core.answering.extractive.structures.records import mark_field
from core.answering.extractive.structures.tables import has_column
from core.citations.answer_start import answer_start
from core.citations.passages import passage_of
from core.text.acronyms import short_form_asked, spelled_out
from core.text.lines import FIELD
from core.text.sentences import SentenceKind
from core.text.signatures import is_signature
from core.text.terms import content_keys, terms
from core.types import Hit

_IN_TITLES = frozenset("a an and at by for from in of on or the to der die das und von zu".split())

_WISH = re.compile(
    r"\W*(?:(?:hi|hello|hey)\b\W*)?(?:i|we)(?:['’](?:m|d|ve)| am| are| was| would| have)?(?: been)?"
    r" (?:want(?:ed|ing)?|need|wish|like|try(?:ing)?|attempting|looking|wondering|hoping|hope)\b"
    r"(?: (?:to|for|if|how|a way|ways?))*",
    re.I,
)
"""What opens the question of somebody else: "I am trying to"."""


_LIMITS = re.compile(
    r"\W*(?:however|but|yet|still|only|except|nevertheless|nonetheless|that said|even so"
    r"|(?:in|by) contrast|on the other hand|unless"
    r"|allerdings|aber|jedoch|dagegen|nur|dennoch|trotzdem)\b",
    re.I,
)
"""What opens a sentence that takes back half of the one before it."""
MOST_TOLD = 5
"""Sentences that tell how something is done where no steps are numbered."""
_SHORT_FORM = re.compile(r"\s\([A-Z][\w-]{0,6}\)")
Scores = npt.NDArray[np.float32]


def choose(
    question: str,
    candidates: Sequence[Candidate],
    scores: Scores,
    hits: Sequence[Hit],
    reads: Mapping[Candidate, Read] = MappingProxyType({}),
    *,
    typed: str = "",
    said: str = "",
    frequent: str = "",
) -> list[Candidate]:
    """Return the candidates to quote, the best first; empty where there are none.

    A question with a second one in it ("what is X and when ...") gets a sentence for each.
    `typed` are the words of a question that follows on, `said` is what was quoted before it.
    `frequent` is the question of a document that asks nearly the same.
    """
    order = of_its_side(question, _quotable(question, candidates, scores, hits, reads))
    order = of_its_person(question, unsigned(question, order), hits)
    if wanted(question) is Wanted.REASON:
        order = [one for one in order if not is_bare(one[0])]
    if measure(question) is FREQUENCY:  # "within 3 months" does not say how often
        order = [one for one in order if not only_lasts(one[0])] or order
    if not order:
        return []
    chosen: list[Rated] = []
    parts = questions_of(question)
    alone = len(parts) == 1
    if alone and (entries := entry_asked_for(question, order, typed=typed, said=said)):
        return _with_code(entries, candidates)
    for part in parts:
        if chosen and _is_in_row(part, chosen[-1][0]):
            continue
        best = opening(part, question, order, chosen, hits, reads, alone=alone, frequent=frequent)
        # The section of a frequent question answers, whatever stands elsewhere.
        if best is not None and not (frequent and best[0].under == frequent):
            best = (
                cell_asked_for(part, order, best[1], hits)
                or shows_how(part, order, best[1], candidates, hits)
                or best
            )
        if best is not None and best not in chosen:
            chosen.append(best)
    if alone and (told := _told_whole(question, chosen[0][0], order, hits)):
        return _with_code(told, candidates)
    if asks_how(question) and (means := means_before(chosen[0], order)):
        chosen.insert(0, means)
    field = mark_field(question, chosen[0][0].sentence.text)
    if alone and not field and (rest := _rest(question, chosen[0][0], order, hits, frequent)):
        add_further(question, rest, chosen, reads)
    quoted = [candidate for candidate, _ in chosen]
    if alone and asks_yes_or_no(question) and (limit := _limited(quoted[0], order)):
        quoted = [quoted[0], limit, *(one for one in quoted[1:] if one is not limit)][:MOST]
    if alone and (name := named_before(question, quoted[0], candidates)):
        quoted = [name, *(one for one in quoted if one is not name)][:MOST]
    return _with_code(quoted, candidates)


def _told_whole(
    question: str, first: Candidate, order: Sequence[Rated], hits: Sequence[Hit]
) -> list[Candidate]:
    """The best with what it cannot do without, in the order of the page; [] where nothing is.

    That is the sentence that says why or how of "this is normal", what follows the few words that
    begin the entry of a term, and to "how do I" the sentences
    below a heading that says it: from its first on where they are few, else from the best on.
    """
    if steps_title(question, first, hits[first.hit]):
        return []
    how = asks_how(question) and says_how(first.under, question, hits[first.hit])
    more = goes_on(first) or only_says_that(question, first) or begins_entry(question, first)
    most = MOST_TOLD if how else 2 if more else 1
    same = [one for one, _ in order if how and (one.hit, one.under) == (first.hit, first.under)]
    opens = next((one for one in same if one.opens), first)
    for begin in (opens, first):
        told = _run_from(begin, order, most)
        if first in told and len(told) > 1:
            return told
    return []


def _run_from(first: Candidate, order: Sequence[Rated], most: int) -> list[Candidate]:
    """A sentence with those behind it, up to `most`; none behind what leads into a list."""
    told = [first]
    while len(told) < most and not leads_in(told[-1].sentence.text):
        behind = _behind(told[-1], order)
        if behind is None or not is_sentence(behind):
            break
        told.append(behind)
    return told


def _behind(first: Candidate, order: Sequence[Rated]) -> Candidate | None:
    """The sentence right behind one, where it can be quoted."""
    same = (one for one, _ in order if one.hit == first.hit)
    return next((one for one in same if one.before == first.sentence.text), None)


def _limited(first: Candidate, order: Sequence[Rated]) -> Candidate | None:
    """The sentence right behind one that limits or contradicts it: "However, ..."."""
    behind = _behind(first, order)
    limits = behind is not None and is_sentence(behind) and _LIMITS.match(behind.sentence.text)
    return behind if limits else None


def _with_code(quoted: list[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """What is quoted, with the code that the first sentence speaks of right behind it.

    Where it only leads in ("Install it with pip:"), the code is all that was asked for.
    """
    code = code_below(quoted[0], candidates)
    if code is None or code in quoted:
        return quoted
    rest = [] if leads_in(quoted[0].sentence.text) else quoted[1 : MOST - 1]
    return [quoted[0], code, *rest]


def _is_in_row(part: str, row: Candidate) -> bool:
    """Whether another column of a row that is quoted is what a second question asks for."""
    typed = part.partition(" (")[0]  # words that were not typed stand in brackets
    is_row = row.sentence.kind is SentenceKind.ROW
    return is_row and has_column(typed, row.above, row.sentence.text)


def _rest(
    question: str, first: Candidate, order: Sequence[Rated], hits: Sequence[Hit], frequent: str
) -> Sequence[Rated]:
    """What may follow the first: nothing after steps, its section where the heading says how, or is
    the question.
    """
    if steps_title(question, first, hits[first.hit]):
        return ()
    if (frequent and first.under == frequent) or asks_just_this(first.under, question):
        return [one for one in order if one[0].under == first.under]
    if not (asks_how(question) and says_how(first.under, question, hits[first.hit])):
        return order
    if leads_to_more(question, first, hits[first.hit]):
        return ()
    return [one for one in order if one[0].under == first.under]


def _quotable(
    question: str,
    candidates: Sequence[Candidate],
    scores: Scores,
    hits: Sequence[Hit],
    reads: Mapping[Candidate, Read],
) -> list[Rated]:
    """The candidates that can be quoted, best first; what cannot only where nothing else is.

    What leads to nothing that was found ("We define it as the dot product:" before a formula) can
    where the reader reads the answer in it.
    """
    begins = [answer_start(hit) for hit in hits]  # a question is never quoted as an answer
    ends = [start + len(text.rstrip()) for text, start in map(passage_of, hits)]
    asked = set(content_keys(question))
    listed, how = asks_for_list(question), asks_how(question)
    short, _ = short_form_asked(question)
    headers = _headers(candidates, asked)
    order = [(candidates[int(at)], float(scores[at])) for at in np.argsort(-scores, kind="stable")]
    return [
        (c, score)
        for c, score in order
        if c.sentence.start >= begins[c.hit]
        and (
            is_quotable(c.sentence)
            or is_row_asked_for(question, c, asked)
            or is_field(c, asked)  # "currency: EUR", and not "Tags: tea" to what tea is
            or (short and spelled_out(c.sentence.text, short))  # often in a heading alone
        )
        and not is_caption_number(c.before)
        and not is_back_matter(c.under)
        and (c.hit, c.sentence.text) not in headers
        and (
            not _only_repeats(c, asked)
            or (listed and leads_in(c.sentence.text))
            or (how and leads_in(c.sentence.text) and code_below(c, candidates))
        )
        and not (
            leads_in(c.sentence.text) and c.sentence.end >= ends[c.hit] and not _is_read(c, reads)
        )
    ] or order


def _is_read(candidate: Candidate, reads: Mapping[Candidate, Read]) -> bool:
    return candidate in reads and reads[candidate].score >= SURE


def _headers(candidates: Sequence[Candidate], asked: set[str]) -> set[tuple[int, str]]:
    """The headers above rows, by the hit and their text; without one that is itself asked for.

    "The tensile strength" is a column where no row has a word of that, and no sentence tells of it.
    """
    told = [
        set(content_keys(one.sentence.text)) & asked
        for one in candidates
        if is_sentence(one) and not _only_repeats(one, asked)
    ]
    rows: dict[tuple[int, str], set[str]] = {}
    figures = set[tuple[int, str]]()
    for one in candidates:
        if one.sentence.kind is SentenceKind.ROW:
            said = rows.setdefault((one.hit, one.before), set())
            said.update(content_keys(one.sentence.text))
            if any(ch.isdigit() for ch in one.sentence.text):
                figures.add((one.hit, one.before))
    return {
        header
        for header, said in rows.items()
        if ("|" in header[1] or not FIELD.match(header[1]))  # "Prepared by: Jo" is no header
        and (
            header not in figures  # a table of words has no values to show
            or not asked.isdisjoint(said)
            or any(asked & set(content_keys(header[1])) <= keys for keys in (set[str](), *told))
        )
    }


def _only_repeats(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is a title, or the wish of one who asks, and says only words of the question."""
    sentence = candidate.sentence
    if sentence.kind not in (SentenceKind.HEADING, SentenceKind.PROSE):
        return False
    if candidate.opens and is_signature(candidate.under):
        return False  # it says which function does it
    wish = _WISH.match(sentence.text)
    text = sentence.text[wish.end() :] if wish else _SHORT_FORM.sub("", sentence.text)
    said = terms(text)
    is_title = (
        wish is not None
        or sentence.kind is SentenceKind.HEADING
        or all(term.kind != "stop" or term.key in _IN_TITLES for term in said)
    )
    return is_title and asked.issuperset(term.key for term in said if term.kind != "stop")
