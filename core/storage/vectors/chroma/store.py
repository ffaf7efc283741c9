"""The vectors of all sessions in Chroma: ids and vectors only, one collection an index and model.

Only the modules of this folder import chromadb. One process owns the folder on the disk (see
`core/storage/files/lock.py`): two writers destroy it, and a reader does not see what another one
adds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from core.config import Settings
from core.errors import IndexDamaged, ModelChanged
from core.ids import checked_index, checked_uuid, session_of_index
from core.storage.vectors.chroma import probe
from core.storage.vectors.chroma.client import (
    HNSW,
    connect,
    in_slices,
    our_errors,
    written_in_batches,
)
from core.storage.vectors.chroma.purge import purge
from core.storage.vectors.port import EXACT_UP_TO, REBUILDING, Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

_WIDEN = 8  # how much more is fetched when a filter leaves too few
_OPEN_COLLECTIONS = 256
_LISTED = 100
_SAME = 0.999  # a chunk that is in the index finds itself with this similarity or more
_SHORT = 16  # characters of a model's digest in the name of a collection


class ChromaStore:
    """A `VectorStore` in Chroma: one collection for each index (`Cut.index`) and model.

    Raises `StorageError` and its kinds, among them `ModelChanged` where the index's vectors
    are of another model or number of dimensions, and `InvalidId`.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: ClientAPI | None = None
        self._collections: dict[str, ChromaCollection] = {}
        self._opening = threading.RLock()
        self._writing = threading.RLock()
        self._model: Callable[[str], str] = lambda _: ""
        self._made_with: Callable[[str], str | None] = lambda _: None
        self._lost: set[str] | None = set()  # indexes; None: all but those made again
        self._made_again: set[str] = set()

    def follow(self, model: Callable[[str], str], made_with: Callable[[str], str | None]) -> None:
        """See `VectorStore`: each model's vectors are in a collection of their own."""
        self._model, self._made_with = model, made_with

    def add(self, index_name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Add vectors, float32 (len(ids), dimension), or replace those of the same ids."""

        def write(part: slice) -> None:
            known = self._collection(index_name)
            collection = known or self._collection(index_name, create=True)
            assert collection is not None
            collection.upsert(ids=list(ids[part]), embeddings=vectors[part])
            if known is None:
                written_in_batches(collection)

        with our_errors():
            in_slices(len(ids), write, self._writing)

    def query(
        self,
        index_name: str,
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
        self._check_whole(index_name)
        collection = self._collection(index_name)
        if collection is None or n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        wanted = n
        while True:
            nearest = _nearest(collection, vector, wanted)
            kept = _of_documents(nearest, allowed_documents)
            if len(kept) >= n or len(nearest) < wanted:
                return kept[:n]
            if wanted > n and allowed_ids is not None and len(allowed_ids) <= EXACT_UP_TO:
                return self._exact(index_name, vector, allowed_ids)[:n]
            wanted *= _WIDEN

    def vectors(self, index_name: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those ids that are there."""
        collection = self._collection(index_name)
        if collection is None or not ids:
            return {}
        with our_errors():
            found = collection.get(ids=list(ids), include=["embeddings"])
        if found["embeddings"] is None:
            return {}
        matrix = np.asarray(found["embeddings"], np.float32)
        return dict(zip(found["ids"], matrix, strict=True))

    def ids(self, index_name: str) -> set[str]:
        """The ids of all chunks that have a vector."""
        collection = self._collection(index_name)
        if collection is None:
            return set()
        with our_errors():
            return set(collection.get(include=[])["ids"])

    def delete_document(self, index_name: str, chunk_ids: Sequence[str]) -> None:
        """Delete the vectors of these chunks; ids that are not there do not matter."""

        def delete(part: slice) -> None:
            if collection := self._collection(index_name):
                collection.delete(ids=list(chunk_ids[part]))

        with our_errors():
            in_slices(len(chunk_ids), delete, self._writing)

    def delete_session(self, session_id: str) -> None:
        """Delete the session's collections, their files, and what Chroma's database keeps."""
        wanted = checked_uuid(session_id)
        found = [name for name in self._names() if session_of_index(_index_of(name)) == wanted]
        self._delete(found)
        self._made_again.update({session_id, *map(_index_of, found)})

    def delete_index(self, index_name: str) -> None:
        """Delete the index's vectors of the followed model, whatever state they are in."""
        self._delete([self._name(index_name)])
        self._made_again.add(index_name)

    def drop_others(self, index_name: str) -> None:
        """Delete the index's vectors of other models than the one that is followed."""
        mine = self._name(index_name)
        found = [n for n in self._names() if _index_of(n) == index_name and n != mine]
        if found:
            self._delete(found)

    def adopt(self) -> None:
        """Name collections from before models had their own after the model that made them."""
        with self._writing, our_errors():
            for name in self._names():
                digest = None if "." in name else self._made_with(name)
                if digest:
                    self._open().get_collection(name).modify(name=f"{name}.{digest[:_SHORT]}")

    def purge(self) -> None:
        """Remove what Chroma keeps of deleted collections."""
        with self._writing:
            purge(self._settings.chroma_dir)

    def settle(self) -> None:
        """See `VectorStore`: Chroma does it by itself."""

    def sessions(self) -> set[str]:
        """The ids of all sessions that have vectors, of whatever model."""
        return {session_of_index(_index_of(name)) for name in self._names()}

    def probe(self, index_name: str, sample: Sequence[str]) -> bool:
        """Whether each chunk of the sample finds itself. A count alone does not show damage."""
        try:
            if self._is_lost(index_name):
                return False
            vectors = self.vectors(index_name, sample)
            collection = self._collection(index_name)
            if len(vectors) < len(set(sample)) or collection is None:
                return not sample
            found = (_nearest(collection, vector, 1) for vector in vectors.values())
            return all(nearest and nearest[0][1] >= _SAME for nearest in found)
        except IndexDamaged:
            return False

    def close(self) -> None:
        """Close Chroma; the store opens again at the next use."""
        with self._writing, self._opening:
            client, self._client = self._client, None
            self._collections.clear()
            if client is None:
                return
            cast("Client", client).close()
            probe.note_left(self._settings.chroma_dir)

    # --------------------------------------------------------------------------------- Chroma

    def _exact(
        self, index_name: str, vector: Vectors, ids: Sequence[str]
    ) -> list[tuple[str, float]]:
        found = self.vectors(index_name, ids)
        if not found:
            return []
        matrix = np.stack(list(found.values()))
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
        scores = matrix @ vector / np.maximum(lengths, 1e-12)
        pairs = zip(found, (float(score) for score in scores), strict=True)
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def _name(self, index_name: str) -> str:
        model = self._model(checked_index(index_name))
        return f"{index_name}.{model[:_SHORT]}" if model else index_name

    def _names(self) -> list[str]:
        names: list[str] = []
        with self._opening, our_errors():
            while True:  # a server may give no more than so many at once
                found = self._open().list_collections(limit=_LISTED, offset=len(names))
                names += [collection.name for collection in found]
                if len(found) < _LISTED:
                    return names

    def _delete(self, names: Iterable[str]) -> None:
        from chromadb.errors import NotFoundError

        with self._writing, our_errors():
            for name in names:
                self._collections.pop(name, None)
                try:
                    self._open().delete_collection(name)
                except NotFoundError:
                    continue
            self.purge()

    def _collection(self, index_name: str, *, create: bool = False) -> ChromaCollection | None:
        """The session's collection, None if it has none."""
        from chromadb.errors import NotFoundError

        with self._opening, our_errors():
            name = self._name(index_name)
            known = self._collections.get(name)
            if known is not None:
                return known
            try:
                found = self._get(name, create)
            except NotFoundError:
                return None
            if len(self._collections) >= _OPEN_COLLECTIONS:
                self._collections.pop(next(iter(self._collections)))
            self._collections[name] = found
            return found

    def _get(self, name: str, create: bool) -> ChromaCollection:
        if not create:
            return self._open().get_collection(name, embedding_function=None)
        return self._open().get_or_create_collection(
            name, configuration={"hnsw": HNSW}, embedding_function=None
        )

    def _open(self) -> ClientAPI:
        if self._client is None:
            # A damaged index ends the process that opens it, so another one looks first.
            found = probe.examine(self._settings.chroma_dir)
            self._made_again.clear()
            self._lost = None if found is None else {_index_of(name) for name in found}
            self._client = connect(self._settings.chroma_dir)
        return self._client

    def _is_lost(self, index_name: str) -> bool:
        if index_name in self._made_again:
            return False
        if self._lost is None:
            return self._made_with(index_name) is not None
        return index_name in self._lost

    def _check_whole(self, index_name: str) -> None:
        """Raise unless the session's vectors are all there: fewer hits would not be noticed."""
        made_with = self._made_with(checked_index(index_name))
        if made_with == REBUILDING or self._is_lost(index_name):
            raise IndexDamaged("The vectors of this session are being made again.")
        if made_with not in (None, self._model(index_name)):
            raise ModelChanged("The passages of this session are not in the index of this model.")


def _index_of(name: str) -> str:
    return name.partition(".")[0]


def _nearest(collection: ChromaCollection, vector: Vectors, n: int) -> list[tuple[str, float]]:
    with our_errors():
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
