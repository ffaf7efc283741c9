"""The port of lexical indexes: what an adapter has to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from core.types import Chunk

Entry = tuple[Sequence[Chunk], str, str]
"""The chunks of one document, its title and its language."""


class LexicalIndex(Protocol):
    """BM25 over the chunks of a cut of a session. Thread-safe; opens what it needs at first use.

    The name of an index is `core.types.Cut.index`. What is stored are ids and terms, never text
    that could be shown. Methods raise `StorageError` and its kinds, among them `IndexDamaged`, and
    `InvalidId`.
    """

    def add(
        self, index_name: str, chunks: Sequence[Chunk], titles: Sequence[str], language: str = ""
    ) -> None:
        """Add the chunks of one document. `titles` go with `chunks`; `language` is ISO 639-1."""

    def query(
        self,
        index_name: str,
        text: str,
        n: int,
        allowed_documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Return the `n` best chunks as (id, BM25 score), best first; [] if nothing matches.

        Of what a person writes only "quoted phrases" have a meaning of their own: chunks that do
        not hold them are left out. `allowed_documents` keeps chunks of these documents only;
        scores stay as they are.
        """
        ...

    def share_within(self, index_name: str, word: str, documents: Collection[str]) -> float:
        """Of the chunks that hold a word, the share that is of these documents; 1 if none does."""
        ...

    def like(self, index_name: str, word: str) -> tuple[str, float]:
        """Return the stem of the session's texts that is most like a word, and how alike they are.

        Of the stems with the same first three letters; ("", 0.0) where there is none. Likeness is
        the ratio of difflib, 1 for the same.
        """
        ...

    def ids(self, index_name: str) -> set[str]:
        """Return the ids of all chunks in the index."""
        ...

    def delete_document(self, index_name: str, document_id: str) -> None:
        """Take all chunks of a document out; a document that is not there does not matter."""

    def delete_session(self, session_id: str) -> None:
        """Remove all indexes of a session."""

    def delete_index(self, index_name: str) -> None:
        """Remove an index, whatever state it is in."""

    def erase_later(self, index_name: str) -> None:
        """Let `to_erase` name an index, once no more is deleted in it."""

    def to_erase(self) -> list[str]:
        """Return the indexes that still hold words of what was deleted: `rewrite` them.

        Not before a moment of rest, so that many deletions are erased together.
        """
        ...

    def holds_deleted(self, index_name: str) -> bool:
        """Return whether words of deleted documents are still stored, though never found."""
        ...

    def rewrite(self, index_name: str, entries: Iterable[Entry]) -> None:
        """Write the index anew with these documents alone, and put it in the place of the old one.

        Searches go on in the old one meanwhile. What `entries` raises leaves the old one there.
        """

    def close(self) -> None:
        """Close the indexes; each opens again at its next use."""
