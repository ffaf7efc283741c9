"""What is PostgreSQL's own: the driver, the connections, and what its errors mean.

Reads and writes are transactions of isolation REPEATABLE READ: all statements of one see the state
of one moment, and what two of them change at the same moment is refused to the second one, which is
then done again (`core.storage.sql.room`).
"""

from __future__ import annotations

import random
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    CursorResult,
    Engine,
    create_engine,
    func,
    literal,
    select,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from core.errors import (
    DatabaseUnreachable,
    DataDirectoryInUse,
    NotEnoughSpace,
    SettingsError,
    StorageError,
)
from core.storage.sql import citus
from core.storage.sql.closing import close_connections
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
"""The advisory lock of those who work on a database: of one alone, or shared."""
_CLAIMANTS = 0x666F_6F74
"""The kind of the locks whose numbers claim work."""
OF_SESSIONS, OF_ADDING, OF_ROLES = (_CLAIMANTS + number for number in (1, 2, 3))
"""Kinds of locks by name: on the indexes of a session, on adding to it, of one elected."""
OF_SOURCES = _CLAIMANTS + 5
"""The kind of the locks on what is collected of a source, by session and source."""
_OF_QUESTIONS = _CLAIMANTS + 4
"""The kind of the locks of questions that are being answered, by the id of their message."""
_LIVING = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted"
    " AND classid = :kind AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_TRY = text("SELECT pg_try_advisory_lock(:kind, :name)")
_WAIT = text("SELECT pg_advisory_lock(:kind, :name)")
_UNLOCK = text("SELECT pg_advisory_unlock(:kind, :name)")
_chance = random.SystemRandom()
_IN_USE = "Another Footnote process works on the catalogue at DATABASE_URL."
_ALONE = (
    "Stop that process first, give this one a database of its own, or set ORIGINALS_URL to a "
    "folder that all processes share."
)
_SHARE = "Set ORIGINALS_URL for that process too, or stop it."
_NOTICED = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")
"""A process whose machine was cut off has lost its lock after a minute, not after hours."""


def is_postgresql(url: URL) -> bool:
    """Return whether the address names a PostgreSQL database, with whatever driver."""
    return url.get_backend_name() in ("postgresql", "postgres")


def open_engine(url: URL) -> Engine:
    """Return an engine for a PostgreSQL database. Raises `SettingsError` without its driver."""
    return _made(url, isolation_level="REPEATABLE READ", pool_size=8, max_overflow=24)


def _made(url: URL, **options: Any) -> Engine:
    if url.drivername not in ("postgresql", "postgres", _DRIVER):
        raise SettingsError(f"DATABASE_URL must begin with {_DRIVER}://, the driver that is used.")
    given = {name: value for name, value in _OF_LIBPQ.items() if name not in url.query}
    try:
        return create_engine(
            url.set(drivername=_DRIVER),
            pool_pre_ping=True,  # a connection that ended with its server is made again
            connect_args=given,
            **{"pool_size": 2, **options},
        )
    except ImportError as error:
        raise SettingsError(
            "DATABASE_URL names a PostgreSQL database, and the driver for it is not installed.",
            "Run `pip install -r requirements-grown.txt` (or install footnote[grown]).",
        ) from error


