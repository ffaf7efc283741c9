"""Two things that are compared, each where the documents tell of it by its name (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from core.answering.extractive.sentences.candidates import Candidate, find_candidates
from core.answering.routes.quotes import Quotes
from core.text.markdown_quoting import escape_markdown
from core.text.sentences import SentenceKind
from core.text.signatures import name_of
from core.types import Answer, Hit

Told = tuple[Candidate, ...]
"""A sentence for each side, in the order of the sides."""
Fits = Callable[[Candidate, str], bool]
"""Whether a sentence tells of a side."""


def section_on_both(whole: Answer, subjects: Sequence[str]) -> Quotes | None:
    """Return the sentences that begin with either name, below a heading that has both, or None.

    "tea vs. coffee" is told below "Tea and coffee" in an item on tea and another on coffee.
    """
    hits = whole.search.hits if whole.search else ()
    sections: dict[tuple[str, str], list[Candidate]] = {}
    for one in find_candidates(hits):
        if all(_has(one.under, subject) for subject in subjects) and _is_told(one):
            sections.setdefault((_document(one, hits), one.under), []).append(one)
    told = (_one_of_each(told, subjects, _begins_with) for told in sections.values())
    return _quoted(next(filter(None, told), ()), subjects, hits)


def entries_of_both(whole: Answer, subjects: Sequence[str]) -> Quotes | None:
    """Return what one document says first below the name of each side, or None.

    That are two functions of a reference, two terms of a glossary, two sections.
    """
    hits = (*whole.search.hits, *whole.search.dropped) if whole.search else ()
    documents: dict[str, list[Candidate]] = {}
    for one in find_candidates(hits):
        if one.opens and _is_told(one):
            documents.setdefault(_document(one, hits), []).append(one)
    told = (_one_of_each(told, subjects, _is_below) for told in documents.values())
    return _quoted(next(filter(None, told), ()), subjects, hits)


def _one_of_each(told: Iterable[Candidate], subjects: Sequence[str], fits: Fits) -> Told:
    """The first that fits each side and no other side; () where one has none."""
    found: list[Candidate | None] = []
    for subject in subjects:
        others = [other for other in subjects if other != subject]
        own = (one for one in told if fits(one, subject) and not any(fits(one, o) for o in others))
        found.append(next(own, None))
    return () if None in found else tuple(one for one in found if one is not None)


def _quoted(told: Told, subjects: Sequence[str], hits: Sequence[Hit]) -> Quotes | None:
    if not told:
        return None
    quotes = Quotes()
    for subject, one in zip(subjects, told, strict=True):
        quotes.say(("\n\n" if quotes.text else "") + f"**{escape_markdown(subject)}**\n\n")
        quotes.quote(hits[one.hit], one.sentence.start, one.sentence.end)
    return quotes


def _is_told(one: Candidate) -> bool:
    said, text = one.sentence, one.sentence.text.strip()
    says = " " in text and text[-1:] != "?"  # and is no name alone
    return said.kind is SentenceKind.PROSE and not one.fragment and says


def _document(one: Candidate, hits: Sequence[Hit]) -> str:
    return hits[one.hit].document.id


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _has(text: str, subject: str) -> bool:
    return f" {_plain(subject)} " in f" {_plain(text)} "


def _begins_with(one: Candidate, subject: str) -> bool:
    """Whether it is what it tells of: "re.match() looks", "The tea is"."""
    begins = r"\W*(?:(?:an?|the|der|die|das|eine?) )?(?:\w+\.)*"
    return re.match(rf"{begins}{re.escape(subject)}(?!\w)", one.sentence.text, re.I) is not None


def _is_below(one: Candidate, subject: str) -> bool:
    """Whether the heading above it is just the name, or a function that is called so."""
    bare = subject.rstrip("()")
    called = f".{name_of(one.under)}".endswith(f".{bare}")
    return called or _plain(one.under) == _plain(subject)
