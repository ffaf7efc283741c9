"""The vectors of all sessions in Chroma: ids and vectors only, one collection a session.

The only module that imports chromadb. Without CHROMA_URL one process owns the folder (see
`storage.lock`): two writers destroy it, and a reader does not see what another one adds.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.errors import IndexDamaged, ModelChanged, StorageError
from core.ids import checked_uuid
from core.storage.vectors_purge import purge

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]

BATCH = 5_000  # Chroma takes at most 5,461 at once
EXACT_UP_TO = 1_000  # so many allowed chunks are scored one by one: reading costs 0.1 ms each
_WIDEN = 8  # how much more is fetched when a filter leaves too few
_OPEN_COLLECTIONS = 256
_SAME = 0.999  # a chunk that is in the index finds itself with this similarity or more
_HNSW: CreateHNSWConfiguration = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 400,
    "max_neighbors": 32,
}
"""recall@50 against exact search is 1.000 on clustered and 0.989 on random vectors (Chroma's
defaults: 0.978 and 0.628); docs/decisions.md."""


class VectorStore:
    """Vectors by session and chunk id. Thread-safe. Opens Chroma at its first use.

    Raises `StorageError` and its kinds, among them `ModelChanged` where the number of dimensions
    is another than that of the session's vectors, and `InvalidId`.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: ClientAPI | None = None
        self._collections: dict[str, ChromaCollection] = {}
        self._opening = threading.RLock()
        self._writing = threading.Lock()

    def add(self, session_id: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Add vectors, float32 (len(ids), dimension), or replace those of the same ids."""
        if not ids:
            return
        with self._writing, _our_errors():
            collection = self._collection(session_id, create=True)
            assert collection is not None
            for start in range(0, len(ids), BATCH):
                part = slice(start, start + BATCH)
                collection.upsert(ids=list(ids[part]), embeddings=vectors[part])

    def query(
        self,
        session_id: str,
        vector: Vectors,
        n: int,
        allowed_documents: Collection[str] | None = None,
        *,
        allowed_ids: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """The `n` nearest chunks as (id, cosine similarity), best first; [] if there are none.

        `allowed_documents` keeps chunks of these documents only. Chroma's own filter makes a
        query sixty times as slow, so more is fetched and filtered here; where that is not
        enough and `allowed_ids` names their chunks and they are few, these are scored exactly.
        """
        collection = self._collection(session_id)
        if collection is None or n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        wanted = n
        while True:
            nearest = _nearest(collection, vector, wanted)
            kept = _of_documents(nearest, allowed_documents)
            if len(kept) >= n or len(nearest) < wanted:
                return kept[:n]
            if wanted > n and allowed_ids is not None and len(allowed_ids) <= EXACT_UP_TO:
                return self._exact(session_id, vector, allowed_ids)[:n]
            wanted *= _WIDEN

    def vectors(self, session_id: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those ids that are there."""
        collection = self._collection(session_id)
        if collection is None or not ids:
            return {}
        with _our_errors():
            found = collection.get(ids=list(ids), include=["embeddings"])
        if found["embeddings"] is None:
            return {}
        matrix = np.asarray(found["embeddings"], np.float32)
        return dict(zip(found["ids"], matrix, strict=True))

    def ids(self, session_id: str) -> set[str]:
        """The ids of all chunks that have a vector."""
        collection = self._collection(session_id)
        if collection is None:
            return set()
        with _our_errors():
            return set(collection.get(include=[])["ids"])

    def delete_document(self, session_id: str, chunk_ids: Sequence[str]) -> None:
        """Delete the vectors of these chunks; ids that are not there do not matter."""
        with self._writing, _our_errors():
            collection = self._collection(session_id)
            for start in range(0, len(chunk_ids) if collection else 0, BATCH):
                assert collection is not None
                collection.delete(ids=list(chunk_ids[start : start + BATCH]))

    def delete_session(self, session_id: str) -> None:
        """Delete the collection, its files, and what Chroma leaves of it in its database."""
        from chromadb.errors import NotFoundError

        with self._writing, _our_errors():
            self._collections.pop(checked_uuid(session_id), None)
            try:
                self._open().delete_collection(session_id)
            except NotFoundError:
                return
            if not self._settings.chroma_url:
                purge(self._settings.chroma_dir)

    def probe(self, session_id: str, sample: Sequence[str]) -> bool:
        """Whether each chunk of the sample finds itself. A count alone does not show damage."""
        try:
            vectors = self.vectors(session_id, sample)
            if len(vectors) < len(set(sample)):
                return False
            nearest = (self.query(session_id, vector, 1) for vector in vectors.values())
            return all(found and found[0][1] >= _SAME for found in nearest)
        except IndexDamaged:
            return False

    def close(self) -> None:
        """Close Chroma; the store opens again at the next use."""
        with self._opening:
            client, self._client = self._client, None
            self._collections.clear()
            if client is not None:
                cast("Client", client).close()

    # --------------------------------------------------------------------------------- Chroma

    def _exact(
        self, session_id: str, vector: Vectors, ids: Sequence[str]
    ) -> list[tuple[str, float]]:
        found = self.vectors(session_id, ids)
        if not found:
            return []
        matrix = np.stack(list(found.values()))
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
        scores = matrix @ vector / np.maximum(lengths, 1e-12)
        pairs = zip(found, (float(score) for score in scores), strict=True)
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def _collection(self, session_id: str, *, create: bool = False) -> ChromaCollection | None:
        """The session's collection, None if it has none."""
        from chromadb.errors import NotFoundError

        with self._opening, _our_errors():
            known = self._collections.get(checked_uuid(session_id))
            if known is not None:
                return known
            try:
                found = self._get(session_id, create)
            except NotFoundError:
                return None
            if len(self._collections) >= _OPEN_COLLECTIONS:
                self._collections.pop(next(iter(self._collections)))
            self._collections[session_id] = found
            return found

    def _get(self, session_id: str, create: bool) -> ChromaCollection:
        if not create:
            return self._open().get_collection(session_id, embedding_function=None)
        return self._open().get_or_create_collection(
            session_id,
            configuration={"hnsw": _HNSW},
            embedding_function=None,
        )

    def _open(self) -> ClientAPI:
        if self._client is None:
            self._client = _connect(self._settings)
        return self._client


def _connect(settings: Settings) -> ClientAPI:
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    quiet = ChromaSettings(anonymized_telemetry=False)
    if settings.chroma_url:
        address = urlsplit(settings.chroma_url)
        secure = address.scheme == "https"
        return chromadb.HttpClient(
            host=address.hostname or "localhost",
            port=address.port or (443 if secure else 8000),
            ssl=secure,
            settings=quiet,
        )
    settings.chroma_dir.mkdir(parents=True, exist_ok=True)
    return chromadb.PersistentClient(str(settings.chroma_dir), settings=quiet)


def _nearest(collection: ChromaCollection, vector: Vectors, n: int) -> list[tuple[str, float]]:
    with _our_errors():
        found = collection.query(
            query_embeddings=vector[np.newaxis], n_results=n, include=["distances"]
        )
    distances = found["distances"] or [[]]
    return [(i, 1.0 - d) for i, d in zip(found["ids"][0], distances[0], strict=True)]


def _of_documents(
    found: list[tuple[str, float]], allowed: Collection[str] | None
) -> list[tuple[str, float]]:
    if allowed is None:
        return found
    return [pair for pair in found if pair[0].rpartition(":")[0] in allowed]


@contextmanager
def _our_errors() -> Iterator[None]:
    """Chroma's errors, a lost server and a crash inside Chroma become ours."""
    from chromadb.errors import ChromaError

    try:
        yield
    except ChromaError as error:
        raise _translated(error) from None
    except OSError as error:
        log.error("Chroma: %s", error)
        raise StorageError("The vector store cannot be read or written.") from None
    except (ValueError, RuntimeError) as error:
        log.error("Chroma: %s", error)
        raise StorageError("The vector store does not answer.") from None


def _translated(error: Any) -> StorageError:
    from chromadb.errors import InvalidArgumentError

    log.error("Chroma: %s: %s", type(error).__name__, error)
    if isinstance(error, InvalidArgumentError) and "dimension" in str(error):
        return ModelChanged("The session's vectors were made with another embedding model.")
    if isinstance(error, InvalidArgumentError):
        return StorageError("The vector store refused these vectors.")
    return IndexDamaged("The vector store is damaged or cannot be written.")
