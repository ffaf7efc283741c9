"""What an object store alone does: nothing is overwritten, and copies do not stay too long."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
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


def test_without_its_client_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(SettingsError) as caught:
        ObjectStore(settings_in(tmp_path, originals_url="s3://library"))
    assert "requirements-grown.txt" in caught.value.cure
