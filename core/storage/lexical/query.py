"""A query of an index of sparse vectors: what it looks for, and the best of what was found (pure).

The store finds candidates by the inner product of `Query.vector`; `ranked` scores them exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.storage.lexical.analysis import exact_of, forms_of, phrases_of
from core.storage.lexical.bm25 import (
    Statistics,
    Term,
    best_phrase_score,
    score,
    step_length,
    terms_of,
)
from core.storage.lexical.terms import parse_query, unspaced_singles


@dataclass(frozen=True, slots=True)
class Query:
    """A query in the terms of an index.

    `singles` are characters of unspaced scripts that stand alone, `phrases` the terms of each
    quoted phrase, once for each language.
    """

    terms: list[Term]
    singles: list[str]
    phrases: list[list[list[str]]]

    def vector(self) -> dict[int, float]:
        """How much each dimension counts."""
        weights: defaultdict[int, float] = defaultdict(float)
        for term in self.terms:
            weights[term.place] += term.weight
        return dict(weights)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk as it is stored, with how many of the query's `singles` it holds.

    `vector` are places, ascending, and values; `body` (" term term ") is read for phrases only.
    """

    id: str
    vector: tuple[NDArray[np.int32], NDArray[np.float32]]
    lengths: bytes
    singles: int
    body: str


def query_of(text: str, statistics: Statistics) -> Query:
    """What a person's text looks for in an index of these statistics."""
    asked = parse_query(text)
    return Query(
        terms_of(forms_of(asked.words, statistics.languages), exact_of(asked.words), statistics),
        unspaced_singles(asked.words),
        phrases_of(asked.phrases, statistics.languages),
    )


def ranked(
    query: Query, candidates: Sequence[Candidate], statistics: Statistics, n: int
) -> list[tuple[str, float]]:
    """The `n` best candidates as (id, BM25 score), best first, without those that score nothing."""
    scores = score(
        query.terms,
        [one.vector for one in candidates],
        [one.lengths for one in candidates],
        statistics,
    )
    pairs = []
    for one, of_terms in zip(candidates, scores.tolist(), strict=True):
        length = step_length(one.lengths[0])
        of_phrases = sum(
            best_phrase_score(variants, one.body, length, statistics) for variants in query.phrases
        )
        if (total := of_terms + one.singles + of_phrases) > 0:
            pairs.append((one.id, total))
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:n]
