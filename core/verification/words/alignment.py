"""A statement laid beside a source's sentence, word by word: what stands in another's place (pure).

"The trains call at Inverness, Darlington and York" has every word of a passage that says so of
Durham and names Inverness elsewhere. Only the order of the words tells that one name was put for
another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from core.text.terms import Term, folded_words, stem
from core.text.word_lists import BOTH_WAYS
from core.verification.words.negation import denies

_BESIDE = 3
"""Words to each side that are compared."""
_NEAR = 5
"""Words to each side in a source among which they are looked for."""
_LONGEST = 6
"""Words of a run that still counts as one thing put for another."""
_LONGEST_WITH_NOT = 3
_LONGEST_NAME = 4
"""Words of a name that changes places with another."""
_FUNCTION_WORD = 0.3
"""What a function word weighs beside a word of content."""
_LEAST = 1.5
_BOTH_WAYS = {stem(word) for word in BOTH_WAYS}
_ONE_WAY = folded_words(
    "by to from than over against under von durch an gegen über unter als par de"
)
"""Function words whose two sides do not change places: "given to Moses by God"."""
_ADVERB = re.compile(r"[^\W\d_]{2,}(?:al|nt|st|us|ar|ive|ate|ed|ck|rt|ib|ab|ain|mer|per)ly", re.I)
"""A word that opens a sentence and is no name before one: "Normally Tyke ..."."""
_ASIDE = re.compile(r"\bfor\s+(?:example|instance)$|\bzum\s+Beispiel$", re.I)
"""What is said beside: "Ruby, for example, is a language"."""
NOT = "not"
OPENER = "opener"
"""The kind of a capitalised word that opens a sentence: a name, or any other word."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The words of a sentence in order: keys, kinds, forms.

    Kinds are "name", "number", "word", "stop", `NOT` and `OPENER`.
    """

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


def lay(found: Sequence[Term], text: str, denying: Collection[str] = ()) -> Laid:
    """Read the terms of a sentence `text` in order; a negation is a kind of its own.

    The keys of `denying` are negations too.
    """
    found = [term for term in found if not _ASIDE.search(text, 0, term.end)]
    negations = [
        (denies(term, text) and text[term.end : term.end + 1] != "-") or term.key in denying
        for term in found  # "non-consecutive" is one word
    ]
    kinds = [NOT if no else term.kind for no, term in zip(negations, found, strict=True)]
    keys = tuple(NOT if no else term.key for no, term in zip(negations, found, strict=True))
    if found and kinds[0] == "word" and found[0].form[0].isupper():
        kinds[0] = "word" if _ADVERB.fullmatch(found[0].form) else OPENER
        if kinds[0] == OPENER and kinds[1:2] == ["name"] and found[1].start == found[0].end + 1:
            kinds[0] = "name"  # "Karl Huber"
    return Laid(keys, tuple(kinds), tuple(term.form for term in found))


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
            kind, mine = _kind(ours, theirs, (i, j), (k, m), asked)
            if kind == "name" and not _are_names(ours, mine, everywhere):
                continue
            if not kind or (kind == NOT and max(j - i, m - k) > _LONGEST_WITH_NOT):
                continue
            if kind == NOT and _both_deny(ours, theirs):
                continue
            before = min(_BESIDE, codes[at - 1][2] - codes[at - 1][1]) if at else 0
            after = min(_BESIDE, codes[at + 1][2] - codes[at + 1][1]) if at + 1 < len(codes) else 0
            fit = (_weight(ours, i - before, i) + _weight(ours, j, j + after)) / _room(ours, i, j)
            home = _at_home(ours, i, j, kind, mine, everywhere)
            if fit > home:
                said = tuple(ours.forms[at] for at in mine) or ours.forms[i:j]
                yield Exchange(kind, said, theirs.forms[k:m], fit - home)
    yield from _crossed(ours, near, everywhere)


def _crossed(ours: Laid, near: Sequence[Laid], everywhere: Sequence[Laid]) -> Iterator[Exchange]:
    """Two names, or two numbers, that change places around the same words of content.

    "Anna Meyer advised Karl Huber" has every word of "Karl Huber advised Anna Meyer", and each
    name stands near the other in both. What only "and" joins, or a verb that holds both ways
    ("married", "borders"), may stand in any order.
    """
    theirs = [_joined(one.keys) for one in near]
    for kind, other in (("name", OPENER), ("number", "number")):
        places = [at for at, one in enumerate(ours.kinds) if one in (kind, other)]
        runs = [
            (start, end)
            for start in places
            for end in range(start + 1, start + 1 + _LONGEST_NAME)
            if {*range(start, end)} <= {*places}
        ]
        for (i, j), (k, m) in combinations(runs, 2):
            between = {
                word
                for word, what in zip(ours.keys[j:k], ours.kinds[j:k], strict=True)
                if what == "word"
            }
            has_ways = not between and {*ours.keys[j:k]} & _ONE_WAY
            if (between <= _BOTH_WAYS and not has_ways) or ours.keys[i:j] == ours.keys[k:m]:
                continue
            turned = _joined((*ours.keys[k:m], *ours.keys[j:k], *ours.keys[i:j]))
            if any(turned in one for one in theirs) and not any(
                _joined(ours.keys[i:m]) in _joined(one.keys) for one in everywhere
            ):
                said, found = " ".join(ours.forms[i:j]), " ".join(ours.forms[k:m])
                yield Exchange(kind, (said, "…", found), (found, "…", said), 1.0)
                break


def _both_deny(ours: Laid, theirs: Laid) -> bool:
    """Whether both have as many negations, each about a word that one of the other's is about."""
    mine, their = _denied(ours), _denied(theirs)
    return len(mine) == len(their) > 0 and all(any(one & other for other in their) for one in mine)


