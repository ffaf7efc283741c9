"""The originals of a session: its files as they came, in a folder of its own.

A file is stored under the SHA-256 of its bytes, never under a name that a person gave, and it is
there whole or not at all (written beside, flushed to the disk, renamed).
"""

from __future__ import annotations

import errno
import hashlib
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from core.config import Settings
from core.errors import (
    DataDirectoryUnusable,
    DocumentNotFound,
    EmptyFile,
    NotEnoughSpace,
    StorageError,
    TooLarge,
)
from core.ids import checked_digest, checked_uuid, is_uuid

_PIECE = 1 << 20
_LEFT = 86_400.0  # seconds after which a file that was coming in has been left


class Originals:
    """The folders of originals, one a session, under `settings.sessions_dir`."""

    def __init__(self, settings: Settings) -> None:
        self._root = settings.sessions_dir
        self._shared = bool(settings.originals_url)
        self._scratch = settings.scratch_dir
        self._max_bytes = settings.max_file_mb * 1_000_000
        self._min_free = settings.min_free_mb * 1_000_000

    def folder(self, session_id: str) -> Path:
        """The folder of one session (originals and its lexical index); may not exist yet."""
        return self._root / checked_uuid(session_id)

    def path(self, session_id: str, document_id: str) -> Path:
        """Where the original of a document is; raises `DocumentNotFound` if it is not there."""
        path = self._place(session_id, document_id)
        if not path.is_file():
            raise DocumentNotFound("The original of this document is not there any more.")
        return path

    def has(self, session_id: str, document_id: str) -> bool:
        """Whether the original of a document is there."""
        return self._place(session_id, document_id).is_file()

    def receive(self, session_id: str, source: BinaryIO) -> tuple[Path, str, int]:
        """Copy a stream to a temporary file; give its path, its SHA-256 and its size in bytes.

        The caller ends with `keep()` or `discard()`. Raises `EmptyFile`, `TooLarge`,
        `NotEnoughSpace`; then nothing is left on the disk.
        """
        self.check_space(0)
        folder = self._folder_made(session_id)
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=folder)
        path, whole, size = Path(name), hashlib.sha256(), 0
        try:
            with os.fdopen(handle, "wb") as target:
                for piece in _pieces(source):
                    size += len(piece)
                    if size > self._max_bytes:
                        limit = self._max_bytes // 1_000_000
                        raise TooLarge(f"The file is larger than the limit of {limit} MB.")
                    whole.update(piece)
                    target.write(piece)
                target.flush()
                os.fsync(target.fileno())
            if size == 0:
                raise EmptyFile("The file is empty (0 bytes).")
        except OSError as error:
            path.unlink(missing_ok=True)
            raise _storage_error(error) from None
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path, whole.hexdigest(), size

    def spool(self) -> BinaryIO:
        """A temporary file without a name beside the originals, gone when it is closed.

        Not in the system's folder for such files: that may be memory. Raises `NotEnoughSpace`.
        """
        self.check_space(0)
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryFile(dir=self._root)
        except OSError as error:
            raise _storage_error(error) from None

    def keep(self, session_id: str, document_id: str, incoming: Path) -> None:
        """Give a received file its final place; an existing one of the same id is the same."""
        os.replace(incoming, self._place(session_id, document_id))

    def discard(self, incoming: Path) -> None:
        """Drop a received file."""
        incoming.unlink(missing_ok=True)

    def write(self, session_id: str, document_id: str, data: bytes) -> Path:
        """Store `data` as the original of a document, whole or not at all."""
        self.check_space(len(data))
        folder = self._folder_made(session_id)
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as target:
                target.write(data)
                target.flush()
                os.fsync(target.fileno())
        except OSError as error:
            Path(name).unlink(missing_ok=True)
            raise _storage_error(error) from None
        self.keep(session_id, document_id, Path(name))
        return self._place(session_id, document_id)

    def remove(self, session_id: str, document_id: str) -> None:
        """Remove the original of one document."""
        self._place(session_id, document_id).unlink(missing_ok=True)

    def remove_session(self, session_id: str) -> None:
        """Remove the whole folder of a session."""
        for folder in (self.folder(session_id), self.scratch(session_id)):
            shutil.rmtree(folder, ignore_errors=True)

    def sessions(self) -> set[str]:
        """The ids of all sessions that have a folder."""
        if not self._root.is_dir():
            return set()
        return {path.name for path in self._root.iterdir() if is_uuid(path.name)}

    def ids(self, session_id: str, older_than: float = math.inf) -> set[str]:
        """The ids of all documents of a session whose original is there.

        `older_than` leaves out files written later (seconds since 1970): what just comes in.
        """
        folder = self.folder(session_id) / "originals"
        if not folder.is_dir():
            return set()
        found = (path for path in folder.iterdir() if not path.name.startswith("."))
        return {path.name for path in found if path.stat().st_mtime < older_than}

    def scratch(self, session_id: str) -> Path:
        """The folder for temporary files of a session, which goes with it; may not exist yet.

        Where originals are shared it is this process's own, which its start empties.
        """
        if self._shared:
            return self._scratch / checked_uuid(session_id)
        return self.folder(session_id) / "scratch"

    def scratch_made(self) -> Path:
        """The folder for temporary files of no session, made where it is not there yet."""
        try:
            self._scratch.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _storage_error(error) from None
        return self._scratch

    def sweep(self) -> None:
        """Remove what interrupted work left behind; call it before anything is added.

        Where originals are shared, what is younger than a day may be another process's work.
        """
        before = time.time() - _LEFT if self._shared else math.inf
        for pattern in ("*/originals/.incoming-*", "*/collected/*/*.new"):
            for path in self._left(pattern, before):
                path.unlink(missing_ok=True)
        for pattern in ("*/scratch/*", "*/collected/*/.pairs-*", "*/lexical*.new"):
            for path in self._left(pattern, before):
                shutil.rmtree(path, ignore_errors=True)
        for path in self._scratch.glob("*"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def _left(self, pattern: str, before: float) -> Iterator[Path]:
        for path in self._root.glob(pattern):
            with suppress(FileNotFoundError):  # another process has done with it
                if path.stat().st_mtime < before:
                    yield path

    def check_space(self, needed: int) -> None:
        """Raise `NotEnoughSpace` when `needed` bytes more would leave too little on the disk."""
        self.check_room(self._root, needed)

    def check_room(self, folder: Path, needed: int) -> None:
        """The same for another folder, which may not exist yet."""
        place = next(p for p in [folder, *folder.absolute().parents] if p.exists())
        free = shutil.disk_usage(place).free
        if free < needed + self._min_free:
            need, have = (needed + self._min_free) // 1_000_000, free // 1_000_000
            raise NotEnoughSpace(f"Not enough space on the disk: {need} MB needed, {have} MB free.")

    def _place(self, session_id: str, document_id: str) -> Path:
        return self.folder(session_id) / "originals" / checked_digest(document_id)

    def _folder_made(self, session_id: str) -> Path:
        folder = self.folder(session_id) / "originals"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _storage_error(error) from None
        return folder


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _pieces(source: BinaryIO) -> Iterator[bytes]:
    while piece := source.read(_PIECE):
        yield piece


def _storage_error(error: OSError) -> StorageError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NotEnoughSpace("The disk is full: the file could not be stored.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
        return DataDirectoryUnusable("The data directory cannot be written.")
    return StorageError(f"The file could not be stored ({os.strerror(error.errno or 0)}).")
