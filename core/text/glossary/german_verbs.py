"""The other forms of the verbs of a German question, as a text may have them (pure).

Keys of terms are cut at six letters, so "ausgefallen", "ausfallen" and "fiel ... aus" share none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from core.text.glossary.german import SEPARABLE
from core.text.glossary.table import table
from core.text.terms import fold, stem

_FOLDED = tuple(sorted(map(fold, SEPARABLE), key=len, reverse=True))
_WORD = re.compile(r"[^\W\d_]+")
_APART = re.compile(rf"^(?P<before>.+)\b(?P<particle>{'|'.join(SEPARABLE)})\W*$", re.I)
"""A verb and its particle at the end: "wann fängt die Schule an"."""
_PARTICIPLE = re.compile(r"ge(?P<stem>.{3,}?)(?:et|t|en)")
_SHORTEST = 4
_EVERYDAY = frozenset(
    "sein haben werden geben gehen kommen nehmen stehen halten sehen bringen lassen finden liegen"
    " ziehen tragen bleiben konnen mussen sollen wollen durfen mogen tun heissen enthalten erhalten"
    " bestehen laufen nennen".split()
)
"""Verbs that say too little without their particle."""


_OTHERS = frozenset("gefallen gehort schnitt".split())
"""What is the form of a verb, and mostly another word: "das hat mir gefallen"."""


def other_verb_forms(question: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return for each verb of a question that is known by its form the other forms of it.

    >>> dict(other_verb_forms("wann ist der Sender ausgefallen"))["ausgefallen"][:2]
    ('ausfallen', 'auszufallen')
    >>> dict(other_verb_forms("wann hat sie geklagt"))
    {'geklagt': ('klagen', 'klage', 'klagte', 'klagung')}
    >>> "anfangen" in dict(other_verb_forms("wann fängt die Schule an"))["fängt"]
    True
    """
    found: dict[str, tuple[str, ...]] = {}
    if apart := _APART.search(question):
        bases = ((word, _infinitive(fold(word))) for word in _WORD.findall(apart["before"]))
        finite, base = next((pair for pair in bases if pair[1]), ("", ""))
        if base:
            found[finite] = _forms(fold(apart["particle"]), base)
    for word in _WORD.findall(question):
        if word in found or len(word) < _SHORTEST or fold(word) in _OTHERS:
            continue
        if forms := _of(fold(word)):
            found[word] = forms
    return tuple(
        (word, kept)
        for word, forms in found.items()
        if (kept := tuple(form for form in forms if stem(form) != stem(fold(word))))
    )


def _of(word: str) -> tuple[str, ...]:
    """The other forms of the verb of which a folded word is one, () of another word."""
    for particle in _FOLDED:
        rest = word.removeprefix(particle)
        if rest == word or len(rest) < _SHORTEST:
            continue
        bare = rest.removeprefix("zu")
        if base := _infinitive(rest) or (_infinitive(bare) if bare != rest else ""):
            return _forms(particle, base)
    base = _infinitive(word)
    return _forms("", base) if base else ()


def _infinitive(word: str) -> str:
    """The infinitive of a verb by a form that is irregular or a participle, else ""."""
    known = table("de", "en")
    if lemmas := known.lemmas.get(word):
        return next((one for one in lemmas if one.endswith(("en", "eln", "ern"))), "")
    if word in _irregular():
        return word
    participle = _PARTICIPLE.fullmatch(word)
    full = f"{participle['stem']}en" if participle else ""
    return full if full in known.folded or (full and word.endswith("t")) else ""


def _forms(particle: str, base: str) -> tuple[str, ...]:
    """The forms of a verb with its particle, and those without that say enough by themselves."""
    irregular = _irregular().get(base, ())
    root = base.removesuffix("en")
    regular = () if irregular else (f"{root}e", f"{root}te", f"ge{root}t", f"{root}ung")
    joined = [base, *irregular, *regular]
    if not particle:
        return () if base in _EVERYDAY else tuple(joined)
    forms = [particle + base, f"{particle}zu{base}", *(particle + one for one in joined[1:])]
    if base not in _EVERYDAY:
        forms += [base, *irregular]
    return tuple(dict.fromkeys(forms))


@cache
def _irregular() -> Mapping[str, tuple[str, ...]]:
    """By the infinitive, the forms of a verb that no rule tells."""
    found: dict[str, list[str]] = defaultdict(list)
    for form, lemmas in table("de", "en").lemmas.items():
        for lemma in lemmas:
            if lemma.endswith("en"):
                found[lemma].append(form)
    return {lemma: tuple(forms) for lemma, forms in found.items()}
