"""What follows the sentence that opens an answer: only as many as it needs (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.answering.extractive.question.answer_types import (
    STRICT,
    Wanted,
    asked_keys,
    asks_for_more,
    asks_price,
    contact,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.kinds import asks_for_list, asks_yes_or_no
from core.answering.extractive.question.measures import DURATION, measure
from core.answering.extractive.sentences.candidates import Candidate, Rated, is_sentence
from core.answering.extractive.sentences.defining import says_what_it_is, what_it_does
from core.answering.extractive.sentences.opening.best import READ_ENOUGH
from core.answering.extractive.sentences.opening.persons import names_holder
from core.answering.extractive.sentences.opening.rows import is_row_asked_for
from core.answering.extractive.sentences.opening.subject import of_its_year
from core.answering.extractive.sentences.opening.telling import decides, is_the_most
from core.answering.extractive.sentences.reading import SURE, Read
from core.answering.extractive.sentences.scoring import continues
from core.answering.extractive.spans import YEAR
from core.answering.extractive.structures.lists import leads_in
from core.answering.extractive.structures.tables import has_column, mark_record
from core.text.acronyms import short_form_asked, spelled_out
from core.text.markdown_quoting import collapse
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, terms

MOST = 3
"""The most sentences that an answer to one question quotes."""
LEAST_CHANCE = 0.085
"""The chance to be the answer with which a sentence of `USUAL_WORDS` is quoted further: below, it
only pads. One of twice as many words needs twice the chance, a short one half of it."""
USUAL_WORDS = 22
SURE_CHANCE = 0.3
"""The same where the best holds all of the question's words and the kind of answer it wants."""
BESIDE = 0.5
"""What part of `LEAST_CHANCE` is enough for a sentence of the same passage, under the same heading,
where a reader has read both: it goes on about the same thing."""
BESIDE_BY_FORM = 0.4
"""The same of `SURE_CHANCE`, where the best has a date, a number or a name and may have another's.
A definition, a price or a yes is whole."""
UNREAD = 0.45
"""What part of these chances is enough where no reader says which is best: in German."""
READ_MARGIN = 6.0
"""How much worse than the best a further sentence may read, in logits of the reader."""
NEXT_MARGIN = 2.0
"""How much worse the sentence behind the best may read and be quoted, whatever its chance: it goes
on about the same thing in words that the question need not have ("It runs from ...")."""
ELSEWHERE_MARGIN = 3.0
"""The same of another passage, which seldom tells of the same, where no answer is read in it."""
LONGEST_FURTHER = 50
"""Words of a further sentence."""
_IN_A_ROW = re.compile(  # things of a few words each: longer is a clause
    r", (?!(?:an?|the|one|eine?|der|die|das) \S+ (?:of|for|from|with|in|für|von|aus) )"
    r"(?:[^\s,;]+ ){0,3}[^\s,;]+,? (?:and|or|und|oder|sowie|et|ou|y|o|e) "
)
_WHEN = re.compile(r"\b(?:when(?:ever)?|once|after|during|while|wenn|sobald|nachdem)\b", re.I)
"""What says when something happens without a date."""
_DANGLES = re.compile(
    r"\W*(?:(?:that|this|which)(?:['’]s| is| was) (?:because|why|how|when|where)|if (?:so|not)\b"
    r"|therefore|thus|hence|otherwise|deshalb|daher|deswegen|darum|sonst|wenn (?:ja|nein|nicht))\b",
    re.I,
)
"""What opens a sentence that says little without the one before it."""
_IT_IS = re.compile(
    r"\W*(?:it(?:['’]s| is| was)|th(?:is|at) is|they are|es ist|das ist|sie sind) (?:an?|the|one"
    r"|ein\w{0,2}|der|die|das)\b",
    re.I,
)
"""What says what it is that stands in the heading."""
_TITLE_WORDS = 4
_SAME = 0.8
"""The share of a sentence's terms from which on another says nothing new beside it."""
_BARE_SECOND = re.compile(
    r"\b(?:and|und) (?:by |since |at )?(when|where|who|whom|why|wann|wo|wer|warum)\W*$", re.I
)
"""A second question that is only its question word."""


