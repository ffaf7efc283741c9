"""A backup: the catalogue at one moment, the originals it names, and a list to prove them by.

It is a folder, and the same whether the catalogue is in SQLite or in PostgreSQL: a backup of either
can be restored to the other. Vectors and lexical indexes are not in it, as they are made again from
the catalogue. A backup can be written while the program runs; it is restored while it does not.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from core.config import Settings
from core.errors import DocumentNotFound, InvalidRequest, NotEnoughSpace, StorageError
from core.ids import checked_digest, is_uuid
from core.storage.catalogue import Catalogue
from core.storage.files.disk import storage_error
from core.storage.files.originals import Originals, sha256_of
from core.storage.sql.copying import copy_rows, is_empty
from core.storage.sql.database import FILE_NAME, Database
from core.storage.vectors.registry import vector_adapter

MANIFEST = "manifest.json"
_FORMAT = 1
_COPIED = "restoring"

Progress = Callable[[int, int], None]


def back_up_running(settings: Settings, folder: Path, progress: Progress) -> list[str]:
    """Write a backup from a process of its own, whether or not the program runs."""
    if not (settings.in_postgresql or (settings.data_dir / FILE_NAME).is_file()):
        raise InvalidRequest(f"There is no library in {settings.data_dir}.", "Set DATA_DIR.")
    catalogue = Catalogue(settings)
    try:
        return back_up(settings, catalogue, Originals(settings), folder, progress)
    finally:
        catalogue.close()


def back_up(
    settings: Settings,
    catalogue: Catalogue,
    originals: Originals,
    folder: Path,
    progress: Progress = lambda done, total: None,
) -> list[str]:
    """Write a backup into a new folder below `folder`; returns what was done, in words.

    Raises `StorageError` and its kinds; then there is no folder that looks like a backup.
    """
    _only_known(settings)
    originals.check_room(folder, catalogue.database.bytes_on_disk() + originals.files.size())
    target = folder / f"footnote-{time.strftime('%Y%m%d-%H%M%S')}"
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        unfinished.mkdir(parents=True)
        _copy_catalogue(settings, catalogue, unfinished)
        gone = _copy_originals(settings, originals, unfinished, progress)
        _write_manifest(unfinished)
        unfinished.rename(target)
    except OSError as error:
        raise _failed(error, "Writing the backup") from None
    except NotEnoughSpace:
        raise _failed(OSError(errno.ENOSPC, ""), "Writing the backup") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    megabytes = sum(p.stat().st_size for p in target.rglob("*") if p.is_file()) / 1e6
    lines = [f"Backed up to {target} ({megabytes:.1f} MB)."]
    return [*lines, f"{gone} originals were not there."] if gone else lines


def _copy_catalogue(settings: Settings, catalogue: Catalogue, folder: Path) -> None:
    if catalogue.database.is_sqlite:
        catalogue.database.copy(folder / FILE_NAME)
        return
    with closing(Database(_on_disk(settings, folder))) as file:
        copy_rows(catalogue.database, file)


def _on_disk(settings: Settings, folder: Path) -> Settings:
    """Settings for the catalogue's file in this folder."""
    return settings.model_copy(update={"data_dir": folder, "database_url": ""})


def _copy_originals(
    settings: Settings, originals: Originals, target: Path, progress: Progress
) -> int:
    """Copy what the copied catalogue names; returns how many files were missing."""
    copied = Catalogue(_on_disk(settings, target))
    try:
        wanted = [
            (session_id, document.id)
            for session_id in copied.sessions.ids()
            for document in copied.documents.list(session_id)
        ]
    finally:
        copied.close()
    gone = 0
    for done, (session_id, document_id) in enumerate(wanted):
        progress(done, len(wanted))
        place = target / "sessions" / session_id / "originals" / document_id
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(originals.path(session_id, document_id), place)
        except (DocumentNotFound, FileNotFoundError):  # pages have none before they are fetched
            gone += 1
    return gone


def _write_manifest(folder: Path) -> None:
    files = {str(p.relative_to(folder)): sha256_of(p) for p in _files(folder)}
    body = {"format": _FORMAT, "written": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "files": files}
    with (folder / MANIFEST).open("w", encoding="utf-8") as stream:
        json.dump(body, stream, indent=1)
        stream.flush()
        os.fsync(stream.fileno())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)


