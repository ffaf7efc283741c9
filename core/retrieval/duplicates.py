"""Find passages that repeat a better one (pure): copies, versions of a document, headers.

A passage repeats an earlier one if nearly all of its runs of three words are in that one, and
the words that differ are neither figures nor negations nor names. Running headers and footers
("Draft of 3 May, page 7") do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text.word_lists import NEGATIONS

NEARLY = 0.9
"""The share of a passage's runs of three words that an earlier one must contain."""

_WORTH_A_LOOK = 0.75  # below this share, headers and footers do not explain the difference
_ALIKE = 0.7  # cosine: less similar passages do not repeat each other
_EDGE = 2  # lines at the top and at the bottom of a page
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")

Vectors = NDArray[np.float32]
Run = tuple[str, ...]
Bare = Callable[[int], str]
"""Returns the text at a position without the running header and footer of its page."""


@dataclass(frozen=True)
class _Said:
    """The words of a text in lower case, as runs of three."""

    text: str
    words: list[str]
    known: frozenset[Run]

    def runs(self) -> list[Run]:
        """The runs in order; a text of fewer than three words is one run."""
        words = self.words
        return list(zip(words, words[1:], words[2:], strict=False)) if words[2:] else [(*words,)]

    def differing(self, other: _Said) -> list[tuple[str, bool]]:
        """Return each word as written, and whether it is only in runs that `other` lacks."""
        alone = [True] * len(self.words)
        for at, run in enumerate(self.runs()):
            if run in other.known:
                alone[at : at + len(run)] = [False] * len(run)
        written = _WORD.findall(self.text)
        same = len(written) == len(alone)  # a few letters become two characters in lower case
        return list(zip(written if same else self.words, alone, strict=True))


def repeats(
    texts: Sequence[str], vectors: Vectors | None = None, bare: Bare | None = None
) -> list[int | None]:
    """Return for each text the position of an earlier one that it repeats, or None.

    `vectors` (n, dimension), rows of length 1, save comparing texts that are not similar. `bare`
    is called only for texts that have enough in common.

    >>> repeats(["One and two, and three.", "It is new.", "one and two and three"])
    [None, None, 0]
    """
    alike = None if vectors is None else vectors @ vectors.T >= _ALIKE
    said: dict[int, _Said] = {}
    without: dict[int, _Said] = {}
    found: list[int | None] = []

    def known(position: int) -> _Said:
        if position not in said:
            said[position] = _said(texts[position])
        return said[position]

    def bared(position: int) -> _Said:
        if position not in without:
            assert bare is not None
            without[position] = _said(bare(position))
        return without[position]

    def says(first: int, second: int) -> bool:
        if alike is not None and not alike[first, second]:
            return False
        earlier, own = known(first), known(second)
        shared = len(earlier.known & own.known)
        if shared < _WORTH_A_LOOK * len(own.known):
            return False
        if shared >= NEARLY * len(own.known) and _covers(earlier, own):
            return True
        return bare is not None and _covers(bared(first), bared(second))

    for position in range(len(texts)):
        firsts = (first for first in range(position) if found[first] is None)
        found.append(next((first for first in firsts if says(first, position)), None))
    return found


def _said(text: str) -> _Said:
    words = _WORD.findall(text.lower())
    runs = zip(words, words[1:], words[2:], strict=False) if words[2:] else [(*words,)]
    return _Said(text, words, frozenset(runs))


def _covers(first: _Said, second: _Said) -> bool:
    """Whether the second repeats the first, and the first has no other content in the shared part.

    The first may hold anything before and after the shared part.
    """
    if first.words == second.words:
        return True
    if len(first.known & second.known) < NEARLY * len(second.known):
        return False
    words, own = first.differing(second), second.differing(first)
    shared = [at for at, (_, alone) in enumerate(words) if not alone]
    within = words[shared[0] : shared[-1] + 1]
    return not any(alone and _matters(word) for word, alone in (*within, *own))


def _matters(word: str) -> bool:
    """Whether a word is a figure or a negation, or may be a name."""
    return word[:1].isupper() or word in NEGATIONS or any(map(str.isdigit, word))


# ------------------------------------------------------------------------------------- the edges


def without_edges(text: str, page: str, beside: Iterable[str]) -> str:
    """Return a text of a page without the page's running header and footer.

    A line at the top or bottom is one if a page `beside` has the same line there, apart from
    digits.

    >>> without_edges("Draft, page 2\\nCats purr.", "Draft, page 2\\nCats purr.", ["Draft, page 1"])
    'Cats purr.'
    """
    own, others = _edges(page), [_edges(other) for other in beside]
    running = {
        line
        for edge, lines in enumerate(own)
        for line in lines
        if any(_masked(line) in map(_masked, other[edge]) for other in others)
    }
    lines = text.splitlines()
    return "\n".join(line for line in lines if line.strip() not in running) if running else text


def _edges(page: str) -> tuple[list[str], list[str]]:
    lines = [line.strip() for line in page.splitlines() if line.strip()]
    return lines[:_EDGE], lines[-_EDGE:]


def _masked(line: str) -> str:
    return _DIGITS.sub("#", line.lower())
