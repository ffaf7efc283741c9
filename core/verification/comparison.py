"""Comparing a statement with a passage by words: what is covered, what is missing (pure).

A number or a name counts as supported only in connection: where it stands in the passage, the
statement's other words must stand too. So a figure taken from another line is detected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.text.languages import language_of
from core.text.markdown_quoting import collapse
from core.text.place_names import PLACE_OF
from core.text.sentences import split_sentences
from core.text.terms import Term, fold, folded_words, terms
from core.text.word_lists import SCALES
from core.verification.numbers.computing import computed
from core.verification.numbers.quantities import other_quantity, read_keys, read_terms
from core.verification.numbers.tables import Table, columns_above, is_borne_out, tables
from core.verification.numbers.year_tables import year_tables, years_above
from core.verification.words.abbreviations import spelled_otherwise
from core.verification.words.alignment import NOT, Exchange, Laid, exchanges, lay
from core.verification.words.contradiction import (
    denied,
    negation_differs,
    opposite,
    said_otherwise,
    says_no,
)
from core.verification.words.coverage import Wording, read_wording, wording_signals
from core.verification.words.differences import difference

WEIGHTS: dict[str, float] = {
    "coverage": -0.44,
    "coverage_best": -0.73,
    "coverage_near": -0.78,
    "cosine": 3.05,
    "words_missing": 0.03,
    "names_missing": -1.42,
    "number_connection": -0.41,
    "name_connection": -0.40,
    "name_swapped": -2.69,
    "number_swapped": -2.55,
    "negation": -3.06,
    "negation_alone": -2.01,
    "first_missing": -0.48,
    "letters_missing": -1.26,
    "count_missing": -2.17,
    "copied": 1.53,
    "pairs_copied": 0.63,
    "longest_copied": 0.13,
    "first_person": -2.06,
    "second_person": -1.00,
    "asks": -2.24,
    "name_moved": 0.06,
    "number_moved": -1.00,
    "together": 1.08,
    "name_replaced": -5.98,
    "number_replaced": -5.45,
    "not_replaced": -4.38,
}
SIGNALS = tuple(WEIGHTS)
"""The signals of a statement and its passage, all 0 to 1."""
BIAS = -0.38

_SCALES_FOLDED = folded_words(*SCALES)
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_FEWEST_FUNCTION_WORDS = 4
_OF_MANY_LANGUAGES = folded_words("in an was die am so also de no me a as do on la")
"""Function words of English that other languages write alike."""
_ENGLISH = folded_words("the of and that with from has have you they their this would which")
"""Function words of English that other languages do not have."""
_FEWEST_ENGLISH = 2
_FEWEST_TOLD = 2
"""Function words of a language from which a passage is in it: a table may have one by chance."""
_PAST_LATIN = "\u0370"
_MOST_BEST = 3
_MATCHING = 0.4
"""The share of the statement's terms from which a sentence is about the same."""
_MANY_MISSING = 10
_FEW = 2
"""Facts up to which the question's own words tell what a number is about: "The fourth child."."""
_SURELY = 0.5
"""From this on a name or a number is said to stand in another's place."""
_FEWEST_DIGITS = 2
"""Digits of a number that may be another one rounded: 3 is many a number."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
"""What is read as a year, which nobody rounds: 2030 is not 2031."""
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|some|approximately|ca\.?|circa|etwa|rund)\s+\W?$",
    re.I,
)
_FAR = 0.34
"""Below this connection a number stands in the source, but for something else."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence of a source: its text, and the keys of its terms, of its names, its numbers."""

    text: str
    keys: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    laid: Laid


@dataclass(frozen=True, slots=True)
class Passage:
    """A source's passage, read once. `everything` has its keys with those of what is around it,
    `words` its function words, `wording` its words in order."""

    number: int
    text: str
    sentences: tuple[ReadSentence, ...]
    everything: frozenset[str]
    words: frozenset[str]
    wording: Wording

    @property
    def lines(self) -> str:
        """The sentences and the rows of tables, a line each."""
        return "\n".join(sentence.text.replace("\n", " ") for sentence in self.sentences)


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
    other_quantity: tuple[str, str] | None = None
    """A number that the passages have in another unit or sign: ours, theirs."""
    replaced: tuple[str, str] | None = None
    """A name or a number, with the one in whose place it stands: ours, theirs."""
    difference: tuple[str, str] | None = None
    """A word or two that the passages have otherwise of the same thing: ours, theirs."""
    figures_hold: bool = False
    """Whether all numbers stand in the row and columns of a table that are named, or one is in no
    passage, but follows from those that are."""


