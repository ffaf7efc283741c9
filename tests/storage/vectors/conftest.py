"""An open store: Chroma, or pgvector where the catalogue is in PostgreSQL (`make test-grown`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.storage.sql.database import Database
from core.storage.vectors.port import VectorStore
from core.storage.vectors.registry import vector_adapter


@pytest.fixture
def store(settings: Settings) -> Iterator[VectorStore]:
    """An open store."""
    database = Database(settings)
    store = vector_adapter(settings).open(settings, database)
    yield store
    store.close()
    database.close()
