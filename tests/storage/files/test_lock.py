"""The lock on the data directories, in one process (two of them: faults F04 and F06)."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryInUse, DataDirectoryUnusable, NotEnoughSpace, StorageError
from core.storage.files import lock as lock_module
from core.storage.files.disk import storage_error, usable_directory
from core.storage.files.lock import LOCK_NAME, DataLock, DirectoryLock


def settings(folder: Path, **named: str) -> Settings:
    return Settings(data_dir=folder / "data", chroma_dir=folder / "chroma", **named)


def test_the_second_is_told_who_the_first_is(tmp_path: Path) -> None:
    first, second = DirectoryLock(tmp_path), DirectoryLock(tmp_path)
    first.acquire()
    first.acquire()  # having it is enough
    owner = json.loads((tmp_path / LOCK_NAME).read_text())
    assert (owner["pid"], sorted(owner)) == (os.getpid(), ["host", "pid"])
    with pytest.raises(DataDirectoryInUse, match=f"in use by process {os.getpid()} on ") as caught:
        second.acquire()
    assert "DATA_DIR" in caught.value.message
    assert caught.value.cure
    first.release()
    first.release()
    second.acquire()
    second.release()


def test_a_file_left_behind_means_nothing(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text('{"pid": 1, "host": "elsewhere"}')
    lock = DirectoryLock(tmp_path)
    lock.acquire()
    assert json.loads((tmp_path / LOCK_NAME).read_text())["pid"] == os.getpid()
    lock.release()


@pytest.mark.parametrize("content", ["", "not JSON", "[]", '{"pid": null}', '{"pid": 1}'])
def test_an_owner_that_has_not_written_its_name(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_module, "_PATIENCE", 0.05)
    first = DirectoryLock(tmp_path)
    first.acquire()
    (tmp_path / LOCK_NAME).write_text(content)
    with pytest.raises(DataDirectoryInUse, match="in use by another process"):
        DirectoryLock(tmp_path).acquire()
    first.release()


def test_both_directories_are_held(tmp_path: Path) -> None:
    with DataLock(settings(tmp_path)):
        for name, setting in (("data", "DATA_DIR"), ("chroma", "CHROMA_DIR")):
            with pytest.raises(DataDirectoryInUse):
                DirectoryLock(tmp_path / name, setting).acquire()
        with pytest.raises(DataDirectoryInUse, match="CHROMA_DIR"):
            DataLock(Settings(data_dir=tmp_path / "other", chroma_dir=tmp_path / "chroma"))
        # The one that failed holds nothing.
        DataLock(Settings(data_dir=tmp_path / "other", chroma_dir=tmp_path / "c2")).release()
    DataLock(settings(tmp_path)).release()


def test_vectors_in_postgresql_need_no_lock_on_a_folder(tmp_path: Path) -> None:
    with DataLock(settings(tmp_path, database_url="postgresql+psycopg://h/d")):
        assert not (tmp_path / "chroma").exists()


def test_one_folder_for_both(tmp_path: Path) -> None:
    DataLock(Settings(data_dir=tmp_path, chroma_dir=tmp_path / "." / "x" / "..")).release()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(DataDirectoryUnusable, match="no locks available"):
        DirectoryLock(tmp_path).acquire()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, NotEnoughSpace),
        (errno.EDQUOT, NotEnoughSpace),
        (errno.EROFS, DataDirectoryUnusable),
        (errno.EACCES, DataDirectoryUnusable),
        (errno.EIO, StorageError),
        (None, StorageError),
    ],
)
def test_errors_of_the_disk_become_ours(number: int | None, kind: type[StorageError]) -> None:
    error = OSError() if number is None else OSError(number, os.strerror(number))
    ours = storage_error(error, "Saving the file")
    assert type(ours) is kind
    assert ours.message.startswith("Saving the file failed: ")
    assert ours.cure


def test_a_usable_directory_is_made_and_left_empty(tmp_path: Path) -> None:
    folder = usable_directory(tmp_path / "a" / "b", "DATA_DIR")
    assert list(folder.iterdir()) == []
