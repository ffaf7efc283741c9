"""Sentences about what is asked for: its year, its side of two (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.sentences.candidates import Rated
from core.answering.extractive.sentences.opening.telling import DENIES
from core.answering.extractive.spans import YEAR
from core.text.terms import content_keys

_YEAR_ASKED = re.compile(
    r"(?:\b(?:in|for|during|im|für|en|nel|em) (?:(?:the )?year |jahre? )?"
    r"|(?<!from )(?<!since )(?<!after )(?<!before )(?<!until )(?<!till )(?<!to )(?<!and )(?<!seit )"
    r"(?<!nach )(?<!vor )(?<!bis )(?<!und )\b(?=\d{4}\W*$))((?:19|20)\d\d)\b",
    re.I,
)
BRACKETED = re.compile(r"\s\([^()]*\)")


def of_its_side(question: str, order: Sequence[Rated]) -> Sequence[Rated]:
    """Those that do not stand below the opposite of a heading that is asked for.

    Of "What we liked" and "What we did not like" one is meant.
    """
    asked = set(content_keys(question))
    titles = {one.under: frozenset(content_keys(one.under)) & asked for one, _ in order}
    denied = {title for title in titles if DENIES.search(title)}
    both = {titles[title] for title in denied} & {titles[title] for title in titles.keys() - denied}
    against = DENIES.search(question) is not None
    return [
        one
        for one in order
        if not titles[one[0].under]
        or titles[one[0].under] not in both
        or (one[0].under in denied) == against
    ]


def of_its_year(question: str, order: Sequence[Rated]) -> Sequence[Rated]:
    """Those that can be about the year asked for: what names only later or earlier ones cannot."""
    found = _YEAR_ASKED.search(BRACKETED.sub("", question))  # what was carried over is behind
    if found is None:
        return order
    return [one for one in order if _may_be_of(found[1], one[0].sentence.text)] or order


def _may_be_of(year: str, text: str) -> bool:
    named = YEAR.findall(text)
    return not named or min(named) <= year <= max(named)
