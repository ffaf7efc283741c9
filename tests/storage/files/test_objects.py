"""What an object store alone does: nothing is overwritten, and copies do not stay too long."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.errors import OriginalsUnreachable, SettingsError, StorageError
from core.storage.files import objects as module
from core.storage.files.objects import ObjectStore
from tests.conftest import settings_in
from tests.storage.files.stored import KEY, SESSION, TREE, put

pytestmark = [pytest.mark.grown, pytest.mark.F28]


@pytest.fixture
def in_bucket(tmp_path: Path, bucket: str) -> Callable[[str], ObjectStore]:
    """Opens the same bucket from the process of this name."""
    return lambda name: ObjectStore(settings_in(tmp_path / name, originals_url=bucket))


def test_nothing_is_overwritten(in_bucket: Callable[[str], ObjectStore]) -> None:
    one, other = in_bucket("one"), in_bucket("other")
    put(one, KEY, b"first")
    put(other, KEY, b"second")
    assert one.path(KEY).read_bytes() == other.path(KEY).read_bytes() == b"first"


def test_a_large_file_goes_in_parts(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 5_300_000)
    one, other, data = in_bucket("one"), in_bucket("other"), os.urandom(11_000_000)
    put(one, KEY, data)
    put(one, KEY, b"x" * 6_000_000)
    assert other.path(KEY).read_bytes() == data


def test_who_was_cut_off_changes_no_tree(in_bucket: Callable[[str], ObjectStore]) -> None:
    one, other = in_bucket("one"), in_bucket("other")
    late = one.work(TREE)
    folder = late.__enter__()
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("late")
    with other.work(TREE) as theirs:
        theirs.mkdir(parents=True)
        (theirs / "a.json").write_text("theirs")
    with pytest.raises(StorageError, match="by another process"):
        late.__exit__(None, None, None)
    assert (one.look(TREE) / "a.json").read_text() == "theirs"
    assert len(one.files(TREE)) == 1


def test_a_killed_process_goes_on_with_its_own_tree(
    in_bucket: Callable[[str], ObjectStore],
) -> None:
    before = in_bucket("one")
    work = before.work(TREE)
    folder = work.__enter__()
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("read before the kill")
    again = in_bucket("one")
    assert (again.look(TREE) / "a.json").exists()
    with in_bucket("other").work(TREE) as theirs:
        theirs.mkdir(parents=True)
        (theirs / "b.json").write_text("read meanwhile")
    assert [path.name for path in again.look(TREE).glob("*.json")] == ["b.json"]


def test_copies_of_what_another_process_removed_go(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = in_bucket("one"), in_bucket("other")
    put(one, KEY, b"secret")
    with one.work(TREE) as folder:
        folder.mkdir(parents=True)
        (folder / "a.json").write_text("secret")
    assert other.path(KEY).exists()
    assert other.look(TREE).exists()
    one.remove(KEY)
    one.remove_tree(TREE)
    monkeypatch.setattr(module, "_JUST_USED", 0.0)
    other.tidy_now()
    assert [path for path in other.local.rglob("*") if path.is_file()] == []


def test_copies_stay_below_the_limit(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = in_bucket("one")
    monkeypatch.setattr(module, "_JUST_USED", 0.0)
    monkeypatch.setattr(store, "_most", 2_500)
    keys = [f"{SESSION}/originals/{letter * 64}" for letter in "abcd"]
    for key in keys:
        put(store, key, b"x" * 1_000)
    kept = [key for key in keys if (store.local / key).exists()]
    assert kept == keys[2:]
    assert len(store.path(keys[0]).read_bytes()) == 1_000


def test_trees_count_and_go_as_a_whole(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = in_bucket("one")
    monkeypatch.setattr(module, "_JUST_USED", 0.0)
    trees = [f"{SESSION}/collected/site-{number}" for number in range(3)]
    for tree in trees:
        with store.work(tree) as folder:
            folder.mkdir(parents=True)
            (folder / "pages").mkdir()
            (folder / "pages" / "a.json").write_bytes(b"x" * 1_000)
    unsaved = store.local / trees[0] / "b.json"
    unsaved.write_text("read before a kill")
    put(store, f"{SESSION}/collected/uploads/{'d' * 64}", b"x" * 1_000)
    monkeypatch.setattr(store, "_most", 2_600)
    with store.work(trees[1]):
        store.tidy_now()

        def there() -> list[bool]:
            return [(store.local / tree / "pages" / "a.json").exists() for tree in trees]

        assert there() == [True, True, False], "one holds what is nowhere else, one is worked on"
        assert unsaved.exists()
    assert (store.look(trees[2]) / "pages" / "a.json").read_bytes() == b"x" * 1_000
    assert (store.local / trees[2]).is_dir()


def test_a_large_tree_is_not_written_over(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the look before the put found nothing: two put it at the same moment."""
    monkeypatch.setattr(module, "_AT_ONCE", 5_300_000)
    monkeypatch.setattr(ObjectStore, "has", lambda *_: False)
    one, other = in_bucket("one"), in_bucket("other")
    late = one.work(TREE)
    folder = late.__enter__()
    folder.mkdir(parents=True)
    (folder / "a.bin").write_bytes(os.urandom(6_000_000))
    with other.work(TREE) as theirs:
        theirs.mkdir(parents=True)
        (theirs / "a.bin").write_bytes(b"theirs" + os.urandom(6_000_000))
    with pytest.raises(StorageError, match="by another process"):
        late.__exit__(None, None, None)
    assert (one.look(TREE) / "a.bin").read_bytes().startswith(b"theirs")
    assert len(one.files(TREE)) == 1
    assert one.files(f"{SESSION}/incoming") == []