def add_further(
    question: str,
    order: Sequence[Rated],
    chosen: list[Rated],
    reads: Mapping[Candidate, Read],
) -> None:
    """Add what may well be the answer instead: of many that are equally good, none is likely."""
    first = chosen[0][0]
    short, long = short_form_asked(question)
    if long and spelled_out(first.sentence.text, short):
        return  # what it stands for is all that was asked
    if names_holder(question, first.sentence.text):
        return  # others are in other offices
    if (shape := contact(question)) and shape.search(first.sentence.text):
        return
    asked = asked_keys(question)
    kind = wanted(question)
    second = _BARE_SECOND.search(question)
    if second and _tells(wanted(second[1]), first, asked):
        return  # "when is it and where?"
    of_table = first.sentence.kind is SentenceKind.ROW
    row = first.sentence.text
    if of_table and (has_column(question, first.above, row) or mark_record(question, row)):
        return
    if is_row_asked_for(question, first, asked) and states(kind, first.sentence.text, asked):
        return  # prose below a table speaks of other rows
    said = set(content_keys(first.sentence.text))
    open_ = asked - said - set(content_keys(first.under))
    figures = kind in (Wanted.TIME, Wanted.NUMBER) and states(kind, first.sentence.text, asked)
    figures = figures and not second and measure(question) is not DURATION  # or "since 2009"
    sure = _answers_alone(question, first, open_) or _is_read(kind, first, asked, reads)
    defined = _is_defined(question, first, asked)
    most = is_the_most(question, row)
    yes_or_no = asks_yes_or_no(question)
    by_form = sure and kind in STRICT and not asks_price(question)
    sure = sure or (yes_or_no and decides(question, first))
    listed = asks_for_list(question)
    if listed and _IN_A_ROW.search(first.sentence.text):
        if defined:
            return  # "the seasons are ...": all of them, told of just what was asked for
        sure, listed = True, False  # the list stands in one sentence
    numbers = {t.key for t in terms(question) if t.kind == "number" and not YEAR.match(t.form)}
    order = of_its_year(question, order)
    chances = _chances(order)
    least = SURE_CHANCE if sure else LEAST_CHANCE
    if listed:
        least *= chances[0]  # the items of a list share the chance
    elif not reads and not sure:
        least *= UNREAD
    for (candidate, score), chance in zip(order, chances, strict=True):
        if len(chosen) == MOST:
            break
        keys = set(content_keys(candidate.sentence.text))
        if candidate is first or len(keys & said) >= _SAME * len(keys):
            continue
        if not (listed or may_follow(candidate, first)):
            continue
        if not (reads or listed or asked & keys):
            continue  # in German nothing else says that it has to do with the question
        if not listed and (
            leads_in(candidate.sentence.text)
            or _reads_worse(candidate, first, reads)
            or _strays(candidate, [one for one, _ in chosen], reads)
        ):
            continue
        told = score <= chosen[0][1] and states(kind, candidate.sentence.text, asked)
        if figures and not (listed or told or _WHEN.search(candidate.sentence.text)):
            continue  # passed over for the best, or without the date that was asked for
        if defined and _hangs(candidate, [one for one, _ in chosen]):
            continue
        behind = first.after == candidate.sentence.text
        if most and not (behind or is_the_most(question, candidate.sentence.text)):
            continue  # others are not the oldest
        if numbers & said - keys:
            continue  # "code 670" adds nothing to "code 660"
        cost = max(1.0 if sure else 0.5, len(candidate.sentence.text.split()) / USUAL_WORDS)
        if reads and (candidate.hit, candidate.under) == (first.hit, first.under):
            cost *= BESIDE_BY_FORM if by_form else 1 if sure else BESIDE
        goes_on = not (sure or listed or yes_or_no) and _goes_on(candidate, first, reads)
        if goes_on or chance >= least * (1 if listed else cost):
            chosen.append((candidate, score))
            said |= keys


