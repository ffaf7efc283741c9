"""The catalogue's database: opened, versioned, one transaction at a time, erased for good.

SQLite runs in WAL mode: many readers beside one writer, and what was committed survives a
crash or a power cut (`synchronous=FULL`). PostgreSQL's part is in `core.storage.sql.postgresql`.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import (
    Connection,
    CursorResult,
    Engine,
    create_engine,
    event,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from core.config import Settings
from core.errors import (
    DatabaseUnreachable,
    DataDirectoryUnusable,
    Interrupted,
    NotEnoughSpace,
    ProgramOutdated,
    SettingsError,
    StorageError,
)
from core.storage.files.disk import usable_directory
from core.storage.sql import postgresql
from core.storage.sql.closing import close_connections
from core.storage.sql.migrations import MIGRATIONS
from core.storage.sql.room import until_done
from core.storage.sql.schema import OLDEST_PROGRAM, SCHEMA_VERSION, metadata, schema_info

log = logging.getLogger(__name__)

FILE_NAME = "library.db"
ERASED_AT_ONCE = 32 << 20
"""Bytes of the file up to which removing one document or conversation erases it at once."""
_BUSY_MS = 15_000
_OUTDATED = "The database was upgraded by a version of Footnote that this one cannot work beside."

P = ParamSpec("P")
T = TypeVar("T")
Run = Callable[..., CursorResult[Any]]

_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "temp_store=MEMORY",  # no text of anybody's in files outside the data directory
    "journal_size_limit=67108864",
)


class Database:
    """An engine with two kinds of transactions. Safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        usable_directory(settings.data_dir, "DATA_DIR")
        self._engine = _engine(settings)
        self._file = Path(self._engine.url.database or "")
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        self._writer = self._engine.execution_options(writes=True)
        self._reader = self._engine
        self._alone = self._schema = self._writer
        if not self.is_sqlite:
            of = self._engine.execution_options
            self._reader = of(postgresql_readonly=True)
            self._alone = of(isolation_level="SERIALIZABLE")
            self._schema = of(isolation_level="READ COMMITTED")  # sees what it waited for
        self._changes = 0
        self._joined = threading.local()
        self.is_reachable = True  # as the last transaction found it
        self.is_newer = False  # a later version has changed the tables, as was last seen
        self._outdated = False  # so far that this one can work on them no longer
        self._claim: postgresql.Claim | None = None
        self._locks = None if self.is_sqlite else postgresql.named_locks(self._engine.url)
        self._coming_back = threading.Lock()
        # SQLite lets waiting writers sleep and retry; a lock wakes them one after another.
        self._turn: AbstractContextManager[Any] = (
            threading.Lock() if self.is_sqlite else nullcontext()
        )
        try:
            self._open_schema()
        except BaseException:
            self.close()
            raise

    def read(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Call `function` with a connection that sees one consistent state."""
        with self.reading() as connection:
            return function(connection, *args, **named)

    def write(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Call `function` with a connection; all its changes are kept, or none."""
        with self.writing() as connection:
            return function(connection, *args, **named)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view for the queries of the block."""
        if (joined := self.joined) is not None:
            with self._our_errors():
                yield joined
            return
        with self._our_errors(), self._reader.begin() as connection:
            yield connection

    def together(self, work: Callable[[], T]) -> T:
        """Call `work`; in PostgreSQL all that it reads and changes here is one transaction.

        So what is kept of it is all or nothing, of the indexes in this database too. Where another
        one got in its way it is called again: what it does elsewhere must stand being done twice.
        In SQLite each change stays a transaction of its own.
        """
        if self.is_sqlite or self.joined is not None:
            return work()
        return until_done(self._in_one, work)

    @property
    def joined(self) -> Connection | None:
        """The connection of the transaction that this thread's changes are part of, if any."""
        found: Connection | None = getattr(self._joined, "connection", None)
        return found

    def _in_one(self, work: Callable[[], T]) -> T:
        with self._changing(self._writer) as connection:
            self._joined.connection = connection
            try:
                return work()
            finally:
                self._joined.connection = None

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """All changes of the block or none of them, and no other writer meanwhile.

        PostgreSQL has several writers: there, rows that another one changes meanwhile are refused
        (`Overtaken`, for `Room`). `alone` is for a block that decides by rows that it does not
        change, or that are not there: others that are `alone` are as if before or after it.
        """
        if (joined := self.joined) is not None:
            with self._our_errors():
                yield joined
            return
        with self._changing(self._alone if alone else self._writer) as connection:
            yield connection

    @contextmanager
    def _changing(self, engine: Engine) -> Iterator[Connection]:
        with self._turn, self._our_errors():
            try:
                with engine.begin() as connection:
                    yield connection
            finally:
                self._changes += 1

    @property
    def changes(self) -> int | None:
        """How often something may have changed; None where other processes write as well."""
        return self._changes if self.is_sqlite else None

    def take(self, *, shared: bool = False) -> None:
        """Work on this database until `close`: as the only process, or beside others (`shared`).

        For PostgreSQL; a file is taken with its directory. Raises `DataDirectoryInUse`.
        """
        if not self.is_sqlite:
            self._claim = postgresql.Claim(self._engine, shared=shared)
            with self._our_errors():
                self._claim.keep()

    def keep_claim(self) -> None:
        """Take the database again if the connection that shows it was lost.

        Raises `ProgramOutdated`, as everything does from then on, where a version of the program
        beside which this one cannot work has changed the tables.
        """
        if self._claim is not None:
            with self._our_errors():
                self._claim.keep()
            self.read(self._look_at_version)

    @property
    def claimant(self) -> int:
        """The number under which this process claims work; 0 where it is the only one."""
        return 0 if self._claim is None else self._claim.number

    @property
    def is_shared(self) -> bool:
        """Whether other processes may work on this database too."""
        return self._claim is not None and self._claim.shared

    def check_claim(self, claimant: int | None) -> None:
        """Raise `Interrupted` where what is to be changed is another process's by now."""
        if claimant not in (None, self.claimant):
            raise Interrupted("Another process has taken over this work.")

    def gone(
        self, connection: Connection, claimants: Collection[int], patience: float = 0.0
    ) -> list[int]:
        """Return those of `claimants` whose process has ended.

        They must have been read in this transaction. `patience`: for how many seconds of looking
        it must have been so. With SQLite all have ended: a file has one process.
        """
        if self._claim is None:
            return list(claimants)
        return self._claim.gone(connection, claimants, patience)

    @contextmanager
    def answering(self, question: int) -> Iterator[bool]:
        """Show during the block that this process answers the question of a message.

        Gives whether it may: False where it is being answered already. With SQLite always True.
        """
        if self._claim is None:
            yield True
            return
        mine = self._claim.hold(question)
        try:
            yield mine
        finally:
            if mine:
                self._claim.free(question)

    def is_left(self, connection: Connection, question: int, patience: float) -> bool:
        """Whether the process that answered a question has ended.

        `patience` as of `gone`. With SQLite it has: the question came with a move or a backup.
        """
        return self._claim is None or self._claim.is_left(connection, question, patience)

    @contextmanager
    def lock(self, kind: int, name: str) -> Iterator[None]:
        """Hold a lock over all processes on this database; with SQLite there is just this one."""
        if self._locks is None:
            yield
            return
        assert self.joined is None, "the transaction would not see what the last holder left"
        with self._our_errors(), self._locks.hold(kind, name):
            yield

    @contextmanager
    def elected(self, role: str) -> Iterator[bool]:
        """Whether this process does what only one shall do, during the block."""
        if self._locks is None:
            yield True
            return
        with self._our_errors(), self._locks.held(postgresql.OF_ROLES, role) as mine:
            yield mine

    def _come_back(self) -> None:
        """Take the database again after it was away; another process may have it meanwhile."""
        with self._coming_back:
            if self._outdated:
                raise ProgramOutdated(_OUTDATED)
            if not self.is_reachable and self._claim is not None:
                self._claim.keep()
            self.is_reachable = True

    def close(self) -> None:
        """Close every connection; the last one folds the WAL into the file."""
        if self._claim is not None:
            self._claim.release()
        if self._locks is not None:
            self._locks.close()
        close_connections(self._engine)

    def erase(self, largest: int | None = None) -> bool:
        """Leave no byte of deleted rows in the file or its WAL; returns whether none is left.

        `secure_delete` alone does not do that: where SQLite moves rows from page to page it
        leaves copies in the gaps. So the file is written anew: about 10 s and as much free
        space again for each GB. A file of more than `largest` bytes is left for later.
        """
        deletions = self.read(_deletions) if self.is_sqlite else None
        if deletions is None:
            return True
        small = largest is None or self._file.stat().st_size <= largest
        with self._turn, self._plain() as run:
            if small:
                run("PRAGMA temp_store=FILE")  # the new file can be larger than the memory
                try:
                    run("VACUUM")
                finally:
                    run("PRAGMA temp_store=MEMORY")
            busy = _checkpoint(run)
        if small and not busy:
            for copy in self._file.parent.glob(f"{self._file.name}.v*.backup"):
                copy.unlink(missing_ok=True)
            self.write(_note_erasure, deletions)
        return small and not busy

    def erase_soon(self, largest: int | None = None) -> None:
        """Erase after a deletion; where that fails the log says so, and `erase` tries again."""
        try:
            self.erase(largest)
        except StorageError as error:
            log.warning("Deleted text is still in the catalogue's file: %s", error.message)

    def erased(self) -> bool:
        """Return whether no deleted rows are left in the file; what is in PostgreSQL is its own."""
        return not self.is_sqlite or self.read(_deletions) is None

    def vacuum(self) -> None:
        """Write the file anew, or all tables of PostgreSQL, without gaps."""
        if self.is_sqlite:
            self.write(note_deletion)  # so that there is something to erase
            self.erase()
        else:
            with self.plainly() as run:
                postgresql.write_anew(run)

    def bytes_on_disk(self) -> int:
        """Return the size of the file and its WAL in bytes, 0 for another database."""
        if not self.is_sqlite:
            return 0
        return sum(p.stat().st_size for p in self._file.parent.glob(f"{self._file.name}*"))

    def faults(self) -> int:
        """Return how many faults SQLite finds in the file and in what refers to what."""
        if not self.is_sqlite:
            return 0
        with self._plain() as run:
            damaged = [row[0] for row in run("PRAGMA integrity_check(100)")]
            dangling = list(run("PRAGMA foreign_key_check"))
        return len([line for line in damaged if line != "ok"]) + len(dangling)

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            if not self.is_reachable:
                self._come_back()
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            ours = _translated(error)
            if isinstance(ours, DatabaseUnreachable):
                self.is_reachable = False
            raise ours from error

    @contextmanager
    def _plain(self) -> Iterator[Run]:
        """Statements outside any transaction, for upkeep of the file."""
        options = {"plain": True}
        with self._our_errors(), self._engine.connect().execution_options(**options) as connection:
            yield connection.exec_driver_sql

    @contextmanager
    def plainly(self) -> Iterator[Run]:
        """Statements of PostgreSQL that cannot be in a transaction."""
        alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with self._our_errors(), alone.connect() as connection:
            yield connection.exec_driver_sql

    def _open_schema(self) -> None:
        with self.changing_schema() as connection:
            found = self._version(connection)
            if found == 0:
                metadata.create_all(connection)
                connection.execute(schema_info.insert().values(_versions()))
                return
        if found < SCHEMA_VERSION:
            until_done(self._migrate, found)
        elif found > SCHEMA_VERSION:
            if self.is_sqlite:  # a file has one process, and the one before was newer
                raise StorageError(
                    "The catalogue was written by a newer version of the program.",
                    "Install the newer version again, or give this one its own DATA_DIR.",
                )
            self.read(self._look_at_version)

    def _look_at_version(self, connection: Connection) -> None:
        row = connection.execute(select(schema_info.c.version, schema_info.c.oldest_program)).one()
        self.is_newer = row.version > SCHEMA_VERSION
        if row.oldest_program > SCHEMA_VERSION:
            self._outdated, self.is_reachable = True, False
            raise ProgramOutdated(_OUTDATED)

    @contextmanager
    def changing_schema(self) -> Iterator[Connection]:
        """A transaction that makes or changes tables; other processes wait meanwhile."""
        with self._changing(self._schema) as connection:
            if not self.is_sqlite:
                postgresql.lock_schema(connection)
            yield connection

    def _version(self, connection: Connection) -> int:
        if not inspect(connection).has_table(schema_info.name):
            return 0
        return connection.execute(select(schema_info.c.version)).scalar_one_or_none() or 0

    def _migrate(self, found: int) -> None:
        # One transaction: a crash leaves the old version whole. The copy is for a change of mind.
        if self.is_sqlite:
            self.copy(self._file.with_name(f"{self._file.name}.v{found}.backup"))
        with self.changing_schema() as connection:
            if not self.is_sqlite:
                postgresql.wait_briefly(connection)
            # Another process may have done it meanwhile, one of a later version too.
            found = self._version(connection)
            if found < SCHEMA_VERSION:
                for version in range(found, SCHEMA_VERSION):
                    MIGRATIONS[version](connection)
                connection.execute(update(schema_info).values(_versions()))

    def copy(self, target: Path) -> None:
        """Write a copy of the file as it is at one moment: whole, or not at all."""
        unfinished = target.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        with self._turn, self._plain() as run:
            run("VACUUM INTO ?", (str(unfinished),))
        unfinished.replace(target)


def _versions() -> dict[str, int]:
    return {"version": SCHEMA_VERSION, "oldest_program": OLDEST_PROGRAM}


def note_deletion(connection: Connection) -> None:
    """Say, in the transaction that deletes, that there will be something to erase.

    PostgreSQL erases by itself, and deletions would wait for each other at this one row.
    """
    if connection.dialect.name == "sqlite":
        connection.execute(update(schema_info).values(deletions=schema_info.c.deletions + 1))


def _note_erasure(connection: Connection, deletions: int) -> None:
    connection.execute(update(schema_info).values(erased=deletions))


def _deletions(connection: Connection) -> int | None:
    """Return the count of deletions if some are not erased, None otherwise."""
    row = connection.execute(select(schema_info.c.deletions, schema_info.c.erased)).one()
    return int(row.deletions) if row.deletions > row.erased else None


def _checkpoint(run: Run) -> bool:
    """Fold the WAL into the file and empty it; returns whether a reader was in the way."""
    return bool(run("PRAGMA wal_checkpoint(TRUNCATE)").scalar())


def _engine(settings: Settings) -> Engine:
    try:
        url = make_url(settings.database_url) if settings.database_url else _file_url(settings)
        if postgresql.is_postgresql(url):
            return postgresql.open_engine(url)
        if url.get_backend_name() != "sqlite":
            raise SettingsError("DATABASE_URL must name a PostgreSQL database, or an SQLite file.")
        if not url.database or ":memory:" in url.database:
            raise SettingsError("DATABASE_URL must name a file when it is an SQLite database.")
        engine = create_engine(url, pool_size=8, max_overflow=24)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError):
        # What they say can hold a part of the address, its password for one.
        raise SettingsError("DATABASE_URL is no database that can be opened here.") from None
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _file_url(settings: Settings) -> URL:
    return URL.create("sqlite", database=str(settings.data_dir / FILE_NAME))


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    # The driver would begin transactions on its own, and only before changes: `_begin` does it.
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("plain"):
        # IMMEDIATE: a reader that turns writer halfway could only fail.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
_UNUSABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _translated(error: BaseException) -> StorageError:
    if (found := postgresql.translated(error)) is not None:
        return found
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if code in _FULL:
        return NotEnoughSpace("The catalogue cannot be written: the disk is full.")
    if primary in _UNUSABLE:
        return DataDirectoryUnusable("The catalogue's file cannot be opened or written.")
    if primary in _DAMAGED:
        return StorageError(
            "The catalogue's file is damaged.", "Restore library.db from a backup of DATA_DIR."
        )
    if primary == sqlite3.SQLITE_BUSY:
        return StorageError("The catalogue is busy with other work.", "Try again in a moment.")
    if primary == sqlite3.SQLITE_IOERR:
        return StorageError("The disk failed while the catalogue was read or written.")
    if isinstance(error, IntegrityError):
        return StorageError("The catalogue refused a change that contradicts what is in it.")
    return StorageError("The catalogue's database failed or does not answer.")
