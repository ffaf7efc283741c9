"""Files in a folder: of one process, or one that all processes share."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import DataDirectoryUnusable, NotEnoughSpace, SettingsError, StorageError
from core.ids import is_uuid
from core.storage.files.port import StoredFile


class FolderStore:
    """Each key is a path below `local`."""

    def __init__(self, local: Path) -> None:
        self.local = local

    def staging(self, session_id: str) -> Path:
        """Beside the originals: there a file gets its name in one step."""
        folder = self.local / session_id / "originals"
        with our_errors():
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def put(self, key: str, file: Path) -> None:
        """Rename the file, which is flushed to the disk; one of the same key is the same."""
        place = self.local / key
        with our_errors():
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(file, place)

    def path(self, key: str) -> Path:
        """The file itself. Raises `FileNotFoundError`."""
        path = self.local / key
        if not path.is_file():
            raise FileNotFoundError(key)
        return path

    def has(self, key: str) -> bool:
        """Whether a file is stored."""
        return (self.local / key).is_file()

    def files(self, prefix: str) -> list[StoredFile]:
        """The files right below a prefix, without those that just come in."""
        folder = self.local / prefix
        found: list[StoredFile] = []
        for path in folder.iterdir() if folder.is_dir() else ():
            with suppress(FileNotFoundError):  # one that went, or got its name, meanwhile
                if not path.name.startswith(".") and path.is_file():
                    there = path.stat()
                    found.append(StoredFile(path.name, there.st_size, there.st_mtime))
        return found

    def remove(self, key: str) -> None:
        """Remove a file; one that is not there is no error."""
        with our_errors():
            (self.local / key).unlink(missing_ok=True)

    def look(self, prefix: str) -> Path:
        """The folder of a tree; it may not exist."""
        return self.local / prefix

    @contextmanager
    def work(self, prefix: str) -> Iterator[Path]:
        """The same: what is written there is stored."""
        yield self.local / prefix

    def remove_tree(self, prefix: str) -> None:
        """Remove a tree."""
        shutil.rmtree(self.local / prefix, ignore_errors=True)

    def sessions(self) -> set[str]:
        """The ids of the sessions that have a folder."""
        if not self.local.is_dir():
            return set()
        return {path.name for path in self.local.iterdir() if is_uuid(path.name)}

    def remove_session(self, session_id: str) -> None:
        """Remove the folder of a session."""
        shutil.rmtree(self.local / session_id, ignore_errors=True)

    def size(self) -> int:
        """The bytes of all originals."""
        sessions = self.sessions()
        return sum(one.size for name in sessions for one in self.files(f"{name}/originals"))

    def check(self) -> None:
        """Raise `SettingsError` where the folder is not there.

        Made here it would be this process's own, where a disk is not mounted.
        """
        if not self.local.parent.is_dir():
            raise SettingsError(
                f"ORIGINALS_URL names a folder that is not there: {self.local.parent}.",
                "Mount or make it, then start again.",
            )

    def tidy(self) -> None:
        """Nothing: there are no copies."""


@contextmanager
def our_errors() -> Iterator[None]:
    """Raise what the operating system refuses as one of our errors."""
    try:
        yield
    except OSError as error:
        raise _our_error(error) from None


def _our_error(error: OSError) -> StorageError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NotEnoughSpace("The disk is full: the file could not be stored.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
        return DataDirectoryUnusable("The data directory cannot be written.")
    return StorageError(f"The file could not be stored ({os.strerror(error.errno or 0)}).")
