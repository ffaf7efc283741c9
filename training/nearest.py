"""Texts by the rare words that they share with a question (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log

from core.text.terms import content_keys
from training.windows import Span, sentences_of


def nearest_place(question: str, text: str) -> Span:
    """The sentence of a text that shares the most words with a question."""
    asked = keys_of(question)
    return max(
        sentences_of(text), key=lambda p: len(asked & keys_of(text[p[0] : p[1]]))
    )  # fmt: skip


@lru_cache(maxsize=65536)
def keys_of(text: str) -> frozenset[str]:
    """The keys of the words of a text that carry meaning."""
    return frozenset(content_keys(text))


class Nearest:
    """Texts with their names, ordered by the rare words that they share with a question."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._texts = texts
        self._keys = [keys_of(text) for text, _ in texts]
        counts = Counter(key for keys in self._keys for key in keys)
        self._weights = {key: log(1 + len(texts) / count) for key, count in counts.items()}

    def __len__(self) -> int:
        return len(self._texts)

    def __call__(self, question: str) -> list[tuple[str, str]]:
        asked = {key: self._weights.get(key, 0.0) for key in keys_of(question)}
        scores = [sum(w for key, w in asked.items() if key in keys) for keys in self._keys]
        order = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [self._texts[at] for at in order]
