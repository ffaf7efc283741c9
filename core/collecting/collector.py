"""Collecting: runs on threads of their own, with their progress in the catalogue.

A run reads its source into a folder of the session (`collect_sources.py`) and puts each page into
the queue of documents as soon as it is there. The row in the catalogue is the queue and the record:
a run can be paused, stopped and resumed, and one that ended with the process goes on at the start.
The threads also put into the queue what is refreshed on a schedule, once it is due.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO

from core.access.roles import guarded
from core.collecting import sources, stored_pages
from core.collecting.dumps import Dumps, uploaded_files
from core.collecting.erasing import erase_collected
from core.collecting.requests import checked, source_name
from core.collecting.run import RunInWork
from core.errors import (
    AppError,
    IngestionError,
    InvalidRequest,
    InvalidUrl,
    RunNotFound,
    StorageError,
)
from core.ids import checked_uuid
from core.ingestion.adding import Adder
from core.maintenance.removal import Remover
from core.storage.catalogue import Catalogue
from core.storage.files.disk import is_full
from core.storage.sql.postgresql import OF_SOURCES
from core.storage.stores import Stores
from core.supervision import Unrecorded, Worker, isolated
from core.types import (
    CollectKind,
    CollectOutcome,
    CollectRequest,
    CollectRun,
    CollectState,
    Document,
    RefreshEvery,
    Session,
)
from scraper import documentation_file
from scraper.preview import DumpPreview, FilePreview, SitePreview

log = logging.getLogger(__name__)

_MOST_UNFINISHED = 20
_ACTIVE = (CollectState.WAITING, CollectState.RUNNING)
RESUMABLE = (CollectState.PAUSED, CollectState.INTERRUPTED)
_FORESEEN = (OSError, ValueError, sqlite3.Error, zlib.error)
ENDED = (CollectState.DONE, CollectState.STOPPED, CollectState.FAILED)


@guarded("collecting")
@dataclass
class Collector:
    """Starts, follows and ends runs. Raises `RunNotFound` for an id of no run in the session."""

    stores: Stores
    adder: Adder
    remover: Remover
    threads: int = 2
    _dumps: Dumps = field(init=False)
    _wake: threading.Event = field(default_factory=threading.Event)
    _ending: threading.Event = field(default_factory=threading.Event)
    _working: list[Worker] = field(default_factory=list)
    _at_work: list[RunInWork] = field(default_factory=list)
    _unrecorded: Unrecorded = field(default_factory=Unrecorded)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._dumps = Dumps(self.stores.settings.dumps_dir, self.stores.originals)

    @property
    def catalogue(self) -> Catalogue:
        """The record of all runs."""
        return self.stores.catalogue

    # -------------------------------------------------------------------------- public methods

    def preview(
        self, session: Session, request: CollectRequest
    ) -> SitePreview | DumpPreview | FilePreview:
        """A look before the run: one page, the first questions of a dump, what a file holds.

        Raises `FetchError`, `IngestionError` and `InvalidRequest`.
        """
        request = checked(request, self.stores.settings)
        files = [self._dumps.file(session.id, name) for name in request.files]
        return sources.preview(request, files, self.stores.settings)

    def start(
        self, session: Session, request: CollectRequest, *, refresh: bool = False
    ) -> CollectRun:
        """Put a run into the queue; one of the same source that is not at its end is given back.

        With `refresh`, every page is asked for again (what has not changed sends no body).
        Raises `InvalidUrl` and `InvalidRequest`.
        """
        request = checked(request, self.stores.settings)
        self._dumps.files(session.id, request)  # they are there
        self._check_unfinished(session)
        run = self.catalogue.collect_runs.add(
            session.id, source_name(request), request, refresh=refresh
        )
        self._wake.set()
        return run

    def start_documentation(
        self, session: Session, name: str, stream: BinaryIO
    ) -> CollectRun | None:
        """Take in a documentation that was uploaded as one file; None for any other file.

        Raises as `keep_upload` and `start` do; then nothing is kept of it.
        """
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        if size > self.stores.settings.max_file_mb * 1_000_000:
            return None  # and is refused as any other file
        try:
            documentation_file.read(stream)
        except IngestionError:
            return None
        finally:
            stream.seek(0)
        self._check_unfinished(session)
        files = (self.keep_upload(session, name, stream),)
        return self.start(session, CollectRequest(CollectKind.DOCUMENTATION_FILE, files=files))

    def again(self, session: Session, run_id: str) -> CollectRun:
        """A new run of what this one collected, which takes in what has changed since."""
        return self.start(session, self.run(session, run_id).request, refresh=True)

    def pause(self, session: Session, run_id: str) -> None:
        """Let the run rest; `resume()` goes on with the page that it was at."""
        self._end(self.run(session, run_id), CollectState.PAUSED, _ACTIVE)

    def stop(self, session: Session, run_id: str) -> None:
        """End the run; what it has collected stays."""
        self._end(self.run(session, run_id), CollectState.STOPPED, (*_ACTIVE, *RESUMABLE))

    def resume(self, session: Session, run_id: str) -> None:
        """Go on with a run that was paused or interrupted."""
        run = self.run(session, run_id)
        self.catalogue.collect_runs.move(run.id, RESUMABLE, CollectState.WAITING)
        self._wake.set()

    def schedule(self, session: Session, run_id: str, every: RefreshEvery) -> CollectRun:
        """Have what the run collected refreshed so often by itself; gives the run as it is then.

        Raises `InvalidRequest` for what comes from a file and not from an address.
        """
        run = self.run(session, run_id)
        if run.request.kind.reads_files:
            raise InvalidRequest(
                "A file cannot be refreshed on a schedule.",
                "Only what was collected from an address can. Collect a newer file instead.",
            )
        self.catalogue.collect_runs.schedule(session.id, run.id, every)
        return self.run(session, run.id)

    def runs(self, session: Session) -> list[CollectRun]:
        """The runs of a session, newest first."""
        return self.catalogue.collect_runs.list(session.id)

    def run(self, session: Session, run_id: str) -> CollectRun:
        """One run; raises `RunNotFound`."""
        found = self.catalogue.collect_runs.get(session.id, checked_uuid(run_id))
        if found is None:
            raise RunNotFound("There is no such run in this session.")
        return found

    def outcome(self, session: Session, run_id: str) -> CollectOutcome:
        """What a run gave: sections, what was left out and why, what is gone."""
        return self.catalogue.collect_runs.outcome(session.id, self.run(session, run_id).id)

    def forget(self, session: Session, run_id: str) -> None:
        """Take a run that is at its end out of the history; its documents stay.

        With the last run of a source goes what was stored of it beside the documents, and with
        the last that reads an uploaded dump that upload.
        """
        run = self.run(session, run_id)
        self.catalogue.collect_runs.remove(session.id, run.id)
        left = self.runs(session)
        if all(other.source != run.source for other in left):
            self.stores.originals.remove_collected(session.id, run.source)
        of_others = {upload for other in left for upload in uploaded_files(other.request)}
        for upload in uploaded_files(run.request) - of_others:
            self.stores.originals.remove_upload(session.id, upload)

    def erase(self, documents: Sequence[Document]) -> None:
        """Erase what was stored of documents of a session beside them.

        An uploaded dump goes as a whole. Raises `StorageError`.
        """
        if not any(document.source for document in documents):
            return
        runs = self.catalogue.collect_runs.list(documents[0].session_id)
        try:
            erase_collected(self.stores.originals, documents, runs)
        except (StorageError, *_FORESEEN) as error:
            log.warning("What was collected of a removed document is still there: %s", error)
            raise StorageError(
                "The document was removed, but the copy in what was collected could not be erased.",
                "Look whether the disk is full, then forget the run on the Collect page.",
            ) from None

    def stored(self, session: Session, run_id: str) -> Path | None:
        """The JSON with everything that was collected, None where there is none."""
        run = self.run(session, run_id)
        folder = self.stores.originals.collected(session.id, run.source)
        path = stored_pages.stored(run.request, folder)
        return path if path.is_file() else None

    def browse(self, session: Session, run_id: str) -> tuple[stored_pages.StoredPage, ...]:
        """Everything that is stored, to be looked at. Raises `DamagedFile`."""
        path = self.stored(session, run_id)
        if path is None:
            return ()
        kind = self.run(session, run_id).request.kind
        return stored_pages.browse(kind, path, path.stat().st_mtime_ns)

    def dumps(self) -> list[str]:
        """The dumps in the operator's folder (DUMPS_DIR)."""
        return self._dumps.names()

    def keep_upload(self, session: Session, name: str, stream: BinaryIO) -> str:
        """Keep a dump that a person uploaded; gives its name for a request.

        Raises `EmptyFile`, `TooLarge` and `NotEnoughSpace`.
        """
        return self._dumps.keep(session.id, name, stream)

    # ---------------------------------------------------------------------------- the threads

    def begin(self) -> None:
        """Resume what an earlier process left unfinished, and start the threads."""
        self.take_over()
        for number in range(self.threads):
            worker = Worker(f"collect-{number}", self._work, self._ending)
            self._working.append(worker.start())

    def take_over(self, patience: float = 0.0) -> None:
        """Put back what ended processes left unfinished; see `Database.gone`."""
        self.catalogue.collect_runs.interrupt(patience)
        if count := self.catalogue.collect_runs.requeue():
            log.info("Runs of collecting that were interrupted and go on: %d", count)
            self._wake.set()

    def end(self, seconds: float = 10.0) -> None:
        """End the threads; what is running goes on at the next start."""
        self._ending.set()
        self._wake.set()
        for thread in self._working:
            thread.join(seconds)
        self._working.clear()
        with self._lock:
            under_way = [work.run.id for work in self._at_work]
        for run_id in under_way:
            self.catalogue.collect_runs.put_back(run_id)

    def leave(self, session_id: str, seconds: float = 10.0) -> None:
        """End the runs of a session that is being deleted, and wait until they are out of it."""
        with self._lock:
            theirs = [work for work in self._at_work if work.run.session_id == session_id]
        for work in theirs:
            work.cancelled.set()
        for work in theirs:
            work.done.wait(seconds)

    def _work(self) -> None:
        while not self._ending.is_set():
            self._unrecorded.again()
            run = self._claim()
            if run is None:
                self._wake.wait(1.0)
                self._wake.clear()
            else:
                isolated(
                    f"collecting, run {run.id}",
                    partial(self._collect, run),
                    partial(self._failed, run),
                )

    def _claim(self) -> CollectRun | None:
        try:
            self._refresh_due()
            return self.catalogue.collect_runs.claim_next()
        except AppError as error:  # a full disk, say: the queue waits until it is mended
            log.warning("The queue of collecting cannot be read: %s", error.message)
            self._ending.wait(5.0)
            return None

    def _refresh_due(self) -> None:
        for run in self.catalogue.collect_runs.due():
            request = run.request
            with contextlib.suppress(InvalidRequest, InvalidUrl):  # reading it will say what it is
                request = checked(request, self.stores.settings)
            if self.catalogue.collect_runs.refresh_due(run, request):
                log.info("A refresh is due: run %s", run.id)

    def _collect(self, run: CollectRun) -> None:
        work = RunInWork(run, self.stores, self.adder, self.remover, self._ending)
        with self._lock:
            others = [other for other in self._at_work if other.place == work.place]
            self._at_work.append(work)
        for other in others:  # one that was paused or stopped a moment ago is on its way out
            other.done.wait()
        try:
            with self.catalogue.database.lock(OF_SOURCES, work.place):
                there = self.catalogue.collect_runs.get(run.session_id, run.id)
                if there is None or there.state is not CollectState.RUNNING:
                    return  # it came to its end a moment ago
                work.follow(self._dumps.files(run.session_id, run.request))
        except (AppError, *_FORESEEN) as error:
            self._failed(run, error)
        finally:
            with self._lock:
                self._at_work.remove(work)
            work.done.set()

    def _failed(self, run: CollectRun, error: Exception) -> None:
        if isinstance(error, AppError):
            message, cure = error.message, error.cure
        elif is_full(error):
            message = "What was read could not be stored: the disk is full."
            cure = "Free some space, then refresh."
        elif isinstance(error, _FORESEEN):
            log.warning("Collecting failed: %s", error)
            message = "What was read could not be stored, or is damaged."
            cure = "Look in the log, then refresh."
        else:
            message = "Reading failed in a way that was not foreseen."
            cure = f"Look in the log for run {run.id}."
        self._unrecorded.record(
            partial(
                self.catalogue.collect_runs.move,
                run.id,
                [CollectState.RUNNING],
                CollectState.FAILED,
                reason=message,
                cure=cure,
                mine=True,
            )
        )

    # --------------------------------------------------------------------------------- inside

    def _check_unfinished(self, session: Session) -> None:
        unfinished = [run for run in self.runs(session) if run.state not in ENDED]
        if len(unfinished) >= _MOST_UNFINISHED:
            raise InvalidRequest(
                f"{len(unfinished)} runs of this session are not at their end yet.",
                "Wait for them, or stop some.",
            )

    def _end(self, run: CollectRun, state: CollectState, old: Sequence[CollectState]) -> None:
        if self.catalogue.collect_runs.move(run.id, old, state):
            with self._lock:
                for work in self._at_work:
                    if work.run.id == run.id:
                        work.cancelled.set()
