"""The lexical indexes by name. A new one is a module with an adapter, and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.config import Settings
from core.storage.lexical.port import LexicalIndex
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.sql.database import Database


@dataclass(frozen=True, slots=True)
class Adapter:
    """How an index is opened; one in the catalogue's database is given that."""

    open: Callable[[Settings, Database | None], LexicalIndex]


def _in_database(_: Settings, database: Database | None) -> LexicalIndex:
    from core.storage.lexical.sparsevec.index import SparsevecIndex

    assert database is not None
    return SparsevecIndex(database)


def _in_milvus(settings: Settings, _: Database | None) -> LexicalIndex:
    from core.storage.lexical.milvus.index import MilvusIndex

    return MilvusIndex(settings)


ADAPTERS = {
    "tantivy": Adapter(lambda settings, _: TantivyIndex(settings)),
    "sparsevec": Adapter(_in_database),
    "milvus": Adapter(_in_milvus),
}


def lexical_adapter(settings: Settings) -> Adapter:
    """Return the adapter for INDEX_URL, or else the one of the catalogue's database."""
    if settings.index_url:
        return ADAPTERS["milvus"]
    return ADAPTERS["sparsevec" if settings.in_postgresql else "tantivy"]
