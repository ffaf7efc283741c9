"""German words that a table does not hold as they stand: inflected, prefixed, compound (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from core.text.glossary.table import Table, table
from core.text.languages import language_of
from core.text.terms import content_keys, fold, is_stop

_ENDINGS = (
    "innen", "esten", "ester", "estes", "este", "sten", "ster", "stes", "ern", "ten", "tet",
    "test", "ste", "eren", "erer", "eres", "ere", "end", "ende", "enden", "in", "em", "en", "er",
    "es", "et", "est", "te", "st", "se", "e", "n", "s", "t",
)  # fmt: skip
"""What nouns, adjectives and verbs end in."""
_FULL = ("", "en", "n", "e", "eln", "ern")
"""What may stand behind a stem in the form that a table has."""
_SHORTEST_STEM = 4
"""Letters of a stem that stands before "eln" and "ern"."""
SEPARABLE = (
    "zurück", "zusammen", "weiter", "wieder", "statt", "durch", "unter", "über", "hinzu", "fest",
    "teil", "nach", "fort", "vor", "her", "hin", "auf", "aus", "mit", "ab", "an", "bei", "ein",
    "los", "um", "weg", "zu",
)  # fmt: skip
"""Prefixes of verbs that stand at the end of a clause: "die Schlacht fand 1806 statt"."""
INSEPARABLE = ("be", "emp", "ent", "er", "ge", "miss", "ver", "zer")
_PREFIXES = tuple(fold(one) for one in (*SEPARABLE, *INSEPARABLE))
_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What may join the parts of a compound."""
_SHORTEST_PART = 3
_NO_HEADS = ("schaft", "heit", "keit", "ung", "lich", "isch", "ieren", "iert")
"""What begins endings that make nouns, adjectives and verbs: no part of a compound."""
_SHORTEST_SPLIT = 7
"""Letters of a word that may be a compound."""
_MOST_PARTS = 3
_SPELLED = (("ae", "a"), ("oe", "o"), ("ue", "u"))
"""Umlauts where a keyboard has none."""


