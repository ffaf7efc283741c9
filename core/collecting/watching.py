"""The watched folder: new, changed and removed files follow in a session, by themselves.

Every look compares the folder with what the catalogue noted of it, so that what changed while the
program was not running is followed too, and only what changed is read. Links are never followed.
A file is taken in once two looks in a row have seen it alike: until then it may be half written.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from core.access.callers import may_maintain
from core.errors import AppError
from core.ingestion.adding import Adder
from core.maintenance.removal import Remover
from core.storage.sql.watched_files import WatchedFile
from core.storage.stores import Stores
from core.supervision import Worker
from core.text.names import clean_title, folder_tags
from core.types import AddOutcome, DocumentKind, Session, Verdict

log = logging.getLogger(__name__)

_LOOK_EVERY = 3.0  # seconds
_AGAIN_AFTER = 60.0  # seconds until a file that was refused is tried again
_TRIED_AGAIN = "Mend the cause, or take the file away; it is tried again each minute."
_NAME = "Watched folder"


@dataclass(frozen=True, slots=True)
class _Found:
    """A file as a look saw it; `path` is relative to the watched folder."""

    path: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class _Refused:
    """A file that was not taken in, when, and what to read about it on Status."""

    file: _Found
    when: float
    reason: str


@dataclass
class FolderWatch:
    """Follows the folder of the settings, where one is set. `end()` when done."""

    stores: Stores
    adder: Adder
    remover: Remover
    problem: str = ""
    _seen: dict[str, _Found] = field(default_factory=dict)
    _refused: dict[str, _Refused] = field(default_factory=dict)
    _ending: threading.Event = field(default_factory=threading.Event)
    _thread: Worker | None = None
    _elsewhere: bool = False

    def begin(self) -> None:
        """Follow the folder on a thread; nothing happens where none is set."""
        if self.stores.settings.watch_dir:
            self._thread = Worker("watched folder", self._follow, self._ending).start()

    def end(self, seconds: float = 10.0) -> None:
        """Stop following."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def state(self) -> Verdict:
        """For the Status page: state, detail and cure."""
        folder = self.stores.settings.watch_dir
        if not folder:
            return "off", "No folder is watched.", "Set WATCH_DIR to a folder to follow it."
        if self.problem:
            return "error", self.problem, "See docs/operations.md, A watched folder."
        if self._elsewhere:
            return "ok", f"Another process follows {folder}.", ""
        followed = f"Followed: {len(self._seen):,} in {folder}."
        refused = [one for one in tuple(self._refused.values()) if one.file.path in self._seen]
        if refused:
            last = refused[-1]
            counted = f"{followed} Not taken in: {len(refused):,}, the last one {last.file.path}."
            return "warning", f"{counted} {last.reason}", _TRIED_AGAIN
        return "ok", followed, ""

    def look(self) -> None:
        """Compare the folder with the catalogue, and take in what two looks have seen alike."""
        root = Path(self.stores.settings.watch_dir).resolve()
        try:
            unreadable: list[OSError] = []
            found = {file.path: file for file in _files(root, unreadable)}
            is_empty = not any(root.iterdir())
        except OSError:
            self.problem = f"The folder {root} cannot be read."
            return
        self.problem = ""
        prefix = f"{root}{os.sep}"
        known = {
            file.path.removeprefix(prefix): file
            for file in self.stores.catalogue.watched_files.all()
            if file.path.startswith(prefix)
        }
        if is_empty and known:  # so is the place of a disk that is not mounted
            self.problem = f"The folder {root} is empty. Its documents are kept."
            return
        for path, file in found.items():
            if self._ending.is_set():
                return
            if self._seen.get(path) == file and not _same(known.get(path), file):
                self._take(root, file, known)
        self._seen = found
        # What is in a folder that cannot be read is not gone.
        for path in () if unreadable else known.keys() - found.keys():
            self._drop(known.pop(path), known)

    def _follow(self) -> None:
        while not self._ending.is_set():
            try:
                with self.stores.catalogue.database.elected("watched folder") as mine:
                    self._elsewhere = not mine
                    if mine:
                        self.look()
            except AppError as error:  # a full disk, say: the next look tries again
                self.problem = error.message
                log.warning("The watched folder: %s", error.message)
            self._ending.wait(_LOOK_EVERY)

    def _take(self, root: Path, file: _Found, known: dict[str, WatchedFile]) -> None:
        """Add a file that is new or has changed, in place of what it was."""
        refused = self._refused.get(file.path)
        if refused and refused.file == file and time.monotonic() - refused.when < _AGAIN_AFTER:
            return
        before = known.get(file.path)
        folder = before.folder if before else self._folder_of(file.path)
        session_id = before.session_id if before else self._session_for(folder, known)
        if not session_id:
            return
        try:
            with _opened(root, file.path) as stream:
                added = self.adder.add_file(
                    session_id,
                    file.path.rsplit("/", 1)[-1],
                    stream,
                    "keep",
                    folder_tags(file.path.removeprefix(folder).lstrip("/")),
                    replaces=before.document_id if before else "",
                )
        except OSError as error:
            self._refuse(file, f"The file cannot be read: {error.strerror}.")
            return
        if added.document is None or added.outcome is AddOutcome.FAILED:
            self._refuse(file, added.reason)
            return
        self._refused.pop(file.path, None)
        now = WatchedFile(
            f"{root}{os.sep}{file.path}",
            folder,
            session_id,
            added.document.id,
            file.size,
            file.modified,
        )
        self.stores.catalogue.watched_files.put(now)
        known[file.path] = now
        if before and added.outcome is AddOutcome.DUPLICATE:  # it became what another one is
            self._remove_unless_used(before, known)

    def _refuse(self, file: _Found, reason: str) -> None:
        log.warning("A watched file was not taken in: %s", reason)
        self._refused.pop(file.path, None)  # the last one refused is the last one here
        self._refused[file.path] = _Refused(file, time.monotonic(), reason)

    def _drop(self, gone: WatchedFile, known: dict[str, WatchedFile]) -> None:
        """Remove what a file became that is not there any more."""
        self._remove_unless_used(gone, known)
        self.stores.catalogue.watched_files.forget(gone.path)

    def _remove_unless_used(self, gone: WatchedFile, known: dict[str, WatchedFile]) -> None:
        """Remove a document, unless another file that is watched has the same content."""
        same = (gone.session_id, gone.document_id)
        if same not in {(file.session_id, file.document_id) for file in known.values()}:
            self.remover.document(*same)

    def _folder_of(self, path: str) -> str:
        """The folder that chooses the session of a file: "" for the whole."""
        top, _, below = path.partition("/")
        return top if below and self.stores.settings.watch_subfolders else ""

    def _session_for(self, folder: str, known: dict[str, WatchedFile]) -> str:
        """The session for new files of a folder, made where there is none yet; "" for nobody's."""
        taken = next((file.session_id for file in known.values() if file.folder == folder), "")
        if taken:
            return taken
        sessions = self.stores.catalogue.sessions
        main = self._main_session()
        if main is None:
            return ""
        if not folder:
            if self.stores.settings.watch_session:
                return main.id
            folder = _NAME
        name = clean_title(folder)
        own = (one for one in sessions.list(main.owner_id) if not one.shared_by)
        found = next((one for one in own if one.name == name), None)
        return (found or sessions.create(main.owner_id, name)).id

    def _main_session(self) -> Session | None:
        """The session of the settings; on a machine of one person, the one used last."""
        settings, catalogue = self.stores.settings, self.stores.catalogue
        if settings.watch_session:
            found = catalogue.sessions.of_anybody(settings.watch_session)
            if found is None:
                self.problem = "WATCH_SESSION names no session that is there."
            return found
        last = catalogue.sessions.used_last()
        if last is None:
            self.problem = "Nobody has a session yet: open the page once."
            return None
        if may_maintain(settings, last.owner_id):
            return last
        self.problem = "Set WATCH_SESSION to the id of the session that the files are for."
        return None


