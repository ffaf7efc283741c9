"""The vectors of the last queries and sentences: each is embedded once for all that need it."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from core.models.port import Embedder, Progress, Vectors

_MOST = 256
_MOST_SENTENCES = 8_192  # 13 MB of vectors with 384 numbers
_LONGEST = 10_000  # characters of a query that is kept


class QueryMemory:
    """A function from a text to its vector that remembers the last results. Thread-safe.

    Its vectors are read-only.
    """

    def __init__(self, embed: Callable[[str], Vectors], most: int = _MOST) -> None:
        self._embed, self._most = embed, most
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str) -> Vectors:
        """The vector of a query."""
        with self._lock:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
                return known
        vector = self._embed(text)
        vector.setflags(write=False)
        if len(text) <= _LONGEST:
            with self._lock:
                self._known[text] = vector
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
        return vector


class SentenceMemory:
    """An embedding model that remembers the vectors of the last texts. Thread-safe.

    Questions about the same pages compare the same sentences. Texts themselves are not kept.
    """

    def __init__(self, embedder: Embedder, most: int = _MOST_SENTENCES) -> None:
        self._embedder, self._most = embedder, most
        self.name, self.digest = embedder.name, embedder.digest
        self._known: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`; `progress` counts what is not known yet."""
        keys = [_key(text) for text in texts]
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
        lacking = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        made = self._embedder.embed(list(lacking.values()), progress=progress)
        found.update(zip(lacking, made, strict=True))
        with self._lock:
            for key in keys:
                self._known[key] = found[key].copy() if key in lacking else found[key]
                self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, key in enumerate(keys):
            vectors[row] = found[key]
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._embedder.embed_query(text)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
