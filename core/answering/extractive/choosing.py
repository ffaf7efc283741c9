"""Which sentences answer a question: the best first, and only as many as it needs (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core.answering.extractive.answer_types import (
    STRICT,
    Wanted,
    asked_keys,
    contact,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.candidates import Candidate
from core.answering.extractive.highlights import mark_cell
from core.answering.extractive.measures import DURATION, FREQUENCY, measure
from core.answering.extractive.quotable import (
    is_caption_number,
    is_quotable,
    is_signature,
    without_number,
)
from core.answering.extractive.quotes import (
    asks_for_list,
    asks_how,
    leads_in,
    leads_to_more,
    steps_title,
)
from core.answering.extractive.reading import Read
from core.answering.extractive.scoring import continues, says_what_it_is
from core.answering.extractive.tables import label
from core.citations.answer_start import answer_start
from core.citations.passages import passage_of
from core.planning.paraphrases import beside, formal_words
from core.text.acronyms import short_form_asked, spelled_out
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, terms
from core.types import Hit

MOST = 3
"""The most sentences that an answer to one question quotes."""
LEAST_CHANCE = 0.085
"""The chance to be the answer with which a further sentence is quoted: below, it only pads."""
SURE_CHANCE = 0.38
"""The same where the best holds all of the question's words and the kind of answer it wants."""
OPEN_CHANCE = 0.05
"""The same where it holds all that the first leaves open."""
UNREAD = 0.45
"""What part of these chances is enough where no reader says which is best: in German."""
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
READ_MARGIN = 6.0
"""How much worse than the best a further sentence may read, in logits of the reader."""
LONGEST_FURTHER = 50
"""Words of a further sentence."""
_IN_WORDS = frozenset({Wanted.DEFINITION, Wanted.PERSON, Wanted.PLACE, Wanted.REASON})
_SENTENCE_END = re.compile(r"[.!:;…。！।؛：][\"'”’»)\]\d]*$")
_IN_TITLES = frozenset("a an and at by for from in of on or the to der die das und von zu".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_YEAR_ASKED = re.compile(
    r"(?:\b(?:in|for|during|im|für|en|nel|em) (?:(?:the )?year |jahre? )?"
    r"|(?<!from )(?<!since )(?<!after )(?<!before )(?<!until )(?<!till )(?<!to )(?<!and )(?<!seit )"
    r"(?<!nach )(?<!vor )(?<!bis )(?<!und )\b(?=\d{4}\W*$))((?:19|20)\d\d)\b",
    re.I,
)
_IN_A_ROW = re.compile(  # things of a few words each: longer is a clause
    r", (?:[^\s,;]+ ){0,3}[^\s,;]+,? (?:and|or|und|oder|sowie|et|ou|y|o|e) "
)
_LIGHT = frozenset(content_keys("got get make made show give list tell total number amount value"))
"""Words of a question that name nothing by themselves: "have they got", "show me"."""
_WHAT_IS_THE = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which)(?:['’]?s| is| are| was| were) (?:the|your|their|its"
    r"|our|his|her)\b",
    re.I,
)
_TITLE_WORDS = 4
_SAME = 0.8
"""The share of a sentence's terms from which on another says nothing new beside it."""

_WHICH = re.compile(  # one thing of a kind: "which engine", not "what is" nor "which engines"
    r"\W*(?:(?:and|so|ok|und),? )*(?:which|what|welche[mnrs]?) "
    r"(?!(?:are|were|do|did|if|can)\b)\w+(?<!s)\b",
    re.I,
)
_BRACKETED = re.compile(r"\s\([^()]*\)")
_WISH = re.compile(
    r"\W*(?:(?:hi|hello|hey)\b\W*)?(?:i|we)(?:['’](?:m|d|ve)| am| are| was| would| have)?(?: been)?"
    r" (?:want(?:ed|ing)?|need|wish|like|try(?:ing)?|attempting|looking|wondering|hoping|hope)\b"
    r"(?: (?:to|for|if|how|a way|ways?))*",
    re.I,
)
"""What opens the question of somebody else: "I am trying to"."""
_BY_THAT = re.compile(
    r"(?:this|these|that|those|doing (?:so|this|that)|dies|das|so)\s(?:also\s)?(?:will|can|may"
    r"|should|helps?|prevents?|keeps?|makes?|allows?|stops?|ensures?|avoids?|wird|kann|hilft|verhindert)\b",
    re.I,
)
"""What opens a sentence about the effect of what the one before it says."""
_NAME_FIELD = re.compile(r"(?:^|[:\n] ?)(?:\w+ )?names?:\s", re.I)
"""The line of a form that holds a name."""
_SECOND = re.compile(
    r"[,;]?\s+(?:and|und|et|y|e)\s+(?=(?:what|when|where|who|why|how|which|whose|does|did|is|was|"
    r"wann|wer|wo|was|wie|warum|welche\w*)\b)|\?\s+(?=\w)",
    re.I,
)

_INTERJECTION = re.compile(
    r"(?:ok(?:ay|ey)?|great|good|nice|cool|right|well|thanks|thank you|thx|yes|yeah|no|hm+|so|wow"
    r"|gut|schön|super|danke|ja|nein|alles klar)\W*",
    re.I,
)
_BARE_SECOND = re.compile(
    r"\b(?:and|und) (?:by |since |at )?(when|where|who|whom|why|wann|wo|wer|warum)\W*$", re.I
)
"""A second question that is only its question word."""

Scores = npt.NDArray[np.float32]


def choose(
    question: str,
    candidates: Sequence[Candidate],
    scores: Scores,
    hits: Sequence[Hit],
    reads: Mapping[Candidate, Read] = MappingProxyType({}),
) -> list[Candidate]:
    """Return the candidates to quote, the best first; empty where there are none.

    A question with a second one in it ("what is X and when ...") gets a sentence for each.
    """
    order = _quotable(question, candidates, scores, hits)
    if measure(question) is FREQUENCY:  # "within 3 months" does not say how often
        order = [one for one in order if not _only_lasts(one[0])] or order
    if not order:
        return []
    chosen: list[tuple[Candidate, float]] = []
    parts = questions_of(question)
    for part in parts:
        best = _opening(part, question, order, chosen, alone=len(parts) == 1)
        if best is not None and (cell := _cell_asked_for(part, order, best[1], hits)):
            best = cell
        elif best is not None and (shown := _shows_how(part, order, best[1], candidates, hits)):
            best = shown
        if best is not None and best not in chosen:
            chosen.append(best)
    if asks_how(question) and (means := _means(chosen[0], order)):
        chosen.insert(0, means)
    if len(parts) == 1 and (rest := _rest(question, chosen[0][0], order, hits)):
        _add_further(question, rest, chosen, reads)
    quoted = [candidate for candidate, _ in chosen]
    code = _code_below(quoted[0], candidates)
    return [*quoted[: MOST - 1], code] if code and code not in quoted else quoted


def _means(
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


def _rest(
    question: str, first: Candidate, order: Sequence[tuple[Candidate, float]], hits: Sequence[Hit]
) -> Sequence[tuple[Candidate, float]]:
    """What may follow the first: nothing after steps, its section where the heading says how."""
    if steps_title(question, first, hits[first.hit]):
        return ()
    if not (asks_how(question) and _names(first.under, question)):
        return order
    if leads_to_more(question, first, hits[first.hit]):
        return ()
    return [one for one in order if one[0].under == first.under]


def questions_of(question: str) -> list[str]:
    """Return the questions that are asked in one, in order.

    >>> questions_of("What is the epoch and when does it start?")
    ['What is the epoch', 'when does it start?']
    """
    parts = [part.strip() for part in _SECOND.split(question) if part.strip()]
    parts = [part for part in parts if not _INTERJECTION.fullmatch(part)] or parts
    return (
        parts if all(len(part.split()) > 2 or content_keys(part) for part in parts) else [question]
    )


def _quotable(
    question: str, candidates: Sequence[Candidate], scores: Scores, hits: Sequence[Hit]
) -> list[tuple[Candidate, float]]:
    """The candidates that can be quoted, best first; what cannot only where nothing else is."""
    begins = [answer_start(hit) for hit in hits]  # a question is never quoted as an answer
    ends = [start + len(text.rstrip()) for text, start in map(passage_of, hits)]
    asked = set(content_keys(question))
    listed = asks_for_list(question)
    headers = {(c.hit, c.before) for c in candidates if c.sentence.kind is SentenceKind.ROW}
    order = [(candidates[int(at)], float(scores[at])) for at in np.argsort(-scores, kind="stable")]
    return [
        (c, score)
        for c, score in order
        if c.sentence.start >= begins[c.hit]
        and (is_quotable(c.sentence) or _is_row_asked_for(question, c, asked))
        and not is_caption_number(c.before)
        and (c.hit, c.sentence.text) not in headers
        and (not _only_repeats(c, asked) or (listed and leads_in(c.sentence.text)))
        and not (leads_in(c.sentence.text) and c.sentence.end >= ends[c.hit])
    ] or order


def _cell_asked_for(
    part: str, order: Sequence[tuple[Candidate, float]], best: float, hits: Sequence[Hit]
) -> tuple[Candidate, float] | None:
    """The row whose label and whose column the question names: "revenue in 2015"; None without.

    What else is asked for must stand in what its document or its section is called.
    """
    asked = set(content_keys(part))
    for one, score in order:
        if score < best - CELL_MARGIN:
            break
        row = one.sentence.text
        cell = mark_cell(part, one.before, row) if one.sentence.kind is SentenceKind.ROW else None
        named = set(content_keys(label(row))) if cell else set()
        if not named or not named <= asked:
            continue
        hit = hits[one.hit]
        called = (hit.document.title, hit.document.label, *hit.chunk.headings, one.under)
        if asked - _LIGHT <= named | set(content_keys(" ".join((one.before, *called)))):
            return one, score
    return None


def _is_row_asked_for(question: str, candidate: Candidate, asked: set[str]) -> bool:
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


def _only_repeats(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is a title, or the wish of one who asks, and says only words of the question."""
    sentence = candidate.sentence
    if sentence.kind not in (SentenceKind.HEADING, SentenceKind.PROSE):
        return False
    wish = _WISH.match(sentence.text)
    said = terms(sentence.text[wish.end() :] if wish else sentence.text)
    is_title = (
        wish is not None
        or sentence.kind is SentenceKind.HEADING
        or all(term.kind != "stop" or term.key in _IN_TITLES for term in said)
    )
    return is_title and asked.issuperset(term.key for term in said if term.kind != "stop")


def _opening(
    part: str,
    question: str,
    order: Sequence[tuple[Candidate, float]],
    chosen: Sequence[tuple[Candidate, float]],
    *,
    alone: bool,
) -> tuple[Candidate, float] | None:
    """The sentence that answers one part best, of the wanted type where one is there."""
    ranked = sorted(_of_its_year(question, order), key=lambda one: _runs_on(one[0]))
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
        defined = set(content_keys(part))
        near = [one for one in near if says_what_it_is(one[0].sentence.text, defined)]
    elif alone and kind is Wanted.OTHER and _WHICH.match(part):
        near = [one for one in near if one[1] >= top - NAME_MARGIN and _names_one(one[0], asked)]
    else:
        near = [one for one in near if kind in STRICT and states(kind, _told(one[0]), asked)]
        if kind is Wanted.PERSON:
            near.sort(key=lambda one: not _NAME_FIELD.search(_told(one[0])))
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


def _only_lasts(candidate: Candidate) -> bool:
    """Whether it says how long, and not how often."""
    text = candidate.sentence.text
    return DURATION.search(text) is not None and FREQUENCY.search(text) is None


def _told(candidate: Candidate) -> str:
    """What is told with a sentence: what leads in has its first line with it."""
    text = candidate.sentence.text
    return f"{text} {candidate.after}" if leads_in(text) else text


def _names_one(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it has a name or a code that the question lacks: "which engine" wants one."""
    found = terms(candidate.sentence.text)
    return any(term.kind == "name" and term.key not in asked for term in found)


def _shows_how(
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
    section = [one for one in order if how and _names(one[0].under, part)]
    if section:
        lists = (one for one in section if leads_to_more(part, one[0], hits[one[0].hit]))
        return next(lists, section[0])
    for one, score in order:
        leads = score >= best - LIST_MARGIN and leads_in(one.sentence.text)
        if listed and leads and leads_to_more(part, one, hits[one.hit]):
            return one, score
        if not listed and leads and _code_below(one, candidates):
            return one, score
        if not listed and score >= best - TYPE_MARGIN and is_signature(one.before):
            return one, score
    return None


def _names(heading: str, part: str) -> bool:
    """Whether a heading says what a question asks how to do, and hardly more: "Retiring"."""
    named, asked = set(content_keys(without_number(heading))), set(content_keys(part))
    return bool(asked) and asked <= named and len(named) <= len(asked) + 1


def _of_its_year(
    question: str, order: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Those that can be about the year asked for: what names only later or earlier ones cannot."""
    found = _YEAR_ASKED.search(question)
    if found is None:
        return order
    return [one for one in order if _may_be_of(found[1], one[0].sentence.text)] or order


def _may_be_of(year: str, text: str) -> bool:
    named = _YEAR.findall(text)
    return not named or min(named) <= year <= max(named)


def _has_any(keys: set[str], candidate: Candidate) -> bool:
    return not keys.isdisjoint(content_keys(candidate.sentence.text))


def _speaks_of(asked: set[str], candidate: Candidate) -> bool:
    """Whether it has a word of the question, or goes on with what stands before or above it."""
    text = candidate.sentence.text
    around = f"{candidate.before} . {text}" if continues(terms(text)) else text
    return not asked.isdisjoint(content_keys(f"{candidate.under} . {around}"))


def _covered(asked: set[str], candidate: Candidate) -> float:
    return len(asked & set(content_keys(candidate.sentence.text))) / max(1, len(asked))


def _add_further(
    question: str,
    order: Sequence[tuple[Candidate, float]],
    chosen: list[tuple[Candidate, float]],
    reads: Mapping[Candidate, Read],
) -> None:
    """Add what may well be the answer instead: of many that are equally good, none is likely."""
    first = chosen[0][0]
    short, long = short_form_asked(question)
    if long and spelled_out(first.sentence.text, short):
        return  # what it stands for is all that was asked
    if (shape := contact(question)) and shape.search(first.sentence.text):
        return
    asked = asked_keys(question)
    kind = wanted(question)
    second = _BARE_SECOND.search(question)
    if second and _tells(wanted(second[1]), first, asked):
        return  # "when is it and where?"
    of_table = first.sentence.kind is SentenceKind.ROW
    if of_table and mark_cell(question, first.before, first.sentence.text):
        return
    if _is_row_asked_for(question, first, asked) and states(kind, first.sentence.text, asked):
        return  # prose below a table speaks of other rows
    said = set(content_keys(first.sentence.text))
    open_ = asked - said - set(content_keys(first.under))
    shared = len(asked & said)
    sure, listed = _answers_alone(question, first, open_), asks_for_list(question)
    if listed and _IN_A_ROW.search(first.sentence.text):
        sure, listed = True, False  # the list stands in one sentence
    numbers = {t.key for t in terms(question) if t.kind == "number" and not _YEAR.match(t.form)}
    order = _of_its_year(question, order)
    chances = _chances(order)
    least = SURE_CHANCE if sure else LEAST_CHANCE
    if listed:
        least *= chances[0]  # the items of a list share the chance
    elif not reads and not sure:
        least *= UNREAD
    least_open = min(least, OPEN_CHANCE)
    for (candidate, score), chance in zip(order, chances, strict=True):
        if len(chosen) == MOST:
            break
        keys = set(content_keys(candidate.sentence.text))
        if candidate is first or len(keys & said) >= _SAME * len(keys):
            continue
        if not (listed or (may_follow(candidate, first) and 2 * len(asked & keys) >= shared)):
            continue  # what shares far less with the question adds what nobody asked for
        if not listed and _reads_worse(candidate, first, reads):
            continue
        if numbers & said - keys:
            continue  # "code 670" adds nothing to "code 660"
        if chance >= (least_open if open_ and open_ <= keys else least):
            chosen.append((candidate, score))
            said |= keys
            open_ -= keys


def _reads_worse(candidate: Candidate, first: Candidate, reads: Mapping[Candidate, Read]) -> bool:
    """Whether the reader, who read both, thinks far less of it than of the best."""
    if candidate not in reads or first not in reads:
        return False
    return reads[candidate].score < reads[first].score - READ_MARGIN


def _tells(kind: Wanted, first: Candidate, asked: set[str]) -> bool:
    return kind is not Wanted.OTHER and states(kind, first.sentence.text, asked)


def _chances(order: Sequence[tuple[Candidate, float]]) -> list[float]:
    """How likely each is to be the answer: their softmax, by which the weights are learned."""
    powers = np.exp(np.array([score for _, score in order]) - max(score for _, score in order))
    return list((powers / powers.sum()).tolist())


def _answers_alone(question: str, first: Candidate, open_: set[str]) -> bool:
    """Whether the best sentence leaves nothing open: what is wanted stands in it, or a definition.

    A definition of what is asked for is whole, whatever else is said of it elsewhere.
    """
    kind, text = wanted(question), first.sentence.text
    asked = asked_keys(question)
    if kind is Wanted.DEFINITION:
        return says_what_it_is(text, asked)
    return not open_ and kind in STRICT and states(kind, text, asked)


def may_follow(candidate: Candidate, first: Candidate) -> bool:
    """Whether a piece can stand behind the best one: a whole sentence behind a sentence.

    Half a sentence, a line without an end (a caption, a label) and a paragraph that runs on over
    many lines say little to who has read the best one. Behind a row or a label, others may stand.
    """
    if not _is_sentence(first):
        sentence = candidate.sentence  # a title says nothing of what is below it
        titled = sentence.kind is SentenceKind.PROSE and len(sentence.text.split()) < _TITLE_WORDS
        return not titled or _is_sentence(candidate)
    return _is_sentence(candidate) and len(candidate.sentence.text.split()) <= LONGEST_FURTHER


def _is_sentence(candidate: Candidate) -> bool:
    sentence = candidate.sentence
    return (
        sentence.kind is SentenceKind.PROSE
        and not candidate.fragment
        and _SENTENCE_END.search(sentence.text.rstrip()) is not None
    )


def _runs_on(candidate: Candidate) -> bool:
    """Whether it is prose of many words without an end: captions or items that ran together."""
    sentence = candidate.sentence
    many = len(sentence.text.split()) > LONGEST_FURTHER
    return many and sentence.kind is SentenceKind.PROSE and not _is_sentence(candidate)


def _code_below(sentence: Candidate, candidates: Sequence[Candidate]) -> Candidate | None:
    """The code that the best sentence speaks of: the block that stands right below it."""
    for other in candidates:
        if (
            other.sentence.kind is SentenceKind.CODE
            and other.hit == sentence.hit
            and sentence.after == other.sentence.text
        ):
            return other
    return None
