"""A library of any size made of real text: passages of judged collections, mixed anew.

A few thousand passages are embedded once. Each chunk holds sentences of two of them, and its
vector lies between theirs with a little noise, so that vectors and words are distributed like
those of real text without a chunk being there twice. Both sides get the same chunks and vectors.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

CHUNKS_A_DOCUMENT = 100
_SETS = ("scifact", "cran", "med", "cosqa")
_PASSAGES = 3_000
_QUERIES = 80
_SIZE = 1_000  # characters of a chunk at most
_SHARE = 0.7  # of the first passage in the vector
_NOISE = 0.015
_PART = 10_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True)
class Corpus:
    """Where a library of `count` chunks is: `chunks.jsonl`, `vectors.npy`, `queries.json`."""

    folder: Path
    count: int

    def vectors(self) -> Vectors:
        """Float32 (count, dimension), read from the disk as they are needed."""
        found: Vectors = np.load(self.folder / "vectors.npy", mmap_mode="r")
        return found

    def queries(self) -> list[str]:
        """Questions that the passages' collections come with."""
        return list(json.loads((self.folder / "queries.json").read_text("utf-8")))


def make_corpus(data: Path, cache: Path, count: int) -> Corpus:
    """The library of `count` chunks made of the collections below `data`, kept in `cache`."""
    corpus = Corpus(cache / f"corpus-{count}", count)
    if (corpus.folder / "queries.json").is_file():
        return corpus
    corpus.folder.mkdir(parents=True, exist_ok=True)
    passages = _passages(data)
    base = base_vectors(passages, cache)
    with (corpus.folder / "chunks.jsonl").open("w", encoding="utf-8") as lines:
        shape = (count, base.shape[1])
        path = corpus.folder / "vectors.npy"
        vectors = np.lib.format.open_memmap(path, "w+", dtype=np.float32, shape=shape)
        for start in range(0, count, _PART):
            pairs = _pairs(len(passages), min(_PART, count - start), start)
            vectors[start : start + len(pairs)] = _mixed(base, pairs, start)
            for offset, text in enumerate(_texts(passages, pairs, start)):
                number = (start + offset) // CHUNKS_A_DOCUMENT
                line = {"document": f"report-{number:05}.txt", "text": text}
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    (corpus.folder / "queries.json").write_text(json.dumps(_queries(data)), "utf-8")
    return corpus


def base_vectors(passages: list[str], cache: Path) -> Vectors:
    """The passages embedded by the program's own model, once."""
    key = hashlib.sha256("\0".join(passages).encode("utf-8", "replace")).hexdigest()[:16]
    path = cache / f"passages-{key}.npy"
    if path.is_file():
        kept: Vectors = np.load(path)
        return kept
    from core.config import load_settings
    from core.models.embedding import load_embedder

    print(f"embedding {len(passages)} passages, once", file=sys.stderr, flush=True)
    settings = load_settings(env_file=None)
    vectors = load_embedder(settings).embed(passages)
    np.save(path, vectors)
    return vectors


def real_passages(data: Path, cache: Path) -> tuple[list[str], Vectors]:
    """Passages of the collections below `data`, with their vectors."""
    passages = _passages(data)
    return passages, base_vectors(passages, cache)


def _passages(data: Path) -> list[str]:
    """Passages of all sets, at even distances, of at least 300 characters."""
    found: list[str] = []
    for name in _SETS:
        with (data / "retrieval" / name / "corpus.jsonl").open(encoding="utf-8") as lines:
            texts = [f"{item['title']}\n{item['text']}".strip() for item in map(json.loads, lines)]
        found += [text[:_SIZE] for text in texts if len(text) >= 300]
    step = max(1, len(found) // _PASSAGES)
    return found[::step][:_PASSAGES]


def _queries(data: Path) -> list[str]:
    path = data / "retrieval" / "scifact" / "queries.jsonl"
    texts = [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]
    return texts[:: max(1, len(texts) // _QUERIES)][:_QUERIES]


def _pairs(passages: int, count: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, passages, (count, 2))


def _mixed(base: Vectors, pairs: NDArray[np.int64], seed: int) -> Vectors:
    noise = np.random.default_rng(seed + 1).normal(0, _NOISE, (len(pairs), base.shape[1]))
    mixed = _SHARE * base[pairs[:, 0]] + (1 - _SHARE) * base[pairs[:, 1]] + noise
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    return np.asarray(mixed / lengths, np.float32)


def _texts(passages: list[str], pairs: NDArray[np.int64], seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    for first, second in pairs.tolist():
        sentences = _SENTENCE.split(passages[first]) + _SENTENCE.split(passages[second])
        chance.shuffle(sentences)
        yield " ".join(sentences)[:_SIZE].strip()
