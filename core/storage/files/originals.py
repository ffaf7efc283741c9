"""The files of a session: its originals as they came, and what was collected for it.

An original is stored under the SHA-256 of its bytes, never under a name that a person gave, and is
there whole or not at all. Where the files are, a folder or an object store, is `FileStore`'s.
"""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import BinaryIO

from core.config import Settings
from core.errors import DocumentNotFound, EmptyFile, NotEnoughSpace, TooLarge
from core.ids import checked_digest, checked_uuid
from core.storage.files.folder import FolderStore, our_errors
from core.storage.files.port import FileStore

_PIECE = 1 << 20
_LEFT = 86_400.0  # seconds after which a file that was coming in has been left


def file_store(settings: Settings) -> FileStore:
    """Return the store that `ORIGINALS_URL` names."""
    if settings.in_bucket:
        from core.storage.files.objects import ObjectStore

        return ObjectStore(settings)
    return FolderStore(settings.sessions_dir)


class Originals:
    """The originals and collected files of all sessions.

    Raises `StorageError` and its kinds where their place cannot be read or written.
    """

    def __init__(self, settings: Settings) -> None:
        self.files = file_store(settings)
        self._shared = bool(settings.originals_url)
        self._shared_folder = self._shared and not settings.in_bucket
        self._scratch = settings.scratch_dir
        self._max_bytes = settings.max_file_mb * 1_000_000
        self._min_free = settings.min_free_mb * 1_000_000

    # ----------------------------------------------------------------------------- originals

    def path(self, session_id: str, document_id: str) -> Path:
        """Where the original of a document can be read now; a copy may go after some minutes.

        Raises `DocumentNotFound` if it is not there.
        """
        return self._found(_original(session_id, document_id))

    def has(self, session_id: str, document_id: str) -> bool:
        """Whether the original of a document is there."""
        return self.files.has(_original(session_id, document_id))

    def receive(self, session_id: str, source: BinaryIO) -> tuple[Path, str, int]:
        """Copy a stream to a temporary file; give its path, its SHA-256 and its size in bytes.

        The caller ends with `keep()` or `discard()`. Raises `EmptyFile`, `TooLarge`,
        `NotEnoughSpace`; then nothing is left on the disk.
        """
        self.check_space(0)
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=self._staging(session_id))
        path, whole, size = Path(name), hashlib.sha256(), 0
        try:
            with our_errors(), os.fdopen(handle, "wb") as target:
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
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path, whole.hexdigest(), size

    def spool(self) -> BinaryIO:
        """A temporary file without a name beside the originals, gone when it is closed.

        Not in the system's folder for such files: that may be memory. Raises `NotEnoughSpace`.
        """
        self.check_space(0)
        with our_errors():
            self.files.local.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryFile(dir=self.files.local)

    def keep(self, session_id: str, document_id: str, incoming: Path) -> None:
        """Store a received file, which is used up; an existing one of the same id is the same."""
        self._put(_original(session_id, document_id), incoming)

    def copied(self, session_id: str, file: Path) -> Path:
        """A copy of a file, as a received one."""
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=self._staging(session_id))
        try:
            with our_errors(), os.fdopen(handle, "wb") as target, file.open("rb") as source:
                shutil.copyfileobj(source, target)
                target.flush()
                os.fsync(target.fileno())
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return Path(name)

    def discard(self, incoming: Path) -> None:
        """Drop a received file."""
        incoming.unlink(missing_ok=True)

    def write(self, session_id: str, document_id: str, data: bytes) -> None:
        """Store `data` as the original of a document, whole or not at all."""
        self.check_space(len(data))
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=self._staging(session_id))
        try:
            with our_errors(), os.fdopen(handle, "wb") as target:
                target.write(data)
                target.flush()
                os.fsync(target.fileno())
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self.keep(session_id, document_id, Path(name))

    def remove(self, session_id: str, document_id: str) -> None:
        """Remove the original of one document."""
        self.files.remove(_original(session_id, document_id))

    def remove_session(self, session_id: str) -> None:
        """Remove all files of a session."""
        shutil.rmtree(self.scratch(session_id), ignore_errors=True)
        self.files.remove_session(checked_uuid(session_id))

    def sessions(self) -> set[str]:
        """The ids of all sessions that have files."""
        return self.files.sessions()

    def ids(self, session_id: str, older_than: float = math.inf) -> set[str]:
        """The ids of all documents of a session whose original is there.

        `older_than` leaves out files written later (seconds since 1970): what just comes in.
        """
        found = self.files.files(f"{checked_uuid(session_id)}/originals")
        return {file.name for file in found if file.modified < older_than}

    # ---------------------------------------------------------------------- what is collected

    def keep_upload(self, session_id: str, digest: str, incoming: Path) -> None:
        """Store a received file to collect from, which is used up."""
        self._put(_upload(session_id, digest), incoming)

    def upload(self, session_id: str, digest: str) -> Path:
        """Where such a file can be read. Raises `DocumentNotFound`."""
        return self._found(_upload(session_id, digest))

    def uploads(self, session_id: str) -> set[str]:
        """The SHA-256 of each such file."""
        found = self.files.files(f"{checked_uuid(session_id)}/collected/uploads")
        return {file.name for file in found}

    def remove_upload(self, session_id: str, digest: str) -> None:
        """Remove such a file."""
        self.files.remove(_upload(session_id, digest))

    def collected(self, session_id: str, source: str) -> Path:
        """The folder with what was collected of a source, to be read; it may not exist."""
        return self.files.look(_collected(session_id, source))

    def collecting(self, session_id: str, source: str) -> AbstractContextManager[Path]:
        """The same folder, to be changed; stored when the block ends. It may not exist yet."""
        return self.files.work(_collected(session_id, source))

    def remove_collected(self, session_id: str, source: str) -> None:
        """Remove what was collected of a source."""
        self.files.remove_tree(_collected(session_id, source))

    # ----------------------------------------------------------------------- temporary files

    def scratch(self, session_id: str) -> Path:
        """The folder for temporary files of a session, which goes with it; may not exist yet.

        Where originals are shared it is this process's own, which its start empties.
        """
        if self._shared:
            return self._scratch / checked_uuid(session_id)
        return self.files.local / checked_uuid(session_id) / "scratch"

    def scratch_made(self) -> Path:
        """The folder for temporary files of no session, made where it is not there yet."""
        with our_errors():
            self._scratch.mkdir(parents=True, exist_ok=True)
        return self._scratch

    def sweep(self) -> None:
        """Remove what interrupted work left behind; call it before anything is added.

        In a folder that is shared, what is younger than a day may be another process's work.
        """
        before = time.time() - _LEFT if self._shared_folder else math.inf
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
        for path in self.files.local.glob(pattern):
            with suppress(FileNotFoundError):  # another process has done with it
                if path.stat().st_mtime < before:
                    yield path

    # ---------------------------------------------------------------------------------- room

    def check_space(self, needed: int) -> None:
        """Raise `NotEnoughSpace` when `needed` bytes more would leave too little on the disk."""
        self.check_room(self.files.local, needed)

    def check_room(self, folder: Path, needed: int) -> None:
        """The same for another folder, which may not exist yet."""
        place = next(p for p in [folder, *folder.absolute().parents] if p.exists())
        free = shutil.disk_usage(place).free
        if free < needed + self._min_free:
            need, have = (needed + self._min_free) // 1_000_000, free // 1_000_000
            raise NotEnoughSpace(f"Not enough space on the disk: {need} MB needed, {have} MB free.")

    def _staging(self, session_id: str) -> Path:
        return self.files.staging(checked_uuid(session_id))

    def _put(self, key: str, incoming: Path) -> None:
        try:
            self.files.put(key, incoming)
        finally:
            incoming.unlink(missing_ok=True)

    def _found(self, key: str) -> Path:
        try:
            return self.files.path(key)
        except FileNotFoundError:
            raise DocumentNotFound("The original of this document is not there any more.") from None


def _original(session_id: str, document_id: str) -> str:
    return f"{checked_uuid(session_id)}/originals/{checked_digest(document_id)}"


def _upload(session_id: str, digest: str) -> str:
    return f"{checked_uuid(session_id)}/collected/uploads/{checked_digest(digest)}"


def _collected(session_id: str, source: str) -> str:
    return f"{checked_uuid(session_id)}/collected/{source}"


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _pieces(source: BinaryIO) -> Iterator[bytes]:
    while piece := source.read(_PIECE):
        yield piece
