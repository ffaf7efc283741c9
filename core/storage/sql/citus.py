"""The extension Citus of PostgreSQL: the tables of indexes spread over several machines.

Each of these tables has `session_id` first in its key, and each statement on them names one
session, so Citus sends it to the one machine that has the rows of that session. The tables of the
catalogue stay on the coordinator, which `DATABASE_URL` names.

Written after the documentation of Citus; its calls are tested with a stand-in
(`tests/grown/test_citus.py`), and it was never run on Citus itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, text

from core.errors import SettingsError, StorageError

_OLDEST = (11, 2)  # the first that opens transactions on the machines as REPEATABLE READ
_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
_IS_DISTRIBUTED = text(
    "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(:name))"
)
_HAS_ROWS = text("SELECT pg_relation_size(to_regclass(:name)) > 0")
# Tables that are spread by a column of the same type are colocated by default: all rows of a
# session are on one machine.
_DISTRIBUTE = text("SELECT create_distributed_table(to_regclass(:name), 'session_id')")
_TRUNCATE = text("SELECT truncate_local_data_after_distributing_table(to_regclass(:name))")
_STATISTICS = (
    "SELECT nodename, result FROM run_command_on_workers('VACUUM (FULL) pg_statistic') "
    "WHERE NOT success"
)


def distribute(connection: Connection, tables: Sequence[str]) -> None:
    """Spread these tables by session where Citus is there and they are not spread yet.

    In a transaction that holds the lock of the schema. Rows that are there are copied to the
    machines, and removed from the coordinator. Raises `SettingsError` where Citus is too old.
    """
    version = connection.scalar(text(_VERSION))
    if version is None:
        return
    if tuple(int(part) for part in version.partition("-")[0].split(".")[:2]) < _OLDEST:
        raise SettingsError(
            f"The extension Citus {version} of PostgreSQL is too old: 11.2 or later is needed.",
            "Install a later one, then run as a superuser: ALTER EXTENSION citus UPDATE",
        )
    for name in tables:
        if connection.scalar(_IS_DISTRIBUTED, {"name": name}):
            continue
        had_rows = connection.scalar(_HAS_ROWS, {"name": name})
        connection.execute(_DISTRIBUTE, {"name": name})
        if had_rows:  # the copies on the coordinator can be read by nobody, and not be deleted
            connection.execute(_TRUNCATE, {"name": name})


def write_statistics_anew(run: Callable[[str], CursorResult[Any]]) -> None:
    """Leave nothing of deleted rows in the statistics of the machines; VACUUM leaves them alone.

    `run` is outside any transaction. Raises `StorageError` where a machine did not do it.
    """
    if run(_VERSION).scalar() is None:
        return
    refused = run(_STATISTICS).all()
    if refused:
        raise StorageError(
            f"The statistics of {len(refused)} of Citus's machines still hold values of deleted "
            f"rows: {refused[0].nodename}: {refused[0].result}",
            "Run VACUUM FULL pg_statistic there as the owner of the database.",
        )
