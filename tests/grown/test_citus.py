"""What is asked of Citus where it is there, held by a stand-in: Citus itself is not run."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from core.config import Settings
from core.errors import SettingsError, StorageError
from core.service import Service
from core.storage.stores import open_stores
from core.storage.vectors.pgvector import store
from tests.grown.server import Server
from tests.support.small_library import HashEmbedder, all_found, fill, opened

pytestmark = [pytest.mark.grown, pytest.mark.F28]

STAND_IN = Path(__file__).parent / "stand_in_citus"
NEW = [
    "vectors by session_id with default, rows 0, plain embedding",
    "word_counts by session_id with default, rows 0, plain none",
    "words by session_id with default, rows 0, plain weights",
]
OF_ALL_SESSIONS = [
    "SELECT DISTINCT vectors.session_id FROM vectors",  # which sessions there are
    "SELECT vectors.session_id, vectors.cut FROM vectors GROUP BY",  # which ones are large
]


@pytest.fixture
def calls(postgresql: Server, database: str) -> Callable[[], list[str]]:
    """Makes the stand-in's functions known to the database: what they were asked, in order.

    They are there, and the extension is not: see `create`.
    """
    name = database.rpartition("/")[2]
    folder = postgresql.folder / "stand-in" / "extension"
    shutil.copytree(STAND_IN, folder, dirs_exist_ok=True)
    for made_here in (folder.parent, folder, *folder.iterdir()):
        made_here.chmod(0o755)  # the server is another user's, and a store may have set the umask
    path = f"{folder.parent}:$system"
    postgresql.run(f"ALTER DATABASE {name} SET extension_control_path = '{path}'")

    def made() -> list[str]:
        there = postgresql.run("SELECT to_regclass('citus.calls')", name)
        if there == [(None,)]:
            return []
        found = postgresql.run("SELECT call FROM citus.calls ORDER BY number", name)
        return [call for (call,) in found]

    return made


def create(server: Server, url: str) -> None:
    """Bring the extension into the database."""
    server.run("CREATE EXTENSION citus", url.rpartition("/")[2])


def test_tables_of_indexes_are_spread_by_session_once(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    create(postgresql, database)
    raised: list[BaseException] = []

    def start() -> None:
        try:
            open_stores(settings.model_copy(update={"data_dir": data.pop()})).close()
        except BaseException as error:
            raised.append(error)

    data = [settings.data_dir / str(number) for number in range(3)]
    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # One process alone works on a database: the others were refused, after the tables.
    assert all("Another Footnote process" in str(error) for error in raised), raised
    assert sorted(calls()) == NEW
    open_stores(settings).close()
    assert sorted(calls()) == NEW, "at the next start there is nothing to do"


def test_nothing_is_asked_without_the_extension(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    name = database.rpartition("/")[2]
    create(postgresql, database)
    for kept in ("create_distributed_table", "run_command_on_workers"):
        arguments = f"SELECT '{kept}'::regproc::regprocedure"
        ((signature,),) = postgresql.run(arguments, name)
        postgresql.run(f"ALTER EXTENSION citus DROP FUNCTION {signature}", name)
    for table in ("citus.calls", "citus.workers", "pg_dist_partition"):
        postgresql.run(f"ALTER EXTENSION citus DROP TABLE {table}", name)
    for rest in ("SEQUENCE citus.calls_number_seq", "SCHEMA citus"):
        postgresql.run(f"ALTER EXTENSION citus DROP {rest}", name)
    postgresql.run("ALTER EXTENSION citus DROP TYPE citus.distribution_type", name)
    postgresql.run("DROP EXTENSION citus", name)
    with opened(settings, HashEmbedder("one")) as service:
        assert all_found(service, fill(service))
        service.upkeep.run("vacuum")
    assert calls() == []


def test_rows_from_before_are_not_left_on_the_coordinator(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    with opened(settings, HashEmbedder("one")) as service:
        fill(service)
    create(postgresql, database)
    with opened(settings, HashEmbedder("one")):
        pass
    assert sorted(call for call in calls() if call.startswith("truncate")) == [
        "truncate vectors",
        "truncate word_counts",
        "truncate words",
    ]
    assert calls().index("truncate vectors") == 1, "after the copy of the same table"
    assert "rows 3" in calls()[0]
    before = calls()
    open_stores(settings).close()
    assert calls() == before


def test_the_program_works_and_no_statement_is_of_several_sessions(
    settings: Settings,
    database: str,
    postgresql: Server,
    calls: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Citus sends to one machine what names one session: the key of each table begins with it."""
    monkeypatch.setattr(store, "GRAPH_FROM", 1)
    create(postgresql, database)
    with statements() as seen, opened(settings, HashEmbedder("one")) as service:
        session = fill(service)
        assert all_found(service, session)
        service.upkeep.tidy()
        service.upkeep.run("vacuum")
        service.documents.remove(session, service.documents.list(session)[0].id)
        service.sessions.delete(session)
    of_indexes = [s for s in seen if re.search(r"\b(vectors|words|word_counts)\b", s)]
    changes_of_tables = ("CREATE", "ALTER", "VACUUM", "DROP", "SELECT pg_catalog")
    asked = [s for s in of_indexes if not s.startswith(changes_of_tables)]
    wide = [s for s in asked if not re.search(r"session_id = %|INSERT INTO \w+ \(session_id", s)]
    assert [s for s in wide if not s.startswith(tuple(OF_ALL_SESSIONS))] == []
    assert len(asked) > 20
    tables = re.compile(r"(?:FROM|JOIN|,) (\w+) (?=JOIN|WHERE)")
    read = {table for s in asked for table in tables.findall(s)}
    assert read == {"vectors", "words", "word_counts"}, "never joined with the coordinator's tables"


def test_what_a_search_sets_reaches_the_machine(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    create(postgresql, database)
    with opened(settings, HashEmbedder("one")) as service:
        session = fill(service)
        with statements() as seen:
            assert all_found(service, session)
    (told,) = {statement for statement in seen if "hnsw.ef_search" in statement}
    parts = [part.strip() for part in told.split(";")]
    assert parts[0] == "SET LOCAL citus.propagate_set_commands = 'local'"
    assert all(part.startswith("SET LOCAL hnsw.") for part in parts[1:])


def test_clean_up_reaches_the_statistics_of_the_machines(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    create(postgresql, database)
    name = database.rpartition("/")[2]
    with opened(settings, HashEmbedder("one")) as service:
        clean_up(service)
        assert calls()[-1] == "on workers: VACUUM (FULL) pg_statistic"
        postgresql.run("INSERT INTO citus.workers VALUES ('w1', 5432, true, 'VACUUM')", name)
        clean_up(service)
        postgresql.run("INSERT INTO citus.workers VALUES ('w2', 5432, false, 'it is away')", name)
        with pytest.raises(StorageError, match=r"1 of Citus's machines .* w2: it is away"):
            clean_up(service)


def test_an_old_citus_is_refused(
    settings: Settings, database: str, postgresql: Server, calls: Callable[[], list[str]]
) -> None:
    create(postgresql, database)
    older = "UPDATE pg_extension SET extversion = '11.1-1' WHERE extname = 'citus'"
    postgresql.run(older, database.rpartition("/")[2])
    with pytest.raises(SettingsError, match=r"11\.2 or later"):
        open_stores(settings)
    assert calls() == []


def clean_up(service: Service) -> None:
    """What "Clean up" does in the database."""
    service.catalogue.database.vacuum()


@contextmanager
def statements() -> Iterator[list[str]]:
    """All statements that are sent to a database during the block."""
    seen: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        seen.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)