@lru_cache(maxsize=8192)
def translations(word: str, target: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return what a German word is in another language: for each part of it, the best first.

    () where it is no word of the table; one part where it is no compound.

    >>> translations("Häusern"), translations("gegründet")
    ((('house', 'building'),), (('found', 'establish'),))
    >>> translations("Parlamentsgebäude"), translations("Obersontheim")
    ((('parliament',), ('building',)), ())
    """
    known = table("de", target)
    if found := known.of(word) or _inflected(word, known):
        return (found,)
    if "-" in word:
        parts = [translations(part, target) for part in word.split("-")]
        return tuple(one for part in parts for one in part) if all(parts) else ()
    plain = fold(word)
    for spelled, letter in _SPELLED:
        plain = plain.replace(spelled, letter)
    if plain != fold(word) and (found := known.of(plain) or _inflected(plain, known)):
        return (found,)
    return tuple(found for _, found in _compound(fold(word), known, _MOST_PARTS))


@lru_cache(maxsize=8192)
def compound_parts(word: str) -> tuple[str, ...]:
    """Return the words of which a German compound is made, folded; () of another word.

    >>> compound_parts("Kündigungsfrist"), compound_parts("kündigen")
    (('kundigung', 'frist'), ())
    """
    return tuple(part for part, _ in _compound(fold(word), table("de", "en"), _MOST_PARTS))


def is_german(word: str) -> bool:
    """Return whether a German word stands in the table, inflected or as a compound, as spelled.

    >>> is_german("Schlüssel"), is_german("Schluessel"), is_german("für")
    (True, False, True)
    """
    known, plain = table("de", "en"), fold(word)
    return bool(
        known.words.get(word.lower())
        or known.folded.get(plain)
        or is_stop(word)
        or plain in _PREFIXES
        or _inflected(word, known)
        or _compound(plain, known, _MOST_PARTS)
    )


def may_be_german(question: str) -> bool:
    """Return whether a question is in German by its small words, or without any by another word.

    >>> may_be_german("Mietpreis?"), may_be_german("revenue 2020"), may_be_german("is it free")
    (True, False, False)
    """
    told = language_of(question)
    return told == "de" if told else any(map(is_german, re.findall(r"[^\W\d_]{4,}", question)))


def verb(particle: str, word: str, target: str = "en") -> tuple[str, ...]:
    """Return what a verb means with a particle that stands apart, () where it has none of it.

    >>> verb("statt", "fand")
    ('take place', 'held')
    """
    known = table("de", target)
    return next(
        filter(None, (known.of(fold(particle) + full) for full in _lemmas(word, known))), ()
    )


def verb_forms(word: str) -> tuple[str, ...]:
    """Return the past and the participle of a regular German verb; () of another word.

    >>> verb_forms("bauen"), verb_forms("Garten")
    (('baute', 'gebaut'), ())
    """
    if not word.islower() or not word.endswith("en") or len(word) < _SHORTEST_STEM + 1:
        return ()
    stem = word.removesuffix("en")
    prefixed = stem.startswith(INSEPARABLE) or stem.endswith("ier")
    return f"{stem}te", f"{stem}t" if prefixed else f"ge{stem}t"


def _lemmas(word: str, known: Table) -> Iterator[str]:
    """The words in the form that a table has of which one is a form, the likeliest first."""
    yield from known.lemmas.get(fold(word), ())
    for rest in (*_participles(fold(word)), *_rests(fold(word))):
        yield from known.lemmas.get(rest, ())
        yield from _full(rest)


def _full(rest: str) -> list[str]:
    """The forms in which a table may have the word of which `rest` is the stem."""
    ends = _FULL if len(rest) >= _SHORTEST_STEM else _FULL[:-2]
    return [rest + end for end in ends]


def _rests(plain: str) -> list[str]:
    """A word as it is, and without each of the endings that it may have."""
    rests = (plain, *(plain.removesuffix(end) for end in _ENDINGS if plain.endswith(end)))
    return [rest for rest in rests if len(rest) >= _SHORTEST_PART]


def _participles(plain: str) -> list[str]:
    """The stems of the verbs of which a word may be the participle: "gegründet" is of "gründ"."""
    stems = (rest.removeprefix("ge") for rest in _rests(plain)[1:] if rest.startswith("ge"))
    return [stem for stem in stems if len(stem) >= _SHORTEST_PART]


def _inflected(word: str, known: Table) -> tuple[str, ...]:
    plain = fold(word)
    rests = _rests(plain)
    if found := next(filter(None, map(known.folded.get, rests)), None):
        return found
    full = (form for rest in (*_participles(plain), *rests) for form in _full(rest)[1:])
    if verbs := dict.fromkeys(one for form in full for one in known.folded.get(form, ())):
        return tuple(verbs)
    for prefix in _PREFIXES:
        rest = plain.removeprefix(prefix)
        if rest != plain and len(rest) >= _SHORTEST_PART:
            for form in (rest, rest.removeprefix("zu"), f"ge{rest}"):
                for lemma in _lemmas(form, known):
                    if there := known.folded.get(prefix + lemma):
                        return there
    return ()


def _compound(word: str, known: Table, most: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The parts of a compound with what each is, the one with the longest last part; () of none."""
    if most < 2 or len(word) < _SHORTEST_SPLIT:
        return ()
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head = known.folded.get(word[at:]) or _inflected(word[at:], known)
        if not head or word.startswith(_NO_HEADS, at):
            continue
        if first := _modifier(word[:at], known, most - 1):
            return (*first, (word[at:], head))
    return ()


def _modifier(part: str, known: Table, most: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    for link in _LINKS:
        if not part.endswith(link):
            continue
        rest = part[: len(part) - len(link)] if link else part
        if len(rest) < _SHORTEST_PART:
            continue
        for full in ("", "e", "en"):
            found = known.folded.get(rest + full, ())
            if found and content_keys(found[0]):
                return ((rest + full, found),)
        if inside := _compound(rest, known, most):
            return inside
    return ()


_ALIKE = (
    ("fizierung", "fication"), ("isierung", "ization"), ("ierung", "ation"), ("isieren", "ize"),
    ("ieren", "ate"), ("ieren", "e"), ("ieren", ""), ("itat", "ity"), ("ismus", "ism"),
    ("isch", "ic"), ("isch", "ical"), ("iell", "ial"), ("uell", "ual"), ("ell", "al"),
    ("enz", "ence"), ("anz", "ance"), ("logie", "logy"), ("grafie", "graphy"), ("ie", "y"),
    ("ik", "ic"), ("ik", "ics"), ("iv", "ive"), ("ur", "ure"), ("os", "ous"), ("ar", "ary"),
    ("ium", "y"), ("e", ""), ("", ""), ("", "e"),
)  # fmt: skip
"""How words from Latin and Greek end in German and in English."""
_SHORTEST_ALIKE = 5
_VERB = ("ierte", "ierten", "iert")
_LETTERS = (("k", "c"), ("z", "c"), ("f", "ph"))


@lru_cache(maxsize=8192)
def english_spellings(word: str) -> tuple[str, ...]:
    """Return how a German word from Latin or Greek may be spelled in English, the likeliest first.

    >>> "classification" in english_spellings("Klassifizierung")
    True
    >>> "commercial" in english_spellings("kommerzielle")
    True
    """
    plain = fold(word)
    for verb_end in _VERB:
        plain = plain.removesuffix(verb_end) + "ieren" if plain.endswith(verb_end) else plain
    found: dict[str, None] = {}
    for rest in _rests(plain):
        for ending, theirs in _ALIKE:
            if rest.endswith(ending) and len(rest) >= _SHORTEST_ALIKE:
                stem = rest[: len(rest) - len(ending)] + theirs
                spelled = [stem]
                for letter, other in _LETTERS:
                    spelled += [one.replace(letter, other) for one in spelled if letter in one]
                found |= dict.fromkeys(spelled)
    return tuple(one for one in found if len(one) >= _SHORTEST_ALIKE)


@lru_cache(maxsize=8192)
def head(word: str, target: str = "en") -> tuple[str, ...]:
    """Return what the last part of a compound is whose first part no table has; () without one.

    >>> head("Bebopkonzert"), head("Hamburg")
    (('concert',), ())
    """
    known, plain = table("de", target), fold(word)
    for at in range(_SHORTEST_PART, len(plain) - _SHORTEST_HEAD + 1):
        if found := known.folded.get(plain[at:]) or _inflected(plain[at:], known):
            return found
    return ()


_SHORTEST_HEAD = 5
"""Letters of a part that is read by itself: shorter ones stand at the end of many names."""
