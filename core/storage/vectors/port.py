"""The port of vector stores: what an adapter has to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

EXACT_UP_TO = 1_000
"""So many allowed chunks may be scored one by one: reading costs 0.1 ms each."""
REBUILDING = "rebuilding"
"""Stands for the digest of a model while a session's vectors are made again."""


class VectorStore(Protocol):
    """Vectors by index and chunk id. Thread-safe; opens its files or its server at first use.

    The name of an index is that of a cut of a session (`core.types.Cut.index`).

    After `follow`, everything that is added to an index or found in it is of one embedding model;
    what another model made stays where it is until `drop_others`, so that going back to it costs
    nothing.

    Methods raise `StorageError` and its kinds, among them `ModelChanged` where the index's
    vectors are of another model or number of dimensions, and `InvalidId`.
    """

    def follow(self, model: Callable[[str], str], made_with: Callable[[str], str | None]) -> None:
        """Work with the vectors of one model in each index, each model's apart.

        Both are called with the name of an index. `model` returns the digest of the model whose
        vectors are worked with; `made_with` that of the one that made all vectors there are, None
        where that is not recorded. While that is another model, `query` raises `ModelChanged`.
        """

    def add(self, index_name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Add vectors, float32 (len(ids), dimension), or replace those of the same ids."""

    def query(
        self,
        index_name: str,
        vector: Vectors,
        n: int,
        allowed_documents: Collection[str] | None = None,
        *,
        allowed_ids: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Return the `n` nearest chunks as (id, cosine similarity), best first.

        `allowed_documents` keeps chunks of these documents only; `allowed_ids` may name all
        chunks of them where they are few (`EXACT_UP_TO`).
        """
        ...

    def vectors(self, index_name: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of those ids that are there."""
        ...

    def ids(self, index_name: str) -> set[str]:
        """Return the ids of all chunks that have a vector."""
        ...

    def delete_document(self, index_name: str, chunk_ids: Sequence[str]) -> None:
        """Delete the vectors of these chunks; missing ids are no error."""

    def delete_session(self, session_id: str) -> None:
        """Delete the session's vectors of every model, with every byte of them on the disk."""

    def delete_index(self, index_name: str) -> None:
        """Delete the index's vectors of the followed model, whatever state they are in."""

    def drop_others(self, index_name: str) -> None:
        """Delete the index's vectors of other models than the one that is followed."""

    def adopt(self) -> None:
        """Bring what an earlier version of the program stored into the form of this one."""

    def purge(self) -> None:
        """Remove what the store keeps of deleted vectors, or prepare `Database.vacuum` to do so.

        `settle` comes after it.
        """

    def settle(self) -> None:
        """Bring indexes into the form that suits their size, in a moment without other work."""

    def sessions(self) -> set[str]:
        """Return the ids of all sessions that have vectors, of whatever model."""
        ...

    def probe(self, index_name: str, sample: Sequence[str]) -> bool:
        """Return whether each chunk of the sample finds itself. A count does not show damage."""
        ...

    def close(self) -> None:
        """Close the store; it opens again at the next use."""