def _same(known: WatchedFile | None, file: _Found) -> bool:
    return known is not None and (known.size, known.modified) == (file.size, file.modified)


def _files(root: Path, unreadable: list[OSError]) -> Iterator[_Found]:
    """The files below a folder that can be read, hidden ones and links left out.

    Raises `OSError` where the folder itself cannot be read; others below it go to `unreadable`.
    """
    os.scandir(root).close()
    for folder, folders, names, handle in os.fwalk(root, onerror=unreadable.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith(".") or DocumentKind.of_name(name) is None:
                continue
            path = Path(folder, name).relative_to(root).as_posix()
            try:
                path.encode()
                there = os.stat(name, dir_fd=handle, follow_symlinks=False)
            except (OSError, UnicodeEncodeError):  # gone, or with a name that is no text
                continue
            if stat.S_ISREG(there.st_mode):
                yield _Found(path, there.st_size, there.st_mtime_ns)


def _opened(root: Path, path: str) -> BinaryIO:
    """A file below a folder, opened without following a link at any step. Raises `OSError`."""
    *folders, name = path.split("/")
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = within
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=handle)
    finally:
        os.close(handle)
    stream = os.fdopen(file, "rb")
    if not stat.S_ISREG(os.fstat(file).st_mode):
        stream.close()
        raise OSError("not a regular file")
    return stream
