"""The extension pgvector of PostgreSQL: its column types, and that it is there.

Vectors go in as text and come out as the bytes that the extension sends, so no client is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.types import UserDefinedType

from core.errors import SettingsError
from core.storage.sql import citus
from core.storage.sql.database import Database

_OLDEST = (0, 8)
_LACKING = "PostgreSQL lacks the extension pgvector, in which vectors and words are kept."


class Vector(UserDefinedType[str]):
    """A vector of any number of dimensions; bound as what `dense` returns."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "VECTOR"


class SparseVector(UserDefinedType[str]):
    """A vector of which few dimensions are not 0; bound as what `sparse` returns."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "SPARSEVEC"


DIMENSIONS = 1_000_000_000
"""Of every sparse vector: the most that pgvector takes."""


def dense(vector: NDArray[np.float32]) -> str:
    """A vector as pgvector reads it; no digit of a float32 is lost."""
    return "[" + ",".join([f"{number:.9g}" for number in vector.tolist()]) + "]"


def from_dense(sent: bytes) -> NDArray[np.float32]:
    """The vector that `vector_send` gave."""
    return np.frombuffer(sent, ">f4", offset=4).astype(np.float32)


def sparse(places: Sequence[int], values: Sequence[float]) -> str:
    """A sparse vector with these values at these places, 0 <= place < `DIMENSIONS`."""
    pairs = sorted(zip(places, values, strict=True))
    inside = ",".join(f"{place + 1}:{value:.7g}" for place, value in pairs)
    return f"{{{inside}}}/{DIMENSIONS}"


def from_sparse(sent: bytes) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The places, ascending, and the values of a vector that `sparsevec_send` gave."""
    count = int.from_bytes(sent[4:8], "big")
    places = np.frombuffer(sent, ">i4", count, 12)
    values = np.frombuffer(sent, ">f4", count, 12 + 4 * count)
    return places.astype(np.int32), values.astype(np.float32)


def make_tables(database: Database, tables: MetaData, plain: Sequence[str] = ()) -> None:
    """Make tables with such columns where they are not there, and the extension where it may.

    `plain` names columns ("words.weights") that stay with their row: read for every search, they
    would be looked up one by one. Where the extension Citus is, the tables are spread by it.
    Raises `SettingsError` without pgvector.
    """
    with database.changing_schema() as connection:
        _need_extension(connection)
        there = {
            name
            for (name,) in connection.execute(
                text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            )
        }
        tables.create_all(connection, checkfirst=True)
        for column in plain:
            table, _, name = column.partition(".")
            if table not in there:
                connection.exec_driver_sql(
                    f"ALTER TABLE {table} ALTER COLUMN {name} SET STORAGE MAIN"
                )
        citus.distribute(connection, [table.name for table in tables.sorted_tables])


def _need_extension(connection: Connection) -> None:
    def version(query: str) -> str | None:
        found: str | None = connection.scalar(text(query))
        return found

    installed = version("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    offered = version("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
    if installed is None and offered is None:
        raise SettingsError(
            _LACKING,
            "Install it on the database's machine (on Debian and Ubuntu: apt install "
            "postgresql-17-pgvector, with the number of your PostgreSQL), and start again.",
        )
    if installed is None:
        may = connection.scalar(
            text("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        ) or connection.scalar(
            text(
                "SELECT bool_or(trusted) AND has_database_privilege(current_database(), 'CREATE') "
                "FROM pg_available_extension_versions WHERE name = 'vector'"
            )
        )
        if not may:
            raise SettingsError(
                _LACKING, "As a superuser of that database, run: CREATE EXTENSION vector"
            )
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
        installed = offered
    assert installed is not None
    if tuple(int(part) for part in installed.split(".")[:2]) < _OLDEST:
        raise SettingsError(
            f"The extension pgvector {installed} of PostgreSQL is too old: 0.8 or later is needed.",
            "Install a later one, then run as a superuser: ALTER EXTENSION vector UPDATE",
        )
