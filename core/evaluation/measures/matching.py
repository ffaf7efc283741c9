"""Match passages that were found or cited with the places that a golden set names (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.evaluation.golden.sets import GoldenSource, normalised
from core.types import Citation, Hit

_RUN = 5
"""Words in a run that counts as shared; shorter runs occur in unrelated texts by chance."""
_SHARED = 0.5
"""The share of the shorter text's runs that the longer one must have."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage and its place; `document` is the name or id that the source uses."""

    document: str
    page: int | None = None
    anchor: str | None = None
    text: str = ""


def leads_to(place: Place, source: GoldenSource) -> bool:
    """Return whether a passage is at the place of a source.

    It must be in the source's document, and there on its page if the source names one, else overlap
    its quote if there is one, else be under its anchor if there is one.
    """
    if place.document != source.document:
        return False
    if source.page is not None:
        return place.page == source.page
    if source.quote:
        return overlaps(place.text, source.quote)
    return source.anchor is None or place.anchor == source.anchor


def overlaps(one: str, other: str) -> bool:
    """Whether two texts share words: at least half of the runs of 5 words of the shorter one.

    A text of fewer than 5 words must be contained in the other. Words are compared as SQuAD
    compares answers (`normalised`).

    >>> overlaps("He moved to New York in 1884.", "And he moved to New York in 1884, alone")
    True
    """
    words, others = _words(one), _words(other)
    short, long = (words, others) if len(words) <= len(others) else (others, words)
    if len(short) < _RUN:
        return bool(short) and f" {' '.join(short)} " in f" {' '.join(long)} "
    runs = _runs(short)
    return len(runs & _runs(long)) >= _SHARED * len(runs)


def found_sources(places: Sequence[Place], sources: Sequence[GoldenSource]) -> list[list[int]]:
    """Return for each passage the numbers of the sources that it leads to."""
    return [
        [number for number, source in enumerate(sources) if leads_to(place, source)]
        for place in places
    ]


def place_of_hit(hit: Hit) -> Place:
    """Return the place of a hit; its text includes the joined neighbours."""
    chunk = hit.chunk
    return Place(chunk.document_id, chunk.page_number, chunk.anchor, hit.context or chunk.text)


def places_of_citation(citation: Citation) -> list[Place]:
    """Return where a citation leads: a place for each span that the answer quotes."""
    stretches = [
        citation.quote[start - citation.start : end - citation.start]
        for start, end in citation.spans
    ]
    where = (citation.document_id, citation.page_number, citation.anchor)
    return [Place(*where, text) for text in stretches or [citation.quote]]


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(normalised(text).split())


@lru_cache(maxsize=4096)
def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(words[at : at + _RUN] for at in range(len(words) - _RUN + 1))
