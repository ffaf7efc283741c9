"""The tables of words in two languages (pure but for reading a file of the program once).

A line of such a file (`de-en.txt`) holds entries parted by ";", each "words = translations", both
parted by ",": the best translation comes first. Behind a word stand, parted by blanks, the forms of
it that no rule tells; an underscore is a blank within a phrase.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.text.terms import fold

_FOLDER = Path(__file__).parent
_FILES = {(code, "en"): f"{code}-en.txt" for code in ("de", "es", "fr")}
LONGEST_PHRASE = 3
"""Words of a phrase."""


@dataclass(frozen=True, slots=True)
class Table:
    """What each word and each form of it is in the other language, the best translation first.

    `words` is by the word in small letters, `folded` by the word without accents, and `lemmas`
    gives the words (folded) of which one that no rule tells is a form.
    """

    words: Mapping[str, tuple[str, ...]]
    folded: Mapping[str, tuple[str, ...]]
    lemmas: Mapping[str, tuple[str, ...]]

    def of(self, word: str) -> tuple[str, ...]:
        """The translations of a word as it stands here, () where it does not."""
        return self.words.get(word.lower()) or self.folded.get(fold(word), ())


def is_known(source: str, target: str) -> bool:
    """Whether there is a table of these two languages (ISO 639-1)."""
    return (source, target) in _FILES or (target, source) in _FILES


@cache
def table(source: str, target: str) -> Table:
    """Return the table of two languages that `is_known` says there is; read at the first use."""
    if (source, target) in _FILES:
        return _forward(source, target)
    return _backward(target, source)


@cache
def _entries(source: str, target: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The entries of a file: (a word with its forms, its translations)."""
    found = []
    for line in (_FOLDER / _FILES[source, target]).read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        for entry in filter(str.strip, line.split(";")):
            words, translations = entry.split("=")
            there = tuple(one.strip().replace("_", " ") for one in translations.split(","))
            for word in words.split(","):
                found.append((tuple(one.replace("_", " ") for one in word.split()), there))
    return tuple(found)


def _forward(source: str, target: str) -> Table:
    words: dict[str, dict[str, None]] = defaultdict(dict)
    lemmas: dict[str, dict[str, None]] = defaultdict(dict)
    for (word, *forms), translations in _entries(source, target):
        for form in (word, *forms):
            words[form.lower()].update(dict.fromkeys(translations))
        for form in forms:
            lemmas[fold(form)][fold(word)] = None
    return _made(words, lemmas)


def _backward(source: str, target: str) -> Table:
    """Each translation with the words that have it, those first that have it as their best."""
    words: dict[str, dict[str, None]] = defaultdict(dict)
    entries = _entries(source, target)
    most = max(len(translations) for _, translations in entries)
    for place in range(most):
        for (word, *forms), translations in entries:
            if place < len(translations):
                words[translations[place].lower()].update(dict.fromkeys((word, *forms)))
    return _made(words, {})


def _made(words: Mapping[str, dict[str, None]], lemmas: Mapping[str, dict[str, None]]) -> Table:
    folded: dict[str, dict[str, None]] = defaultdict(dict)
    for word, translations in words.items():
        folded[fold(word)].update(translations)
    return Table(
        {word: tuple(found) for word, found in words.items()},
        {word: tuple(found) for word, found in folded.items()},
        {word: tuple(found) for word, found in lemmas.items()},
    )
