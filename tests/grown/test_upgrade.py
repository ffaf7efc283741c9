"""An upgrade while a process of the release before runs: it goes on, and both read each other."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import BigInteger, Column, Connection, text

from core.config import Settings
from core.errors import DatabaseUnreachable, InvalidRequest, ProgramOutdated
from core.storage.catalogue import Catalogue
from core.storage.sql import database as module
from core.storage.sql.copying import copy_rows
from core.storage.sql.migrations import add_column
from core.storage.sql.schema import OLDEST_PROGRAM, SCHEMA_VERSION, metadata, schema_info
from core.types import DocumentState
from tests.conftest import settings_in, settled
from tests.grown.server import Server
from tests.storage.made import store
from tests.storage.sql import released
from tests.support.small_library import HashEmbedder, all_found, fill, opened, troubles

if TYPE_CHECKING:
    import psycopg

pytestmark = [pytest.mark.grown, pytest.mark.F17, pytest.mark.F28]

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EMPTY: dict[str, Any] = {"TEXT": "", "VARC": "", "BIGI": 0, "INTE": 0, "DOUB": 0.0, "FLOA": 0.0}
EMPTY |= {"BOOL": True, "TIME": NOW, "BYTE": b""}


class OldProgram:
    """What writes rows as the release before does: all the columns that it knows, no other."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.tables = released.read(OLDEST_PROGRAM)
        self._run = connection.execute

    def make_tables(self) -> None:
        self._run(b"CREATE EXTENSION IF NOT EXISTS vector")
        for statement in released.statements(self.tables):
            self._run(statement.encode())
        self.write("schema_info", version=OLDEST_PROGRAM)

    def write(self, table: str, **values: object) -> None:
        columns = dict(self.tables[table]["columns"])
        for name, rest in columns.items():
            if "NOT NULL" in rest and not rest.startswith("SERIAL"):
                values.setdefault(name, EMPTY[rest[:4]])
        names = ", ".join(f'"{name}"' for name in values)
        places = ", ".join(["%s"] * len(values))
        self._run(f"INSERT INTO {table} ({names}) VALUES ({places})".encode(), [*values.values()])


@pytest.fixture
def old(postgresql: Server, database: str) -> Iterator[OldProgram]:
    import psycopg  # here: only `make test-grown` has it

    with psycopg.connect(postgresql.dsn(database.rpartition("/")[2]), autocommit=True) as opened:
        yield OldProgram(opened)


def test_what_the_release_before_writes_after_the_upgrade_is_read(
    old: OldProgram, tmp_path: Path
) -> None:
    old.make_tables()
    owner, session, talk = (str(uuid.uuid4()) for _ in range(3))
    old.write("owners", id=owner, token_hash="a" * 64)
    old.write("sessions", id=session, owner_id=owner, name="Mine", preferences="{}")
    old.write("cuts", session_id=session, ready=True, wanted=True, cutting="{}")
    catalogue = Catalogue(settings_in(tmp_path))  # the upgrade
    try:
        for state in ("waiting", "ready"):
            lists = {"notices": "[]", "tags": "[]"}
            old.write("documents", session_id=session, id=state, label=state, state=state, **lists)
        old.write("conversations", id=talk, session_id=session, owner_id=owner, title="Talk")
        old.write("messages", conversation_id=talk, role="user", text="Who?")
        old.write("jobs", id=str(uuid.uuid4()), session_id=session, items="[]")
        run = {"request": '{"kind": "site", "starts": ["http://e.org/"]}', "progress": "{}"}
        old.write(
            "collect_runs",
            id=str(uuid.uuid4()), session_id=session, source="s", state="waiting", outcome="{}",
            **run,
        )  # fmt: skip
        documents = catalogue.documents.list(session)
        assert {d.id: d.state for d in documents} == {
            "waiting": DocumentState.WAITING,
            "ready": DocumentState.READY,
        }
        claimed = catalogue.documents.claim_next()
        assert claimed is not None
        assert claimed.id == "waiting"
        assert [t.title for t in catalogue.conversations.list(session)] == ["Talk"]
        (message,) = catalogue.conversations.messages(session, talk)
        assert (message.text, message.asked, message.deaths) == ("Who?", None, 0)
    finally:
        catalogue.close()


def columns(server: Server, url: str) -> list[tuple[str, ...]]:
    return server.run(
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = 'public' ORDER BY 1, 2",
        url.rpartition("/")[2],
    )


def test_upgraded_tables_are_those_of_a_new_database(
    old: OldProgram, tmp_path: Path, postgresql: Server, database: str
) -> None:
    old.make_tables()
    Catalogue(settings_in(tmp_path)).close()
    upgraded = columns(postgresql, database)
    new = postgresql.database("another")
    settings = Settings(data_dir=tmp_path, database_url=new)
    Catalogue(settings).close()
    of_indexes = ("vectors", "words", "word_counts")
    assert [row for row in upgraded if row[0] not in of_indexes] == columns(postgresql, new)


