"""Tantivy's own: files of an index, their damage, their locks, and words of what was deleted."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import tantivy

from core.config import Settings
from core.errors import IndexDamaged, NotEnoughSpace, StorageError
from core.ids import new_id
from core.storage.lexical.port import Entry
from core.storage.lexical.tantivy import index as lexical
from core.storage.lexical.tantivy.index import TantivyIndex
from tests.storage.lexical.made import add, chunks_of, found


@pytest.fixture
def index(settings: Settings) -> Iterator[TantivyIndex]:
    """An open index."""
    index = TantivyIndex(settings)
    yield index
    index.close()


def test_words_of_a_deleted_document_go_with_its_segment_or_are_known_of(
    index: TantivyIndex, settings: Settings
) -> None:
    session, secret = new_id(), "zwölfboxkämpfer7f3a9c41"
    add(index, session, "a", f"the {secret}")
    add(index, session, "b", "something else")
    index.delete_document(session, "a")
    folder = settings.sessions_dir / session / "lexical"
    assert not index.holds_deleted(session)
    assert not any(b"boxk" in path.read_bytes() for path in folder.iterdir())
    for number in range(10):  # enough to be merged into one
        add(index, session, f"c{number}", f"the {secret}")
    index.delete_document(session, "c3")
    assert index.holds_deleted(session)
    index.delete_session(session)
    assert not index.holds_deleted(session)


def test_what_was_deleted_is_erased_after_a_moment_of_rest(
    index: TantivyIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=time.sleep)
    monkeypatch.setattr(lexical, "time", clock)
    session, names = new_id(), [f"c{number}" for number in range(12)]
    for name in names:
        add(index, session, name, "the secret")
    index.delete_document(session, "c3")
    assert index.holds_deleted(session)
    assert index.to_erase() == []
    now[0] += 2.5
    assert index.to_erase() == [session]
    index.erase_later(session)
    now[0] += 1.5
    assert index.to_erase() == [], "more was deleted a moment ago"
    now[0] += 1.0
    assert index.to_erase() == [session]
    assert index.to_erase() == [session], "until it is done"

    def fails() -> Iterator[Entry]:
        yield chunks_of("c0", ["the secret"]), "", "en"
        raise StorageError("The catalogue cannot be read.")

    with pytest.raises(StorageError):
        index.rewrite(session, fails())
    assert index.to_erase() == [session]
    kept = [name for name in names if name != "c3"]
    assert index.ids(session) == {f"{name}:0" for name in kept}, "the old one is there"
    index.rewrite(session, [(chunks_of(name, ["the secret"]), "", "en") for name in kept])
    assert index.to_erase() == []
    assert not index.holds_deleted(session)
    assert index.ids(session) == {f"{name}:0" for name in kept}


def test_a_session_in_which_nothing_of_it_is_left_is_not_rewritten(
    index: TantivyIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_SETTLED", -1.0)
    session = new_id()
    add(index, session, "a", "alpha")
    index.delete_document(session, "a")
    assert not index.holds_deleted(session)
    assert index.to_erase() == []
    assert index._deleted == {}, "it is not looked at again"


def test_a_deleted_session_leaves_no_folder(index: TantivyIndex, settings: Settings) -> None:
    session = new_id()
    add(index, session, "a", "alpha")
    index.delete_session(session)
    assert not (settings.sessions_dir / session / "lexical").exists()


def test_stays_after_closing_and_many_are_open(settings: Settings) -> None:
    sessions = [new_id() for _ in range(40)]
    first = TantivyIndex(settings)
    for session in sessions:
        add(first, session, session, "alpha")
    first.close()
    second = TantivyIndex(settings)
    assert all(found(second, session, "alpha") == [f"{session}:0"] for session in sessions)
    second.close()


@pytest.mark.parametrize("damage", ["half", "empty", "missing"])
def test_damage_is_said_and_can_be_cleared(settings: Settings, damage: str) -> None:
    session = new_id()
    first = TantivyIndex(settings)
    add(first, session, "a", "alpha beta", "gamma")
    first.close()
    folder = settings.sessions_dir / session / "lexical"
    wanted = [path for path in folder.iterdir() if path.suffix in {".store", ".idx"}]
    for path in [*wanted, folder / "meta.json"]:
        content = path.read_bytes()
        if damage == "missing":
            path.unlink()
        else:
            path.write_bytes(content[: len(content) // 2] if damage == "half" else b"")
        with pytest.raises(IndexDamaged):
            TantivyIndex(settings).query(session, "alpha", 1)
        path.write_bytes(content)
    (folder / "meta.json").unlink()
    second = TantivyIndex(settings)
    second.delete_session(session)
    assert second.ids(session) == set()
    add(second, session, "a", "alpha")
    assert found(second, session, "alpha") == ["a:0"]


def _lock_held(settings: Settings, session: str) -> tantivy.IndexWriter:
    """The lock, as a child process holds it while it is being started."""
    return tantivy.Index.open(str(settings.sessions_dir / session / "lexical")).writer()


def test_a_lock_that_is_held_for_a_moment_is_waited_for(
    index: TantivyIndex, settings: Settings
) -> None:
    session = new_id()
    add(index, session, "a", "First words.")
    writer = _lock_held(settings, session)
    timer = threading.Timer(0.3, writer.wait_merging_threads)
    timer.start()
    add(index, session, "b", "Later words.")
    timer.join()
    assert found(index, session, "words") == ["a:0", "b:0"]


def test_a_lock_that_stays_held_is_no_damage(
    index: TantivyIndex, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_id()
    add(index, session, "a", "First words.")
    writer = _lock_held(settings, session)
    monkeypatch.setattr(lexical, "_LOCK_SECONDS", 0.1)
    with pytest.raises(StorageError, match="Something else is writing"):
        add(index, session, "b", "Later words.")
    writer.wait_merging_threads()


NO_ROOM = "An IO error occurred: 'No space left on device (os error 28) at path \"/x\"'"


KILLED = "An error occurred in a thread: 'An index writer was killed.. A worker thread panicked.'"


@pytest.mark.F27
@pytest.mark.parametrize(
    ("said", "free", "error"),
    [(NO_ROOM, 10**9, NotEnoughSpace), (KILLED, 0, NotEnoughSpace), (KILLED, 10**9, IndexDamaged)],
)
def test_a_full_disk_is_no_damage(
    index: TantivyIndex,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    free: int,
    error: type[Exception],
) -> None:
    session = new_id()
    add(index, session, "a", "alpha")

    def fails(*_: object) -> None:
        raise ValueError(said)

    with monkeypatch.context() as patch:
        patch.setattr(lexical, "_locked", fails)
        patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
        for change in (
            lambda: add(index, session, "b", "alpha"),
            lambda: index.delete_document(session, "a"),
            lambda: index.rewrite(session, []),
        ):
            with pytest.raises(StorageError) as caught:
                change()
            assert type(caught.value) is error
    assert found(index, session, "alpha") == ["a:0"]
