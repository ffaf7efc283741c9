"""BM25 as an inner product of sparse vectors, one dimension for each field and term (pure).

A chunk's vector holds how much each of its terms counts by how often it occurs, for chunks of a
typical length; the query's vector holds how rare the terms are. So adding a document changes no
other one. By the inner product the best few hundred are found, and those are scored as Tantivy
does: by the real average length, and by the best form where a word has one in each language.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.storage.lexical.analysis import EXACT_WEIGHT, WEIGHTS
from core.storage.sql.pgvector import DIMENSIONS

FIELDS = {**WEIGHTS, "exact": EXACT_WEIGHT}
"""How much each field counts, in the order of a chunk's lengths."""
_TYPICAL = np.array([150.0, 6.0, 6.0, 4.0])  # terms of a field; any numbers near the real ones do
_K1, _B = 1.2, 0.75
_EXACT_LENGTHS = 24


def place_of(name: str, term: str) -> int:
    """The dimension of a term in a field; two terms share one hardly ever."""
    digest = hashlib.blake2b(f"{name}\0{term}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % DIMENSIONS


def length_step(length: int) -> int:
    """A length as one byte, in steps from 24 on, as Lucene and Tantivy keep it.

    >>> [step_length(length_step(length)) for length in (3, 40, 41, 43, 150)]
    [3, 40, 40, 42, 144]
    """
    return int(np.searchsorted(_LENGTHS, length, "right")) - 1


def step_length(step: int) -> int:
    """The length that a byte of `length_step` stands for."""
    return int(_LENGTHS[step])


def _lengths() -> NDArray[np.int64]:
    found = list(range(_EXACT_LENGTHS))
    for code in range(256 - _EXACT_LENGTHS):
        low, shift = code & 7, (code >> 3) - 1
        found.append(_EXACT_LENGTHS + (low if shift < 0 else (low | 8) << shift))
    return np.array(found, np.int64)


_LENGTHS = _lengths()


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as it is stored: its vector and the steps of its fields' lengths."""

    weights: dict[int, float]
    lengths: bytes
    tokens: tuple[int, ...]


def row_of(terms: Mapping[str, Sequence[str]]) -> Row:
    """The row of a chunk with these terms by field."""
    weights: dict[int, float] = {}
    tokens = tuple(len(terms[name]) for name in FIELDS)
    steps = bytes(length_step(count) for count in tokens)
    for position, name in enumerate(FIELDS):
        norm = _norm(_LENGTHS[steps[position]], _TYPICAL[position])
        for term, count in Counter(terms[name]).items():
            weights[place_of(name, term)] = float(count * (_K1 + 1) / (count + norm))
    return Row(weights, steps, tokens)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of an index: chunks, terms by field, and in how many chunks each dimension occurs."""

    chunks: int = 0
    tokens: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(FIELDS), np.int64))
    places: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    counts: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    languages: tuple[str, ...] = ()

    def count(self, place: int) -> int:
        """In how many chunks this dimension occurs."""
        at = int(np.searchsorted(self.places, place))
        there = at < len(self.places) and self.places[at] == place
        return int(self.counts[at]) if there else 0

    def rarity(self, place: int) -> float:
        """The inverse document frequency, 0 for a term that does not occur."""
        count = self.count(place)
        return float(np.log1p((self.chunks - count + 0.5) / (count + 0.5))) if count else 0.0

    def with_more(self, others: Sequence[Statistics]) -> Statistics:
        """These and others, of other documents, together."""
        every = [self, *others]
        stacked = np.concatenate([one.places for one in every])
        places, where = np.unique(stacked, return_inverse=True)
        weights = np.concatenate([one.counts for one in every])
        counts = np.bincount(where, weights, len(places)).astype(np.int32)
        languages = {language for one in every for language in one.languages}
        tokens = np.sum([one.tokens for one in every], axis=0)
        chunks = sum(one.chunks for one in every)
        return Statistics(chunks, tokens, places, counts, tuple(sorted(languages)))


def statistics_of(rows: Sequence[Row], language: str) -> Statistics:
    """The statistics of one document, of the rows of its chunks."""
    counted = Counter(place for row in rows for place in row.weights)
    places = sorted(counted)
    return Statistics(
        len(rows),
        np.sum([row.tokens for row in rows], axis=0).astype(np.int64),
        np.array(places, np.int32),
        np.array([counted[place] for place in places], np.int32),
        (language,),
    )


@dataclass(frozen=True, slots=True)
class Term:
    """A dimension that a query looks for: the best one of a `group` counts.

    `position` is that of the field in `FIELDS`.
    """

    place: int
    position: int
    group: int
    weight: float


def terms_of(
    words: Sequence[Sequence[str]], exact: Sequence[str], statistics: Statistics
) -> list[Term]:
    """What a query looks for: words, each in its forms, and what stands whole."""
    found, group = [], 0
    for position, (name, boost) in enumerate(FIELDS.items()):
        for forms in [(term,) for term in exact] if name == "exact" else words:
            group += 1
            for form in forms:
                place = place_of(name, form)
                if rarity := statistics.rarity(place):
                    found.append(Term(place, position, group, boost * rarity))
    return found


def score(
    terms: Sequence[Term],
    rows: Sequence[tuple[NDArray[np.int32], NDArray[np.float32]]],
    lengths: Sequence[bytes],
    statistics: Statistics,
) -> NDArray[np.float64]:
    """The BM25 scores of chunks, by their vectors (places ascending, values) and lengths."""
    total = np.zeros(len(rows))
    if not rows or not terms:
        return total
    wanted = np.array([term.place for term in terms], np.int32)
    stored = np.zeros((len(rows), len(terms)))
    for number, (places, values) in enumerate(rows):
        at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
        stored[number] = np.where(places[at] == wanted, values[at], 0.0)
    steps = np.frombuffer(b"".join(lengths), np.uint8).reshape(len(rows), len(FIELDS))
    real = _LENGTHS[steps].astype(float)
    average = np.maximum(statistics.tokens / max(statistics.chunks, 1), 1e-9)
    positions = [term.position for term in terms]
    typical = _norm(real, _TYPICAL)[:, positions]
    norm = _norm(real, average)[:, positions]
    # stored = c (k1 + 1) / (c + typical), so the count c need not be kept as well.
    there = stored * typical
    counted = there * (_K1 + 1) / np.maximum(there + norm * (_K1 + 1 - stored), 1e-12)
    values_ = counted * np.array([term.weight for term in terms])
    groups = np.array([term.group for term in terms])
    for group in np.unique(groups):
        total += values_[:, groups == group].max(axis=1)
    return total


def score_phrase(rarity: float, count: int, length: int, statistics: Statistics) -> float:
    """The BM25 score of a phrase that occurs so often in a body of this (stepped) length."""
    average = statistics.tokens[0] / max(statistics.chunks, 1)
    return float(rarity * count * (_K1 + 1) / (count + _norm(length, average)))


def best_phrase_score(
    variants: Sequence[Sequence[str]], body: str, length: int, statistics: Statistics
) -> float:
    """The BM25 score of a phrase in a body (" term term "): of its forms the best counts."""
    apart = body.replace(" ", "  ")  # a space of its own for each of two phrases in a row
    best = 0.0
    for terms in variants:
        count = apart.count(f" {'  '.join(terms)} ")
        rarity = sum(statistics.rarity(place_of("body", term)) for term in terms)
        if count:
            best = max(best, score_phrase(rarity, count, length, statistics))
    return best


def _norm(length: Any, average: Any) -> Any:
    """How much longer texts are counted less; numbers or arrays."""
    return _K1 * (1 - _B + _B * length / average)
