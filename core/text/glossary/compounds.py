"""German compounds as other words for their parts, and parts as other words for them (pure).

Keys of terms are cut at six letters, so "Leasing" finds no "Autoleasing", and "Kündigungsfrist" no
"Frist", whatever they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.text.glossary.german import INSEPARABLE, SEPARABLE, compound_parts
from core.text.terms import Term, content_keys, fold, terms

_SHORTEST = 5
"""Letters of a word that is looked for in longer ones: shorter ones stand in too many by chance."""
_SHORTEST_REST = 3
_SHORTEST_FIRST = 4
_SHORTEST_SECOND = 4
_ENDING = re.compile(r"(?<=....)(?:ern|en|er|es|e|n|s)$")
_PRICES = (("preis",), ("kosten",), ("gebuhr",))
_COST = re.compile(r"\b(?:wie ?viele?|was)\s+kosten\b", re.I)
"""What asks for a price: the verb is no thing."""
_NOUN = re.compile(r"\b[^\W\d_a-zß-ÿ][^\W\d_]+")
_PREFIXES = frozenset(map(fold, SEPARABLE))
_DERIVED = "|".join(sorted({*_PREFIXES, *INSEPARABLE}))

OtherWords = tuple[tuple[str, tuple[str, ...]], ...]


def parts_of_compounds(question: str) -> OtherWords:
    """Return for each compound of a question the words that it is made of, as one phrase.

    What something costs is told by its name and an amount.

    >>> parts_of_compounds("wie lang ist die Kündigungsfrist"), parts_of_compounds("Mietpreis")
    ((('Kündigungsfrist', ('kundigung frist',)),), (('Mietpreis', ('miete preis', 'miete')),))
    """
    found = ((term.form, compound_parts(term.form)) for term in _asked(question))
    return tuple(
        (form, (" ".join(parts), *(parts[:1] if parts[1:] in _PRICES else ())))
        for form, parts in found
        if parts and _PREFIXES.isdisjoint(parts) and len(content_keys(" ".join(parts))) > 1
    )


def compounds_in(question: str, texts: Iterable[str]) -> OtherWords:
    """Return for each word of a question the compounds in texts that end in it or begin with it.

    >>> compounds_in("welche Schlüssel gibt es", ["Ein Kellerschlüssel und ein Radschlüssel."])
    (('Schlüssel', ('Kellerschlüssel', 'Radschlüssel')),)
    >>> compounds_in("wo kann man parken", ["Parkplätze gibt es, ein Parkett nicht."])
    (('parken', ('Parkplätze',)),)
    """
    nouns = {noun: fold(noun) for text in texts for noun in _NOUN.findall(text)}
    found: list[tuple[str, tuple[str, ...]]] = []
    for term in _asked(_COST.sub(" ", question)):
        stem = _ENDING.sub("", fold(term.form))
        if len(fold(term.form)) < _SHORTEST:
            continue
        ends = re.compile(
            rf"(?!(?:{_DERIVED}){stem}).{{{_SHORTEST_REST},}}{stem}(?:ern|en|er|es|e|n|s)?"
        )
        begins = re.compile(rf"{stem}(?:e|n|en|s)?.{{{_SHORTEST_SECOND},}}")
        if len(stem) >= _SHORTEST_FIRST:
            ends = re.compile(f"{ends.pattern}|{begins.pattern}")
        if there := tuple(noun for noun, plain in nouns.items() if ends.fullmatch(plain)):
            found.append((term.form, there))
    return tuple(found)


def _asked(question: str) -> list[Term]:
    return [term for term in terms(question) if term.kind in ("word", "name")]
