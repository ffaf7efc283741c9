"""Find the documents that a question names (pure): "Best Buy's FY2019" and BESTBUY_2019_10K.pdf.

Reports of one kind use the same words and differ in their names. The words of a name are weighted
by how few documents have them, and adjacent words of the question are also tried as one. Numbers
count only if a word of the name matches too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

from core.types import Document

MOST = 3
"""The most documents that a question can name; one that fits more names none."""
_OWN = 0.5  # of the passages with a word, the least share in the documents named by it
_MANY = 50  # documents: a word in so many names is not looked up, and counts little
_NEAR = 0.8  # of the best match, to count as equally good
_TOGETHER = 3  # adjacent words of a question that may be one word of a name
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
    """Return how well each document's name fits the question, relative to the best fit (1).

    {} if no document is named, or all names have the words. `common`
    are function words ("what", "der"). `share_within(word, documents)` is the share of
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
    """Return the documents that fit as well as the best, [] if these are too many."""
    best = [key for key, fit in fits.items() if fit >= _NEAR]
    return best if len(best) <= MOST else []


@lru_cache(maxsize=16)
def _index(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Return for each word the positions of the names with it; computed once for a library."""
    index: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        for term in _terms(name):
            index.setdefault(term, []).append(position)
    return index


def _terms(name: str) -> Terms:
    """Return the words of a name, and the letters and digits of mixed ones.

    >>> sorted(_terms("BestBuy_2024Q2_10Q.pdf"))
    ['10', '10q', '2024', '2024q2', 'best', 'bestbuy', 'buy']
    """
    bare = _SUFFIX.sub("", name)
    return frozenset((*_split(bare), *_split(_HUMP.sub(" ", bare))))


def _split(text: str) -> list[str]:
    words = _WORDS.findall(text.lower())
    return words + [part for word in words for part in _parts(word)]


def _parts(word: str) -> list[str]:
    """Return the years and words within a mixed word, without single letters and figures."""
    found = _PARTS.findall(word)
    return [p for p in found if len(p) > (1 if p.isdigit() else 2)] if len(found) > 1 else []


def _asked(question: str, common: Terms) -> dict[str, int]:
    """Yield the words of the question, also several as one, with the number of words in each."""
    words = _WORDS.findall(_POSSESSIVE.sub("", question.lower()))
    found = {part: 1 for word in words for part in (word, *_parts(word)) if part not in common}
    for length in range(2, _TOGETHER + 1):
        joined = ("".join(words[at : at + length]) for at in range(len(words) - length + 1))
        found |= {word: length for word in joined if len(word) >= _SHORTEST_JOINED}
    return found