def restore(settings: Settings, backup: Path, *, replace: bool, progress: Progress) -> list[str]:
    """Put a backup in the place of the data directory's content; for a stopped program.

    Every file is proved and copied before anything is touched. What was there is moved into a
    folder `replaced-...` of the data directory, and only with `replace`; a database must be empty.
    Raises `InvalidRequest` for a folder that is no whole backup, or where there is something and
    `replace` is not set, `DataDirectoryInUse` where another process works on the database, and
    `StorageError` and its kinds.
    """
    _only_known(settings)
    files = _proved(backup, progress)
    if settings.in_postgresql:
        _need_empty(settings)
    there = [p for p in (settings.data_dir / FILE_NAME, settings.sessions_dir) if p.exists()]
    if there and not replace:
        raise InvalidRequest(
            f"There already is a library in {settings.data_dir}.",
            "Say --replace to move it aside, or set DATA_DIR to an empty folder.",
        )
    copied = settings.sessions_dir.parent / _COPIED
    try:
        shutil.rmtree(copied, ignore_errors=True)  # of a process that was killed
        for done, name in enumerate(files):
            progress(done, len(files))
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(backup / name, copied / name)
        # First: a server that is away is met before anything is changed.
        vector_adapter(settings).remove_files(settings)
        aside = _move_aside(settings) if there else None
        if settings.in_bucket:
            _put_originals(settings, copied / "sessions")
        elif (copied / "sessions").exists():
            (copied / "sessions").rename(settings.sessions_dir)
        if settings.in_postgresql:
            _put_rows(settings, copied)
        else:
            (copied / FILE_NAME).rename(settings.data_dir / FILE_NAME)
    except OSError as error:
        raise _failed(error, "Restoring the backup") from None
    finally:
        shutil.rmtree(copied, ignore_errors=True)
    lines = [f"Restored {len(files)} files from {backup}."]
    lines += [f"What was there is in {aside}: remove it when all is well."] if aside else []
    return [*lines, "The indexes are made again at the next start."]


def _put_originals(settings: Settings, sessions: Path) -> None:
    """Put the files into the object store, before the rows that name them."""
    originals = Originals(settings)
    for path in sorted(sessions.glob("*/originals/*")):
        originals.keep(path.parts[-3], path.name, path)


def _proved(backup: Path, progress: Progress) -> list[str]:
    """The names of the files of a backup, the catalogue last, all of them as they were written."""
    try:
        manifest: dict[str, Any] = json.loads((backup / MANIFEST).read_text("utf-8"))
        files: dict[str, str] = manifest["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InvalidRequest(
            f"{backup} is no backup.", "Name the folder that holds manifest.json."
        ) from None
    if manifest.get("format") != _FORMAT or FILE_NAME not in files:
        raise InvalidRequest(f"{backup} is a backup of another kind.", "Use the newest Footnote.")
    for done, (name, digest) in enumerate(files.items()):
        progress(done, len(files))
        if not _is_ours(name) or not (backup / name).is_file():
            raise InvalidRequest(f"{backup} lacks a file.", "Take another backup.")
        if sha256_of(backup / name) != digest:
            raise InvalidRequest(f"A file of {backup} is damaged.", "Take another backup.")
    return [*(name for name in files if name != FILE_NAME), FILE_NAME]


def _is_ours(name: str) -> bool:
    parts = name.split("/")
    if parts == [FILE_NAME]:
        return True
    if len(parts) != 4 or parts[0] != "sessions" or parts[2] != "originals":
        return False
    return is_uuid(parts[1]) and checked_digest(parts[3]) == parts[3]


def _move_aside(settings: Settings) -> Path:
    """Move the library aside, its catalogue first: without it there is nothing half."""
    aside = settings.sessions_dir.parent / f"replaced-{time.strftime('%Y%m%d-%H%M%S')}"
    aside.mkdir()
    for path in sorted(settings.data_dir.glob(f"{FILE_NAME}*")):
        shutil.move(path, aside / path.name)
    if settings.sessions_dir.exists():
        settings.sessions_dir.rename(aside / "sessions")
    return aside


def _failed(error: OSError, doing: str) -> StorageError:
    found = storage_error(error, doing)
    if isinstance(found, NotEnoughSpace):
        found.cure = "Free some space on that disk, then begin again. Nothing was changed."
    return found


def _need_empty(settings: Settings) -> None:
    with closing(Database(settings)) as database:
        database.take()
        if not is_empty(database):
            raise InvalidRequest(
                "There already is a library in the database at DATABASE_URL.",
                "Set DATABASE_URL to an empty database.",
            )


def _put_rows(settings: Settings, folder: Path) -> None:
    with (
        closing(Database(_on_disk(settings, folder))) as file,
        closing(Database(settings)) as database,
    ):
        database.take()
        copy_rows(file, database)


def _only_known(settings: Settings) -> None:
    if settings.database_url and not settings.in_postgresql:
        raise StorageError(
            "The catalogue is in a file of its own (DATABASE_URL).",
            "Copy that file and DATA_DIR while Footnote is stopped.",
        )
