"""A library to measure on is apart from everybody's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.library import library
from tests.conftest import settings_in
from tests.support.hits import embedder


def test_it_leaves_a_catalogue_in_postgresql_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda settings: embedder())
    settings = settings_in(tmp_path, database_url="postgresql+psycopg://nobody@127.0.0.1:1/none")
    with library(settings, tmp_path / "kept") as (service, session):
        assert service.sessions.get(service.owners.local(), session.id) == session
    assert (tmp_path / "kept" / "data" / "library.db").is_file()
