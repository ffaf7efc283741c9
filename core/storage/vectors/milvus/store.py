"""The vectors of all sessions in Milvus: a row a passage, a collection for each embedding model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from core.config import Settings
from core.errors import IndexDamaged, ModelChanged, StorageError
from core.ids import cut_of_index, session_of_index
from core.storage.milvus import (
    INDEXES,
    SHORT,
    Milvus,
    of_documents,
    of_index,
    of_session,
    quoted,
    vectors_of,
)
from core.storage.vectors.port import REBUILDING, Vectors

_LOOKED_AT = 400  # neighbours that a search keeps in a graph, at least
_SAME = 0.999  # a chunk that is in the index finds itself with this similarity or more
_UNNAMED = "any"  # stands for a model whose digest is not known
_ANOTHER = "The session's vectors were made with another embedding model."


class MilvusStore:
    """A `VectorStore` in Milvus. What it keeps of deleted vectors goes with its compaction."""

    def __init__(self, settings: Settings) -> None:
        self._server = Milvus(settings.index_url)
        self._digest: Callable[[str], str] = lambda _: ""
        self._made_with: Callable[[str], str | None] = lambda _: None

    def follow(self, model: Callable[[str], str], made_with: Callable[[str], str | None]) -> None:
        """See `VectorStore`."""
        self._digest, self._made_with = model, made_with

    def add(self, index_name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """See `VectorStore`."""
        of_index(index_name)  # checks the name
        if not ids:
            return
        if not np.isfinite(vectors).all():
            raise StorageError("The vector store refused these vectors.")
        model = self._model(index_name)
        collection = vectors_of(model, vectors.shape[1])
        self._check_dimension(collection.name, vectors.shape[1])
        of_all = {"session_id": session_of_index(index_name), "cut": cut_of_index(index_name)}
        rows = [
            {
                **of_all,
                "key": f"{index_name}/{chunk_id}",
                "document_id": chunk_id.rpartition(":")[0],
                collection.vector: vector,
            }
            for chunk_id, vector in zip(ids, np.asarray(vectors, np.float32), strict=True)
        ]
        # First: what is not noted would be missed when the session is deleted.
        self._server.note(index_name, model)
        self._server.put(collection, rows)

    def query(
        self,
        index_name: str,
        vector: Vectors,
        n: int,
        allowed_documents: Collection[str] | None = None,
        *,
        allowed_ids: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """See `VectorStore`.

        As a rule all documents are allowed: they are named to Milvus only where others came first.
        """
        where = of_index(index_name)
        self._check_whole(index_name)
        if n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        self._check_dimension(vectors_of(self._model(index_name)).name, len(vector))
        found = self._nearest(index_name, where, vector, n)
        if allowed_documents is not None:
            allowed = frozenset(allowed_documents)
            if any(chunk_id.rpartition(":")[0] not in allowed for chunk_id, _ in found):
                within = f"{where} and {of_documents(allowed)}"
                found = self._nearest(index_name, within, vector, n)
        return found

    def vectors(self, index_name: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """See `VectorStore`."""
        of_index(index_name)
        return self._vectors(index_name, ids)

    def ids(self, index_name: str) -> set[str]:
        """See `VectorStore`."""
        where = of_index(index_name)
        name = vectors_of(self._model(index_name)).name
        return {_chunk_of(row) for row in self._server.rows(name, where, ["key"])}

    def delete_document(self, index_name: str, chunk_ids: Sequence[str]) -> None:
        """See `VectorStore`."""
        of_index(index_name)
        keys = [f"{index_name}/{chunk_id}" for chunk_id in chunk_ids]
        self._server.delete_keys(vectors_of(self._model(index_name)).name, keys)

    def delete_session(self, session_id: str) -> None:
        """See `VectorStore`."""
        self._delete_models(of_session(session_id))

    def delete_index(self, index_name: str) -> None:
        """See `VectorStore`."""
        self._delete_models(of_index(index_name), {self._model(index_name)})

    def drop_others(self, index_name: str) -> None:
        """See `VectorStore`."""
        where = of_index(index_name)
        self._delete_models(where, self._server.models(where) - {self._model(index_name)})

    def adopt(self) -> None:
        """See `VectorStore`: no earlier form is known."""

    def purge(self) -> None:
        """See `VectorStore`: Milvus does it, with its compaction."""

    def settle(self) -> None:
        """See `VectorStore`: Milvus does it by itself."""

    def sessions(self) -> set[str]:
        """See `VectorStore`; a session of which only words are left is one of them."""
        rows = self._server.rows(INDEXES.name, "cut >= 0", ["session_id"])
        return {row["session_id"] for row in rows}

    def probe(self, index_name: str, sample: Sequence[str]) -> bool:
        """See `VectorStore`."""
        where = of_index(index_name)
        found = self._vectors(index_name, sample, strong=True)
        if len(found) < len(set(sample)):
            return False
        nearest = (self._nearest(index_name, where, vector, 1) for vector in found.values())
        return all(best and best[0][1] >= _SAME for best in nearest)

    def close(self) -> None:
        """See `VectorStore`."""
        self._server.close()

    # --------------------------------------------------------------------------------- inside

    def _vectors(
        self, index_name: str, ids: Sequence[str], *, strong: bool = False
    ) -> dict[str, Vectors]:
        collection = vectors_of(self._model(index_name))
        keys = [f"{index_name}/{chunk_id}" for chunk_id in dict.fromkeys(ids)]
        fields = ["key", collection.vector]
        rows = self._server.get(collection.name, keys, fields, strong=strong)
        return {_chunk_of(row): np.array(row[collection.vector], np.float32) for row in rows}

    def _nearest(
        self, index_name: str, where: str, vector: Vectors, n: int
    ) -> list[tuple[str, float]]:
        collection = vectors_of(self._model(index_name))
        given = np.asarray(vector, np.float32)
        found = self._server.nearest(collection, given, where, n, ["key"], ef=max(_LOOKED_AT, n))
        pairs = [(_chunk_of(row), score) for row, score in found]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def _delete_models(self, where: str, models: set[str] | None = None) -> None:
        for model in self._server.models(where) if models is None else models:
            self._server.delete(vectors_of(model).name, where)
            self._server.delete(INDEXES.name, f"{where} and model == {quoted(model)}")

    def _model(self, index_name: str) -> str:
        return self._digest(index_name)[:SHORT] or _UNNAMED

    def _check_dimension(self, name: str, wanted: int) -> None:
        if self._server.dimension(name) not in (None, wanted):
            raise ModelChanged(_ANOTHER)

    def _check_whole(self, index_name: str) -> None:
        made_with = self._made_with(index_name)
        if made_with == REBUILDING:
            raise IndexDamaged("The vectors of this session are being made again.")
        if made_with is not None and made_with[:SHORT] != self._model(index_name):
            raise ModelChanged("The passages of this session are not in the index of this model.")


def _chunk_of(row: dict[str, str]) -> str:
    return row["key"].partition("/")[2]
