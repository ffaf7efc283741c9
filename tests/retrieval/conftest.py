"""The bundled embedding model and an empty library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.config import Settings
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.vectors.chroma.store import ChromaStore
from tests.retrieval.levels import TEXTS, Scripted
from tests.retrieval.library import Library

MODELS = Path(__file__).resolve().parents[2] / ".cache" / "models"


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The bundled model."""
    return load_embedder(Settings(models_dir=MODELS))


@pytest.fixture
def library(settings: Settings, embedder: Embedder) -> Iterator[Library]:
    """An empty library."""
    library = Library(ChromaStore(settings), TantivyIndex(settings), embedder)
    yield library
    library.lexical.close()
    library.vectors.close()


@pytest.fixture
def filled(library: Library) -> Library:
    """A library with the texts that levels are asked about."""
    for name, text in TEXTS.items():
        library.add(name, [text])
    return library


@pytest.fixture
def scripted(settings: Settings) -> Iterator[Scripted]:
    """Models that reply by a script."""
    with closing(Scripted(settings.model_copy(update={"first_token_seconds": 3.0}))) as made:
        yield made
