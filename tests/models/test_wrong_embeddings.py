"""An embedding that is wrong: another dimension, not a number, too few, failing half way.

Nothing of the document is searchable, the row says why, and it can be tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core.errors import ModelFailed
from core.models.port import Embedder, Progress, Vectors
from core.service import Service
from core.types import AskRequest, DocumentState, Session
from tests.conftest import settled

pytestmark = pytest.mark.G12

TEXT = "\n\n".join(f"Paragraph {n} tells about the tower of 1889. " * 30 for n in range(8)).encode()


class Wrong:
    """An embedder whose vectors are spoilt."""

    def __init__(self, real: Embedder, spoil: Callable[[Vectors], Vectors]) -> None:
        self.name, self.digest, self.dimension = real.name, real.digest, real.dimension
        self._real, self._spoil = real, spoil

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        return self._spoil(self._real.embed(texts, progress=progress))

    def embed_query(self, text: str) -> Vectors:
        return self._real.embed_query(text)


def not_a_number(vectors: Vectors) -> Vectors:
    spoilt = vectors.copy()
    spoilt[0, 0] = np.nan
    return spoilt


def fails(vectors: Vectors) -> Vectors:
    raise ModelFailed("One of the batches failed.")


SPOILT: dict[str, Callable[[Vectors], Vectors]] = {
    "another dimension": lambda vectors: vectors[:, :100],
    "not a number": not_a_number,
    "infinite": lambda vectors: vectors / np.float32(0),
    "too few": lambda vectors: vectors[:-1],
    "none": lambda vectors: vectors[:0],
    "too many": lambda vectors: np.vstack([vectors, vectors[:1]]),
    "a batch fails": fails,
}


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("how", sorted(SPOILT))
def test_nothing_is_stored_and_a_retry_mends_it(
    service: Service, session: Session, how: str
) -> None:
    service.documents.add_file(
        session, "good.txt", b"The bridge was opened in 1932 by the queen herself."
    )
    settled(service, session)
    real = service.stores.embedder()
    service.stores._embedder = Wrong(real, SPOILT[how])
    result = service.documents.add_file(session, "tower.txt", TEXT)
    settled(service, session)
    assert result.document
    document = service.documents.get(session, result.document.id)
    assert document.state is DocumentState.FAILED
    assert document.reason
    service.stores._embedder = real
    assert len(service.catalogue.documents.ready(session.id)) == 1
    hits = service.search(AskRequest(session, "When was the tower built?")).hits
    assert {hit.document.label for hit in hits} <= {"good.txt"}
    service.documents.retry(session, document.id)
    assert {d.state for d in settled(service, session)} == {DocumentState.READY}
    hits = service.search(AskRequest(session, "When was the tower built?")).hits
    assert "tower.txt" in {hit.document.label for hit in hits}
