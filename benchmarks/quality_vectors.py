"""Vectors that are computed once: by content, kept in a folder between runs."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.models.port import Embedder, Progress

Vectors = NDArray[np.float32]
_COMMIT_EVERY = 256


class CachedEmbedder:
    """An embedder that remembers, on disk, every text that it has embedded.

    A vector is found by the SHA-256 of model, side (passage or query) and text, so that settings
    which cut, rank or fuse differently share what they have in common.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self.name, self.digest, self.dimension = embedder.name, embedder.digest, embedder.dimension
        self._embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._known = sqlite3.connect(folder / "vectors.sqlite")
        weakref.finalize(self, self._known.close)  # from 3.13 on Python warns of what is left open
        self._known.execute("create table if not exists v (key blob primary key, vector blob)")

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`."""
        keys = [self._key("passage", text) for text in texts]
        found = self._find(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        todo = list(missing.items())
        for start in range(0, len(todo), _COMMIT_EVERY):
            part = todo[start : start + _COMMIT_EVERY]
            vectors = self._embedder.embed([text for _, text in part])
            found.update(self._keep(zip((key for key, _ in part), vectors, strict=True)))
            _report(min(start + _COMMIT_EVERY, len(todo)), len(todo))
        if progress:
            progress(len(texts), len(texts))
        return np.stack([found[key] for key in keys])

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        key = self._key("query", text)
        found = self._find([key])
        return (found or self._keep([(key, self._embedder.embed_query(text))]))[key]

    def _key(self, side: str, text: str) -> bytes:
        whole = f"{self.digest}\0{side}\0{text}".encode("utf-8", "replace")
        return hashlib.sha256(whole).digest()

    def _find(self, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        for key in keys:
            row = self._known.execute("select vector from v where key = ?", (key,)).fetchone()
            if row is not None:
                found[key] = np.frombuffer(row[0], np.float32)
        return found

    def _keep(self, vectors: Iterable[tuple[bytes, Vectors]]) -> dict[bytes, Vectors]:
        kept = dict(vectors)
        rows = [(key, np.asarray(vector, np.float32).tobytes()) for key, vector in kept.items()]
        with self._known:
            self._known.executemany("insert or replace into v values (?, ?)", rows)
        return kept


class ExactVectors:
    """What a search needs of the vector store, by exact search in memory.

    Exact search finds what the program's index finds: its recall@50 is 0.99 to 1.
    """

    def __init__(self, ids: Sequence[str], vectors: Vectors) -> None:
        self._ids, self._matrix = list(ids), vectors
        self._row = {key: row for row, key in enumerate(ids)}
        documents = [key.rpartition(":")[0] for key in ids]
        self._rows_of: dict[str, list[int]] = {}
        for row, document in enumerate(documents):
            self._rows_of.setdefault(document, []).append(row)

    def query(
        self,
        session_id: str,
        vector: Vectors,
        n: int,
        allowed_documents: Collection[str] | None = None,
        *,
        allowed_ids: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """See `VectorStore.query`."""
        rows = np.arange(len(self._ids))
        scores = self._matrix @ vector
        if allowed_documents is not None and len(allowed_documents) < len(self._rows_of):
            rows = np.array([r for d in allowed_documents for r in self._rows_of.get(d, ())], int)
            scores = scores[rows]
        best = np.argpartition(-scores, min(n, len(rows) - 1))[:n] if len(rows) else rows
        pairs = [(self._ids[rows[at]], float(scores[at])) for at in best]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def vectors(self, session_id: str, ids: Sequence[str]) -> Mapping[str, Vectors]:
        """See `VectorStore.vectors`."""
        return {key: self._matrix[self._row[key]] for key in ids if key in self._row}


def _report(done: int, total: int) -> None:
    if done % (8 * _COMMIT_EVERY) == 0 or done == total:
        print(f"embedded {done} of {total}", file=sys.stderr, flush=True)
