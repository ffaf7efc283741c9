"""What is PostgreSQL's own: the driver, the connections, and what its errors mean.

Reads and writes are transactions of isolation REPEATABLE READ: all statements of one see the state
of one moment, and what two of them change at the same moment is refused to the second one, which is
then done again (`core.storage.sql.room`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import BigInteger, Connection, Engine, create_engine, func, literal, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from core.errors import (
    DatabaseUnreachable,
    DataDirectoryInUse,
    NotEnoughSpace,
    SettingsError,
    StorageError,
)
from core.storage.sql.room import Overtaken

_DRIVER = "postgresql+psycopg"
_OF_LIBPQ = {
    "connect_timeout": 10,  # seconds; libpq waits for ever
    # A server that was cut off is noticed after a minute, not after hours.
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "application_name": "footnote",
}
_SCHEMA_LOCK = 0x666F_6F74_6E6F_7465
"""The advisory lock under which the tables are made and changed."""
_PROCESS_LOCK = _SCHEMA_LOCK + 1
"""The advisory lock of the one process that works on a database."""
_NOTICED = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")
"""A process whose machine was cut off has lost its lock after a minute, not after hours."""


def is_postgresql(url: URL) -> bool:
    """Return whether the address names a PostgreSQL database, with whatever driver."""
    return url.get_backend_name() in ("postgresql", "postgres")


def open_engine(url: URL) -> Engine:
    """Return an engine for a PostgreSQL database. Raises `SettingsError` without its driver."""
    if url.drivername not in ("postgresql", "postgres", _DRIVER):
        raise SettingsError(f"DATABASE_URL must begin with {_DRIVER}://, the driver that is used.")
    given = {name: value for name, value in _OF_LIBPQ.items() if name not in url.query}
    try:
        return create_engine(
            url.set(drivername=_DRIVER),
            isolation_level="REPEATABLE READ",
            pool_pre_ping=True,  # a connection that ended with its server is made again
            pool_size=8,
            max_overflow=24,
            connect_args=given,
        )
    except ImportError as error:
        raise SettingsError(
            "DATABASE_URL names a PostgreSQL database, and the driver for it is not installed.",
            "Run `pip install -r requirements-grown.txt` (or install footnote[grown]).",
        ) from error


def lock_schema(connection: Connection) -> None:
    """Let no other process make or change the tables until the end of the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})


class ProcessLock:
    """The lock of the one process that works on a database; the server frees it when that ends.

    It is held by a connection of its own, which ends with the server: `keep` takes it again.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def keep(self) -> None:
        """Take the lock unless this process has it. Raises `DataDirectoryInUse`."""
        if self._connection is not None:
            try:
                self._connection.scalar(select(1))
                return
            except DBAPIError:
                self.release()
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()  # it takes no place of the pool, and close() ends it
        try:
            for setting in _NOTICED:
                connection.exec_driver_sql(f"SET {setting}")
            lock = select(func.pg_try_advisory_lock(literal(_PROCESS_LOCK, BigInteger)))
            if not connection.scalar(lock):
                raise DataDirectoryInUse(
                    "Another Footnote process works on the catalogue at DATABASE_URL.",
                    "Stop that process first, or give this one a database of its own.",
                )
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def release(self) -> None:
        """Give the lock back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError):
                connection.close()


_BUSY = "The catalogue is busy with other work."
_CONTRADICTS = "The catalogue refused a change that contradicts what is in it."
_OVERTAKEN = {
    # By SQLSTATE: what is said where it stays so, and for how many seconds it is tried again.
    "40001": (_BUSY, 15.0),  # serialization_failure
    "40P01": (_BUSY, 15.0),  # deadlock_detected
    "23505": (_CONTRADICTS, 5.0),  # unique_violation: another one was first
    "23503": (_CONTRADICTS, 0.2),  # foreign_key_violation: it was deleted meanwhile
}
_ANSWERS_NOT = ("08", "57P01", "57P02", "57P03", "53300")
"""SQLSTATEs that begin so: the connection, or the server, ended or takes no more."""


def translated(error: BaseException) -> StorageError | None:
    """Return what an error of the driver is among ours, None for an error of anything else."""
    cause: Any = error.orig if isinstance(error, DBAPIError) else None
    if not isinstance(error, DBAPIError) or not hasattr(cause, "sqlstate"):
        return None
    state = cause.sqlstate or ""  # "" where there was no connection to begin with
    if state in _OVERTAKEN:
        message, seconds = _OVERTAKEN[state]
        return Overtaken(message, seconds)
    if state == "53100":
        return NotEnoughSpace("The catalogue cannot be written: its database's disk is full.")
    lost = error.connection_invalidated or (not state and isinstance(error, OperationalError))
    if lost or state.startswith(_ANSWERS_NOT):
        return DatabaseUnreachable("The catalogue's database does not answer.")
    return None
