"""A changed document is embedded where it changed, and equal passages are embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.ingestion.vector_reuse import embed_new
from core.models.port import Embedder, Progress, Vectors
from core.service import Service
from core.types import DocumentState, Session
from tests.conftest import settled

PARTS = [f"Chapter {n}. " + f"Sentence {n} says that ships sail far. " * 20 for n in range(6)]


class Counting:
    """An embedder that notes what it embeds."""

    def __init__(self, inner: Embedder | None = None) -> None:
        self._inner, self.texts = inner, list[str]()
        self.name, self.digest = "counting", inner.digest if inner else ""
        self.dimension = inner.dimension if inner else 2

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        self.texts += texts
        if self._inner:
            return self._inner.embed(texts, progress=progress)
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)

    def embed_query(self, text: str) -> Vectors:
        return self.embed([text])[0]


def test_equal_texts_are_embedded_once_and_known_ones_not_at_all() -> None:
    embedder = Counting()
    known = {"bb": np.array([9, 9], np.float32)}
    found = embed_new(embedder, ["a", "bb", "a", "ccc"], known)
    assert found.tolist() == [[1, 1], [9, 9], [1, 1], [3, 1]]
    assert embedder.texts == ["a", "ccc"]
    assert embed_new(embedder, [], {}).shape == (0, 2)


def test_a_changed_file_is_embedded_where_it_changed(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting(service.stores.embedder())
    monkeypatch.setattr(service.stores, "_embedder", counting)
    service.documents.add_file(session, "ships.txt", "\n\n".join(PARTS).encode())
    (before,) = settled(service, session)
    first, counting.texts = counting.texts, []
    changed = [*PARTS[:5], "Another ending. " * 30]
    service.documents.add_file(session, "ships.txt", "\n\n".join(changed).encode(), "replace")
    (after,) = settled(service, session)
    assert after.state is DocumentState.READY
    assert after.id != before.id
    assert 0 < len(counting.texts) <= 2 < len(first)
    chunks = service.documents.chunks(session, after.id)
    vectors = service.stores.vectors.vectors(session.id, [chunk.id for chunk in chunks])
    assert len(vectors) == len(chunks) == after.chunks
    reused = [vectors[chunk.id] for chunk in chunks[:-2]]
    anew = counting.embed([f"ships.txt\n\n{chunk.text}" for chunk in chunks[:-2]])
    assert np.allclose(reused, anew, atol=1e-6)
