"""What an answer says about what it could not look into, and about words that nothing holds (pure).

Documents that are still being read, that failed or that are left out of the search are named. A
name or a code of the question that stands in no document makes the answer a refusal that says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from core.models.vocabulary import common_words
from core.planning.follow_ups.completing import CARRIED_OVER
from core.planning.spelling import written_out
from core.text.languages import language_of
from core.text.terms import terms
from core.types import Abstention, Answer, Citation, Document, DocumentState, Notice

BEING_READ = "documents-being-read"
"""The code of the notice on documents that could not be searched yet."""
SCOPE_EMPTY = "scope-empty"
"""The code of the notice that a question was asked of no document."""
NOT_READ, LEFT_OUT = "documents-not-read", "documents-left-out"
"""The codes of the notices on what the Documents page mends."""
_READING = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_NAMED = 3
_MEASURE = re.compile(r"\d[\d.,]*[A-Za-z]{1,3}|(?:FY|Q|H|v)\d+|\d+-[A-Za-z]+", re.I)
"""Ordinals, decades, times, quarters and amounts with a unit: digits and letters, but no code."""
_PLACING = frozenset({"in", "of", "at", "near"})
_OFFICE_OF = re.compile(
    r"\b(?:c[efot]o|chair\w*|president|mayor|founder|owner|boss|head) of ([a-z]{3,})\W*$",
    re.I,
)
"""An office and whose it is, without an article: "the ceo of siemens"."""
_RARE = re.compile(r"[a-z]{5,}")
_PART = 4
"""Characters of each of the two words that a compound is made of."""
_SLIP = 0.85
"""How alike two words are (the ratio of difflib) of which one may be mistyped for the other."""
_CODE = re.compile(r"(?<![\\\w])(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9][\w./-]*\w")
"""Not behind a backslash: an escape like "\\u00fc" is a sample of what is written or shown."""


def with_state(answer: Answer, documents: Iterable[Document], *, whole: bool = False) -> Answer:
    """Return the answer with notices on the documents of its library that it did not look into.

    Those being read are always named, those that failed or are left out where it is a refusal or
    speaks of the `whole` library.
    """
    library = list(documents)
    reading = [one for one in library if one.state in _READING and one.searched]
    notices = list(answer.notices)
    if reading:
        text = f"Still being read, so not searched yet: {listed(reading)}."
        notices.append(Notice(BEING_READ, text, "Ask again when the reading is done."))
    if answer.abstention is None and not whole:
        return replace(answer, notices=tuple(notices))
    failed = [one for one in library if one.state in (DocumentState.FAILED, DocumentState.STOPPED)]
    left_out = [one for one in library if not (one.searched or one in failed)]
    if failed:
        text = f"Not read, so not searched: {listed(failed)}."
        notices.append(Notice(NOT_READ, text, "See Documents for the reason."))
    if left_out:
        text = f"Left out of the search: {listed(left_out)}."
        notices.append(Notice(LEFT_OUT, text, "Tick them under Documents.", "info"))
    if reading and answer.abstention is not None:
        text = "No answer was found in the documents that are ready; others are still being read."
        abstention = replace(answer.abstention, reason=text)
        return replace(answer, text=text, abstention=abstention, notices=tuple(notices))
    return replace(answer, notices=tuple(notices))


def unknown_words(question: str, holds: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the names and codes of a question that no document holds, as they were typed.

    Names are told by their capital, so only in languages that write other nouns without one.

    >>> unknown_words("Does Acme sell the Zorblax and the X-200?", lambda word: word == "Acme")
    ('Zorblax', 'X-200')
    """
    question = written_out(question)  # "b4" is a short form and no code
    codes = (code for code in _CODE.finditer(question) if not _MEASURE.fullmatch(code.group()))
    found = {code.group(): code.start() for code in codes}
    taken = [(start, start + len(code)) for code, start in found.items()]
    if language_of(question) not in ("de", ""):
        first = next((term.start for term in terms(question)), 0)
        for term in terms(question):
            inside = any(start <= term.start < end for start, end in taken)
            if term.kind == "name" and len(term.form) > 2 and term.start != first and not inside:
                found.setdefault(term.form, term.start)
    else:
        found |= _full_names(question, holds)
    return tuple(word for word in sorted(found, key=found.__getitem__) if not holds(word))


