"""Choose hits that differ from each other, and what is read around them (pure)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Chunk

Vectors = NDArray[np.float32]

Place = tuple[Hashable, int]
"""A page or a section, and which passage of its document stands there."""

SAME_PLACE = 0.7
"""Subtracted from a relevance of 0 to 1 if a better hit stands right beside it."""


def mmr(
    vectors: Vectors,
    relevance: Vectors,
    k: int,
    lambda_: float,
    places: Sequence[Place | None] = (),
) -> list[int]:
    """Maximal marginal relevance: the positions of up to `k` rows in the order chosen.

    `vectors` has shape (n, dimension) with rows of length 1, `relevance` (n,) from 0 to 1. The next
    row has the highest `lambda * relevance - (1 - lambda) * similarity to the most similar chosen`.
    A row that stands right beside a chosen one, on the same page or in the same section (`places`,
    n of them, None where that is not known), loses `SAME_PLACE`: it is read with it anyway.
    Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
    Documents and Producing Summaries", SIGIR 1998.
    """
    chosen: list[int] = []
    left = list(range(len(relevance)))
    nearest = np.zeros(len(relevance), np.float32)
    again = np.zeros(len(relevance), np.float32)
    while left and len(chosen) < k:
        gain = lambda_ * relevance[left] - (1.0 - lambda_) * nearest[left] - again[left]
        chosen.append(left.pop(int(np.argmax(gain))))
        similarity = vectors @ vectors[chosen[-1]]
        if places:
            again[[at for at in left if _beside(places[at], places[chosen[-1]])]] = SAME_PLACE
        nearest = similarity if len(chosen) == 1 else np.maximum(nearest, similarity)
    return chosen


def _beside(one: Place | None, other: Place | None) -> bool:
    return (
        one is not None and other is not None and one[0] == other[0] and abs(one[1] - other[1]) == 1
    )


def reading_spans(hits: Sequence[Chunk], pages: Sequence[Sequence[Chunk]]) -> list[tuple[int, int]]:
    """Return for each hit the span of its page to read: the chunk with its neighbours.

    `pages` holds chunks of each hit's page, at least the adjacent ones. A neighbour is the chunk
    before or after under the same headings. One that is a hit itself is left out, and one between
    two hits goes to the better, so that nothing is read twice.
    """
    taken = {chunk.id for chunk in hits}
    spans = []
    for hit, page in zip(hits, pages, strict=True):
        joined = [chunk for chunk in page if _is_neighbour(hit, chunk, taken)]
        taken.update(chunk.id for chunk in joined)
        starts = [hit.start, *(chunk.start for chunk in joined)]
        ends = [hit.end, *(chunk.end for chunk in joined)]
        spans.append((min(starts), max(ends)))
    return spans


def _is_neighbour(hit: Chunk, other: Chunk, taken: Collection[str]) -> bool:
    return (
        abs(other.ordinal - hit.ordinal) == 1
        and (other.document_id, other.page_ordinal) == (hit.document_id, hit.page_ordinal)
        and other.headings == hit.headings
        and other.id not in taken
    )
