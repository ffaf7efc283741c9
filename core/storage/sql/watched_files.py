"""The files of the watched folder: what each was when it was taken in, and as which document."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from core.storage.sql.database import Database
from core.storage.sql.room import Room
from core.storage.sql.schema import sessions, watched_files


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """A file that was taken in. `folder` is the one that chose the session, "" the whole.

    `path` is absolute; `modified` counts nanoseconds.
    """

    path: str
    folder: str
    session_id: str
    document_id: str
    size: int
    modified: int


class WatchedFiles(Room):
    """The record of the watched folder. Each method is one transaction; raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def put(self, file: WatchedFile) -> None:
        """Note what a file is now; nothing happens if its session was removed meanwhile."""
        with self.database.writing() as connection:
            _forget(connection, file.path)
            there = select(sessions.c.id).where(sessions.c.id == file.session_id)
            if connection.scalar(there) is not None:
                connection.execute(
                    insert(watched_files).values(
                        path=file.path,
                        folder=file.folder,
                        session_id=file.session_id,
                        document_id=file.document_id,
                        size=file.size,
                        modified=file.modified,
                    )
                )

    def forget(self, path: str) -> None:
        """Forget a file that is gone."""
        with self.database.writing() as connection:
            _forget(connection, path)

    # Last, as its name hides the built-in one from the annotations below it.
    def all(self) -> list[WatchedFile]:
        """Return every file that was taken in, by path."""
        with self.database.reading() as connection:
            rows = connection.execute(select(watched_files).order_by(watched_files.c.path))
            return [WatchedFile(**row) for row in rows.mappings()]


def _forget(connection: Connection, path: str) -> None:
    connection.execute(delete(watched_files).where(watched_files.c.path == path))