def _full_names(question: str, holds: Callable[[str], bool]) -> dict[str, int]:
    """Two words with a capital side by side of which no document has either, with their places.

    A German noun has a capital too, and seldom another noun right behind it.
    """
    found: dict[str, int] = {}
    for one, other in pairwise(terms(question)):
        beside = question[one.end : other.start] == " " and one.start > 0
        capitals = one.form[0].isupper() and other.form[0].isupper()
        if beside and capitals and not (holds(one.form) or holds(other.form)):
            found |= {one.form: one.start, other.form: other.start}
    return found


def rare_words(question: str) -> tuple[str, ...]:
    """Return the words of an English question, typed small, that can only be names.

    Each stands after a preposition of place or origin, and the vocabulary of the bundled model
    has neither the word, nor one of its forms, nor two words that it is made of, nor one that it
    may be a slip of the pen for; or it is whose office is asked for.

    >>> rare_words("how many people live in velmark?"), rare_words("who invented packet swiching")
    (('velmark',), ())
    """
    if language_of(question) != "en":
        return ()
    found = terms(question)
    placed = (
        term.form
        for before, term in pairwise(found)
        if term.kind == "word" and before.form.lower() in _PLACING
    )
    rare = [form for form in placed if _RARE.fullmatch(form) and _is_rare(form)]
    office = _OFFICE_OF.search(question)
    return (*rare, office[1]) if office and office[1] not in rare else tuple(rare)


def _is_rare(word: str) -> bool:
    known = common_words()
    word = word.replace("isation", "ization").replace("ise", "ize")
    forms = {word, *(word.removesuffix(ending) for ending in ("s", "es", "ed", "d", "ing", "ly"))}
    forms |= {form + "e" for form in forms} | {form + "y" for form in forms}
    if forms & known or any(
        word[:at] in known and word[at:] in known for at in range(_PART, len(word) - _PART + 1)
    ):
        return False
    near = (one for one in known if abs(len(one) - len(word)) <= 1 and one[0] == word[0])
    return not any(SequenceMatcher(None, word, one).ratio() >= _SLIP for one in near)


def unknown_refusal(answer: Answer, words: Sequence[str], searched: tuple[int, int]) -> Answer:
    """Return the refusal in place of an answer to a question with words that no document holds.

    `searched` are the documents and the passages that were searched. Whatever was carried into the
    question, it is for its own word that it is refused.
    """
    notices = tuple(one for one in answer.notices if one.code != CARRIED_OVER)
    refused = _refusal(answer, f"No document has {_quoted(words)}", searched)
    return replace(refused, notices=notices)


def of_another_refusal(answer: Answer, name: str, searched: tuple[int, int]) -> Answer:
    """Return the refusal in place of an answer that tells of somebody else than was spoken of."""
    return _refusal(answer, f"No passage that comes near speaks of {_quoted([name])}", searched)


def _quoted(words: Sequence[str]) -> str:
    return " and ".join(f"“{word}”" for word in words)


def _refusal(answer: Answer, reason: str, searched: tuple[int, int]) -> Answer:
    result = answer.search
    text = f"{reason}, so there is no answer to this question in them."
    sources: tuple[Citation, ...] = (*answer.citations, *answer.unused)
    return replace(
        answer,
        text=text,
        citations=(),
        claims=(),
        highlights=(),
        unused=tuple(replace(one, number=n) for n, one in enumerate(sources, 1)),
        abstention=Abstention(
            f"{reason}.",
            *searched,
            result.plan.queries if result else (),
        ),
    )


def listed(documents: Sequence[Document]) -> str:
    """Return the first names of documents, and how many more there are."""
    names = ", ".join(one.label for one in documents[:_NAMED])
    more = len(documents) - _NAMED
    return f"{names} and {more:,} more" if more > 0 else names
