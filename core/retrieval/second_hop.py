"""Write a second query without a model, from names that only the first hits have (pure).

If an answer needs two passages, the first often names the subject of the second. Names are
sequences of capitalised words, weighted by the ranks of the hits that contain them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.terms import content_keys, fold, terms
from core.text.word_lists import MONTHS
from core.types import Hit

FIRST = 3
"""Hits that are read for names."""
_READ = 1200  # characters of each
_TITLED = 2.0
"""The weight of a name that is the title of another document found."""
_VAGUE = re.compile(r"\w+(?:an|ans|ese|ish|isch|ische[nrs]?|French|Dutch|Greek)", re.I)
"""Most adjectives of nationality: by themselves they are too general."""
_MONTHS = frozenset(fold(month) for month in MONTHS)
_ENDS = re.compile(r"(\w\w[.!?]['\"’”)]*)\s+")  # ends of sentences, not of initials
_SPAN = re.compile(
    r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?:[^\S\n]+(?:(?:of|the|de|la|le|van|von|der)[^\S\n]+){0,2}"
    r"[^\W\d_a-zß-öø-ÿ\s][\w'’.-]*)*"
)


def next_query(question: str, hits: Sequence[Hit], searched: Sequence[str] = ()) -> str | None:
    """Return the best name of the first hits that neither question nor `searched` queries contain.

    Names in the titles of the first hits' documents do not count: they lead nowhere new.
    """
    asked = set(content_keys(question)) | {key for query in searched for key in content_keys(query)}
    found = {
        key
        for hit in hits[:FIRST]
        for key in content_keys(hit.document.title or hit.document.label)
    }
    titles = [set(content_keys(hit.document.title)) for hit in hits[FIRST:]]
    scores: dict[frozenset[str], float] = {}
    forms: dict[frozenset[str], str] = {}
    for place, hit in enumerate(hits[:FIRST]):
        for name in dict.fromkeys(names(hit.chunk.text[:_READ])):
            keys = frozenset(content_keys(name))
            if not keys or keys <= asked or keys <= found:
                continue
            weight = len(keys - asked) / len(keys) * (1.5 if len(keys) > 1 else 1.0)
            weight *= _TITLED if any(keys <= title for title in titles) else 1.0
            scores[keys] = scores.get(keys, 0.0) + weight / (1 + place)
            forms.setdefault(keys, name)
    if not scores:
        return None
    best = max(scores, key=lambda keys: scores[keys])
    return forms[best]


def names(text: str) -> list[str]:
    """Return the names in a text, in order.

    >>> names("She was born in Costa Rica. The University of Graz is old.")
    ['Costa Rica', 'University of Graz']
    """
    found: list[str] = []
    for span in _SPAN.finditer(_ENDS.sub(r"\1\n", text)):
        words = [word.strip(".,'’-") for word in span.group().split()]
        while words and _common(words[0]):
            words = words[1:]
        while words and _common(words[-1]):
            words = words[:-1]
        vague = len(words) == 1 and (_VAGUE.fullmatch(words[0]) or fold(words[0]) in _MONTHS)
        if words and not vague and not (len(words) == 1 and _alone(text, words[0])):
            found.append(" ".join(words))
    return found


def _alone(text: str, word: str) -> bool:
    """Whether a word is capitalised only because it begins a sentence."""
    return not re.search(rf"[^\s.!?:]['\"’”)]*\s+['\"‘“(]*{re.escape(word)}\b", text)


def _common(word: str) -> bool:
    return all(term.kind == "stop" for term in terms(word)) or not fold(word)
