"""What the disk refuses becomes one of our errors."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path

from core.errors import DataDirectoryUnusable, NotEnoughSpace, StorageError

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_UNUSABLE = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.ENOENT,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOLCK,
    errno.ENOTSUP,
}


def storage_error(error: OSError, doing: str) -> StorageError:
    """Return our error for what the operating system said while `doing` something.

    >>> storage_error(OSError(errno.ENOSPC, "No space left on device"), "Saving the file")
    NotEnoughSpace('Saving the file failed: the disk is full or over its quota.')
    """
    if error.errno in _NO_SPACE:
        return NotEnoughSpace(f"{doing} failed: the disk is full or over its quota.")
    reason = (error.strerror or "the disk did not answer").lower()
    kind = DataDirectoryUnusable if error.errno in _UNUSABLE else StorageError
    return kind(f"{doing} failed: {reason}.")


def is_full(error: Exception) -> bool:
    """Whether an error says that a disk is full, be it of the system or of SQLite."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in _NO_SPACE


def usable_directory(path: Path, setting: str) -> Path:
    """Create `path` where it is missing and prove by writing that it can be used.

    The message names the path, for it is the operator who reads it, at the start. Raises
    `DataDirectoryUnusable`, `NotEnoughSpace` or `StorageError`.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(b"\0")
            probe.flush()
    except OSError as error:
        raise storage_error(error, f"Writing to {setting} ({path})") from error
    return path
