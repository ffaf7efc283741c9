"""What shows more than it says: what leads into a list, steps, an example (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import (
    Wanted,
    asked_keys,
    asks_for_more,
    states,
    wanted,
)
from core.answering.extractive.question.kinds import asks_for_list, asks_for_tips, asks_how
from core.answering.extractive.sentences.candidates import Candidate, Rated, code_below, is_sentence
from core.answering.extractive.sentences.opening.best import TYPE_MARGIN, WARNS
from core.answering.extractive.sentences.opening.headings import is_its_section, says_how
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.answering.extractive.sentences.scoring import continues
from core.answering.extractive.structures.lists import leads_in
from core.answering.extractive.structures.quotes import leads_to_more, steps_title
from core.text.terms import content_keys, terms
from core.types import Hit

_FEW_WORDS = 5
_MOST_WORDS = 0.7
"""Of a question, in a sentence that repeats it."""
LIST_MARGIN = 1.5
"""The same where it leads into the list that is asked for."""
EXAMPLE_MARGIN = 6.0
"""The same where it is all that is asked for, above an example."""
_TIPS = re.compile(
    r"\b(?:tips|advice|steps|ways|methods|things|tipps|hinweise|schritte|möglichkeiten)\b", re.I
)
"""What leads into a list of how something is done."""
_BY_THAT = re.compile(
    r"(?:this|these|that|those|doing (?:so|this|that)|dies|das|so|dazu|damit|dadurch|in this way"
    r"|this way|thus)\s(?:also\s)?(?:will|can|may|k[öo]nnten?|w[äa]ren?"
    r"|should|helps?|prevents?|keeps?|makes?|allows?|stops?|ensures?|avoids?|wird|kann|hilft|verhindert)\b",
    re.I,
)
"""What opens a sentence about the effect of what the one before it says."""


def goes_on(candidate: Candidate) -> bool:
    """Return whether a sentence only says of something what the next one explains.

    "This is normal." stands for what the heading above it names.
    """
    text = candidate.sentence.text
    return (
        candidate.opens
        and len(text.split()) <= _FEW_WORDS
        and continues(terms(text))
        and is_sentence(candidate)
    )


def begins_entry(question: str, candidate: Candidate) -> bool:
    """Return whether a few words begin what stands below the term that a question asks for.

    "How late it may be." below "Grace" is taken up by the sentence behind it.
    """
    text = candidate.sentence.text
    return (
        wanted(question) is Wanted.DEFINITION
        and not asks_for_more(question)
        and len(text.split()) <= _FEW_WORDS
        and is_its_section(candidate, asked_keys(question))
        and is_sentence(candidate)
    )


def only_says_that(question: str, candidate: Candidate) -> bool:
    """Return whether a sentence says that something is so, where why is asked; the next may say it.

    "The act removed the judge" repeats "why was the judge removed?" and gives no reason.
    """
    if wanted(question) is not Wanted.REASON or not is_sentence(candidate):
        return False
    text = candidate.sentence.text
    asked = set(content_keys(BRACKETED.sub("", question)))
    repeated = len(asked & set(content_keys(text)))
    return repeated >= max(2, _MOST_WORDS * len(asked)) and not states(Wanted.REASON, text, asked)


def means_before(best: Rated, order: Sequence[Rated]) -> Rated | None:
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


def shows_how(
    part: str,
    order: Sequence[Rated],
    best: float,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
) -> Rated | None:
    """What shows more than it says: what leads into a list that is asked for, or to "how do I" the
    steps, what stands below the heading that names it, the sentence above an example. None where
    nothing near does.
    """
    listed, how = asks_for_list(part) or asks_for_tips(part), asks_how(part)
    if not listed and not how:
        return None
    near = [one for one in order if one[1] >= best - TYPE_MARGIN]
    steps = [one for one in near if how and steps_title(part, one[0], hits[one[0].hit])]
    if steps:  # carried words, in brackets, only tell apart what those typed do not
        typed, asked = set(content_keys(BRACKETED.sub("", part))), set(content_keys(part))
        titles = [set(content_keys(steps_title(part, one, hits[one.hit]))) for one, _ in steps]
        shared = [(len(keys & typed), len(keys & asked)) for keys in titles]
        return steps[shared.index(max(shared))]
    for one, score in order if how else ():
        above = score >= best - EXAMPLE_MARGIN and _titles(part, one, hits[one.hit])
        if above and code_below(one, candidates):
            return one, score
    section = [one for one in order if how and says_how(one[0].under, part, hits[one[0].hit])]
    if section:
        lists = (one for one in section if leads_to_more(part, one[0], hits[one[0].hit]))
        return next(lists, section[0])
    for one, score in order:
        leads = score >= best - LIST_MARGIN and leads_in(one.sentence.text)
        shows = leads and (listed or _TIPS.search(one.sentence.text))
        if shows and leads_to_more(part, one, hits[one.hit]):
            return one, score
        leads = leads and not WARNS.match(one.sentence.text)
        if not listed and leads and code_below(one, candidates):
            return one, score
    return None


def _titles(question: str, one: Candidate, hit: Hit) -> bool:
    """Whether the few words that lead into something are what is asked for: "Pretty printing:".

    What the whole document is about need not be said again.
    """
    text = one.sentence.text
    asked = set(content_keys(question)) - set(content_keys(hit.document.title))
    brief = len(text.split()) <= _FEW_WORDS and leads_in(text)
    return brief and bool(asked) and asked <= set(content_keys(text))
