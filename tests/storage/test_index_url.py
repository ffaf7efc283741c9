"""INDEX_URL: which stores it chooses, and what is said where its client is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.storage.lexical.registry import ADAPTERS as LEXICAL
from core.storage.lexical.registry import lexical_adapter
from core.storage.vectors.registry import ADAPTERS as VECTORS
from core.storage.vectors.registry import vector_adapter
from tests.conftest import settings_in

MILVUS = "milvus://127.0.0.1:1/test"
POSTGRESQL = "postgresql+psycopg://127.0.0.1/test"


@pytest.mark.parametrize("database_url", ["", POSTGRESQL])
def test_it_comes_before_the_database_of_the_catalogue(tmp_path: Path, database_url: str) -> None:
    settings = settings_in(tmp_path, database_url=database_url, index_url=MILVUS)
    assert vector_adapter(settings) is VECTORS["milvus"]
    assert lexical_adapter(settings) is LEXICAL["milvus"]


def test_a_missing_client_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    settings = settings_in(tmp_path, index_url=MILVUS)
    for adapter in (vector_adapter(settings), lexical_adapter(settings)):
        with pytest.raises(SettingsError, match="client") as raised:
            adapter.open(settings, None)
        assert "footnote[milvus]" in raised.value.cure
