"""An open index: of Tantivy, or in PostgreSQL where the catalogue is there (`make test-grown`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.storage.lexical.port import LexicalIndex
from core.storage.lexical.registry import lexical_adapter
from core.storage.sql.database import Database


@pytest.fixture
def index(settings: Settings) -> Iterator[LexicalIndex]:
    """An open index."""
    database = Database(settings)
    index = lexical_adapter(settings).open(settings, database)
    yield index
    index.close()
    database.close()
