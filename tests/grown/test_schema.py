"""The tables of a PostgreSQL database: made by the process that comes first, and brought up."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import TimeoutError as PoolFull

from core.config import Settings
from core.errors import StorageError
from core.storage.catalogue import Catalogue
from core.storage.sql import database as module
from core.storage.sql.schema import SCHEMA_VERSION, metadata
from tests.conftest import ROOT
from tests.grown.server import Server

pytestmark = [pytest.mark.grown, pytest.mark.F04]

OPENED = """
import sys
from pathlib import Path
from core.config import Settings
from core.storage.catalogue import Catalogue
catalogue = Catalogue(Settings(data_dir=Path(sys.argv[1]), database_url=sys.argv[2]))
print(catalogue.owners.create("a" * 64))
catalogue.close()
"""


def tables(server: Server, url: str) -> set[str]:
    found = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    return {name for (name,) in server.run(found, url.rpartition("/")[2])}


def test_processes_that_start_at_once_on_an_empty_database(
    tmp_path: Path, database: str, postgresql: Server
) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", OPENED, str(tmp_path / str(number)), database],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    said = [process.communicate(timeout=60)[0].strip() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(set(said)) == 1
    assert tables(postgresql, database) == set(metadata.tables)


def grow(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"))


def test_a_newer_version_is_reached_once_by_threads_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    Catalogue(settings).close()
    monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {SCHEMA_VERSION: grow})
    raised: list[BaseException] = []

    def opened() -> None:
        try:
            Catalogue(settings).close()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=opened) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
    monkeypatch.undo()
    catalogue = Catalogue(settings)  # the release before works beside it: test_upgrade.py
    assert catalogue.database.is_newer
    catalogue.close()


def test_a_change_that_fails_halfway_leaves_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str, postgresql: Server
) -> None:
    settings = Settings(data_dir=tmp_path)
    Catalogue(settings).close()

    def breaks(connection: Connection) -> None:
        grow(connection)
        connection.execute(text("UPDATE sessions SET nothing = 1"))

    monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {SCHEMA_VERSION: breaks})
    with pytest.raises(StorageError):
        Catalogue(settings)
    monkeypatch.undo()
    Catalogue(settings).close()
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = 'sessions'"
    assert ("colour",) not in postgresql.run(columns, database.rpartition("/")[2])


def test_a_process_opens_no_more_connections_than_is_written(
    settings: Settings, database: str, postgresql: Server
) -> None:
    name = database.rpartition("/")[2]
    catalogue = Catalogue(settings)
    catalogue.database.take(shared=True)
    locks = catalogue.database._locks
    assert locks is not None
    with ExitStack() as held:
        for engine in (catalogue.database._engine, locks._engine):
            patch = held.enter_context(pytest.MonkeyPatch.context())
            patch.setattr(engine.pool, "_timeout", 0.01)
            with suppress(PoolFull):
                for _ in range(200):
                    held.enter_context(engine.connect())
        opened = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        ((count,),) = postgresql.run(opened, name)
    catalogue.close()
    most = count - 1  # without the one that counts
    assert f"A process opens up to {most} connections" in (ROOT / "docs/growth.md").read_text()
    assert f"connections: {most} a process" in (ROOT / "docs/growth.md").read_text()
