"""Upkeep: the stores checked, mended, rebuilt, backed up and tidied, one task at a time.

The same tasks serve the start of the program, `python -m core.maintenance` and the Status page,
which looks at `state()` while one runs on a thread of its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.errors import AppError, StorageError
from core.maintenance.backup import back_up
from core.maintenance.checking import (
    KEPT,
    Finding,
    Trouble,
    check,
    check_strays,
    has_model,
    needs_consent,
)
from core.maintenance.reconcile import Mender, remove_strays
from core.storage.stores import Stores
from core.supervision import in_background
from core.types import Cut, Notice, UpkeepState
from core.types import UpkeepTask as Task

log = logging.getLogger(__name__)

_ROLE = "upkeep"
_CURE = "Look in the log, and begin it again."
_IN_POSTGRESQL = (
    "All tables in PostgreSQL were written anew without what was deleted, but for rows that a "
    "transaction begun before may still see. Its write-ahead log, its replicas and its backups "
    "keep deleted text for as long as they are told to."
)
_IN_MILVUS = "Vectors and words are in Milvus, which removes deleted ones with its compaction."


class Upkeep:
    """The tasks over the stores of one process. Thread-safe; one task at a time."""

    def __init__(self, stores: Stores, stopped: Callable[[], bool] = lambda: False) -> None:
        self.stores = stores
        self._stopped = stopped
        self._state = UpkeepState()
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._thread: threading.Thread | None = None

    def state(self) -> UpkeepState:
        """What is being done, or was done last."""
        with self._lock:
            return self._state

    def start(self, task: Task, target: Path | None = None) -> bool:
        """Begin a task on a thread of its own; False if one is running."""
        with self._lock:
            if self._state.running:
                return False
            self._state = UpkeepState(task, running=True, doing="Beginning")
        self._thread = in_background("upkeep", lambda: self._quietly(task, target))
        return True

    def wait(self, seconds: float) -> None:
        """Wait for what was begun with `start`, at most so long."""
        if self._thread is not None:
            self._thread.join(seconds)

    def run(self, task: Task, target: Path | None = None) -> UpkeepState:
        """Do a task to its end, after any that is running. Raises `AppError`.

        Of several processes on one database one at a time changes the indexes: what another one's
        start does already is left to it, and for the rest `StorageError` is raised.
        """
        with self._turn, self._ended():
            self._set(UpkeepState(task, running=True))
            try:
                with self.stores.catalogue.database.elected(_ROLE) as mine:
                    lines, clean = self._done(task, target, mine)
            except AppError as error:
                failure = Notice(error.code, error.message, error.cure, "error")
                self._set(replace(self.state(), running=False, clean=False, failure=failure))
                raise
            self._set(UpkeepState(task, lines=tuple(lines), clean=clean))
            return self.state()

    def mend_session(self, session_id: str) -> None:
        """Mend the indexes of one session, after any task that is running. Raises `AppError`."""
        with self._turn:
            found = Mender(self.stores, self._stopped).mend(session_id)
        for line in _words(found, "Mended") if found else ():
            log.warning("%s", line)

    def tidy(self) -> None:
        """Erase what deletions left in the files of catalogue and words. Raises `AppError`.

        For moments without other work; nothing happens while a task is running.
        """
        if not self._turn.acquire(blocking=False):
            return
        try:
            with self.stores.catalogue.database.elected(_ROLE) as mine:
                if mine:
                    self._erase()
            self.stores.forget_models()
            self.stores.originals.files.tidy()
        finally:
            self._turn.release()

    def _erase(self) -> None:
        self.stores.catalogue.database.erase()
        for index_name in self.stores.lexical.to_erase():
            Mender(self.stores, self._stopped).index_anew(index_name)
        self.stores.vectors.settle()

    def of_another_model(self) -> list[str]:
        """The sessions whose vectors were made with another embedding model."""
        stores, standing = self.stores, self.stores.catalogue.cuts.standing
        sessions = stores.catalogue.sessions.ids()
        return [s for s in sessions if any(_of_another(stores, cut) for cut in standing(s))]

    def _done(self, task: Task, target: Path | None, mine: bool) -> tuple[list[str], bool]:
        if mine or task in ("check", "backup"):
            return self._tasks(task, target)
        if task == "start":
            return ["Another process is looking after the indexes."], True
        raise StorageError(
            "Another process is looking after the indexes.", "Begin again in a while."
        )

    # ---------------------------------------------------------------------------------- tasks

    def _tasks(self, task: Task, target: Path | None) -> tuple[list[str], bool]:
        match task:
            case "check":
                return self._check()
            case "start" | "mend":
                return self._mend()
            case "rebuild":
                return self._rebuild()
            case "vacuum":
                return self._vacuum()
            case "backup":
                assert target is not None
                stores = self.stores
                copying = self._progress("Copying")
                lines = back_up(
                    stores.settings, stores.catalogue, stores.originals, target, copying
                )
                return lines, True

    def _check(self) -> tuple[list[str], bool]:
        found = check(self.stores, self._progress("Checking sessions"))
        return _words(found, "Found"), not found

    def _mend(self) -> tuple[list[str], bool]:
        self.stores.embedder()  # once it is known whose vectors are wanted, old ones are adopted
        self.stores.vectors.adopt()
        found = check_strays(self.stores)
        remove_strays(self.stores)
        sessions = self.stores.catalogue.sessions.ids()
        for number, session_id in enumerate(sessions):
            self._set(replace(self.state(), doing="Checking", done=number, total=len(sessions)))
            found += self._mender().mend(session_id)
            for cut in self.stores.catalogue.cuts.standing(session_id):
                if self.stores.lexical.holds_deleted(cut.index):
                    self.stores.lexical.erase_later(cut.index)
        mended = [finding for finding in found if finding.trouble not in KEPT]
        left = [finding for finding in found if finding.trouble in KEPT]
        lines = _words(mended, "Mended") if mended or not left else []
        for line in lines if mended else ():
            log.warning("%s", line)
        return [*lines, *(_words(left, "Left") if left else [])], not left

    def _rebuild(self) -> tuple[list[str], bool]:
        sessions = self.stores.catalogue.sessions.ids()
        made = sum(self._mender().rebuild(session_id) for session_id in sessions)
        count = len(sessions)
        noun = "session" if count == 1 else "sessions"
        return [f"Both indexes of {count} {noun} were made again: {made} passages."], True

    def _vacuum(self) -> tuple[list[str], bool]:
        stores, database = self.stores, self.stores.catalogue.database
        before = database.bytes_on_disk()
        for session_id in stores.catalogue.sessions.ids():
            for cut in stores.catalogue.cuts.standing(session_id):
                if stores.lexical.holds_deleted(cut.index):
                    self._mender().index_anew(cut.index)
        stores.vectors.purge()
        database.vacuum()
        stores.vectors.settle()
        lines = [_IN_MILVUS] if stores.settings.index_url else []
        if not database.is_sqlite:
            return [_IN_POSTGRESQL, *lines], True
        if lines:
            return ["The catalogue's file holds nothing of what was deleted.", *lines], True
        saved = max(0.0, (before - database.bytes_on_disk()) / 1e6)
        return [f"The stores hold nothing of what was deleted. {saved:.1f} MB freed."], True

    # --------------------------------------------------------------------------------- inside

    def _quietly(self, task: Task, target: Path | None) -> None:
        try:
            self.run(task, target)
        except AppError as error:
            log.warning("Upkeep (%s): %s %s", task, error.message, error.cure)

    @contextmanager
    def _ended(self) -> Iterator[None]:
        """Whatever happens, the state says at the end that no task is running."""
        try:
            yield
        finally:
            if self.state().running:
                failure = Notice("Fault", "The task ended in a way that was not foreseen.", _CURE)
                self._set(replace(self.state(), running=False, clean=False, failure=failure))

    def _mender(self) -> Mender:
        return Mender(self.stores, self._stopped, self._progress("Making indexes again"))

    def _progress(self, doing: str) -> Callable[[int, int], None]:
        def report(done: int, total: int) -> None:
            self._set(replace(self.state(), doing=doing, done=done, total=total))

        return report

    def _set(self, state: UpkeepState) -> None:
        with self._lock:
            self._state = state


def _of_another(stores: Stores, cut: Cut) -> bool:
    return has_model(stores, cut) and needs_consent(stores, cut)


def _words(found: list[Finding], verb: str) -> list[str]:
    """The troubles over all sessions, each once."""
    if not found:
        return ["Files, catalogue and both indexes agree."]
    counts: dict[Trouble, int] = {}
    for finding in found:
        counts[finding.trouble] = counts.get(finding.trouble, 0) + finding.count
    return [f"{verb}: {count} {trouble}." for trouble, count in counts.items()]
