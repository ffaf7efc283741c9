"""A statement held against a passage, by words: what is covered, what is missing (pure).

A number or a name counts as supported only in connection: where it stands in the passage, the
statement's other words must stand too. So a figure that was taken from another line is seen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.answering.language import NEGATIONS, NUMBER_VALUES, OPPOSITES, SCALES
from core.answering.quoting import collapse
from core.answering.sentences import split_sentences
from core.answering.terms import Term, fold, terms

SIGNALS = (
    "coverage",
    "coverage_best",
    "coverage_near",
    "cosine",
    "words_missing",
    "number_missing",
    "number_connection",
    "names_missing",
    "name_connection",
    "negation",
    "opposite",
    "first_missing",
)
"""What is known of a statement and its passage, all 0 to 1."""

WEIGHTS: dict[str, float] = {
    "coverage": 2.0,
    "coverage_best": 2.0,
    "coverage_near": 1.0,
    "cosine": 3.0,
    "words_missing": -1.0,
    "number_missing": -5.0,
    "number_connection": -2.0,
    "names_missing": -4.0,
    "name_connection": -1.0,
    "negation": -4.0,
    "opposite": -3.0,
    "first_missing": -1.0,
}
BIAS = -3.0

_NOT = re.compile(
    r"n['\u2019]t\b|\bcannot\b|\bun(?:able|likely|known|true)\b|[不没沒無无非未]", re.I
)
_FEWEST_FUNCTION_WORDS = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """A source's passage, read once: its sentences and the keys of their terms."""

    number: int
    text: str
    sentences: tuple[str, ...]
    keys: tuple[frozenset[str], ...]
    everything: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of holding a statement against passages.

    `signals` lacks the cosine until `with_cosine`. `best` are the sentences that cover most of
    the statement, best first. Forms, not keys, stand in the lists of what is missing.
    """

    signals: dict[str, float]
    best: tuple[str, ...]
    missing_numbers: tuple[str, ...] = ()
    far_numbers: tuple[str, ...] = ()
    missing_names: tuple[str, ...] = ()
    negated: bool = False
    opposite: tuple[str, str] | None = None
    other_language: bool = False


def read_passage(number: int, text: str, around: str = "") -> Passage:
    """Read a passage; `around` is what is known of it besides (title, headings, address)."""
    sentences = tuple(piece.text for piece in split_sentences(text))
    keys = tuple(frozenset(_facts(terms(sentence))) for sentence in sentences)
    outside = frozenset(_facts(terms(around)))
    words = frozenset(term.key for term in terms(text) if term.kind == "stop")
    return Passage(number, collapse(text), sentences, keys, outside.union(*keys), words)


def compare(words: str, passages: Sequence[Passage], asked: Collection[str] = ()) -> Comparison:
    """Hold `words` against the passages together; terms whose keys are `asked` need no source."""
    found = [term for term in terms(words) if term.kind != "stop"]
    facts = {key: term for term in found for key in [_fact(term)]}
    wanted = {key: term for key, term in facts.items() if key not in asked} or facts
    everything = frozenset().union(*(passage.everything for passage in passages))
    pairs = [
        pair for passage in passages for pair in zip(passage.sentences, passage.keys, strict=True)
    ]
    covered = [_share(wanted, keys) for _, keys in pairs]
    order = sorted(range(len(pairs)), key=lambda at: -covered[at])[:3]
    best = tuple(pairs[at][0] for at in order)
    near = frozenset().union(*(pairs[at][1] for at in order))
    numbers = [key for key, term in wanted.items() if _is_number(key, term)]
    names = [key for key, term in wanted.items() if term.kind == "name" and key not in numbers]
    no_numbers = [key for key in numbers if not _number_there(key, everything, words)]
    no_names = [key for key in names if key not in everything]
    connections = {
        key: _connection(key, wanted, pairs) for key in (*numbers, *names) if key in everything
    }
    far = [key for key in numbers if connections.get(key, 1.0) < 0.34]
    plain = [key for key, term in wanted.items() if term.kind == "word" and key not in numbers]
    negated = bool(order) and covered[order[0]] > 0.5 and _negated(words) != _negated(best[0])
    opposite = _opposite(words, best[:1])
    signals = {
        "coverage": _share(wanted, everything),
        "coverage_best": covered[order[0]] if order else 0.0,
        "coverage_near": _share(wanted, near),
        "words_missing": 1 - _share(dict.fromkeys(plain), everything) if plain else 0.0,
        "number_missing": float(bool(no_numbers)),
        "number_connection": 1 - min((connections.get(key, 1.0) for key in numbers), default=1.0),
        "names_missing": len(no_names) / len(names) if names else 0.0,
        "name_connection": 1 - min((connections.get(key, 1.0) for key in names), default=1.0),
        "negation": float(negated),
        "opposite": float(opposite is not None),
        "first_missing": float(bool(found) and _fact(found[0]) not in everything),
    }
    return Comparison(
        signals,
        best,
        tuple(facts[key].form for key in no_numbers),
        tuple(facts[key].form for key in far),
        tuple(facts[key].form for key in no_names),
        negated,
        opposite,
        _other_language(words, passages),
    )


def probability(signals: dict[str, float]) -> float:
    """The estimate, 0 to 1, that the passage supports the statement."""
    total = BIAS + sum(WEIGHTS[name] * signals[name] for name in SIGNALS)
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def _fact(term: Term) -> str:
    """The key of a term, with number words as their number."""
    return NUMBER_VALUES.get(fold(term.form), term.key)


def _facts(found: Sequence[Term]) -> set[str]:
    return {_fact(term) for term in found if term.kind != "stop"}


def _is_number(key: str, term: Term) -> bool:
    return term.kind == "number" or key.isdigit()


def _share(wanted: Collection[str], there: Collection[str]) -> float:
    return sum(key in there for key in wanted) / len(wanted) if wanted else 0.0


def _connection(
    key: str, wanted: Collection[str], pairs: Sequence[tuple[str, frozenset[str]]]
) -> float:
    """The share of the statement's other terms that stand with `key`, at its best place.

    The sentences before and after count half.
    """
    others = [other for other in wanted if other != key]
    if not others:
        return 1.0
    best = 0.0
    for at, (_, keys) in enumerate(pairs):
        if key in keys:
            around = frozenset().union(
                *(pairs[i][1] for i in (at - 1, at + 1) if 0 <= i < len(pairs))
            )
            both = (1.0 if other in keys else 0.5 * (other in around) for other in others)
            best = max(best, sum(both) / len(others))
    return best


def _number_there(key: str, there: Collection[str], words: str) -> bool:
    """Whether the number is in the passage: as it is, or rounded (1,577 million: 1.6 billion)."""
    if key in there:
        return True
    scaled = any(term.key in SCALES for term in terms(words))
    digits = key.replace(".", "").strip("0")
    for other in there:
        if not (other[:1].isdigit() and len(other.replace(".", "").strip("0")) > len(digits)):
            continue
        try:
            ours, theirs = float(key), float(other)
        except ValueError:
            continue
        factors = (1e-9, 1e-6, 1e-3, 1.0, 1e3) if scaled else (1.0,)
        if len(digits) > 1 and any(_rounds_to(theirs * factor, ours, key) for factor in factors):
            return True
    return False


def _rounds_to(exact: float, rounded: float, key: str) -> bool:
    places = len(key.partition(".")[2])
    if places:
        return abs(round(exact, places) - rounded) < 1e-9
    zeros = len(key) - len(key.rstrip("0"))
    return abs(round(exact, -zeros) - rounded) < 1e-9


def _negated(sentence: str) -> bool:
    """Whether an odd number of negations stands in the sentence."""
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", sentence)]
    return (sum(word in _NEGATIONS_FOLDED for word in words) + len(_NOT.findall(sentence))) % 2 == 1


def _opposite(words: str, best: Sequence[str]) -> tuple[str, str] | None:
    """A word of the statement whose opposite, but not itself, stands in the best sentence."""
    ours = {fold(word) for word in re.findall(r"[^\W\d_]+", words)}
    theirs = {fold(word) for text in best for word in re.findall(r"[^\W\d_]+", text)}
    for one, other in OPPOSITES:
        for mine, source in ((one, other), (other, one)):
            if mine in ours and source in theirs and mine not in theirs and source not in ours:
                return mine, source
    return None


def _other_language(words: str, passages: Sequence[Passage]) -> bool:
    """Whether none of the statement's function words occurs in the passages."""
    function = {term.key for term in terms(words) if term.kind == "stop"}
    if len(function) < _FEWEST_FUNCTION_WORDS:
        return False
    return not any(function & passage.words for passage in passages)


_NEGATIONS_FOLDED = frozenset(fold(word) for word in NEGATIONS)
