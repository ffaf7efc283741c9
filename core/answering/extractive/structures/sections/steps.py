"""How something is done: items below "Instructions", or headings that count (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.structures.sections.counted import counted_of
from core.answering.extractive.structures.sections.listings import (
    Listing,
    lists_of,
    title_of,
    without_overlaps,
)
from core.answering.extractive.structures.sections.words import MINDING, STEPS, keys_of
from core.text.terms import content_keys
from core.types import Hit

_MAKING = keys_of(
    "make making cook bake prepare do go build create get start recipe steps step instructions"
    " directions please own home scratch ich man wir machen mache macht backen backe backt"
    " kochen koche kocht zubereiten bereite zu bitte geht gehen selber"
    " richtig"
)
"""Words of a question that say no more than that it is to be done."""
_HOW_TO = re.compile(r"\bhow to\b|\bso (?:geht|wird)\b|\bwie (?:man|du|sie)\b", re.I)


def steps_listed(question: str, hits: Sequence[Hit]) -> list[Listing]:
    """The items below "Instructions" in what is called after all that the question names.

    A long section is cut into passages: all of one document's that were found, in its order.
    """
    asked = set(content_keys(question)) - _MAKING
    if titles := _steps_in_titles(asked, hits):
        return titles
    found: list[Listing] = []
    for at, hit in enumerate(hits):
        if found and hit.document.id != hits[found[0].hit].document.id:
            continue
        for one in lists_of(hit, at):
            called = set(content_keys(" . ".join((title_of(hit), *one.path))))
            if not (asked and asked <= called and len(one.items) > 1):
                continue
            if any(_is_steps(title, hit.document.title) for title in one.near):
                if one.title is not None and not _is_steps(one.title.text, hit.document.title):
                    one.title = None
                found.append(one)
    found.sort(key=lambda one: (hits[one.hit].chunk.page_ordinal, one.items[0].start))
    return list(without_overlaps(found, hits))


def _steps_in_titles(asked: set[str], hits: Sequence[Hit]) -> list[Listing]:
    """The headings that count below one, or in a document, that says how to do what is asked."""
    found: list[Listing] = []
    for at, hit in enumerate(hits):
        if found and hit.document.id != hits[found[0].hit].document.id:
            continue
        for one in counted_of(hit, at):
            names = " . ".join((title_of(hit), *one.path))
            called, first = set(content_keys(names)), hit.document.id == hits[0].document.id
            says_how = called & STEPS or _HOW_TO.search(names)
            if (asked or first) and asked <= called and says_how:
                found.append(one)
    found.sort(key=lambda one: (hits[one.hit].chunk.page_ordinal, one.items[0].start))
    return list(without_overlaps(found, hits))


def _is_steps(title: str, called: str) -> bool:
    """Whether a heading says that steps stand below it, and of what the document is called after.

    "Decanting wine: instructions and tips" in "Decanting wine".
    """
    named = set(content_keys(title))
    return not named.isdisjoint(STEPS) and named <= STEPS | MINDING | set(content_keys(called))
