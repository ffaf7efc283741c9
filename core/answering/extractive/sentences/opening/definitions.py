"""Which of several definitions opens: in its own section, else its document's first (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.extractive.sentences.candidates import Rated, is_sentence
from core.answering.extractive.sentences.defining import (
    is_narrower,
    says_what_it_is,
    says_which_kind,
    what_it_does,
)
from core.answering.extractive.sentences.opening.headings import (
    asks_the_same,
    is_entry,
    is_its_section,
)
from core.text.acronyms import short_form_asked, spelled_out
from core.types import Hit


def defining(
    part: str,
    defined: set[str],
    near: Sequence[Rated],
    close: Sequence[Rated],
    hits: Sequence[Hit],
    *,
    alone: bool,
) -> list[Rated]:
    """What defines best: below the question itself, an entry, "is a" or what it does, its section.

    `defined` are the keys of what `part` asks for, `near` and `close` what is little and somewhat
    worse than the best sentence. Of several, first what opens the section of that name, or writes
    the short form out, then the first of its document. What a thing does says what it is only
    where nothing else is asked.
    """
    short, _ = short_form_asked(part)
    near = [one for one in near if is_sentence(one[0])]
    close = [one for one in close if is_sentence(one[0])]
    section = [one for one in close if is_its_section(one[0], defined)]
    written = [one for one in close if spelled_out(one[0].sentence.text, short)]
    home = [one for one in near if one in section or one in written]
    kinds = [
        one
        for one in near
        if says_which_kind(one[0].sentence.text, defined)
        and not is_narrower(one[0].sentence.text, defined)
    ]
    does = [
        one
        for one in (near if alone and not written else home)
        if what_it_does(one[0].sentence.text, defined, short) is not None
    ]
    found = [*_as_told(kinds, hits), *(one for one in does if one not in kinds)]
    found.sort(key=lambda one: one not in home)
    return (
        [one for one in near if asks_the_same(one[0], defined)]
        or [one for one in close if is_entry(one[0], defined)]
        or found
        or section
    )


def saying(defined: set[str], near: Sequence[Rated]) -> list[Rated]:
    """What is a definition in any form."""
    return [one for one in near if says_what_it_is(one[0].sentence.text, defined)]


def _as_told(found: Sequence[Rated], hits: Sequence[Hit]) -> list[Rated]:
    """The same, those of the best one's document first and in the order of its pages.

    A document defines a thing once, and says more of it later.
    """
    if not found:
        return []
    best = hits[found[0][0].hit].chunk.document_id

    def place(one: Rated) -> tuple[bool, int, int]:
        chunk = hits[one[0].hit].chunk
        same = chunk.document_id == best
        return not same, chunk.page_ordinal * same, one[0].sentence.start * same

    return sorted(found, key=place)