def test_what_a_killed_process_put_in_parts_goes_after_a_day(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = in_bucket("one")
    put(store, KEY, b"x")
    store._client.put(store._objects, f"{SESSION}/incoming/left", b"half")
    store.tidy_now()
    assert len(store.files(f"{SESSION}/incoming")) == 1
    monkeypatch.setattr(module, "_LEFT", 0.0)
    time.sleep(1.1)  # objects are dated by the second
    store.tidy_now()
    assert store.files(f"{SESSION}/incoming") == []
    assert store.has(KEY)


def test_a_bucket_that_is_not_there_is_refused(
    in_bucket: Callable[[str], ObjectStore], tmp_path: Path
) -> None:
    store = ObjectStore(settings_in(tmp_path / "x", originals_url="s3://nobodys"))
    with pytest.raises(StorageError, match="refused"):
        store.check()
    with pytest.raises(StorageError, match="refused"):
        put(store, KEY, b"x")
    assert [path for path in store.local.rglob("*") if path.is_file()] == []


def test_a_store_that_is_away_is_said_to_be(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    store = in_bucket("one")
    for act in (
        store.check,
        lambda: put(store, KEY, b"x"),
        lambda: store.path(KEY),
        lambda: store.has(KEY),
        lambda: store.remove(KEY),
        lambda: store.files(SESSION),
        lambda: store.look(TREE),
        store.sessions,
    ):
        with pytest.raises(OriginalsUnreachable, match="does not answer"):
            act()
    assert [path for path in store.local.rglob("*") if path.is_file()] == []


def test_a_slow_store_is_waited_for_while_something_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on a whole request would make a large original unreadable over a slow line."""
    monkeypatch.setattr(module, "_SILENCE", timedelta(seconds=1))
    monkeypatch.setattr(module, "_PATIENCE", {"max_retries": 0})
    with answering(Dribbling) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        store = ObjectStore(settings_in(tmp_path, originals_url="s3://slow"))
        assert store.path(KEY).read_bytes() == b"x" * Dribbling.PIECES


class Dribbling(BaseHTTPRequestHandler):
    """Sends a byte, and waits half as long as a server may be silent."""

    PIECES = 5

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(self.PIECES))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()
        for _ in range(self.PIECES):
            self.wfile.write(b"x")
            time.sleep(0.5)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server of its own, during the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_an_address_that_is_none_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "minio:9000")
    with pytest.raises(SettingsError, match="AWS_ENDPOINT_URL"):
        ObjectStore(settings_in(tmp_path, originals_url="s3://library"))


def with_a_tree(store: ObjectStore, text: str) -> None:
    with store.work(TREE) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.json").write_text(text)


def test_a_version_that_another_process_replaces_meanwhile_is_not_missed(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = in_bucket("one"), in_bucket("other")
    with_a_tree(other, "first")
    fetch, seen = one._fetch, []

    def late(key: str) -> None:
        seen.append(key)
        if len(seen) == 1:  # it was listed a moment ago
            with_a_tree(other, "second")
        fetch(key)

    monkeypatch.setattr(one, "_fetch", late)
    assert (one.look(TREE) / "a.json").read_text() == "second"


def test_a_tree_that_is_begun_to_be_worked_on_stays(
    in_bucket: Callable[[str], ObjectStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread tidies the copies just then, and another process has changed the tree."""
    one, other = in_bucket("one"), in_bucket("other")
    with_a_tree(one, "first")
    look, tidying = one.look, threading.Thread(target=one.tidy_now)

    def looked(prefix: str) -> Path:
        folder = look(prefix)
        with_a_tree(other, "second")
        tidying.start()
        tidying.join(1)
        return folder

    monkeypatch.setattr(one, "look", looked)
    work = one.work(TREE)
    folder = work.__enter__()
    tidying.join()
    assert (folder / "a.json").read_text() == "first"
    with pytest.raises(StorageError, match="by another process"):
        work.__exit__(None, None, None)


def test_a_damaged_archive_is_said_to_be_and_can_be_removed(
    in_bucket: Callable[[str], ObjectStore],
) -> None:
    one, other = in_bucket("one"), in_bucket("other")
    put(one, f"{TREE}/00000001.tar.gz", b"no archive")
    with pytest.raises(StorageError, match="damaged"):
        other.look(TREE)
    other.remove_tree(TREE)
    assert not other.look(TREE).exists()


def test_without_its_client_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(SettingsError) as caught:
        ObjectStore(settings_in(tmp_path, originals_url="s3://library"))
    assert "requirements-grown.txt" in caught.value.cure