def _hangs(candidate: Candidate, quoted: Sequence[Candidate]) -> bool:
    """Whether it opens with "it" or the like, and what that is stands in nothing that is quoted."""
    if not continues(terms(candidate.sentence.text)):
        return False
    here = (candidate.hit, candidate.under)
    return all((one.hit, one.under) != here for one in quoted)


def _goes_on(candidate: Candidate, first: Candidate, reads: Mapping[Candidate, Read]) -> bool:
    """Whether it is the sentence right behind the best, and the reader thinks as well of it."""
    if candidate not in reads or first not in reads or candidate.hit != first.hit:
        return False
    behind = candidate.sentence.text == first.after
    return behind and reads[candidate].score >= reads[first].score - NEXT_MARGIN


def _strays(
    candidate: Candidate, quoted: Sequence[Candidate], reads: Mapping[Candidate, Read]
) -> bool:
    """Whether it leans on a sentence that is not quoted, or is a third of yet another passage.

    A third that reads better than the first may be the answer.
    """
    if _DANGLES.match(candidate.sentence.text):
        return all(one.after != candidate.sentence.text for one in quoted)
    if len(quoted) < MOST - 1 or any(one.hit == candidate.hit for one in quoted):
        return False
    read, first = reads.get(candidate), reads.get(quoted[0])
    return read is None or first is None or read.score < first.score


def _reads_worse(candidate: Candidate, first: Candidate, reads: Mapping[Candidate, Read]) -> bool:
    """Whether the reader, who read both, thinks far less of it than of the best."""
    if candidate not in reads or first not in reads:
        return False
    score = reads[candidate].score
    near = candidate.hit == first.hit or score >= READ_ENOUGH
    return score < reads[first].score - (READ_MARGIN if near else ELSEWHERE_MARGIN)


def _is_read(
    kind: Wanted, first: Candidate, asked: set[str], reads: Mapping[Candidate, Read]
) -> bool:
    """Whether the reader is sure of the best and read in it just what is wanted."""
    read = reads.get(first)
    if read is None or read.score < SURE or kind not in STRICT:
        return False
    return states(kind, collapse(first.sentence.text)[slice(*read.span)], asked)


def _tells(kind: Wanted, first: Candidate, asked: set[str]) -> bool:
    return kind is not Wanted.OTHER and states(kind, first.sentence.text, asked)


def _chances(order: Sequence[Rated]) -> list[float]:
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
        return _is_defined(question, first, asked) and not asks_for_more(question)
    if says_price(question, text):
        return True
    return not open_ and kind in STRICT and states(kind, text, asked)


def _is_defined(question: str, first: Candidate, asked: set[str]) -> bool:
    """Whether a definition is asked for and a sentence is one: "It is a" below that name."""
    if wanted(question) is not Wanted.DEFINITION:
        return False
    short, _ = short_form_asked(question)
    text = first.sentence.text
    if _IT_IS.match(text) and asked and asked <= set(content_keys(first.under)):
        return True
    return says_what_it_is(text, asked) or what_it_does(text, asked, short) is not None


def may_follow(candidate: Candidate, first: Candidate) -> bool:
    """Whether a piece can stand behind the best one: a whole sentence behind a sentence.

    Half a sentence, a line without an end (a caption, a label) and a paragraph that runs on over
    many lines say little to who has read the best one. Behind a row or a label, others may stand.
    """
    if not is_sentence(first):
        sentence = candidate.sentence  # a title says nothing of what is below it
        titled = sentence.kind is SentenceKind.PROSE and len(sentence.text.split()) < _TITLE_WORDS
        return not titled or is_sentence(candidate)
    return is_sentence(candidate) and len(candidate.sentence.text.split()) <= LONGEST_FURTHER