def _denied(laid: Laid) -> list[set[str]]:
    """For each negation the words of content near it."""
    return [
        {
            key
            for key, kind in zip(laid.keys, laid.kinds, strict=True)
            if kind not in ("stop", NOT)
        }.intersection(laid.keys[max(0, at - _NEAR) : at + _NEAR + 1])
        for at, key in enumerate(laid.keys)
        if key == NOT
    ]


def _joined(keys: Sequence[str]) -> str:
    return f" {' '.join(keys)} "


def _weight(laid: Laid, start: int, end: int) -> float:
    kinds = laid.kinds[max(0, start) : end]
    return sum(_FUNCTION_WORD if kind == "stop" else 1.0 for kind in kinds)


def _room(laid: Laid, start: int, end: int) -> float:
    return max(_LEAST, _weight(laid, start - _BESIDE, start) + _weight(laid, end, end + _BESIDE))


def _at_home(
    ours: Laid, i: int, j: int, kind: str, mine: Sequence[int], everywhere: Sequence[Laid]
) -> float:
    """How well the words beside `ours[i:j]` fit where a source has the words `mine` of it."""
    if kind == NOT and NOT not in ours.keys[i:j]:
        run = ours.keys[max(0, i - 2) : j + 2]
        return float(any(run in _runs(one, len(run)) for one in everywhere))
    places = (*range(max(0, i - _BESIDE), i), *range(j, min(len(ours.keys), j + _BESIDE)))
    weights = {ours.keys[at]: _weight(ours, at, at + 1) for at in places}
    best = [
        max((_beside(ours.keys[at], weights, one) for one in everywhere), default=0.0)
        for at in mine
    ]
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
) -> tuple[str, list[int]]:
    """What was exchanged, and which of our words; "" where the two runs say nothing different."""
    my, their = ours.keys[slice(*mine)], theirs.keys[slice(*other)]
    if (NOT in my) != (NOT in their):
        return NOT, [at for at in range(*mine) if ours.keys[at] == NOT]
    own = [at for at in range(*mine) if ours.keys[at] not in (*their, *asked)]
    foreign = [at for at in range(*other) if theirs.keys[at] not in my]
    for kind in ("number", "name"):
        if _only([ours.kinds[at] for at in own], kind) and _only(
            [theirs.kinds[at] for at in foreign], kind
        ):
            return kind, [at for at in own if ours.kinds[at] not in ("stop", NOT)]
    return "", []


def _only(kinds: Sequence[str], kind: str) -> bool:
    """Whether all words of content are of a kind: names for names, numbers for numbers."""
    found = {one for one in kinds if one not in ("stop", NOT)}
    return bool(found) and found <= {kind, *((OPENER,) if kind == "name" else ())}


def _are_names(ours: Laid, mine: Sequence[int], everywhere: Sequence[Laid]) -> bool:
    """Whether a word that opens the statement counts as a name: the source has it, capitalised."""
    openers = [ours.keys[at] for at in mine if ours.kinds[at] == OPENER]
    forms = [
        form for one in everywhere for key, form in zip(one.keys, one.forms, strict=True)
        if key in openers
    ]  # fmt: skip
    return not openers or (bool(forms) and all(form[0].isupper() for form in forms))
