"""The documents that a search may find, and the stores that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import StorageError
from core.models.port import Embedder
from core.storage.lexical.port import LexicalIndex
from core.storage.vectors.port import EXACT_UP_TO, VectorStore
from core.types import Chunk, Cut, Document

Vectors = NDArray[np.float32]


class SearchedDocuments(Protocol):
    """The part of the documents' room that a search needs."""

    def ready(self, session_id: str, searched_only: bool = True) -> Mapping[str, Document]: ...


class SearchedContent(Protocol):
    """The part of the content's room that a search needs."""

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> Mapping[str, Chunk]: ...

    def page_texts(
        self, session_id: str, places: Iterable[tuple[str, int]]
    ) -> Mapping[tuple[str, int], str]: ...


class SearchedCatalogue(Protocol):
    """The rooms of the catalogue that a search reads."""

    @property
    def documents(self) -> SearchedDocuments: ...

    @property
    def content(self) -> SearchedContent: ...


@dataclass(frozen=True)
class Corpus:
    """The documents of a session that are ready and searched, in one cut, with their stores.

    `cut_off_of` gives the least similarity for a preset that leaves it to the embedding model.
    """

    cut: Cut
    documents: Mapping[str, Document]
    content: SearchedContent
    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Embedder
    cut_off_of: Callable[[Corpus], float] = lambda corpus: -1.0

    @property
    def session_id(self) -> str:
        """The session whose documents they are."""
        return self.cut.session_id

    def document_of(self, chunk_id: str) -> Document | None:
        """Return the document of a chunk, or None if it is not searched or gone."""
        return self.documents.get(chunk_id.rpartition(":")[0])

    def all_chunk_ids(self) -> list[str] | None:
        """Return the ids of all chunks that may be found, if few (see `VectorStore.query`)."""
        if not self.cut.in_force:  # the number of chunks is known of the cut in force
            return None
        if sum(document.chunks for document in self.documents.values()) > EXACT_UP_TO:
            return None
        first = self.cut.first
        return [f"{d.id}:{first + n}" for d in self.documents.values() for n in range(d.chunks)]

    def vectors_of(self, ids: Sequence[str], read: Mapping[str, Vectors]) -> dict[str, Vectors]:
        """Return the vectors of those chunks that have one; those in `read` are not read again.

        {} if the store fails: the dense side of the search has reported that already.
        """
        missing = [key for key in ids if key not in read]
        try:
            found = self.vectors.vectors(self.cut.index, missing) if missing else {}
        except StorageError:
            return {}
        every = {**read, **found}
        return {key: every[key] for key in ids if key in every}