def lock_schema(connection: Connection) -> None:
    """Let no other process make or change the tables until the end of the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})


def wait_briefly(connection: Connection) -> None:
    """Let changes of tables that are in use give up after a second, to be tried again.

    While one waits for a long transaction, all that come after it wait as well.
    """
    connection.execute(text("SET LOCAL lock_timeout = '1s'"))


def write_anew(run: Callable[[str], CursorResult[Any]]) -> None:
    """Write the tables without what was deleted, one by one; who needs one meanwhile waits.

    `run` is outside any transaction. Rows that an older transaction may still see stay.
    """
    own = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()"
    for name in run(own).scalars().all():
        run(f"VACUUM (FULL, ANALYZE) {name}")
    run("VACUUM (FULL) pg_statistic")  # the statistics of a table hold values of its rows
    citus.write_statistics_anew(run)


class Claim:
    """What shows that a process lives and works on a database: locks on a connection of its own.

    One says whether it works there alone (`shared` is False) or beside others; one has its number,
    under which it claims work. The server frees both when the process ends, however that is, and
    when the server itself does: `keep` takes them again.
    """

    def __init__(self, engine: Engine, *, shared: bool) -> None:
        self.number = 0
        self.shared = shared
        self._engine = engine
        self._connection: Connection | None = None
        self._released = False
        self._missing: dict[tuple[int, int], float] = {}  # locks of no process, and since when
        self._questions: set[int] = set()
        self._lock = threading.Lock()

    def keep(self) -> None:
        """Take the locks unless this process has them, or gave them back.

        Raises `DataDirectoryInUse`.
        """
        with self._lock:
            if self._released:  # a thread that looks after the claim outlived it
                return
            if self._connection is not None:
                try:
                    self._connection.scalar(select(1))
                    return
                except DBAPIError:
                    self._let_go()
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.detach()  # it takes no place of the pool, and close() ends it
            try:
                for setting in _NOTICED:
                    connection.exec_driver_sql(f"SET {setting}")
                self._take(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection

    def gone(self, connection: Connection, numbers: Collection[int], patience: float) -> list[int]:
        """Those of `numbers` that have been no process's for `patience` seconds of looking.

        Numbers that were read earlier in the transaction of `connection` were taken before: a
        process that claims has its lock already.
        """
        return self._gone(connection, _CLAIMANTS, numbers, patience)

    def is_left(self, connection: Connection, question: int, patience: float) -> bool:
        """Whether no process has answered a question for `patience` seconds of looking."""
        return bool(self._gone(connection, _OF_QUESTIONS, [question], patience))

    def hold(self, question: int) -> bool:
        """Show until `free` that this process answers a question; False where one does already.

        While the server is away nothing shows it; `keep` takes the lock again.
        """
        with self._lock:
            if question in self._questions:
                return False
            if self._connection is not None:
                try:
                    if not _locked(self._connection, _OF_QUESTIONS, question):
                        return False
                except DBAPIError:
                    self._let_go()
            self._questions.add(question)
            return True

    def free(self, question: int) -> None:
        """Show no more that this process answers a question."""
        with self._lock:
            self._questions.discard(question)
            if self._connection is not None:
                try:
                    lock = {"kind": _OF_QUESTIONS, "name": question}
                    self._connection.execute(_UNLOCK, lock)
                except DBAPIError:
                    self._let_go()

    def _gone(
        self, connection: Connection, kind: int, numbers: Collection[int], patience: float
    ) -> list[int]:
        living, now = set(connection.scalars(_LIVING, {"kind": kind})), time.monotonic()
        missing = set(numbers) - living
        with self._lock:
            for number in living:
                self._missing.pop((kind, number), None)
            since = {number: self._missing.setdefault((kind, number), now) for number in missing}
        return [number for number, first in since.items() if now - first >= patience]

    def release(self) -> None:
        """Give the locks back for good."""
        with self._lock:
            self._released = True
            self._let_go()

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError):
                connection.close()

    def _take(self, connection: Connection) -> None:
        lock = func.pg_try_advisory_lock_shared if self.shared else func.pg_try_advisory_lock
        if not connection.scalar(select(lock(literal(_PROCESS_LOCK, BigInteger)))):
            raise DataDirectoryInUse(_IN_USE, _SHARE if self.shared else _ALONE)
        # After a while away its own old connection may still have the number.
        while not (self.number and _locked(connection, _CLAIMANTS, self.number)):
            self.number = _chance.randrange(1, 1 << 31)
        for question in self._questions:  # one that was taken over meanwhile is the other one's
            _locked(connection, _OF_QUESTIONS, question)


class NamedLocks:
    """Locks by name over all processes on a database, each held by a connection.

    `kind` tells names of different purposes apart. The connections are of a pool of their own, so
    who waits for a lock takes nothing that its holder needs.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        """Close the connections."""
        close_connections(self._engine)

    @contextmanager
    def hold(self, kind: int, name: str) -> Iterator[None]:
        """Wait for a lock and hold it during the block."""
        with self._engine.connect() as connection:
            connection.execute(_WAIT, {"kind": kind, "name": number_of(name)})
            try:
                yield
            finally:
                _unlock(connection, kind, name)

    @contextmanager
    def held(self, kind: int, name: str) -> Iterator[bool]:
        """Hold a lock during the block unless another one has it: whether it is held."""
        with self._engine.connect() as connection:
            if not _locked(connection, kind, number_of(name)):
                yield False
                return
            try:
                yield True
            finally:
                _unlock(connection, kind, name)


def named_locks(url: URL) -> NamedLocks:
    """Return the locks of a database."""
    return NamedLocks(_made(url, isolation_level="AUTOCOMMIT", max_overflow=6, pool_timeout=900))


def number_of(name: str) -> int:
    """Return the number of a lock's name, the same in every process: 0 to 2^31 - 1."""
    return zlib.crc32(name.encode()) >> 1


def _locked(connection: Connection, kind: int, number: int) -> bool:
    return bool(connection.scalar(_TRY, {"kind": kind, "name": number}))


def _unlock(connection: Connection, kind: int, name: str) -> None:
    try:
        connection.execute(_UNLOCK, {"kind": kind, "name": number_of(name)})
    except DBAPIError:  # the server ended, and the lock with it
        connection.invalidate()


_BUSY = "The catalogue is busy with other work."
_CONTRADICTS = "The catalogue refused a change that contradicts what is in it."
_OVERTAKEN = {
    # By SQLSTATE: what is said where it stays so, and for how many seconds it is tried again.
    "40001": (_BUSY, 15.0),  # serialization_failure
    "40P01": (_BUSY, 15.0),  # deadlock_detected
    "55P03": (_BUSY, 60.0),  # lock_not_available, where `wait_briefly` was asked for
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
