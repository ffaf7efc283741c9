"""The port of file stores: what a place for originals and collected files does."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a store: the last part of its key, its bytes, and when it came (since 1970)."""

    name: str
    size: int
    modified: float


class FileStore(Protocol):
    """Files by key, and trees of files that are worked on, under `SESSION/`.

    A file is there whole or not at all, and does not change: a key is stored once. A tree is a
    folder of this machine while it is worked on, and as a whole what it was at the end of that.
    Keys are checked by the caller. What cannot be read or written raises `StorageError` or one of
    its kinds.
    """

    local: Path
    """The folder of this machine that the files, or copies of them, are in."""

    def staging(self, session_id: str) -> Path:
        """The folder, made where it is missing, in which a file for `put` is written."""
        ...

    def put(self, key: str, file: Path) -> None:
        """Store a file of `staging`, which is used up. One that is stored already stays."""
        ...

    def path(self, key: str) -> Path:
        """Where a file can be read on this machine. Raises `FileNotFoundError`."""
        ...

    def has(self, key: str) -> bool:
        """Whether a file is stored."""
        ...

    def files(self, prefix: str) -> list[StoredFile]:
        """The files right below a prefix."""
        ...

    def remove(self, key: str) -> None:
        """Remove a file; one that is not there is no error."""
        ...

    def look(self, prefix: str) -> Path:
        """The folder of a tree as it was last stored, to be read; it may not exist."""
        ...

    def work(self, prefix: str) -> AbstractContextManager[Path]:
        """The folder of a tree, to be worked on; stored when the block ends, also by an error."""
        ...

    def remove_tree(self, prefix: str) -> None:
        """Remove a tree."""
        ...

    def sessions(self) -> set[str]:
        """The ids of the sessions that have files."""
        ...

    def remove_session(self, session_id: str) -> None:
        """Remove all files of a session."""
        ...

    def size(self) -> int:
        """The bytes of all originals."""
        ...

    def check(self) -> None:
        """Raise `StorageError` where the place cannot be reached."""
        ...

    def tidy(self) -> None:
        """Remove copies that are not needed any more; for moments without other work."""
        ...
