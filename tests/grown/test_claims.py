"""Several processes on one database: each keeps its own work, and what one leaves another takes.

Two `Stores` hold the same locks as two processes do: the locks are of their connections.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from unittest.mock import Mock

import numpy as np
import pytest

from core.collecting import watching
from core.collecting.watching import FolderWatch
from core.config import Settings
from core.errors import DataDirectoryInUse, Interrupted, SettingsError
from core.ingestion import recutting
from core.ingestion.recutting import Recutter
from core.maintenance import claims
from core.maintenance.claims import Claims
from core.maintenance.tasks import Upkeep
from core.storage.sql.postgresql import number_of
from core.storage.stores import Stores, open_stores
from core.types import (
    CollectKind,
    CollectRequest,
    CollectState,
    Cut,
    DocumentKind,
    DocumentState,
)
from tests.conftest import ROOT, eventually, settings_in
from tests.grown.server import Server
from tests.storage.made import cut, loaded

pytestmark = [pytest.mark.grown, pytest.mark.F04, pytest.mark.F28]

CLAIMS = """
import sys, time
from pathlib import Path
from core.storage.stores import open_stores
from tests.conftest import settings_in
folder = Path(sys.argv[1])
stores = open_stores(
    settings_in(folder / "third", database_url=sys.argv[2], originals_url=str(folder / "shared"))
)
with stores.locks.hold("A"):
    print(stores.catalogue.documents.claim_next().id, flush=True)
    time.sleep(300)
