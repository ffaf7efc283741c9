"""Which passages say the same as a better one (pure): copies, versions of a document, headers.

Two passages say the same if nearly all runs of three words of the later one stand in the earlier
one, and the words that differ are neither figures nor negations nor names. Lines that run along
the edges of the pages ("Draft of 3 May, page 7") do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.answering.language import NEGATIONS

NEARLY = 0.9
"""Of the runs of three words that a passage holds, the share that an earlier one must hold."""

_WORTH_A_LOOK = 0.5  # the share below which other headers and footers are not the reason
_EDGE = 2  # lines at the top and at the bottom of a page
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")

Run = tuple[str, ...]
Bare = Callable[[int], str]
"""Given the position of a text: the text without the lines that run along the edges of pages."""


@dataclass(frozen=True)
class _Said:
    """The words of a text as they are written, and in lower case as runs of three, in order."""

    written: tuple[str, ...]

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        words = tuple(word.lower() for word in self.written)
        return tuple(zip(words, words[1:], words[2:], strict=False)) if words[2:] else (words,)

    @cached_property
    def known(self) -> frozenset[Run]:
        return frozenset(self.runs)

    def shared(self, other: _Said) -> list[bool]:
        """For each word whether it is in a run that the other has."""
        found = [False] * len(self.written)
        for at, run in enumerate(self.runs):
            if run in other.known:
                found[at : at + len(run)] = [True] * len(run)
        return found


def repeats(texts: Sequence[str], bare: Bare | None = None) -> list[int | None]:
    """For each text the position of an earlier one that says the same, None if there is none.

    `bare` is asked only for texts that have enough in common.

    >>> repeats(["One and two, and three.", "It is new.", "one and two and three"])
    [None, None, 0]
    """
    said = [_said(text) for text in texts]
    without: dict[int, _Said] = {}
    firsts: dict[Run, list[int]] = {}
    found: list[int | None] = []

    def bared(position: int) -> _Said:
        if position not in without:
            assert bare is not None
            without[position] = _said(bare(position))
        return without[position]

    def says(first: int, second: int) -> bool:
        if _covers(said[first], said[second]):
            return True
        return bare is not None and _covers(bared(first), bared(second))

    for position, own in enumerate(said):
        shared = Counter(first for run in own.known for first in firsts.get(run, ()))
        likely = (p for p in sorted(shared) if shared[p] >= _WORTH_A_LOOK * len(own.known))
        found.append(next((first for first in likely if says(first, position)), None))
        if found[-1] is None:
            for run in own.known:
                firsts.setdefault(run, []).append(position)
    return found


def _said(text: str) -> _Said:
    return _Said(tuple(_WORD.findall(text)))


def _covers(first: _Said, second: _Said) -> bool:
    """Whether the second says nothing that the first does not say, and the first no other thing.

    What the first holds before and after the shared part may be anything.
    """
    if first.runs == second.runs:
        return True
    if len(first.known & second.known) < NEARLY * len(second.known):
        return False
    in_first, in_second = first.shared(second), second.shared(first)
    begin, end = in_first.index(True), len(in_first) - in_first[::-1].index(True)
    within = zip(first.written[begin:end], in_first[begin:end], strict=True)
    differing = [*within, *zip(second.written, in_second, strict=True)]
    return not any(_matters(word) for word, shared in differing if not shared)


def _matters(word: str) -> bool:
    """Whether a word is a figure, a negation, or may be a name."""
    return word[:1].isupper() or word in NEGATIONS or any(map(str.isdigit, word))


# ------------------------------------------------------------------------------------- the edges


def without_edges(text: str, page: str, beside: Iterable[str]) -> str:
    """A text of a page without the page's running header and footer.

    A line at the top or the bottom of the page runs if one at the same edge of a page `beside` it
    is the same but for its digits.

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
