"""Texts read with other words for the same: "fee" where a question asks for the cost (pure)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from core.text.terms import content_keys

LESS = 0.8
"""What a word counts that only means the same."""
MARK = "~"
"""What stands before a key of the question for which a text has another word."""

ReadAs = Callable[[Collection[str]], set[str]]
"""The keys of a text with those of the question for which it has other words, marked."""


def reading(also: Iterable[tuple[str, Collection[str]]]) -> ReadAs:
    """Return how texts are read for a question with these other words for some of its words.

    A phrase counts where all of its words stand in the text.

    >>> read = reading([("cost", ("fee", "price list"))])
    >>> sorted(read({"fee", "year"})), sorted(read({"price"}))
    (['fee', 'year', '~cost'], ['price'])
    """
    pairs = [
        (frozenset(content_keys(other)), tuple(MARK + key for key in content_keys(word)))
        for word, others in also
        for other in others
    ]
    pairs = [(needed, meant) for needed, meant in pairs if needed]

    def read(keys: Collection[str]) -> set[str]:
        found = set(keys)
        return found.union(*(meant for needed, meant in pairs if needed <= found))

    return read


def share(weights: Mapping[str, float], found: Collection[str]) -> float:
    """Return the share of the weights of keys that were found, less for those found by others."""
    total = sum(weights.values())
    if not total:
        return 0.0
    return sum(weight * _found(key, found) for key, weight in weights.items()) / total


def _found(key: str, found: Collection[str]) -> float:
    if key in found:
        return 1.0
    return LESS if MARK + key in found else 0.0
