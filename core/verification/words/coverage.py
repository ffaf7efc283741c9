"""How much of a statement's wording stands in a passage, and in which order (pure)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.text.terms import Term, fold

_LONGEST_RUN = 12  # words
_BESIDE = 3
"""Content words to each side of a term that make its surroundings."""
_WINDOW = 6
"""Content words to each side in the passage among which they are looked for."""
_FIRST_PERSON = frozenset(
    "i me my mine we our us i'm i've i'd i'll myself ich mich mir wir".split()
)
_COUNTRY = "US"
"""A word in capitals that is no "us"."""
_SECOND_PERSON = frozenset("you your you're yours".split())


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a passage in order: runs of them, and where each content word stands."""

    words: frozenset[str]
    runs: frozenset[tuple[str, ...]]
    order: tuple[str, ...]
    places: dict[str, tuple[int, ...]]


def read_wording(found: Sequence[Term]) -> Wording:
    """Read the terms of a passage."""
    words = [fold(term.form) for term in found]
    runs = frozenset(
        tuple(words[at : at + length])
        for length in range(2, _LONGEST_RUN)
        for at in range(len(words) - length + 1)
    )
    order = tuple(term.key for term in found if term.kind != "stop")
    places: dict[str, list[int]] = {}
    for at, key in enumerate(order):
        places.setdefault(key, []).append(at)
    return Wording(
        frozenset(words), runs, order, {key: tuple(found) for key, found in places.items()}
    )


def wording_signals(
    found: Sequence[Term], asks: bool, there: Sequence[Wording]
) -> dict[str, float]:
    """What of a statement's terms stands in the passages as it is; all signals 0 to 1.

    `copied` is the share of its words, `pairs_copied` of its pairs of neighbours, `longest_copied`
    of its longest run. `first_person` and `second_person` say that it speaks of a person whom the
    passages do not let speak. `name_moved` and `number_moved` say how few of its surroundings a
    name or a number has in the passages at its best place, `together` how many a term has.
    """
    words = [fold(term.form) for term in found]
    known = frozenset[str]().union(*(one.words for one in there))
    said = [word for word, term in zip(words, found, strict=True) if term.form != _COUNTRY]
    pairs = [tuple(words[at : at + 2]) for at in range(len(words) - 1)]
    content = [term for term in found if term.kind != "stop"]
    near = {kind: _near(content, kind, there) for kind in ("name", "number", "word")}
    every = [share for shares in near.values() for share in shares]
    return {
        "copied": _share(words, known),
        "pairs_copied": sum(_stands(pair, there) for pair in pairs) / len(pairs) if pairs else 0.0,
        "longest_copied": _longest(words, known, there) / len(words) if words else 0.0,
        "first_person": _speaks(said, _FIRST_PERSON, known),
        "second_person": _speaks(said, _SECOND_PERSON, known),
        "asks": float(asks),
        "name_moved": 1 - min(near["name"], default=1.0),
        "number_moved": 1 - min(near["number"], default=1.0),
        "together": sum(every) / len(every) if every else 0.0,
    }


def _stands(run: tuple[str, ...], there: Sequence[Wording]) -> bool:
    return any(run in one.runs for one in there)


def _share(words: Sequence[str], known: Collection[str]) -> float:
    return sum(word in known for word in words) / len(words) if words else 0.0


def _longest(words: Sequence[str], known: Collection[str], there: Sequence[Wording]) -> int:
    """The length of the longest run of the statement that stands in a passage."""
    longest = int(any(word in known for word in words))
    for at in range(len(words)):
        while (
            longest + 1 < _LONGEST_RUN
            and at + longest < len(words)
            and _stands(tuple(words[at : at + longest + 1]), there)
        ):
            longest += 1
    return longest


def _speaks(words: Sequence[str], person: frozenset[str], known: Collection[str]) -> float:
    return float(any(word in person and word not in known for word in words))


def _near(content: Sequence[Term], kind: str, there: Sequence[Wording]) -> list[float]:
    """The share of its surroundings that each term of a kind has at its best place."""
    shares = []
    for at, term in enumerate(content):
        if term.kind != kind:
            continue
        beside = content[max(0, at - _BESIDE) : at + _BESIDE + 1]
        around = [other.key for other in beside if other.key != term.key]
        found = [
            sum(key in one.order[max(0, place - _WINDOW) : place + _WINDOW + 1] for key in around)
            for one in there
            for place in one.places.get(term.key, ())
        ]
        if found:
            shares.append(max(found) / len(around) if around else 1.0)
    return shares
