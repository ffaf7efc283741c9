"""Making both indexes agree with the catalogue, which is the truth.

After a crash, a lost index or a change of the embedding model, what is missing is made again from
the text in the catalogue, and what is in excess is removed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import IndexDamaged, StorageError
from core.models.embedding import Embedder
from core.storage.catalogue import Catalogue
from core.storage.lexical import LexicalIndex
from core.storage.vectors import VectorStore
from core.types import Chunk, Document

log = logging.getLogger(__name__)

EmbeddingText = Callable[[Chunk, str], str]


@dataclass(frozen=True, slots=True)
class Mended:
    """How many chunks were made again or taken out, over all sessions."""

    embedded: int = 0
    indexed: int = 0
    removed: int = 0


def reconcile(
    catalogue: Catalogue,
    vectors: VectorStore,
    lexical: LexicalIndex,
    embedder: Embedder,
    embedding_text: EmbeddingText,
) -> Mended:
    """Mend the indexes of all sessions; gives what had to be done."""
    embedded = indexed = removed = 0
    for session_id in catalogue.all_session_ids():
        made_with = catalogue.collection(session_id)
        if made_with is not None and made_with[1] != embedder.digest:
            log.warning("Session %s: other embedding model, embedding again", session_id)
            vectors.delete_session(session_id)
        wanted = set(catalogue.chunk_ids(session_id))
        in_vectors, in_lexical = _vector_ids(vectors, session_id), _lexical_ids(lexical, session_id)
        removed += _remove_excess(vectors, lexical, session_id, wanted, in_vectors, in_lexical)
        for document in catalogue.ready_documents(session_id, searched_only=False).values():
            chunks = catalogue.chunks(session_id, document.id)
            embedded += _embed(vectors, embedder, embedding_text, document, chunks, in_vectors)
            indexed += _index(lexical, document, chunks, in_lexical)
        if wanted:
            catalogue.set_collection(session_id, embedder.name, embedder.digest, embedder.dimension)
    mended = Mended(embedded, indexed, removed)
    if mended != Mended():
        log.warning("Indexes mended: %s", mended)
    return mended


def _vector_ids(vectors: VectorStore, session_id: str) -> set[str]:
    try:
        return vectors.ids(session_id)
    except StorageError:
        vectors.delete_session(session_id)
        return set()


def _lexical_ids(lexical: LexicalIndex, session_id: str) -> set[str]:
    try:
        return lexical.ids(session_id)
    except IndexDamaged:
        lexical.delete_session(session_id)
        return set()


def _remove_excess(
    vectors: VectorStore,
    lexical: LexicalIndex,
    session_id: str,
    wanted: set[str],
    in_vectors: set[str],
    in_lexical: set[str],
) -> int:
    excess = sorted(in_vectors - wanted)
    if excess:
        vectors.delete_document(session_id, excess)
    kept_documents = {chunk_id.partition(":")[0] for chunk_id in wanted}
    stale = {chunk_id.partition(":")[0] for chunk_id in in_lexical} - kept_documents
    for document_id in sorted(stale):
        lexical.delete_document(session_id, document_id)
    return len(excess) + len(stale)


def _embed(
    vectors: VectorStore,
    embedder: Embedder,
    embedding_text: EmbeddingText,
    document: Document,
    chunks: list[Chunk],
    present: set[str],
) -> int:
    missing = [chunk for chunk in chunks if chunk.id not in present]
    if missing:
        title = document.title or document.name
        found = embedder.embed([embedding_text(chunk, title) for chunk in missing])
        vectors.add(document.session_id, [chunk.id for chunk in missing], found)
    return len(missing)


def _index(
    lexical: LexicalIndex, document: Document, chunks: list[Chunk], present: set[str]
) -> int:
    if all(chunk.id in present for chunk in chunks):
        return 0
    lexical.delete_document(document.session_id, document.id)
    title = document.title or document.name
    lexical.add(document.session_id, chunks, [title] * len(chunks), language=document.language)
    return len(chunks)
