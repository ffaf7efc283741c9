"""Comparing a statement with a passage by words: what is covered, what is missing (pure).

A number or a name counts as supported only in connection: where it stands in the passage, the
statement's other words must stand too. So a figure taken from another line is detected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.text.markdown_quoting import collapse
from core.text.sentences import split_sentences
from core.text.terms import Term, fold, terms
from core.text.word_lists import NUMBER_VALUES, SCALES
from core.verification.contradiction import denied, negation_differs, opposite

WEIGHTS: dict[str, float] = {
    "coverage": 1.14,
    "coverage_best": -0.86,
    "coverage_near": -0.54,
    "cosine": 3.62,
    "words_missing": -2.68,
    "number_missing": 0.00,
    "number_connection": 1.82,
    "names_missing": -2.18,
    "name_connection": 0.47,
    "name_swapped": -5.97,
    "number_swapped": -8.47,
    "negation": -4.22,
    "negation_alone": -2.18,
    "opposite": -1.10,
    "first_missing": -0.18,
}
SIGNALS = tuple(WEIGHTS)
"""The signals of a statement and its passage, all 0 to 1."""
BIAS = 0.53

_SCALES_FOLDED = frozenset(fold(word) for word in SCALES)
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_FEWEST_FUNCTION_WORDS = 4
_MOST_BEST = 3
_MATCHING = 0.4
"""The share of the statement's terms from which a sentence is about the same."""
_FAR = 0.34
"""Below this connection a number stands in the source, but for something else."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence of a source: its text, and the keys of its terms, of its names, its numbers."""

    text: str
    keys: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A source's passage, read once. `everything` has its keys with those of what is around it,
    `words` its function words."""

    number: int
    text: str
    sentences: tuple[ReadSentence, ...]
    everything: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing a statement with passages.

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
    """Read a passage; `around` is its metadata (title, headings, address)."""
    sentences = tuple(_read(piece.text) for piece in split_sentences(text))
    everything = frozenset(_facts(terms(around))).union(*(one.keys for one in sentences))
    words = frozenset(term.key for term in terms(text) if term.kind == "stop")
    return Passage(number, collapse(text), sentences, everything, words)


def _read(sentence: str) -> ReadSentence:
    found = terms(sentence)
    return ReadSentence(
        sentence,
        frozenset(_facts(found)),
        frozenset(term.key for term in found if term.kind == "name"),
        frozenset(_fact(term) for term in found if _is_number(_fact(term), term)),
    )


def compare(words: str, passages: Sequence[Passage], asked: Collection[str] = ()) -> Comparison:
    """Compare `words` with all passages; terms whose keys are in `asked` need no source."""
    found = [term for term in terms(words) if term.kind != "stop"]
    everything = frozenset().union(*(passage.everything for passage in passages))
    sentences = [sentence for passage in passages for sentence in passage.sentences]
    wanted = _wanted(found, everything, words, asked)
    numbers = [key for key, term in wanted.items() if _is_number(key, term)]
    names = [key for key, term in wanted.items() if term.kind == "name" and key not in numbers]
    plain = [key for key, term in wanted.items() if term.kind == "word" and key not in numbers]
    no_numbers = [key for key in numbers if key not in everything]
    no_names = [key for key in names if key not in everything]
    connections = {key: _connection(key, wanted, sentences) for key in {*numbers, *names}}
    far = [key for key in numbers if connections[key] < _FAR and key in everything]

    covering = sorted(sentences, key=lambda sentence: -_share(wanted, sentence.keys))[:_MOST_BEST]
    near = frozenset().union(*(sentence.keys for sentence in covering))
    best = tuple(sentence.text for sentence in covering)
    matching = [one.text for one in covering if _share(wanted, one.keys) > _MATCHING]
    negated = bool(matching) and negation_differs(words, matching)
    opposites = opposite(words, best[:1])

    def loosest(keys: Sequence[str]) -> float:
        return 1 - min((connections[key] for key in keys if key in everything), default=1.0)

    signals = {
        "coverage": _share(wanted, everything),
        "coverage_best": _share(wanted, covering[0].keys) if covering else 0.0,
        "coverage_near": _share(wanted, near),
        "words_missing": 1 - _share(plain, everything) if plain else 0.0,
        "number_missing": float(bool(no_numbers)),
        "number_connection": loosest(numbers),
        "names_missing": len(no_names) / len(names) if names else 0.0,
        "name_connection": loosest(names),
        "name_swapped": _swapped(names, wanted, [(one.keys, one.names) for one in sentences]),
        "number_swapped": _swapped(numbers, wanted, [(one.keys, one.numbers) for one in sentences]),
        "negation": float(negated),
        "negation_alone": float(bool(denied(words)) and not any(map(denied, best))),
        "opposite": float(opposites is not None),
        "first_missing": float(bool(found) and _fact(found[0]) not in everything),
    }
    return Comparison(
        signals,
        best,
        tuple(wanted[key].form for key in no_numbers),
        tuple(wanted[key].form for key in far),
        tuple(wanted[key].form for key in no_names),
        negated,
        opposites,
        _other_language(words, passages),
    )


def _wanted(
    found: Sequence[Term], everything: Collection[str], words: str, asked: Collection[str]
) -> dict[str, Term]:
    """The facts that need a source, by the key under which a source of `everything` has them."""
    facts = {_fact(term): term for term in found}
    wanted = {}
    for key, term in facts.items():
        if key in asked:
            continue
        if _is_number(key, term) and key not in everything:
            key = _rounded_from(key, everything, words) or key
        wanted[key] = term
    return wanted or facts


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


def _connection(key: str, wanted: Collection[str], sentences: Sequence[ReadSentence]) -> float:
    """The share of the statement's other terms that stand with `key`, at its best place.

    The sentences before and after count half.
    """
    others = [other for other in wanted if other != key]
    if not others:
        return 1.0
    best = 0.0
    for at, sentence in enumerate(sentences):
        if key in sentence.keys:
            beside = [*sentences[max(0, at - 1) : at], *sentences[at + 1 : at + 2]]
            around = frozenset().union(*(other.keys for other in beside))
            both = (1.0 if other in sentence.keys else 0.5 * (other in around) for other in others)
            best = max(best, sum(both) / len(others))
    return best


def _swapped(
    ours: Sequence[str],
    wanted: Collection[str],
    theirs: Sequence[tuple[frozenset[str], frozenset[str]]],
) -> float:
    """How surely another name (or number) stands in the source where one of `ours` stands.

    `theirs` are the keys of each sentence, and those of this kind among them. It is the share of
    the statement's other terms in a sentence that lacks the one and has another of its kind
    instead; less what the best sentence with the one itself has.
    """
    surest = 0.0
    for key in ours:
        others = [other for other in wanted if other != key]
        if len(others) < 2:
            continue
        without = (
            _share(others, keys) for keys, kind in theirs if key not in keys and kind - set(wanted)
        )
        with_it = (_share(others, keys) for keys, _ in theirs if key in keys)
        surest = max(surest, max(without, default=0.0) - max(with_it, default=0.0))
    return surest


def _rounded_from(key: str, there: Collection[str], words: str) -> str:
    """The number of the passage that `key` is when rounded (1,577 million: 1.6 billion), or ""."""
    scaled = any(fold(term.form) in _SCALES_FOLDED for term in terms(words))
    factors = (1e-9, 1e-6, 1e-3, 1.0, 1e3) if scaled else (1.0,)
    digits = len(key.replace(".", "").strip("0"))
    for other in there:
        if not _DECIMAL.fullmatch(other) or len(other.replace(".", "").strip("0")) <= digits:
            continue
        if digits > 1 and any(_rounds_to(float(other) * f, float(key), key) for f in factors):
            return other
    return ""


def _rounds_to(exact: float, rounded: float, key: str) -> bool:
    places = len(key.partition(".")[2])
    if places:
        return abs(round(exact, places) - rounded) < 1e-9
    zeros = len(key) - len(key.rstrip("0"))
    return abs(round(exact, -zeros) - rounded) < 1e-9


def _other_language(words: str, passages: Sequence[Passage]) -> bool:
    """Whether none of the statement's function words occurs in the passages."""
    function = {term.key for term in terms(words) if term.kind == "stop"}
    if len(function) < _FEWEST_FUNCTION_WORDS:
        return False
    return not any(function & passage.words for passage in passages)
