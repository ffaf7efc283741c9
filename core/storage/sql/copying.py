"""Every row of one catalogue into another one: the way between SQLite and PostgreSQL.

The source may be in use: what is read of it is of one moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row, func, insert, literal, select

from core.errors import InvalidRequest
from core.storage.sql.database import Database
from core.storage.sql.schema import metadata, schema_info, sessions

_AT_ONCE = 200
_TABLES = [table for table in metadata.sorted_tables if table is not schema_info]


def is_empty(database: Database) -> bool:
    """Return whether the catalogue has no row."""
    return not any(database.read(_counts).values())


def is_copied(source: Database, target: Database) -> bool:
    """Return whether `target` holds what `source` does, and not just nothing.

    They are told by their sessions and the number of their rows. Raises `InvalidRequest` where
    it holds something else.
    """
    if is_empty(target):
        return False
    if source.read(_counts) != target.read(_counts) or source.read(_sessions) != target.read(
        _sessions
    ):
        raise InvalidRequest(
            "There is another library in the place that this one is to be moved to.",
            "Name an empty database; on the disk, first move library.db out of DATA_DIR.",
        )
    return True


def copy_rows(
    source: Database, target: Database, progress: Callable[[int, int], None] = lambda d, t: None
) -> int:
    """Copy every row into an empty catalogue, all or none; returns how many there were.

    Raises `InvalidRequest` where a later version wrote one of them: what it added would be lost.
    """
    if source.is_newer or target.is_newer:
        raise InvalidRequest(
            "The database was upgraded by a newer version of Footnote.", "Do this with that one."
        )
    done, total = 0, sum(source.read(_counts).values())
    with source.reading() as old, target.writing() as new:
        for table in _TABLES:
            query = select(table).order_by(*table.primary_key)
            found = old.execution_options(yield_per=_AT_ONCE).execute(query)
            for part in found.mappings().partitions():
                new.execute(insert(table), [dict(row) for row in part])
                done += len(part)
                progress(done, total)
        if not target.is_sqlite:
            _go_on_counting(new)
    return done


def _counts(connection: Connection) -> dict[str, int]:
    counted = (select(func.count()).select_from(table) for table in _TABLES)
    return {
        table.name: connection.execute(query).scalar_one()
        for table, query in zip(_TABLES, counted, strict=True)
    }


def _sessions(connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(select(sessions).order_by(sessions.c.id)))


def _go_on_counting(connection: Connection) -> None:
    """Let the next key be the one after the greatest: PostgreSQL counts apart from the rows."""
    for table in _TABLES:
        column = table.autoincrement_column
        if column is not None:
            greatest = select(func.max(column)).scalar_subquery()
            sequence = func.pg_get_serial_sequence(literal(table.name), literal(column.name))
            # False: nothing was counted yet, where there is no row.
            counted = func.setval(sequence, func.coalesce(greatest, 1), greatest.is_not(None))
            connection.execute(select(counted))
