"""Runs of collecting: what was asked for, how far it is, what it gave."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class CollectKind(StrEnum):
    """What is collected from."""

    PYTHON_DOCS = "python-docs"
    STACK_EXCHANGE = "stack-exchange"
    SITE = "site"
    DOCUMENTATION_FILE = "documentation-file"

    @property
    def reads_files(self) -> bool:
        """Whether it comes from files and not from addresses."""
        return self in (CollectKind.STACK_EXCHANGE, CollectKind.DOCUMENTATION_FILE)


class CollectState(StrEnum):
    """Where a run of collecting stands. `INTERRUPTED`: the program ended in the middle of it."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    INTERRUPTED = "interrupted"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class RefreshEvery(StrEnum):
    """How often what was collected is refreshed by itself."""

    NEVER = "never"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def interval(self) -> timedelta | None:
        """The time between two refreshes, None for never; a month is 30 days."""
        days = {RefreshEvery.DAY: 1, RefreshEvery.WEEK: 7, RefreshEvery.MONTH: 30}.get(self)
        return None if days is None else timedelta(days=days)


@dataclass(frozen=True, slots=True)
class CollectRequest:
    """What a person asks to be collected.

    Sites and documentations use `urls` and the limits of pages and links; dumps and stored
    documentations use `files` (names that `Collector.dumps()` or `keep_upload()` gave), dumps the
    choice of pairs as well.
    """

    kind: CollectKind
    urls: tuple[str, ...] = ()
    pages: int = 500
    depth: int = 10
    megabytes: int = 500
    minutes: int = 60
    sitemaps: bool = True
    whole_host: bool = False
    whats_new: bool = False
    files: tuple[str, ...] = ()
    users: str = ""  # the file with the names of the authors, if there is one
    tag: str = "python"
    limit: int = 500
    min_score: int = 0
    accepted_only: bool = False
    site: str = ""


@dataclass(frozen=True, slots=True)
class CollectProgress:
    """How far a run is. Counts are of pages (pairs, for dumps); `share` is 0 to 1 where known.

    `left_out` counts addresses with a reason, `errors` those of them that could not be read.
    `added` and `changed` went into the session, `same` were there already, `gone` were removed
    from it, `failed` could not be added. `seconds_left` is an estimate, None where there is none.
    """

    step: str = ""
    found: int = 0
    visited: int = 0
    queued: int = 0
    left_out: int = 0
    errors: int = 0
    requests: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0
    seconds_left: float | None = None
    share: float | None = None
    added: int = 0
    changed: int = 0
    same: int = 0
    gone: int = 0
    failed: int = 0
    now: str = ""


@dataclass(frozen=True, slots=True)
class CollectRun:
    """One run of collecting, live or of the history. `legs` counts how often it was begun.

    `source` names what is collected: another run of the same has the same, and goes on with what
    is known of it, and has its schedule: `refresh_every`, and when the next refresh is due.
    """

    id: str
    session_id: str
    source: str
    request: CollectRequest
    state: CollectState
    created_at: datetime
    progress: CollectProgress = field(default_factory=CollectProgress)
    refresh: bool = False
    legs: int = 0
    reason: str = ""
    cure: str = ""
    began_at: datetime | None = None
    ended_at: datetime | None = None
    refresh_every: RefreshEvery = RefreshEvery.NEVER
    next_refresh_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CollectOutcome:
    """What a run gave: (section, pages), (address, reason) of what was left out, what is gone."""

    sections: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()
