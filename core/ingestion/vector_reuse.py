"""Vectors that need not be computed: of texts that came before, and of texts that come twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import StorageError
from core.models.embedding_text import embedding_text
from core.models.port import Embedder, Progress, Vectors
from core.storage.catalogue import Catalogue
from core.storage.vectors.port import VectorStore
from core.types import Cut, Document


def embed_new(
    embedder: Embedder,
    texts: Sequence[str],
    known: Mapping[str, Vectors],
    progress: Progress | None = None,
) -> Vectors:
    """Float32 (len(texts), dimension): `known` by text, and each other text embedded once."""
    new = [text for text in dict.fromkeys(texts) if text not in known]
    made = dict(zip(new, embedder.embed(new, progress=progress), strict=True))
    vectors = np.zeros((len(texts), embedder.dimension), np.float32)
    for position, text in enumerate(texts):
        vectors[position] = made[text] if text in made else known[text]
    return vectors


def vectors_of_replaced(
    catalogue: Catalogue,
    store: VectorStore,
    session_id: str,
    document_id: str,
    texts: Sequence[str],
    model: str = "",
) -> dict[str, Vectors]:
    """By text, the vectors of a model that the document which this one replaces has of these texts.

    They stand in the index already: nothing is kept for it that would outlive its document.
    """
    replaced = catalogue.documents.replaces(session_id, document_id)
    before = catalogue.documents.get(session_id, replaced) if replaced else None
    if before is None:
        return {}
    found: dict[str, Vectors] = {}
    for cut in catalogue.cuts.standing(session_id):
        if cut.cutting.model != model:
            continue
        found |= vectors_in(catalogue, store, cut, before, texts)
    return found


def vectors_in(
    catalogue: Catalogue, store: VectorStore, cut: Cut, document: Document, texts: Sequence[str]
) -> dict[str, Vectors]:
    """By text, the vectors that a document has of these texts in a cut of its session."""
    wanted, title = set(texts), document.title or document.name
    ids = {
        text: chunk.id
        for chunk in catalogue.content.chunks_in(cut, document.id)
        if (text := embedding_text(chunk, title)) in wanted
    }
    try:
        found = store.vectors(cut.index, list(ids.values()))
    except StorageError:  # an index that is being made again: then they are computed
        return {}
    return {text: found[chunk_id] for text, chunk_id in ids.items() if chunk_id in found}