# What follows has this version as the older one: another is made that adds a column to each table.


def grow(connection: Connection) -> None:
    for name in [t.name for t in metadata.sorted_tables]:
        added = metadata.tables[name].to_metadata(type(metadata)())
        added.append_column(Column("newer", BigInteger, nullable=False, server_default="7"))
        add_column(connection, added.c.newer)
    connection.execute(
        text(
            "CREATE TABLE newer (session_id VARCHAR(36) PRIMARY KEY "
            "REFERENCES sessions (id) ON DELETE CASCADE)"
        )
    )


Upgrade = Callable[..., None]


@pytest.fixture
def upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Upgrade:
    """Opens the database with a later version of the program; `oldest` as of `OLDEST_PROGRAM`."""

    def opens(oldest: int = SCHEMA_VERSION, later: int = 1) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + later)
            patch.setattr(module, "OLDEST_PROGRAM", oldest)
            steps = {SCHEMA_VERSION: grow, SCHEMA_VERSION + 1: lambda connection: None}
            patch.setattr(module, "MIGRATIONS", steps)
            Catalogue(settings_in(tmp_path / "newer")).close()

    return opens


def test_a_running_process_goes_on_and_one_that_starts_too(
    settings: Settings, upgrade: Upgrade
) -> None:
    with opened(settings, HashEmbedder("one")) as service:
        before = fill(service)
        upgrade()
        service.catalogue.database.keep_claim()
        session = fill(service)
        assert all_found(service, session)
        assert service.ready()
        service.sessions.delete(before)
    with opened(settings, HashEmbedder("one")) as service:
        assert troubles(service) == []
        owner = service.owners.for_token("somebody")
        assert [found.id for found in service.sessions.list(owner)] == [session.id]
        service.documents.add_file(session, "more.txt", b"More of it.")
        assert settled(service, session)[-1].state is DocumentState.READY


def test_a_process_of_two_releases_before_stops_working_and_says_why(
    settings: Settings, upgrade: Upgrade
) -> None:
    with opened(settings, HashEmbedder("one")) as service:
        session = fill(service)
        upgrade(oldest=SCHEMA_VERSION + 1, later=2)
        with pytest.raises(ProgramOutdated, match="upgraded by a version"):
            service.catalogue.database.keep_claim()
        for _ in range(2):
            with pytest.raises(ProgramOutdated) as raised:
                service.documents.list(session)
        assert "start the version that the others have" in raised.value.cure
        assert not service.ready()
        assert isinstance(raised.value, DatabaseUnreachable), "what waits in its queue waits on"
    with pytest.raises(ProgramOutdated):
        Catalogue(settings)


def test_an_older_program_neither_moves_nor_backs_up_what_it_does_not_know(
    settings: Settings, tmp_path: Path, upgrade: Upgrade
) -> None:
    Catalogue(settings).close()
    upgrade()
    source = Catalogue(settings)
    target = Catalogue(
        Settings(data_dir=tmp_path / "target", database_url=f"sqlite:///{tmp_path}/t.db")
    )
    try:
        with pytest.raises(InvalidRequest, match="newer version"):
            copy_rows(source.database, target.database)
    finally:
        source.close()
        target.close()


def test_what_works_meanwhile_is_neither_refused_nor_held_up_by_a_long_transaction(
    settings: Settings, upgrade: Upgrade
) -> None:
    """A dump reads all the time; the upgrade waits for it, and lets the others through."""
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id
    raised: list[BaseException] = []
    written: list[str] = []
    done = threading.Event()

    def noted(work: Callable[[], object]) -> threading.Thread:
        def works() -> None:
            try:
                work()
            except BaseException as error:
                raised.append(error)

        thread = threading.Thread(target=works)
        thread.start()
        return thread

    def write() -> None:
        while not done.is_set():
            name = uuid.uuid4().hex
            store(catalogue, session_id, name, ["text"], name)
            talk = catalogue.conversations.create(session_id, name)
            catalogue.conversations.add_message(session_id, talk.id, "user", name)
            written.append(name)

    with catalogue.database.reading() as dump:
        dump.execute(text("SELECT count(*) FROM documents")).scalar()
        upgrading = noted(upgrade)
        writers = [noted(write) for _ in range(3)]
        upgrading.join(1.5)  # its first try has ended
        before = len(written)
        upgrading.join(3)
        assert upgrading.is_alive() or raised
        assert len(written) > before
    upgrading.join(60)
    done.set()
    for thread in writers:
        thread.join()
    assert raised == []
    with catalogue.database.reading() as connection:
        assert connection.scalar(schema_info.select()) == SCHEMA_VERSION + 1
    assert {d.name for d in catalogue.documents.list(session_id)} == set(written)
    catalogue.close()
