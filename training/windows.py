"""Whole sentences of a text that are short enough to be read with a question (pure)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from core.text.sentences import split_sentences

Span = tuple[int, int]

LONGEST = 480
"""Characters of a window: with a question about 128 tokens."""
SHORTEST = 240


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[Span, ...]:
    """The places of the sentences of a text; the whole text where it has none."""
    pieces = tuple((piece.start, piece.end) for piece in split_sentences(text))
    return pieces or ((0, len(text)),)


def around(text: str, place: Span, chance: random.Random | None = None) -> tuple[str, Span]:
    """A window that holds `place`, and where `place` stands in it.

    With `chance`, length and position vary, so that no place in a window is the likely one.
    """
    pieces = sentences_of(text)
    longest = LONGEST if chance is None else chance.randint(SHORTEST, LONGEST)
    inside = [at for at, (a, b) in enumerate(pieces) if a < place[1] and place[0] < b]
    first, last = (inside[0], inside[-1]) if inside else (0, len(pieces) - 1)
    start, end = min(pieces[first][0], place[0]), max(pieces[last][1], place[1])
    while True:
        before = pieces[first - 1][0] if first else None
        after = pieces[last + 1][1] if last + 1 < len(pieces) else None
        fits = [
            side
            for side, length in (
                ("before", None if before is None else end - before),
                ("after", None if after is None else after - start),
            )
            if length is not None and length <= longest
        ]
        if not fits:
            break
        side = fits[0] if chance is None or len(fits) == 1 else chance.choice(fits)
        if side == "before":
            first, start = first - 1, pieces[first - 1][0]
        else:
            last, end = last + 1, pieces[last + 1][1]
    if end - start > 2 * LONGEST:  # a text without sentences
        start = max(start, place[0] - LONGEST // 2)
        end = min(end, max(place[1], start + LONGEST))
    return text[start:end], (place[0] - start, place[1] - start)


def windows(text: str) -> Iterator[Span]:
    """Windows of whole sentences that cover a text; neighbours share a sentence where it is short.

    >>> list(windows("One. Two."))
    [(0, 9)]
    """
    pieces = sentences_of(text)
    first = 0
    while first < len(pieces):
        last = first
        while last + 1 < len(pieces) and pieces[last + 1][1] - pieces[first][0] <= LONGEST:
            last += 1
        yield pieces[first][0], pieces[last][1]
        if last + 1 == len(pieces):
            return
        shared = last > first and pieces[last][1] - pieces[last][0] < LONGEST // 3
        first = last if shared else last + 1
