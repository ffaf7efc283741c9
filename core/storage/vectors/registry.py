"""The vector stores by name. A new one is a module with an adapter, and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.config import Settings
from core.storage.milvus import remove_all as remove_all_of_milvus
from core.storage.sql.database import Database
from core.storage.vectors.chroma.probe import remove_all
from core.storage.vectors.chroma.store import ChromaStore
from core.storage.vectors.port import VectorStore


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a store is opened, and how its files are removed while it is closed.

    One that is in the catalogue's database is given that.

    Without its files a store is empty, and the vectors are made again from the catalogue.
    """

    open: Callable[[Settings, Database | None], VectorStore]
    remove_files: Callable[[Settings], object]


def _in_database(_: Settings, database: Database | None) -> VectorStore:
    from core.storage.vectors.pgvector.store import PgvectorStore

    assert database is not None
    return PgvectorStore(database)


def _in_milvus(settings: Settings, _: Database | None) -> VectorStore:
    from core.storage.vectors.milvus.store import MilvusStore

    return MilvusStore(settings)


ADAPTERS = {
    "chroma": Adapter(
        lambda settings, _: ChromaStore(settings), lambda settings: remove_all(settings.chroma_dir)
    ),
    "pgvector": Adapter(_in_database, lambda _: None),
    "milvus": Adapter(_in_milvus, lambda settings: remove_all_of_milvus(settings.index_url)),
}


def vector_adapter(settings: Settings) -> Adapter:
    """Return the adapter for INDEX_URL, or else the one of the catalogue's database."""
    if settings.index_url:
        return ADAPTERS["milvus"]
    return ADAPTERS["pgvector" if settings.in_postgresql else "chroma"]
