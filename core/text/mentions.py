"""Find where a text mentions a phrase in any inflection of its words (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from core.text.terms import WITHOUT_SPACES, Term, fold, forms, stem, terms
from core.text.word_lists import ABBREVIATIONS, NUMBERED_ABBREVIATIONS, SOFT_ABBREVIATIONS

_OR = re.compile(r",? (?:or|oder|ou) ", re.I)
_BREAK = re.compile(r"[!?;|]|\n\s*\n|[.:]\s")
"""Separators that cannot stand between two words of one phrase."""
_ABBREVIATED = ABBREVIATIONS | SOFT_ABBREVIATIONS | NUMBERED_ABBREVIATIONS
_ANY_ORDER = 3
"""Up to this many words, those of a phrase may stand side by side in any order."""
_NO_DIGITS = re.compile(r"\D+")
_ALONE = re.compile(rf"[{WITHOUT_SPACES}]")
"""One sign of a script without spaces: a text has it in pairs only, as terms go."""
_REST = 3
"""Characters by which the ends of two forms of a word may differ, in languages but English."""
_SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
"""Words that double their last letter before -ed and -ing: "planned" is a form of "plan", "caned"
is not one of "can"."""


_GERMAN_ENDINGS = ("ern", "em", "en", "er", "es", "e", "n", "s", "t")
"""What nouns, adjectives and verbs of German end in; an umlaut of the stem is folded away."""
_GERMAN_STEM = 3
"""Letters that a German stem keeps."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a text that mentions a phrase; `doubtful` if it may mean something else."""

    start: int
    end: int
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a phrase, or of each of several alternatives ("salt or pepper").

    Function words count only if there are no others ("how often is 'not' used").
    """

    text: str
    options: tuple[tuple[Term, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        parts = (terms(part) for part in _OR.split(self.text))
        options = (tuple(_content(part) or part) for part in parts)
        object.__setattr__(self, "options", tuple(filter(None, options)))


def mentions(phrase: Phrase, text: str, language: str = "") -> list[Mention]:
    """Return the mentions of a phrase in a text of this language (ISO 639-1), in order.

    The words of a phrase mention it where they stand side by side. In one sentence, but apart,
    they are doubtful, and so is a word of the same stem that is no inflection.

    >>> mentions(Phrase("harbour master"), "The harbour masters met.")
    [Mention(start=4, end=19, doubtful=False)]
    >>> mentions(Phrase("internet"), "It is international.")
    [Mention(start=6, end=19, doubtful=True)]
    """
    options = [_keyed(option, language) for option in phrase.options]
    likely = [option for option in options if _may_mention(option, text)]
    if not likely:
        return []
    every = _keyed(terms(text), language)
    found = [m for option in likely for m in _mentions_of(option, every, text, language)]
    kept: list[Mention] = []
    for one in sorted(found, key=lambda m: (m.doubtful, m.start, m.end)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda m: m.start)


def occurrences(words: str, text: str, language: str = "") -> list[tuple[int, int]]:
    """Return the spans of a text where these words stand side by side, in their order.

    Each counts in any inflection, case and accent, and whatever is no word may stand between two
    of them. Where there is no word to look for ("%"), or only one sign of a script without
    spaces, the signs themselves are looked for.

    >>> occurrences("harbour master", "The harbour\\nmasters met the master of the harbour.")
    [(4, 19)]
    """
    wanted = _keyed(terms(words), language)
    if not wanted or (len(wanted) == 1 and _ALONE.fullmatch(wanted[0].form)):
        signs = r"\s+".join(map(re.escape, words.split()))
        return [found.span() for found in re.finditer(signs, text, re.I)] if signs else []
    if not _may_mention(wanted, text):
        return []
    every = [(one, start) for form, start in forms(text) for one in _terms_of(form, language)]
    key, folded = wanted[0].key, fold(wanted[0].form)
    spans: list[tuple[int, int]] = []
    for at in range(len(every) - len(wanted) + 1):
        first, start = every[at]
        if first.key != key and first.form != folded and fold(first.form) != folded:
            continue  # said at once, as it is so of nearly all words
        window = every[at : at + len(wanted)]
        start += first.start
        if (not spans or start >= spans[-1][1]) and all(
            _is_same_word(a, b, language) for a, (b, _) in zip(wanted, window, strict=True)
        ):
            last, offset = window[-1]
            spans.append((start, offset + last.end))
    return spans


def common_words(words: str, text: str, language: str = "") -> list[tuple[int, int]]:
    """Return the spans of the words of a text that these words have too, wherever they stand.

    Each counts in any inflection, case and accent. Function words count only if there are no
    others; words that touch, as in scripts without spaces, are one span.

    >>> common_words("Who painted the harbours?", "The harbour was painted.")
    [(4, 11), (16, 23)]
    """
    known = _keyed(terms(words), language)
    wanted = {fold(term.form): term for term in _content(known) or known}
    spans: list[tuple[int, int]] = []
    for term in _keyed(terms(text), language):
        if not any(_is_same_word(one, term, language) for one in wanted.values()):
            continue
        start = spans.pop()[0] if spans and term.start <= spans[-1][1] else term.start
        spans.append((start, term.end))
    return spans


@lru_cache(maxsize=65536)
def _terms_of(form: str, language: str) -> tuple[Term, ...]:
    """The terms of a word by itself: what kind it is in its sentence does not matter here."""
    return tuple(_keyed(terms(form), language))


def _is_same_word(one: Term, other: Term, language: str) -> bool:
    """Whether two terms are forms of one word; what is folded alike is, whatever its kind."""
    if one.key == other.key:
        return is_form_of(one, other, language)
    return one.kind != "number" and fold(one.form) == fold(other.form)


def _keyed(found: Sequence[Term], language: str) -> Sequence[Term]:
    """The terms with the stems of their language: the general ones keep short German plurals."""
    if language != "de":
        return found
    return [
        replace(term, key=_german_stem(fold(term.form))) if term.kind in ("word", "name") else term
        for term in found
    ]


@lru_cache(maxsize=65536)
def _german_stem(folded: str) -> str:
    """What a German word has in all of its forms, after all of its endings are taken off.

    >>> _german_stem("hauser"), _german_stem("haus"), _german_stem("kindern")
    ('hau', 'hau', 'kind')
    """
    while ending := next((one for one in _GERMAN_ENDINGS if _ends_in(folded, one)), ""):
        folded = folded[: -len(ending)]
    return folded


def _ends_in(word: str, ending: str) -> bool:
    return word.endswith(ending) and len(word) - len(ending) >= _GERMAN_STEM


def _content(found: Sequence[Term]) -> list[Term]:
    return [term for term in found if term.kind != "stop"]


def _may_mention(option: Sequence[Term], text: str) -> bool:
    """Whether a text contains all stems of an option: a quick test that rules out most texts."""
    if text.isascii():
        plain = text.lower()
    else:
        folded = unicodedata.normalize("NFKD", text).casefold()
        if all(term.key.isascii() for term in option):  # much faster, and no key is lost
            plain = folded.encode("ascii", "ignore").decode()
        else:
            plain = "".join(ch for ch in folded if not unicodedata.combining(ch))
            plain = plain.replace("\u0640", "")
    numbers = [term.key.replace(".", "") for term in option if term.kind == "number"]
    if numbers:
        digits = _NO_DIGITS.sub("", text)
        if digits.isascii() and not all(number in digits for number in numbers):
            return False
    return all(term.kind == "number" or term.key in plain for term in option)


def _mentions_of(
    option: Sequence[Term], every: Sequence[Term], text: str, language: str
) -> Iterator[Mention]:
    stops = all(term.kind == "stop" for term in option)
    for sentence in _sentences(every if stops else _content(every), text):
        yield from _in_sentence(option, sentence, language)


def _sentences(found: Sequence[Term], text: str) -> Iterator[list[Term]]:
    """Group the terms by sentence, table cell or paragraph."""
    run = list(found[:1])
    for before, term in pairwise(found):
        gap = text[before.end : term.start]
        short = len(before.form) == 1 or before.form.lower() in _ABBREVIATED
        if _BREAK.search(gap) and not (short and gap == ". "):
            yield run
            run = []
        run.append(term)
    if run:
        yield run


def _in_sentence(
    option: Sequence[Term], sentence: Sequence[Term], language: str
) -> Iterator[Mention]:
    size, wanted = len(option), sorted(term.key for term in option)
    at, found = 0, False
    while at + size <= len(sentence):
        window = sentence[at : at + size]
        in_order = all(a.key == b.key for a, b in zip(option, window, strict=True))
        if in_order or (size <= _ANY_ORDER and sorted(t.key for t in window) == wanted):
            pairs = zip(sorted(option, key=_key), sorted(window, key=_key), strict=True)
            sure = all(is_form_of(a, b, language) for a, b in pairs)
            yield Mention(window[0].start, window[-1].end, not sure)
            found, at = True, at + size
        else:
            at += 1
    if size > 1 and not found:
        places = [t for t in sentence if t.key in wanted]
        if set(wanted) <= {term.key for term in places}:
            yield Mention(places[0].start, places[-1].end, True)


def _key(term: Term) -> str:
    return term.key


def is_form_of(one: Term, other: Term, language: str = "") -> bool:
    """Return whether two terms of one stem are forms of one word.

    >>> plan, planned, plane = terms("plan planned plane")
    >>> is_form_of(plan, planned), is_form_of(plan, plane)
    (True, False)
    """
    a, b = fold(one.form), fold(other.form)
    if a == b or one.kind == "number":
        return one.key == other.key
    if language == "de" and _adds_an_ending(a, b):
        return True
    if (stem(a) != stem(b)) if language == "de" else (one.key != other.key):
        return False
    if language in ("", "en"):
        return bool(lemmas(a) & lemmas(b))
    shared = next((n for n, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), -1)
    shared = min(len(a), len(b)) if shared < 0 else shared
    return max(len(a), len(b)) - shared <= _REST


def _adds_an_ending(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _GERMAN_STEM
        and long.startswith(short)
        and long[len(short) :] in _GERMAN_ENDINGS
    )


def lemmas(word: str) -> set[str]:
    """Return the words of which an English word may be a form, itself included."""
    word = word.replace("isation", "ization").replace("ise", "ize")
    found = {word}
    if word.endswith(("ies", "ied")):
        found.add(word[:-3] + "y")
    if word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
        if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            found |= {word[:-2], word[:-2] + "is"}
    for ending in ("ed", "ing", "ings"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 2:
            continue
        found.add(rest + "e")
        if len(rest) > 2 and rest[-1] == rest[-2]:
            found.add(rest[:-1])
        if not _SHORT.fullmatch(rest):
            found.add(rest)
    return found