def read_passage(number: int, text: str, around: str = "") -> Passage:
    """Read a passage; `around` is its metadata (title, headings, address)."""
    texts = [piece.text for piece in split_sentences(text)]
    sentences = tuple(
        _read(one, f"{years} {columns}")
        for one, years, columns in zip(texts, years_above(texts), columns_above(texts), strict=True)
    )
    everything = read_keys(read_terms(around), around).union(*(one.keys for one in sentences))
    found = read_terms(text)
    words = frozenset(term.key for term in found if term.kind == "stop")
    return Passage(number, collapse(text), sentences, everything, words, read_wording(found))


def _read(sentence: str, columns: str) -> ReadSentence:
    """Read a sentence, or a row of a table, which has the names of its `columns` with it."""
    found = read_terms(sentence)
    return ReadSentence(
        sentence,
        read_keys(found, sentence) | read_keys(read_terms(columns), columns),
        frozenset(term.key for term in found if term.kind == "name"),
        frozenset(term.key for term in found if term.kind == "number"),
        lay(found, sentence),
    )


def compare(
    words: str, passages: Sequence[Passage], asked: Collection[str] = (), before: str = ""
) -> Comparison:
    """Compare `words` with all passages; terms whose keys are in `asked` need no source.

    `before` is the statement before it, with whose numbers it may compute.
    """
    said = read_terms(words)
    everything = frozenset().union(*(passage.everything for passage in passages))
    sentences = [sentence for passage in passages for sentence in passage.sentences]
    avoided = said_otherwise(words, [sentence.text for sentence in sentences])
    asked = {*asked, *avoided}
    asked |= spelled_otherwise(lay(said, words), [sentence.laid for sentence in sentences])
    read = [_as_there(term, everything, words) for term in said]
    found = [term for term in read if term.kind != "stop"]
    if language_of(words) == "de":
        found = [_as_in_german(term) for term in found]
    nearest = [
        *_covering([term.key for term in found], sentences),
        *_covering([term.key for term in read_terms(before) if term.kind != "stop"], sentences)[:1],
    ]
    grids = [*_tables(passages)]
    known = {term.key for term, there in zip(said, read, strict=True) if there.key in everything}
    follow = computed(words, [sentence.text for sentence in nearest], known, before, grids)
    asked |= follow
    wanted = _wanted(found, asked)
    around = set(wanted)
    if len(wanted) <= _FEW:
        talk = {term.key for term in found if term.kind == "word"}  # a name may be "she" there
        around |= talk.intersection(asked, everything)
    names = _placed("name", wanted, wanted, sentences, everything)
    numbers = _placed("number", wanted, around, sentences, everything)

    covering = _covering(wanted, sentences)
    near = frozenset().union(*(sentence.keys for sentence in covering))
    best = tuple(sentence.text for sentence in covering)
    matching = [one.text for one in covering if _share(wanted, one.keys) > _MATCHING]
    alike = sum(_share(wanted, one.keys) == _share(wanted, covering[0].keys) for one in covering)
    negated = bool(matching) and negation_differs(words, matching, alike)
    opposites = opposite(words, best[:1])
    exchanged = _exchanged(lay(read, words, avoided), sentences, asked)
    signals = {
        **_missing(wanted, everything),
        **names.signals,
        **numbers.signals,
        "coverage_best": _share(wanted, covering[0].keys) if covering else 0.0,
        "coverage_near": _share(wanted, near),
        "negation": float(negated),
        "negation_alone": float(bool(denied(words)) and not any(map(says_no, best))),
        "first_missing": float(bool(found) and found[0].key not in everything),
        **{
            f"{kind}_replaced": min(1.0, exchanged[kind].sure) if kind in exchanged else 0.0
            for kind in ("name", "number", NOT)
        },
        **wording_signals(read, _asks(words), [passage.wording for passage in passages]),
    }
    return Comparison(
        signals,
        best,
        numbers.missing,
        numbers.far,
        names.missing,
        negated,
        opposites,
        _other_language(words, passages),
        other_quantity(words, [one.text for one in sentences]),
        _replaced(exchanged),
        difference(words, best, [one.text for one in sentences]),
        bool(follow) or is_borne_out({term.key for term in found}, _numbers(wanted), grids),
    )


def _covering(wanted: Collection[str], sentences: Sequence[ReadSentence]) -> list[ReadSentence]:
    """The sentences that cover most of a statement, best first."""
    return sorted(sentences, key=lambda sentence: -_share(wanted, sentence.keys))[:_MOST_BEST]


