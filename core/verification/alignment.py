"""A statement laid beside a source's sentence, word by word: what stands in another's place (pure).

"The trains call at Inverness, Darlington and York" has every word of a passage that says so of
Durham and names Inverness elsewhere. Only the order of the words tells that one name was put for
another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.text.terms import Term, fold, folded_words
from core.text.word_lists import NEGATIONS

_NEGATIONS = folded_words(*NEGATIONS)
_BESIDE = 3
"""Words to each side that are compared."""
_NEAR = 5
"""Words to each side in a source among which they are looked for."""
_LONGEST = 6
"""Words of a run that still counts as one thing put for another."""
_LONGEST_WITH_NOT = 3
_FUNCTION_WORD = 0.3
"""What a function word weighs beside a word of content."""
_LEAST = 1.5
NOT = "not"


@dataclass(frozen=True, slots=True)
class Laid:
    """The words of a sentence in order: keys, kinds ("name", "number", "word", "stop"), forms."""

    keys: tuple[str, ...]
    kinds: tuple[str, ...]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Words of a statement, in order, that stand for words of a source's.

    `sure` is how well the words beside it fit, 0 to 1, less how well they fit where the source has
    the run itself.
    """

    kind: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    sure: float


def lay(found: Sequence[Term]) -> Laid:
    """Read the terms of a sentence in order; a negation is a kind of its own."""
    kinds = tuple(NOT if _denies(term) else term.kind for term in found)
    keys = tuple(NOT if _denies(term) else term.key for term in found)
    return Laid(keys, kinds, tuple(term.form for term in found))


def exchanges(
    ours: Laid, near: Sequence[Laid], everywhere: Sequence[Laid], asked: Collection[str] = ()
) -> Iterator[Exchange]:
    """What `ours` has in another's place in one of the sentences `near`, of all `everywhere`.

    Names and numbers of `asked` may stand anywhere.
    """
    for theirs in near:
        codes = SequenceMatcher(None, ours.keys, theirs.keys, autojunk=False).get_opcodes()
        for at, (what, i, j, k, m) in enumerate(codes):
            if what == "equal" or max(j - i, m - k) > _LONGEST:
                continue
            kind = _kind(ours, theirs, (i, j), (k, m), asked)
            if not kind or (kind == NOT and max(j - i, m - k) > _LONGEST_WITH_NOT):
                continue
            before = min(_BESIDE, codes[at - 1][2] - codes[at - 1][1]) if at else 0
            after = min(_BESIDE, codes[at + 1][2] - codes[at + 1][1]) if at + 1 < len(codes) else 0
            fit = (_weight(ours, i - before, i) + _weight(ours, j, j + after)) / _room(ours, i, j)
            home = _at_home(ours, i, j, kind, theirs.keys[k:m], everywhere)
            if fit > home:
                yield Exchange(kind, ours.forms[i:j], theirs.forms[k:m], fit - home)


def _weight(laid: Laid, start: int, end: int) -> float:
    kinds = laid.kinds[max(0, start) : end]
    return sum(_FUNCTION_WORD if kind == "stop" else 1.0 for kind in kinds)


def _room(laid: Laid, start: int, end: int) -> float:
    return max(_LEAST, _weight(laid, start - _BESIDE, start) + _weight(laid, end, end + _BESIDE))


def _at_home(
    ours: Laid, i: int, j: int, kind: str, theirs: Collection[str], everywhere: Sequence[Laid]
) -> float:
    """How well the words beside `ours[i:j]` fit where a source has it itself."""
    if kind == NOT and NOT not in ours.keys[i:j]:
        run = ours.keys[max(0, i - 2) : j + 2]
        return float(any(run in _runs(one, len(run)) for one in everywhere))
    places = (*range(max(0, i - _BESIDE), i), *range(j, min(len(ours.keys), j + _BESIDE)))
    weights = {ours.keys[at]: _weight(ours, at, at + 1) for at in places}
    own = [
        ours.keys[at]
        for at in range(i, j)
        if ours.kinds[at] == kind and ours.keys[at] not in theirs
    ]
    best = [max((_beside(key, weights, one) for one in everywhere), default=0.0) for key in own]
    return min(best, default=0.0) / _room(ours, i, j)


def _runs(laid: Laid, length: int) -> Iterator[tuple[str, ...]]:
    return (laid.keys[at : at + length] for at in range(len(laid.keys)))


def _beside(key: str, weights: Mapping[str, float], there: Laid) -> float:
    """The weight of the words that stand near `key` in a sentence, at its best place."""
    found = [0.0]
    for at, other in enumerate(there.keys):
        if other == key:
            window = there.keys[max(0, at - _NEAR) : at + _NEAR + 1]
            found.append(sum(weight for word, weight in weights.items() if word in window))
    return max(found)


def _kind(
    ours: Laid,
    theirs: Laid,
    mine: tuple[int, int],
    other: tuple[int, int],
    asked: Collection[str],
) -> str:
    """What was exchanged; "" where the two runs say nothing different."""
    my = dict(zip(ours.keys[slice(*mine)], ours.kinds[slice(*mine)], strict=True))
    their = dict(zip(theirs.keys[slice(*other)], theirs.kinds[slice(*other)], strict=True))
    if (NOT in my) != (NOT in their):
        return NOT
    own = {key: kind for key, kind in my.items() if key not in their and key not in asked}
    foreign = {key: kind for key, kind in their.items() if key not in my}
    for kind in ("number", "name"):
        if _only(own, kind) and _only(foreign, kind):
            return kind
    return ""


def _only(kinds: Mapping[str, str], kind: str) -> bool:
    """Whether all words of content are of a kind: names for names, numbers for numbers."""
    return {one for one in kinds.values() if one not in ("stop", NOT)} == {kind}


def _denies(term: Term) -> bool:
    return fold(term.form) in _NEGATIONS or term.form.lower().endswith(("n't", "n\u2019t"))
