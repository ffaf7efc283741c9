"""A collector without threads: runs are rows that the test moves."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from core.collecting.stored_pages import StoredPage
from core.errors import AppError, RunNotFound
from core.parsing.html.links import TitledLink
from core.types import (
    CollectKind,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
    RefreshEvery,
    Session,
)
from scraper.preview import DumpPreview, FilePreview, SitePreview

LIVE = CollectProgress(
    "Reading pages", found=40, visited=50, queued=150, errors=1, megabytes=2.5,
    seconds_left=90.0, share=0.25,
)  # fmt: skip
LEFT_OUT = (
    ("http://e.org/a.zip", "It is a file (zip), not a page."),
    ("http://e.org/b.zip", "It is a file (zip), not a page."),
    ("http://f.org/", "It is on another site."),
)


class FakeCollector:
    """The methods of `Collector` that the page calls."""

    def __init__(self) -> None:
        self.rows: dict[str, CollectRun] = {}
        self.names: list[str] = []
        self.uploads: list[str] = []
        self.error: AppError | None = None
        self.file: Path | None = None

    def preview(
        self, session: Session, request: CollectRequest
    ) -> SitePreview | DumpPreview | FilePreview:
        if self.error:
            raise self.error
        if request.kind is CollectKind.DOCUMENTATION_FILE:
            return FilePreview(5, 1, (("Library", 3), ("Tutorial", 2)), "The *os* module.")
        if request.kind is CollectKind.STACK_EXCHANGE:
            return DumpPreview(("How to *join* paths?",), "# How to join paths?", 12)
        parts = (TitledLink("http://e.org/t", "Tutorial"),)
        return SitePreview(request.urls[0], "The *Docs*", "Welcome.", 7, 3, parts, 1.0)

    def start(
        self, session: Session, request: CollectRequest, *, refresh: bool = False
    ) -> CollectRun:
        if self.error:
            raise self.error
        run = CollectRun(
            str(uuid.uuid4()), session.id, "s", request, CollectState.RUNNING, datetime.now(UTC),
            LIVE, refresh,
        )  # fmt: skip
        self.rows = {run.id: run} | self.rows
        return run

    def again(self, session: Session, run_id: str) -> CollectRun:
        return self.start(session, self.run(session, run_id).request, refresh=True)

    def move(self, run_id: str, state: CollectState, **values: object) -> None:
        self.rows[run_id] = replace(self.rows[run_id], state=state, **values)

    def schedule(self, session: Session, run_id: str, every: RefreshEvery) -> CollectRun:
        if self.error:
            raise self.error
        then = None if every.interval is None else datetime.now(UTC) + every.interval
        state = self.rows[run_id].state
        self.move(run_id, state, refresh_every=every, next_refresh_at=then)
        return self.rows[run_id]

    def pause(self, session: Session, run_id: str) -> None:
        self.move(run_id, CollectState.PAUSED)

    def stop(self, session: Session, run_id: str) -> None:
        self.move(run_id, CollectState.STOPPED)

    def resume(self, session: Session, run_id: str) -> None:
        self.move(run_id, CollectState.RUNNING)

    def forget(self, session: Session, run_id: str) -> None:
        del self.rows[run_id]

    def runs(self, session: Session) -> list[CollectRun]:
        return [run for run in self.rows.values() if run.session_id == session.id]

    def run(self, session: Session, run_id: str) -> CollectRun:
        if run_id not in self.rows:
            raise RunNotFound("There is no such run in this session.")
        return self.rows[run_id]

    def outcome(self, session: Session, run_id: str) -> CollectOutcome:
        return CollectOutcome((("Library", 38), ("Tutorial", 2)), LEFT_OUT)

    def stored(self, session: Session, run_id: str) -> Path | None:
        return self.file

    def browse(self, session: Session, run_id: str) -> tuple[StoredPage, ...]:
        return (
            StoredPage("os", "Library", "http://e.org/os.html", "A. Bee", "Runs $x$ *now*."),
            StoredPage("re", "Library", "http://e.org/re.html", "", "Matches."),
        )

    def dumps(self) -> list[str]:
        return self.names

    def keep_upload(self, session: Session, name: str, stream: BinaryIO) -> str:
        self.uploads.append(name)
        return f"upload:{'a' * 64}:{name}"