def _as_in_german(term: Term) -> Term:
    """The term as a word, which a noun with its capital is; a place that is known is a name."""
    is_place = term.key in {*PLACE_OF.values()}
    return replace(term, kind="word") if term.kind == "name" and not is_place else term


def _tables(passages: Sequence[Passage]) -> Iterator[Table]:
    for passage in passages:
        yield from (*year_tables(passage.lines), *tables(passage.lines))


def _numbers(wanted: dict[str, Term]) -> frozenset[str]:
    return frozenset(key for key, term in wanted.items() if term.kind == "number")


def _missing(wanted: dict[str, Term], everything: Collection[str]) -> dict[str, float]:
    """The signals of what is not in the passages at all."""
    words = [key for key, term in wanted.items() if term.kind == "word"]
    names = [key for key, term in wanted.items() if term.kind == "name"]
    return {
        "coverage": _share(wanted, everything),
        "words_missing": 1 - _share(words, everything) if words else 0.0,
        "names_missing": 1 - _share(names, everything) if names else 0.0,
        "letters_missing": _letters_missing(wanted, everything),
        "count_missing": min(1.0, sum(key not in everything for key in wanted) / _MANY_MISSING),
    }


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the names, or the numbers, of a statement stand in the passages."""

    signals: dict[str, float]
    missing: tuple[str, ...]
    far: tuple[str, ...]


def _placed(
    kind: str,
    wanted: dict[str, Term],
    around: Collection[str],
    sentences: Sequence[ReadSentence],
    everything: Collection[str],
) -> _Placed:
    """Look for the facts of a kind, each beside the statement's other terms `around`."""
    keys = [key for key, term in wanted.items() if term.kind == kind]
    near = {key: _connection(key, around, sentences) for key in keys if key in everything}
    theirs = [(one.keys, one.names if kind == "name" else one.numbers) for one in sentences]
    return _Placed(
        {
            f"{kind}_connection": 1 - min(near.values(), default=1.0),
            f"{kind}_swapped": _swapped(keys, around, theirs),
        },
        tuple(wanted[key].form for key in keys if key not in everything),
        tuple(wanted[key].form for key, share in near.items() if share < _FAR),
    )


def _exchanged(
    ours: Laid, sentences: Sequence[ReadSentence], asked: Collection[str]
) -> dict[str, Exchange]:
    """By kind, what most surely stands in the place of something else of the source's.

    What the question says needs no source: "For 3M, the chief executive was Inge Thulin."
    """
    keys = {key for key, kind in zip(ours.keys, ours.kinds, strict=True) if kind != "stop"}
    near = sorted(sentences, key=lambda one: -_share(keys, one.keys))[:_MOST_BEST]
    surest: dict[str, Exchange] = {}
    theirs = [one.laid for one in near]
    for one in exchanges(ours, theirs, [one.laid for one in sentences], asked):
        if one.kind not in surest or one.sure > surest[one.kind].sure:
            surest[one.kind] = one
    return surest


def _replaced(exchanged: dict[str, Exchange]) -> tuple[str, str] | None:
    found = [exchanged[kind] for kind in ("number", "name") if kind in exchanged]
    surest = max(found, key=lambda one: one.sure, default=None)
    if surest is None or surest.sure < _SURELY:
        return None
    return " ".join(surest.ours), " ".join(surest.theirs)


def _as_there(term: Term, everything: Collection[str], words: str) -> Term:
    """The term, with the key of the number in the source that it is when rounded."""
    if term.kind != "number" or term.key in everything:
        return term
    if _YEAR.fullmatch(term.form) and not _ABOUT.search(words, 0, term.start):
        return term
    return replace(term, key=_rounded_from(term.key, everything, words) or term.key)


def _wanted(found: Sequence[Term], asked: Collection[str]) -> dict[str, Term]:
    """The facts that need a source, by key."""
    facts = {term.key: term for term in found}
    return {key: term for key, term in facts.items() if key not in asked} or facts


def probability(signals: dict[str, float]) -> float:
    """The estimate, 0 to 1, that the passage supports the statement."""
    total = BIAS + sum(WEIGHTS[name] * signals[name] for name in SIGNALS)
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def _letters_missing(wanted: dict[str, Term], there: Collection[str]) -> float:
    """The share of the letters in words that are not there: a long word says more than a short."""
    letters = {key: len(term.form) for key, term in wanted.items()}
    missing = sum(length for key, length in letters.items() if key not in there)
    return missing / sum(letters.values()) if letters else 0.0


