"""Which documents a question names (pure): "Best Buy's FY2019 ..." and BESTBUY_2019_10K.pdf.

Reports of one kind use the same words; what tells them apart stands in their names. A name's
words count by how few documents have them, and words written apart in the question are tried
together as well. Numbers count only where a word of the name is matched too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

from core.types import Document

MOST = 3
"""So many documents can be meant at once; a question that fits more names none of them."""
_OWN = 0.5  # of the passages with a word, the share that must be of documents named by it
_MANY = 50  # documents: what so many are called is not looked up, and says little by itself
_NEAR = 0.8  # of the best match: as good
_TOGETHER = 3  # words of a question that may be one word of a name
_SHORTEST_JOINED = 5
_WORDS = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_SUFFIX = re.compile(r"\.\w{1,5}$")
_POSSESSIVE = re.compile(r"['’]s\b")

Terms = frozenset[str]
ShareWithin = Callable[[str, Collection[str]], float]


def named_documents(
    question: str,
    documents: Iterable[Document],
    common: Iterable[str] = (),
    share_within: ShareWithin = lambda word, documents: 1.0,
) -> dict[str, float]:
    """How well each document's name fits the question: 1 is the best fit, others in proportion.

    {} where no document is named, or the words say nothing since all names have them. `common`
    are words that name nothing ("what", "der"). `share_within(word, documents)` is the share of
    these documents in all passages that hold the word.
    """
    asked = _asked(question, frozenset(common))
    known = list(documents)
    index = _index(tuple(document.name for document in known))
    holders = {term: [known[at].id for at in index[term]] for term in asked if term in index}
    own = [
        term
        for term, keys in holders.items()
        if term.isdigit() or len(keys) > _MANY or share_within(term, keys) >= _OWN
    ]
    worth = {t: asked[t] * math.log(len(known) / len(holders[t])) for t in own}
    fits: dict[str, float] = {key: 0.0 for t in own if not t.isdigit() for key in holders[t]}
    for term in own:
        for key in holders[term]:
            if key in fits:
                fits[key] += worth[term]
    best = max(fits.values(), default=0.0)
    return {key: fit / best for key, fit in fits.items()} if best > 0 else {}


def meant(fits: Mapping[str, float]) -> list[str]:
    """The documents that fit as well as the best, [] where they are too many to be meant."""
    best = [key for key, fit in fits.items() if fit >= _NEAR]
    return best if len(best) <= MOST else []


@lru_cache(maxsize=16)
def _index(names: tuple[str, ...]) -> dict[str, list[int]]:
    """For each word of the names the positions of those that have it; made once a library."""
    index: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        for term in _terms(name):
            index.setdefault(term, []).append(position)
    return index


def _terms(name: str) -> Terms:
    """The words of a name, and the letters and digits of mixed ones.

    >>> sorted(_terms("BestBuy_2024Q2_10Q.pdf"))
    ['10', '10q', '2024', '2024q2', 'best', 'bestbuy', 'buy']
    """
    bare = _SUFFIX.sub("", name)
    return frozenset((*_split(bare), *_split(_HUMP.sub(" ", bare))))


def _split(text: str) -> list[str]:
    words = _WORDS.findall(text.lower())
    return words + [part for word in words for part in _parts(word)]


def _parts(word: str) -> list[str]:
    """The years and words within a mixed word; single letters and figures say nothing."""
    found = _PARTS.findall(word)
    return [p for p in found if len(p) > (1 if p.isdigit() else 2)] if len(found) > 1 else []


def _asked(question: str, common: Terms) -> dict[str, int]:
    """The words of the question, also several as one, with how many words each is made of."""
    words = _WORDS.findall(_POSSESSIVE.sub("", question.lower()))
    found = {part: 1 for word in words for part in (word, *_parts(word)) if part not in common}
    for length in range(2, _TOGETHER + 1):
        joined = ("".join(words[at : at + length]) for at in range(len(words) - length + 1))
        found |= {word: length for word in joined if len(word) >= _SHORTEST_JOINED}
    return found
