"""Passages for `benchmarks.growth`: made of nothing but chance, or mixed of real documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.evaluation.beir import read_collection
from core.models.embedding import load_embedder
from core.types import Chunk

EACH = 20
"""Passages of a document."""
_DIMENSION, _WORDS, _OF_A_QUERY = 384, 120, 6
_SEED = 3

Vectors = NDArray[np.float32]
Generator = np.random.Generator


@dataclass(frozen=True)
class Passages:
    """So many passages: the same each time that they are made.

    `vectors` is float32 (size, dimension), each of length 1; `words` gives so many words of a text.
    """

    vectors: Vectors
    words: Callable[[Generator, int], Sequence[str]]

    def chunks(self, start: int, end: int) -> list[Chunk]:
        """Those with these numbers; `EACH` are a document."""
        return [self._chunk(number) for number in range(start, end)]

    def queries(self, count: int) -> tuple[list[Vectors], list[str]]:
        """Vectors near one of a passage, and texts of some words."""
        chance = np.random.default_rng(_SEED)
        near = self.vectors[chance.integers(0, len(self.vectors), count)]
        texts = [" ".join(self.words(chance, _OF_A_QUERY)) for _ in range(count)]
        return list(near + 0.1 * _unit(chance, count, near.shape[1])), texts

    def _chunk(self, number: int) -> Chunk:
        text = " ".join(self.words(np.random.default_rng((_SEED, number)), _WORDS))
        document, ordinal = f"d{number // EACH}", number % EACH
        return Chunk(f"{document}:{ordinal}", document, ordinal, 0, 1, 0, len(text), text)


def made(size: int) -> Passages:
    """Vectors around 200 centres; words as often as those of a language, by Zipf's law."""
    chance = np.random.default_rng(_SEED)
    centres = _unit(chance, 200, _DIMENSION)
    around = centres[chance.integers(0, 200, size)] + 0.5 * _unit(chance, size, _DIMENSION)
    return Passages(_normal(around), _by_zipf)


def like(folder: Path, kept: Path | None) -> Callable[[int], Passages]:
    """Mixed of the documents of a folder in BEIR's form; `kept`: a folder for their vectors.

    A vector is that of a document, moved by half the difference of two others: so directions and
    neighbourhoods are those of real texts, and none is there twice. A text is two pieces of two
    documents.
    """
    texts = [f"{d.title} {d.text}" for d in read_collection(folder).documents]
    embedder = CachedEmbedder(load_embedder(load_settings()), kept or Path.cwd() / "artifacts")
    real = embedder.embed([" ".join(text.split()[:_WORDS]) for text in texts])
    tokens = [text.split() for text in texts if len(text.split()) >= _WORDS]

    def words(chance: Generator, count: int) -> Sequence[str]:
        found: list[str] = []
        for piece in (count // 2, count - count // 2):
            text = tokens[chance.integers(len(tokens))]
            at = chance.integers(len(text) - piece + 1)
            found += text[at : at + piece]
        return found

    def passages(size: int) -> Passages:
        chance = np.random.default_rng(_SEED)
        of, one, other = chance.integers(0, len(real), (3, size))
        return Passages(_normal(real[of] + 0.5 * (real[one] - real[other])), words)

    return passages


def _unit(chance: Generator, count: int, dimension: int) -> Vectors:
    return _normal(chance.standard_normal((count, dimension)).astype(np.float32))


def _normal(vectors: Vectors) -> Vectors:
    length: Vectors = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / length).astype(np.float32)


def _by_zipf(chance: Generator, count: int) -> Sequence[str]:
    return [f"w{rank}q" for rank in chance.zipf(1.2, count) % 50_000]
