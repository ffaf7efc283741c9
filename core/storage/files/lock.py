"""One process owns the data: an exclusive lock on its directories, held by the kernel.

Two processes that write to one vector store damage it for good, and a reader beside a writer
sees old data, so nothing is opened before the lock is held. The kernel frees it with the last
descriptor: a killed owner leaves nothing behind that would have to be cleared away. The file
only tells people who the owner is; that it exists means nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from core.config import Settings
from core.errors import DataDirectoryInUse
from core.storage.files.disk import storage_error, usable_directory

LOCK_NAME = "footnote.lock"
_PATIENCE = 0.5  # seconds that an owner may take to write its name after it has the lock


class DirectoryLock:
    """An exclusive lock on one directory. `setting` names it in messages ("DATA_DIR")."""

    def __init__(self, directory: Path, setting: str = "DATA_DIR") -> None:
        self.path = directory / LOCK_NAME
        self._setting = setting
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock or raise at once: `DataDirectoryInUse` names the owner's process.

        Raises `DataDirectoryUnusable` where the directory cannot be written or locked.
        """
        if self._descriptor is not None:
            return
        usable_directory(self.path.parent, self._setting)
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise storage_error(error, f"Opening the lock file {self.path}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write_owner(descriptor)
        except BlockingIOError:
            owner = _read_owner(descriptor)
            os.close(descriptor)
            raise DataDirectoryInUse(
                f"{self._setting} ({self.path.parent}) is in use by {owner}."
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise storage_error(error, f"Locking {self._setting} ({self.path.parent})") from error
        self._descriptor = descriptor
        # A forked child shares the lock and would keep it alive after its parent was killed.
        os.register_at_fork(after_in_child=self._forget)

    def release(self) -> None:
        """Give the lock back; the file stays, for removing it would race with the next owner."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        with suppress(OSError):  # a full disk must not keep the lock
            os.ftruncate(descriptor, 0)
        os.close(descriptor)

    def _forget(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class DataLock:
    """The lock on all that one process must own: DATA_DIR and, with vectors in it, CHROMA_DIR.

    Taken by building it, all or nothing; raises as `DirectoryLock.acquire` does.

    >>> lock = DataLock(settings)  # doctest: +SKIP
    >>> lock.release()  # doctest: +SKIP
    """

    def __init__(self, settings: Settings) -> None:
        places = {settings.data_dir.resolve(): (settings.data_dir, "DATA_DIR")}
        if not (settings.in_postgresql or settings.index_url):
            places.setdefault(settings.chroma_dir.resolve(), (settings.chroma_dir, "CHROMA_DIR"))
        self._locks = [DirectoryLock(path, setting) for path, setting in places.values()]
        try:
            for lock in self._locks:
                lock.acquire()
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Give all locks back."""
        for lock in self._locks:
            lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _write_owner(descriptor: int) -> None:
    owner = json.dumps({"pid": os.getpid(), "host": socket.gethostname()})
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, owner.encode(), 0)
    os.fsync(descriptor)


def _read_owner(descriptor: int) -> str:
    """Return "process 12 on HOST"; waits a moment for an owner that has not yet written."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            owner = json.loads(os.pread(descriptor, 4096, 0))
            return f"process {int(owner['pid'])} on {owner['host']}"
        except (ValueError, KeyError, TypeError):
            if time.monotonic() > deadline:
                return "another process"
            time.sleep(0.02)
