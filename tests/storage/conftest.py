"""A catalogue in a folder of its own, with one person's session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.storage.catalogue import Catalogue


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    """An empty catalogue."""
    catalogue = Catalogue(Settings(data_dir=tmp_path / "data"))
    yield catalogue
    catalogue.close()


@pytest.fixture
def session_id(catalogue: Catalogue) -> str:
    """A session of somebody."""
    return catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
