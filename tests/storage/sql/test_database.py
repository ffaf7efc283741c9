"""The catalogue's database: transactions, versions, erasure, and errors of the disk."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from core.config import Settings
from core.errors import DataDirectoryUnusable, NotEnoughSpace, SettingsError, StorageError
from core.storage.catalogue import Catalogue
from core.storage.sql import database
from core.storage.sql.schema import SCHEMA_VERSION, metadata
from core.types import CollectKind, CollectRequest, DocumentState, Heading, LoadedDocument, Page
from tests.storage.made import cut, loaded, raw_bytes, store

OPENED: list[sqlite3.Connection] = []


@pytest.fixture(autouse=True)
def all_closed() -> Iterator[None]:
    """From 3.13 on Python warns of a connection that is left open."""
    yield
    while OPENED:
        OPENED.pop().close()


def on_disk(folder: Path) -> sqlite3.Connection:
    OPENED.append(sqlite3.connect(folder / "data" / "library.db", isolation_level=None))
    return OPENED[-1]


def pragma(catalogue: Catalogue, name: str) -> object:
    with catalogue.database.reading() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.sqlite
def test_every_connection_is_careful(catalogue: Catalogue) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    assert {name: pragma(catalogue, name) for name in wanted} == wanted
    assert pragma(catalogue, "busy_timeout") == 15_000


def test_all_or_nothing(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["before"])

    def fails(connection: Connection) -> None:
        connection.execute(text("DELETE FROM documents"))
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        catalogue.database.write(fails)
    assert [page.text for page in catalogue.content.pages(session_id, "D")] == ["before"]


@pytest.mark.sqlite
def test_what_was_committed_survives_a_crash(
    catalogue: Catalogue, session_id: str, tmp_path: Path
) -> None:
    """A copy of the files as they stand, without closing, is what a killed process leaves."""
    store(catalogue, session_id, "D", ["kept"])
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in (tmp_path / "data").glob("library.db*"):
        (copy / path.name).write_bytes(path.read_bytes())
    again = Catalogue(Settings(data_dir=copy))
    assert again.content.page_texts(session_id, [("D", 0)]) == {("D", 0): "kept"}
    again.close()


def test_reopening_keeps_everything(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    first = Catalogue(settings)
    owner_id = first.owners.create("a" * 64)
    session = first.sessions.create(owner_id, "Mine")
    chunks = store(first, session.id, "D", ["text"])
    documents = first.documents.list(session.id)
    first.close()
    again = Catalogue(settings)
    assert again.sessions.list(owner_id) == [session]
    assert again.documents.list(session.id) == documents
    assert again.content.chunks(session.id, "D") == chunks
    again.close()


def test_readers_and_writers_at_once(catalogue: Catalogue, session_id: str) -> None:
    """Readers see a document whole or not at all while it is written again and again."""
    versions = [loaded(*[f"{number} " * 50] * 20) for number in range(2)]
    catalogue.documents.add(session_id, "D", "a", size=1)
    errors: list[BaseException] = []
    done = threading.Event()

    def watch(check: Callable[[], None]) -> None:
        try:
            while not done.is_set():
                check()
        except BaseException as error:
            errors.append(error)

    def pages() -> None:
        assert len({page.text for page in catalogue.content.pages(session_id, "D")}) <= 1

    def chunks() -> None:
        found = catalogue.content.chunks(session_id, "D")
        assert len(found) in (0, 20)
        assert len({chunk.text for chunk in found}) <= 1

    def write() -> None:
        catalogue.documents.set_progress(session_id, "D", 0.5)

    threads = [threading.Thread(target=watch, args=(check,)) for check in (pages, chunks, write)]
    for thread in threads:
        thread.start()
    for number in range(40):
        document = versions[number % 2]
        catalogue.content.save(session_id, "D", document, cut("D", document))
    done.set()
    for thread in threads:
        thread.join()
    assert errors == []


# ---------------------------------------------------------------------------------- versions


@pytest.mark.sqlite
def test_a_newer_catalogue_is_left_alone(tmp_path: Path) -> None:
    Catalogue(Settings(data_dir=tmp_path / "data")).close()
    connection = on_disk(tmp_path)
    connection.execute("UPDATE schema_info SET version = 99")
    connection.close()
    with pytest.raises(StorageError, match="newer version"):
        Catalogue(Settings(data_dir=tmp_path / "data"))


def grow(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"))


def break_halfway(connection: Connection) -> None:
    grow(connection)
    connection.execute(text("UPDATE sessions SET nothing = 1"))


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(database, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    monkeypatch.setattr(database, "MIGRATIONS", {SCHEMA_VERSION: grow})
    return monkeypatch


def old_catalogue(settings: Settings) -> str:
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "Old").id
    store(catalogue, session_id, "D", ["old text"])
    catalogue.close()
    return session_id


@pytest.mark.sqlite
def test_an_older_catalogue_is_migrated(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    session_id = old_catalogue(settings)
    request.getfixturevalue("next_version")
    catalogue = Catalogue(settings)
    assert catalogue.content.page_texts(session_id, [("D", 0)]) == {("D", 0): "old text"}
    backup = tmp_path / "data" / f"library.db.v{SCHEMA_VERSION}.backup"
    connection = sqlite3.connect(backup)
    assert connection.execute("SELECT version FROM schema_info").fetchone() == (SCHEMA_VERSION,)
    connection.close()
    catalogue.close()
    migrated = on_disk(tmp_path)
    assert migrated.execute("SELECT colour FROM sessions").fetchall() == [("red",)]
    found = migrated.execute("SELECT version FROM schema_info").fetchone()
    assert found == (SCHEMA_VERSION + 1,)
    migrated.close()


@pytest.mark.sqlite
def test_a_backup_does_not_keep_what_is_deleted(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    session_id = old_catalogue(settings)
    request.getfixturevalue("next_version")
    catalogue = Catalogue(settings)
    assert raw_bytes(tmp_path).count(b"old text") == 2
    catalogue.sessions.delete(session_id)
    assert raw_bytes(tmp_path).count(b"old text") == 0
    catalogue.close()


@pytest.mark.sqlite
def test_a_failed_migration_changes_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    session_id = old_catalogue(settings)
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("next_version")
    monkeypatch.setattr(database, "MIGRATIONS", {SCHEMA_VERSION: break_halfway})
    with pytest.raises(StorageError):
        Catalogue(settings)
    monkeypatch.setattr(database, "SCHEMA_VERSION", SCHEMA_VERSION)
    catalogue = Catalogue(settings)
    assert catalogue.content.page_texts(session_id, [("D", 0)]) == {("D", 0): "old text"}
    catalogue.close()


@pytest.mark.sqlite
def test_a_catalogue_of_version_1_opens_with_all_that_is_in_it(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    session_id = old_catalogue(settings)
    old = on_disk(tmp_path)
    for statement in (
        "ALTER TABLE documents DROP COLUMN attribution",
        "ALTER TABLE documents DROP COLUMN source",
        "DROP TABLE collect_runs",
        "UPDATE schema_info SET version = 1",
    ):
        old.execute(statement)
    old.close()
    catalogue = Catalogue(settings)
    document = catalogue.documents.list(session_id)[0]
    assert (document.attribution, document.source) == ("", "")
    assert catalogue.content.page_texts(session_id, [("D", 0)]) == {("D", 0): "old text"}
    assert catalogue.collect_runs.list(session_id) == []
    request = CollectRequest(CollectKind.SITE, ("http://e.org/",))
    assert catalogue.collect_runs.add(session_id, "site-1", request).request == request
    catalogue.close()
    assert (tmp_path / "data" / "library.db.v1.backup").is_file()


# ----------------------------------------------------------------------------------- erasure


@pytest.mark.sqlite
def test_a_deleted_session_leaves_no_byte(
    catalogue: Catalogue, session_id: str, tmp_path: Path
) -> None:
    secret = "xK7-unique-string-of-forty-characters-Q9"
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id
    store(catalogue, other, "E", ["this one stays " * 200])
    fill(catalogue, session_id, secret)
    assert raw_bytes(tmp_path).count(secret.encode()) > 8
    catalogue.sessions.delete(session_id)
    assert catalogue.database.erased()
    assert raw_bytes(tmp_path).count(secret.encode()) == 0
    assert (tmp_path / "data" / "library.db-wal").stat().st_size < 10_000
    assert catalogue.content.page_texts(other, [("E", 0)]) == {("E", 0): "this one stays " * 200}
    catalogue.close()
    assert raw_bytes(tmp_path).count(secret.encode()) == 0


def fill(catalogue: Catalogue, session_id: str, secret: str) -> None:
    """Write `secret` into every kind of text that a session has."""
    catalogue.sessions.rename(session_id, secret)
    catalogue.sessions.set_preferences(session_id, {"note": secret})
    page = Page(0, f"{secret} " * 300, headings=(Heading(0, 1, secret, secret),))
    document = LoadedDocument(loaded("").kind, (page,), title=secret)
    catalogue.documents.add(session_id, "D", secret, size=1, url=f"http://{secret}/")
    catalogue.content.save(session_id, "D", document, cut("D", document, 41))
    catalogue.documents.set_state(session_id, "D", DocumentState.FAILED, reason=secret, cure=secret)
    talk = catalogue.conversations.create(session_id, secret).id
    catalogue.conversations.add_message(session_id, talk, "user", secret)


@pytest.mark.sqlite
def test_no_byte_is_left_where_sessions_lie_between_each_other(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    """Rows of many sizes, mixed on the same pages: where SQLite leaves copies in the gaps."""
    chance, owner_id = random.Random(3), catalogue.owners.create("a" * 64)
    ids = [catalogue.sessions.create(owner_id, "").id for _ in range(12)]
    talks = [catalogue.conversations.create(session, "").id for session in ids]
    for number in range(250):
        i = chance.randrange(len(ids))
        words = f"<mark {i:02}>" * chance.choice([1, 2, 5, 20, 60, 200])
        catalogue.conversations.add_message(ids[i], talks[i], "user", words)
        catalogue.sessions.rename(ids[i], words[:900])
        if number % 3 == 0:
            store(catalogue, ids[i], str(number), [words])
    for i in chance.sample(range(len(ids)), len(ids)):
        assert raw_bytes(tmp_path).count(f"<mark {i:02}>".encode())
        catalogue.sessions.delete(ids[i])
        assert raw_bytes(tmp_path).count(f"<mark {i:02}>".encode()) == 0


@pytest.mark.sqlite
def test_removed_parts_leave_no_byte(catalogue: Catalogue, session_id: str, tmp_path: Path) -> None:
    store(catalogue, session_id, "D", ["first secret"])
    talk = catalogue.conversations.create(session_id, "second secret").id
    message = catalogue.conversations.add_message(session_id, talk, "user", "third secret")
    catalogue.documents.remove(session_id, "D")
    catalogue.conversations.delete_message(session_id, talk, message.id)
    catalogue.conversations.delete(session_id, talk)
    assert b"secret" not in raw_bytes(tmp_path)


@pytest.mark.sqlite
def test_a_large_file_is_erased_later(
    catalogue: Catalogue, session_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(catalogue, session_id, "D", ["text"])
    monkeypatch.setattr("core.storage.sql.documents.ERASED_AT_ONCE", 0)
    catalogue.documents.remove(session_id, "D")
    assert not catalogue.database.erased()
    assert catalogue.database.erase()
    assert catalogue.database.erased()


@pytest.mark.sqlite
def test_no_space_for_erasing_is_said_and_mended(
    catalogue: Catalogue,
    session_id: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    store(catalogue, session_id, "D", ["text"])

    def full(*_: object) -> bool:
        raise NotEnoughSpace("The catalogue cannot be written: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("core.storage.sql.database._checkpoint", full)
        catalogue.sessions.delete(session_id)
        assert "disk is full" in caplog.text
        assert not catalogue.database.erased()
        with pytest.raises(NotEnoughSpace):
            catalogue.database.erase()
    assert catalogue.sessions.ids() == []
    assert catalogue.database.erase()


@pytest.mark.sqlite
def test_deleting_a_large_session_is_quick(catalogue: Catalogue, session_id: str) -> None:
    document = loaded(*["word " * 200] * 2000)
    chunks = cut("D", document, 100)
    catalogue.documents.add(session_id, "D", "a", size=1)
    catalogue.content.save(session_id, "D", document, chunks)
    assert len(chunks) == 20_000
    began = time.thread_time()
    catalogue.sessions.delete(session_id)
    assert time.thread_time() - began < 2.0


# ------------------------------------------------------------------------- errors of the disk


@pytest.mark.sqlite
def test_a_full_disk(catalogue: Catalogue, session_id: str) -> None:
    store(catalogue, session_id, "D", ["kept"])

    def limit(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA max_page_count=60").close()

    event.listen(catalogue.database._engine, "checkout", limit)
    catalogue.documents.add(session_id, "E", "large.pdf", size=1)
    with pytest.raises(NotEnoughSpace, match="disk is full"):
        catalogue.content.save(session_id, "E", loaded("x" * 400_000), [])
    event.remove(catalogue.database._engine, "checkout", limit)
    assert catalogue.content.page_texts(session_id, [("D", 0)]) == {("D", 0): "kept"}
    assert catalogue.content.pages(session_id, "E") == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_FULL, NotEnoughSpace),
        (sqlite3.SQLITE_IOERR_SHMSIZE, NotEnoughSpace),
        (sqlite3.SQLITE_READONLY_DIRECTORY, DataDirectoryUnusable),
        (sqlite3.SQLITE_CANTOPEN, DataDirectoryUnusable),
        (sqlite3.SQLITE_IOERR_FSYNC, StorageError),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StorageError),
        (sqlite3.SQLITE_CORRUPT, StorageError),
        (sqlite3.SQLITE_ERROR, StorageError),
    ],
)
def test_errors_of_sqlite_become_ours(
    catalogue: Catalogue, code: int, kind: type[StorageError]
) -> None:
    def fails(connection: Connection) -> None:
        error = sqlite3.OperationalError("near /a/path: what SQLite says")
        error.sqlite_errorcode = code
        raise error

    with pytest.raises(StorageError) as caught:
        catalogue.database.read(fails)
    assert type(caught.value) is kind
    assert caught.value.cure
    assert "/" not in caught.value.message


@pytest.mark.sqlite
def test_a_file_that_is_no_catalogue(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"This is no database at all. " * 100)
    with pytest.raises(StorageError, match="damaged"):
        Catalogue(Settings(data_dir=tmp_path))


@pytest.mark.parametrize("url", ["nonsense", "sqlite://", "sqlite:///:memory:", "no+such://x/y"])
def test_a_wrong_database_url(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        Catalogue(Settings(data_dir=tmp_path, database_url=url))


@pytest.mark.sqlite
def test_another_file_by_url(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/elsewhere.db"
    catalogue = Catalogue(Settings(data_dir=tmp_path / "data", database_url=url))
    session_id = catalogue.sessions.create(catalogue.owners.create("a" * 64), "secret").id
    catalogue.sessions.delete(session_id)
    assert b"secret" not in raw_bytes(tmp_path)
    catalogue.close()
    assert (tmp_path / "elsewhere.db").is_file()


def test_the_schema_compiles_for_postgresql() -> None:
    made = [
        str(CreateTable(table).compile(dialect=postgresql.dialect()))
        for table in metadata.sorted_tables
    ]
    assert len(made) == len(metadata.tables)
    assert "BYTEA" in "".join(made)
    assert "TIMESTAMP WITH TIME ZONE" in "".join(made)