def _asks(words: str) -> bool:
    return words.rstrip(' ."”').endswith(("?", "？", "؟"))


def _share(wanted: Collection[str], there: Collection[str]) -> float:
    return sum(key in there for key in wanted) / len(wanted) if wanted else 0.0


def _connection(key: str, around: Collection[str], sentences: Sequence[ReadSentence]) -> float:
    """The share of the statement's other terms that stand with `key`, at its best place.

    The sentences before and after count half.
    """
    others = [other for other in around if other != key]
    if not others:
        return 1.0
    best = 0.0
    for at, sentence in enumerate(sentences):
        if key in sentence.keys:
            beside = [*sentences[max(0, at - 1) : at], *sentences[at + 1 : at + 2]]
            near = frozenset().union(*(other.keys for other in beside))
            both = (1.0 if other in sentence.keys else 0.5 * (other in near) for other in others)
            best = max(best, sum(both) / len(others))
    return best


def _swapped(
    ours: Sequence[str],
    around: Collection[str],
    theirs: Sequence[tuple[frozenset[str], frozenset[str]]],
) -> float:
    """How surely another name (or number) stands in the source where one of `ours` stands.

    `theirs` are the keys of each sentence, and those of this kind among them. It is the share of
    the statement's other terms in a sentence that lacks the one and has another of its kind
    instead; less what the best sentence with the one itself has.
    """
    surest = 0.0
    for key in ours:
        others = [other for other in around if other != key]
        if len(others) < 2:
            continue
        without = (
            _share(others, keys) for keys, kind in theirs if key not in keys and kind - set(around)
        )
        with_it = (_share(others, keys) for keys, _ in theirs if key in keys)
        surest = max(surest, max(without, default=0.0) - max(with_it, default=0.0))
    return surest


def _rounded_from(key: str, there: Collection[str], words: str) -> str:
    """The number of the passage that `key` is when rounded (1,577 million: 1.6 billion), or ""."""
    if not _DECIMAL.fullmatch(key):
        return ""  # a month, a date
    scaled = any(fold(term.form) in _SCALES_FOLDED for term in terms(words))
    factors = (1e-9, 1e-6, 1e-3, 1.0, 1e3) if scaled else (1.0,)
    digits = len(key.replace(".", "").strip("0"))
    if digits < _FEWEST_DIGITS:
        return ""
    for other in there:
        theirs = len(other.replace(".", "").strip("0")) if _DECIMAL.fullmatch(other) else 0
        if theirs < digits:
            continue
        written = factors if theirs > digits else [f for f in factors if f < 1]  # "5.05 million"
        if any(_rounds_to(float(other) * f, float(key), key) for f in written):
            return other
    return ""


def _rounds_to(exact: float, rounded: float, key: str) -> bool:
    places = len(key.partition(".")[2])
    zeros = 0 if places else len(key) - len(key.rstrip("0"))
    return abs(exact - rounded) <= 0.5 * 10.0 ** (zeros - places) * (1 + 1e-9)


def _other_language(words: str, passages: Sequence[Passage]) -> bool:
    """Whether none of the statement's function words occurs in the passages.

    Words that several languages have do not count. A short passage lacks them by chance; where
    both have words that are English alone, both are. A short statement is told by its letters, or
    by the language of its words where it shares none with the passages.
    """
    texts = " ".join(passage.text for passage in passages)
    if texts and _is_latin(words) != _is_latin(texts):
        return True
    told, theirs = language_of(words), language_of(texts, _FEWEST_TOLD)
    if told and theirs and told != theirs:
        if language_of(words, _FEWEST_TOLD) == told:
            return True
        everything = frozenset().union(*(passage.everything for passage in passages))
        if not any(term.kind == "word" and term.key in everything for term in terms(words)):
            return True
    if told and told == theirs:
        return False  # one of many tables and lists, which have few function words
    function = {term.key for term in terms(words) if term.kind == "stop"}
    if len(function) < _FEWEST_FUNCTION_WORDS or function <= _OF_MANY_LANGUAGES:
        return False
    if all(_is_row(sentence.text) for passage in passages for sentence in passage.sentences):
        return False  # a table has no function words
    if function & _ENGLISH and any(
        len(passage.words & _ENGLISH) >= _FEWEST_ENGLISH for passage in passages
    ):
        return False
    return not any(function & passage.words - _OF_MANY_LANGUAGES for passage in passages)


def _is_row(line: str) -> bool:
    return line.count("|") > 1


def _is_latin(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return 2 * sum(character < _PAST_LATIN for character in letters) >= len(letters)
