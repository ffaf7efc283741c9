"""BM25 as it is written, to hold the search against (the baseline of every comparison here).

Okapi BM25 with k1 = 1.5 and b = 0.75 over lower-case words, without stemming or stop words:
Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; with
idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

_WORD = re.compile(r"\w+")


class BM25:
    """An index in memory over texts, numbered from 0."""

    def __init__(self, texts: Sequence[str], *, k1: float = 1.5, b: float = 0.75) -> None:
        from scipy.sparse import csc_matrix  # type: ignore[import-untyped]  # SciPy has no types

        self._words: dict[str, int] = {}
        rows, columns = [], []
        for number, text in enumerate(texts):
            for word in words(text):
                rows.append(number)
                columns.append(self._words.setdefault(word, len(self._words)))
        shape = (len(texts), max(1, len(self._words)))
        counts = csc_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape)
        counts.sum_duplicates()
        lengths = np.bincount(rows, minlength=len(texts)).astype(np.float32)
        norm = k1 * (1 - b + b * lengths / max(float(lengths.mean()), 1e-9))
        found = np.diff(counts.indptr)
        idf = np.log1p((len(texts) - found + 0.5) / (found + 0.5))
        counts.data = counts.data * (k1 + 1) / (counts.data + norm[counts.indices])
        counts.data *= np.repeat(idf, found)
        self._weights: Any = counts

    def scores(self, query: str) -> np.ndarray:
        """The score of every text, shape (n,), float32; a word counts as often as it is asked."""
        known = [self._words[word] for word in words(query) if word in self._words]
        if not known:
            return np.zeros(self._weights.shape[0], np.float32)
        return np.asarray(self._weights[:, known].sum(axis=1), np.float32).ravel()

    def best(self, query: str, n: int) -> list[int]:
        """The numbers of the texts with the `n` highest scores above 0, best first."""
        scores = self.scores(query)
        order = np.argsort(-scores, kind="stable")[:n]
        return [int(number) for number in order if scores[number] > 0]


def words(text: str) -> list[str]:
    """The words of a text, in lower case.

    >>> words("os.path.join(A)")
    ['os', 'path', 'join', 'a']
    """
    return _WORD.findall(text.lower())