"""


def replica(folder: Path, name: str, **values: str) -> Settings:
    (folder / "shared").mkdir(exist_ok=True)
    return settings_in(folder / name, **{"originals_url": str(folder / "shared"), **values})


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Stores]:
    with closing(open_stores(replica(tmp_path, "first"))) as stores:
        yield stores


@pytest.fixture
def second(tmp_path: Path, first: Stores) -> Iterator[Stores]:
    with closing(open_stores(replica(tmp_path, "second"))) as stores:
        yield stores


@pytest.fixture
def session_id(first: Stores) -> str:
    return first.catalogue.sessions.create(first.catalogue.owners.create("a" * 64), "Mine").id


def in_thread(work: Callable[[], None]) -> Thread:
    thread = Thread(target=work)
    thread.start()
    return thread


def hold(stores: Stores) -> None:
    with stores.locks.hold("A"):
        pass


def state_of(stores: Stores, session_id: str, document_id: str = "D") -> DocumentState:
    found = stores.catalogue.documents.get(session_id, document_id)
    assert found is not None
    return found.state


def cut_off(stores: Stores, server: Server) -> None:
    """End the connection by which the others see that this one lives."""
    number = stores.catalogue.database.claimant
    ((pid, ended),) = server.run(
        "SELECT pid, pg_terminate_backend(pid) FROM pg_locks"
        f" WHERE locktype = 'advisory' AND objsubid = 2 AND objid = {number}"
    )
    assert ended
    # By its process: a thread may have claimed the same number again at once.
    there = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = {pid}"
    assert eventually(lambda: not server.run(there))


def test_who_shares_works_beside_others_and_not_beside_one_alone(
    first: Stores, second: Stores, tmp_path: Path
) -> None:
    assert first.catalogue.database.claimant != second.catalogue.database.claimant
    with pytest.raises(DataDirectoryInUse) as caught:
        open_stores(settings_in(tmp_path / "alone"))
    assert "ORIGINALS_URL" in caught.value.cure
    first.close()
    second.close()
    with closing(open_stores(settings_in(tmp_path / "alone"))):
        with pytest.raises(DataDirectoryInUse, match="DATABASE_URL") as caught:
            open_stores(replica(tmp_path, "third"))
        assert "ORIGINALS_URL" in caught.value.cure


def test_a_shared_folder_needs_a_database_that_is_shared(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL") as caught:
        open_stores(replica(tmp_path, "first", database_url=""))
    assert "ORIGINALS_URL" in caught.value.cure
    with pytest.raises(SettingsError, match="not there"):
        open_stores(replica(tmp_path, "first", originals_url=str(tmp_path / "unmounted")))
    assert not (tmp_path / "unmounted").exists()


def test_a_start_leaves_what_another_one_reads(
    first: Stores, second: Stores, session_id: str
) -> None:
    first.catalogue.documents.add(session_id, "D", "a.txt", size=1)
    assert first.catalogue.documents.claim_next() is not None
    second.catalogue.documents.resume()
    assert state_of(second, session_id) is DocumentState.READING
    assert first.catalogue.documents.is_in_work(session_id, "D")
    assert not second.catalogue.documents.is_in_work(session_id, "D")
    second.catalogue.documents.put_back(session_id, "D")
    second.catalogue.documents.set_progress(session_id, "D", 0.9)
    found = first.catalogue.documents.get(session_id, "D")
    assert found is not None
    assert (found.state, found.progress) == (DocumentState.READING, 0.0)
    first.close()
    second.catalogue.documents.resume()
    assert state_of(second, session_id) is DocumentState.WAITING


def test_what_a_killed_process_read_is_read_by_another(
    first: Stores, session_id: str, tmp_path: Path, database: str
) -> None:
    first.catalogue.documents.add(session_id, "D", "a.txt", size=1)
    command = [sys.executable, "-c", CLAIMS, str(tmp_path), database]
    third = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert third.stdout is not None
        assert third.stdout.readline() == "D\n"
        first.catalogue.documents.resume()
        assert state_of(first, session_id) is DocumentState.READING
        thread = in_thread(lambda: hold(first))
        thread.join(0.3)
        assert thread.is_alive()
    finally:
        third.send_signal(signal.SIGKILL)
        third.communicate()

    def taken() -> bool:
        first.catalogue.documents.resume()
        return state_of(first, session_id) is DocumentState.WAITING

    assert eventually(taken)
    claimed = first.catalogue.documents.claim_next()
    assert claimed is not None
    assert claimed.deaths == 1
    thread.join(20)
    assert not thread.is_alive()


def test_who_was_cut_off_and_comes_back_writes_nothing(
    first: Stores, second: Stores, session_id: str, postgresql: Server
) -> None:
    documents = first.catalogue.documents
    documents.add(session_id, "D", "a.txt", size=1)
    assert documents.claim_next() is not None
    cut_off(first, postgresql)
    second.catalogue.documents.resume()
    assert state_of(second, session_id) is DocumentState.WAITING
    document = loaded("the lighthouse")
    chunks = cut("D", document)

    def commit(stores: Stores) -> None:
        stores.add_to_cut(Cut(session_id), "D", "en", chunks, np.ones((len(chunks), 4), np.float32))
        stores.catalogue.documents.mark_ready(session_id, "D", seconds=1.0)

    for _ in range(2):  # while it waits, and while the other one reads it
        with pytest.raises(Interrupted):
            first.catalogue.content.save(session_id, "D", document, chunks)
        with pytest.raises(Interrupted):
            first.together(lambda: commit(first))
        assert not first.vectors.ids(session_id)
        assert not first.catalogue.content.chunks(session_id, "D")
        second.catalogue.documents.claim_next()
    second.catalogue.content.save(session_id, "D", document, chunks)
    second.together(lambda: commit(second))
    assert state_of(first, session_id) is DocumentState.READY
    first.catalogue.database.keep_claim()
    documents.add(session_id, "E", "b.txt", size=1)
    assert documents.claim_next() is not None
    second.catalogue.documents.resume()
    assert state_of(first, session_id, "E") is DocumentState.READING


def test_only_what_stays_away_is_taken_over(
    first: Stores, second: Stores, session_id: str, postgresql: Server
) -> None:
    first.catalogue.documents.add(session_id, "D", "a.txt", size=1)
    first.catalogue.documents.claim_next()
    cut_off(first, postgresql)
    second.catalogue.documents.resume(patience=1e6)
    assert state_of(first, session_id) is DocumentState.READING
    first.catalogue.database.keep_claim()
    second.catalogue.documents.resume()
    assert state_of(first, session_id) is DocumentState.READING


def test_a_thread_keeps_the_claim_and_takes_over(
    first: Stores,
    second: Stores,
    session_id: str,
    postgresql: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims, "_LOOK_EVERY", 0.05)
    monkeypatch.setattr(claims, "PATIENCE", 0.2)
    ending = Event()
    documents = first.catalogue.documents
    Claims(first.catalogue.database, (documents.resume,), ending).begin()
    try:
        number = first.catalogue.database.claimant
        cut_off(first, postgresql)
        there = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = {number}"
        assert eventually(lambda: bool(postgresql.run(there)))
        documents.add(session_id, "D", "a.txt", size=1)
        assert second.catalogue.documents.claim_next() is not None
        second.close()
        assert eventually(lambda: state_of(first, session_id) is DocumentState.WAITING)
    finally:
        ending.set()


def test_runs_of_collecting_are_of_one_process(
    first: Stores, second: Stores, session_id: str, postgresql: Server
) -> None:
    mine, theirs = first.catalogue.collect_runs, second.catalogue.collect_runs
    request = CollectRequest(CollectKind.SITE, ("https://a.example/",))
    run = mine.add(session_id, "a.example", request)
    assert mine.claim_next() is not None
    assert theirs.interrupt() == 0
    assert mine.set_progress(run.id, run.progress)
    assert theirs.move(run.id, [CollectState.RUNNING], CollectState.PAUSED)
    assert not mine.set_progress(run.id, run.progress), "paused in another process"
    theirs.move(run.id, [CollectState.PAUSED], CollectState.WAITING)
    assert mine.claim_next() is not None
    cut_off(first, postgresql)
    assert theirs.interrupt() == 1
    assert theirs.requeue() == 1
    assert theirs.claim_next() is not None
    mine.put_back(run.id)
    assert not mine.move(run.id, [CollectState.RUNNING], CollectState.FAILED, mine=True)
    assert not mine.set_progress(run.id, run.progress)
    assert theirs.set_progress(run.id, run.progress)


def test_runs_of_the_evaluation_are_of_one_process(
    first: Stores, second: Stores, session_id: str, postgresql: Server
) -> None:
    mine, theirs = first.catalogue.runs, second.catalogue.runs
    values = {"name": "R", "set_name": "S", "set_digest": "", "settings": "{}", "state": "waiting"}
    run = mine.add(session_id, values, ["{}"])
    assert theirs.next_waiting() is None
    assert mine.next_waiting() == (session_id, run)
    assert mine.change(run, ["waiting"], mine=True, state="running")
    assert theirs.leave(["running"], "interrupted") == 0
    assert mine.is_in_work(run)
    assert not theirs.is_in_work(run)
    cut_off(first, postgresql)
    assert theirs.leave(["running"], "interrupted") == 1
    assert theirs.change(run, ["interrupted"], state="waiting")
    assert mine.next_waiting() is None
    assert theirs.change(run, ["waiting"], mine=True, state="running")
    assert not mine.change(run, ["running"], mine=True, state="done")
    assert not mine.is_in_work(run)


@pytest.mark.parametrize("name", ["locks", "deciding"])
def test_the_lock_of_a_session_is_of_all_processes(
    first: Stores, second: Stores, name: str
) -> None:
    mine, theirs = getattr(first, name), getattr(second, name)
    order: list[str] = []

    def wait() -> None:
        with theirs.hold("A"):
            order.append("second")

    with mine.hold("A"), mine.hold("A"):
        thread = in_thread(wait)
        with theirs.hold("B"):
            thread.join(0.3)
        order.append("first")
    thread.join(20)
    assert order == ["first", "second"]
    other = "deciding" if name == "locks" else "locks"
    with mine.hold("A"), getattr(second, other).hold("A"):
        pass


def test_a_number_is_the_same_in_every_process() -> None:
    command = [sys.executable, "-c", "from core.storage.sql.postgresql import number_of as n"]
    command[-1] += "; print(n('A'), n(''))"
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number_of("A")), str(number_of(""))]


def test_one_looks_after_the_indexes(first: Stores, second: Stores) -> None:
    upkeep = Upkeep(second)
    with first.catalogue.database.elected("upkeep") as mine:
        assert mine
        assert upkeep.run("start").lines == ("Another process is looking after the indexes.",)
        with pytest.raises(Exception, match="Another process") as caught:
            upkeep.run("vacuum")
        assert "Begin again" in str(getattr(caught.value, "cure", ""))
        assert upkeep.state().failure is not None
        upkeep.tidy()
    assert upkeep.run("vacuum").clean


def test_one_follows_the_watched_folder(
    first: Stores, second: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = Event()

    class Looking(FolderWatch):
        def look(self) -> None:
            looked.set()

    monkeypatch.setattr(watching, "_LOOK_EVERY", 0.05)
    shared = replace(second, settings=second.settings.model_copy(update={"watch_dir": tmp_path}))
    watcher = Looking(shared, Mock(), Mock())
    try:
        with first.catalogue.database.elected("watched folder") as mine:
            assert mine
            watcher.begin()
            assert eventually(lambda: watcher.state()[1].startswith("Another process"))
            assert not looked.is_set()
        assert looked.wait(20)
    finally:
        watcher.end()


def test_one_indexes_again(first: Stores, second: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    settled, asked = Event(), Event()

    class Settling(Recutter):
        def settle(self) -> float | None:
            settled.set()
            return None

    elected = second.catalogue.database.elected

    def seen(role: str) -> AbstractContextManager[bool]:
        asked.set()
        return elected(role)

    monkeypatch.setattr(recutting, "_ELSEWHERE", 0.05)
    monkeypatch.setattr(second.catalogue.database, "elected", seen)
    recutter = Settling(Mock(stores=second))
    try:
        with first.catalogue.database.elected("recutting") as mine:
            assert mine
            recutter.start()
            assert asked.wait(20)
            assert not settled.wait(0.5)
        assert settled.wait(20)
    finally:
        recutter.stop()


def test_a_page_that_is_read_for_an_answer_is_left_to_who_reads_it(
    first: Stores, second: Stores, session_id: str
) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    added = first.catalogue.web_pages.add(
        session_id, "D", "a page", kind=DocumentKind.WEB, size=1, url="http://a/", expires_at=later
    )
    assert added is not None
    second.catalogue.documents.resume()
    assert state_of(second, session_id) is DocumentState.READING
    first.close()
    second.catalogue.documents.resume()
    assert state_of(second, session_id) is not DocumentState.READING
