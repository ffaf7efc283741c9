"""Runs of collecting: queued, claimed, moved from state to state, and what they gave.

A schedule belongs to what is collected (`source`), so that each refresh hands it on to the next.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from core.errors import SessionNotFound
from core.storage.sql.database import Database, note_deletion
from core.storage.sql.room import Room
from core.storage.sql.rows import collect_run_of, dump_collecting, outcome_of
from core.storage.sql.schema import collect_runs, collect_schedules, sessions
from core.types import (
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
    RefreshEvery,
)

UNFINISHED = (
    CollectState.WAITING,
    CollectState.RUNNING,
    CollectState.PAUSED,
    CollectState.INTERRUPTED,
)
MOST_DEATHS = 3
"""Ends of a process in the middle of a run until it no longer goes on by itself."""
KEPT_RUNS = 100
"""Runs of one session that are remembered; what they collected stays."""


@dataclass(frozen=True)
class CollectRuns(Room):
    """The runs of collecting. Each method is one transaction; raises `StorageError`."""

    database: Database

    def add(
        self, session_id: str, source: str, request: CollectRequest, *, refresh: bool = False
    ) -> CollectRun:
        """Put a run into the queue, or return the one of this source that is not at its end.

        Raises `SessionNotFound`.
        """
        with self.database.writing(alone=True) as connection:
            if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
                raise SessionNotFound("There is no such session any more.")
            return _added(connection, session_id, source, request, refresh=refresh)

    def get(self, session_id: str, run_id: str) -> CollectRun | None:
        """Return the run if it is of the session, otherwise None."""
        with self.database.reading() as connection:
            query = _runs().where(
                collect_runs.c.id == run_id, collect_runs.c.session_id == session_id
            )
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else collect_run_of(row)

    def outcome(self, session_id: str, run_id: str) -> CollectOutcome:
        """Return what a run gave; empty before its end."""
        with self.database.reading() as connection:
            query = select(collect_runs.c.outcome).where(
                collect_runs.c.id == run_id, collect_runs.c.session_id == session_id
            )
            return outcome_of(connection.execute(query).scalar_one_or_none() or "{}")

    def claim_next(self) -> CollectRun | None:
        """Set the oldest waiting run to running, in work in this process, and return it."""
        with self.database.writing() as connection:
            query = (
                select(collect_runs.c.key)
                .where(collect_runs.c.state == CollectState.WAITING)
                .order_by(collect_runs.c.key)
                .limit(1)
                .with_for_update(skip_locked=True)  # PostgreSQL; SQLite has one writer
            )
            key = connection.scalar(query)
            if key is None:
                return None
            this = collect_runs.c.key == key
            began = {"began_at": datetime.now(UTC), "legs": collect_runs.c.legs + 1}
            began["claimant"] = self.database.claimant
            connection.execute(
                update(collect_runs).where(this).values(state=CollectState.RUNNING, **began)
            )
            return collect_run_of(connection.execute(_runs().where(this)).mappings().one())

    def move(
        self,
        run_id: str,
        old: Collection[CollectState],
        new: CollectState,
        *,
        reason: str = "",
        cure: str = "",
        mine: bool = False,
    ) -> bool:
        """Move the run from one of the old states to a new one; returns whether it was in one.

        `mine`: only while no other process has it in work.
        """
        with self.database.writing() as connection:
            values: dict[str, Any] = {"state": new, "reason": reason, "cure": cure}
            values |= {"ended_at": None if new in UNFINISHED else datetime.now(UTC), "deaths": 0}
            this = (collect_runs.c.id == run_id) & collect_runs.c.state.in_(tuple(old))
            if mine:
                this &= self._mine()
            return (
                connection.execute(update(collect_runs).where(this).values(**values)).rowcount > 0
            )

    def set_progress(self, run_id: str, progress: CollectProgress) -> bool:
        """Note how far the run is; returns whether this process still has it in work."""
        with self.database.writing() as connection:
            this = update(collect_runs).where(collect_runs.c.id == run_id, self._mine())
            noted = this.values(progress=dump_collecting(progress))
            state = connection.scalar(noted.returning(collect_runs.c.state))
            return bool(state == CollectState.RUNNING)

    def _mine(self) -> ColumnElement[bool]:
        """The condition that no other process has a run in work."""
        return collect_runs.c.claimant == self.database.claimant

    def set_outcome(self, run_id: str, outcome: CollectOutcome) -> None:
        """Keep what the run gave; nothing happens where another process has it in work."""
        with self.database.writing() as connection:
            this = (collect_runs.c.id == run_id) & self._mine()
            connection.execute(
                update(collect_runs).where(this).values(outcome=dump_collecting(outcome))
            )

    def interrupt(self, patience: float = 0.0) -> int:
        """Mark runs that an ended process left running (`Database.gone`); returns how many."""
        running = collect_runs.c.state == CollectState.RUNNING
        with self.database.writing() as connection:
            held = list(
                connection.scalars(select(collect_runs.c.claimant).where(running).distinct())
            )
            if not held:
                return 0
            gone = self.database.gone(connection, held, patience)
            values = {
                "state": CollectState.INTERRUPTED,
                "reason": "The program ended in the middle of it.",
                "deaths": collect_runs.c.deaths + 1,
                "claimant": 0,
            }
            left = update(collect_runs).where(running, collect_runs.c.claimant.in_(gone))
            return connection.execute(left.values(**values)).rowcount

    def requeue(self) -> int:
        """Put interrupted runs back into the queue; returns how many there were.

        One that was under way at the end of several processes, one after another, may be what
        ends them: it stays interrupted until somebody resumes it.
        """
        interrupted = collect_runs.c.state == CollectState.INTERRUPTED
        with self.database.writing() as connection:
            trusted = interrupted & (collect_runs.c.deaths < MOST_DEATHS)
            back = update(collect_runs).where(trusted).values(state=CollectState.WAITING)
            left = update(collect_runs).where(interrupted & (collect_runs.c.deaths == MOST_DEATHS))
            count = connection.execute(back).rowcount
            reason = f"The program ended {MOST_DEATHS} times in the middle of it."
            cure = "It may need more memory than there is. Resume it to try again."
            connection.execute(left.values(reason=reason, cure=cure))
            return count

    def put_back(self, run_id: str) -> None:
        """Give up a run that is under way, for the next process to go on with; no fault of its."""
        with self.database.writing() as connection:
            running = collect_runs.c.state == CollectState.RUNNING
            this = (collect_runs.c.id == run_id) & running & self._mine()
            values = {"state": CollectState.WAITING, "deaths": 0, "claimant": 0}
            connection.execute(update(collect_runs).where(this).values(**values))

    def remove(self, session_id: str, run_id: str) -> None:
        """Forget a run that is at its end; with the last run of a source goes its schedule."""
        with self.database.writing() as connection:
            this = (collect_runs.c.id == run_id) & (collect_runs.c.session_id == session_id)
            ended = collect_runs.c.state.not_in(UNFINISHED)
            if connection.execute(delete(collect_runs).where(this, ended)).rowcount:
                note_deletion(connection)
            has_run = select(collect_runs.c.key).where(_of_schedule()).exists()
            mine = collect_schedules.c.session_id == session_id
            connection.execute(delete(collect_schedules).where(mine, ~has_run))

    def list(self, session_id: str) -> list[CollectRun]:
        """Return the session's runs, newest first."""
        with self.database.reading() as connection:
            query = _runs().where(collect_runs.c.session_id == session_id)
            rows = connection.execute(query.order_by(collect_runs.c.key.desc())).mappings()
            return [collect_run_of(row) for row in rows]

    # ----------------------------------------------------------------------------- schedules

    def schedule(self, session_id: str, run_id: str, every: RefreshEvery) -> None:
        """Have what the run collected refreshed so often, for the first time after one interval.

        Nothing changes where it is so already, or the run is gone.
        """
        with self.database.writing() as connection:
            this = (collect_runs.c.session_id == session_id) & (collect_runs.c.id == run_id)
            row = connection.execute(_runs().where(this)).mappings().one_or_none()
            if row is None or collect_run_of(row).refresh_every is every:
                return
            source = {"session_id": session_id, "source": row["source"]}
            connection.execute(delete(collect_schedules).filter_by(**source))
            if every.interval is not None:
                when = {"refresh_every": every, "next_refresh_at": _now() + every.interval}
                connection.execute(insert(collect_schedules).values(**source, **when))

    def due(self) -> tuple[CollectRun, ...]:
        """Return the newest run of everything whose refresh is due, or planned too far ahead.

        Which of the two it is says `refresh_due`.
        """
        now = _now()
        too_far = [
            (collect_schedules.c.refresh_every == every)
            & (collect_schedules.c.next_refresh_at > now + every.interval)
            for every in RefreshEvery
            if every.interval is not None
        ]
        with self.database.reading() as connection:
            looked_at = or_(collect_schedules.c.next_refresh_at <= now, *too_far)
            query = _runs().where(looked_at, collect_runs.c.key.in_(_newest()))
            return tuple(collect_run_of(row) for row in connection.execute(query).mappings())

    def refresh_due(self, run: CollectRun, request: CollectRequest) -> bool:
        """Put one refresh of what the run collected into the queue if it is due; returns whether.

        The next one is due an interval from now, however many were missed. A time more than an
        interval ahead was noted by a clock that was wrong: it becomes an interval from now.
        """
        with self.database.writing(alone=True) as connection:
            this = collect_runs.c.id == run.id
            row = connection.execute(_runs().where(this)).mappings().one_or_none()
            found = None if row is None else collect_run_of(row)
            if found is None or found.next_refresh_at is None:
                return False
            interval, now = found.refresh_every.interval, _now()
            assert interval is not None
            is_due = found.next_refresh_at <= now
            if not is_due and found.next_refresh_at <= now + interval:
                return False
            source = {"session_id": found.session_id, "source": found.source}
            connection.execute(
                update(collect_schedules).filter_by(**source).values(next_refresh_at=now + interval)
            )
            if is_due:
                _added(connection, found.session_id, found.source, request, refresh=True)
            return is_due


def _now() -> datetime:
    return datetime.now(UTC)


def _of_schedule() -> ColumnElement[bool]:
    """Whether a run and a schedule are of the same source."""
    return and_(
        collect_schedules.c.session_id == collect_runs.c.session_id,
        collect_schedules.c.source == collect_runs.c.source,
    )


def _runs() -> Select[Any]:
    """The runs with the schedules of their sources."""
    when = (collect_schedules.c.refresh_every, collect_schedules.c.next_refresh_at)
    return select(collect_runs, *when).outerjoin(collect_schedules, _of_schedule())


def _newest() -> Select[Any]:
    """The keys of the newest run of each source."""
    of_source = (collect_runs.c.session_id, collect_runs.c.source)
    return select(func.max(collect_runs.c.key)).group_by(*of_source)


def _added(
    connection: Connection,
    session_id: str,
    source: str,
    request: CollectRequest,
    *,
    refresh: bool,
) -> CollectRun:
    """The run of this source that is not at its end, or a new one."""
    there = _runs().where(
        collect_runs.c.session_id == session_id,
        collect_runs.c.source == source,
        collect_runs.c.state.in_(UNFINISHED),
    )
    if (row := connection.execute(there).mappings().first()) is not None:
        return collect_run_of(row)
    run_id = str(uuid4())
    connection.execute(
        insert(collect_runs).values(
            id=run_id,
            session_id=session_id,
            source=source,
            state=CollectState.WAITING,
            request=dump_collecting(request),
            refresh=refresh,
            created_at=_now(),
        )
    )
    _forget_old(connection, session_id)
    return collect_run_of(
        connection.execute(_runs().where(collect_runs.c.id == run_id)).mappings().one()
    )


def _forget_old(connection: Connection, session_id: str) -> None:
    mine = collect_runs.c.session_id == session_id
    newest = select(collect_runs.c.key).where(mine).order_by(collect_runs.c.key.desc())
    limit = connection.scalar(newest.offset(KEPT_RUNS).limit(1))
    if limit is not None:
        ended = collect_runs.c.state.not_in(UNFINISHED)
        scheduled = select(collect_schedules.c.source).where(
            collect_schedules.c.session_id == session_id
        )
        is_needed = collect_runs.c.key.in_(_newest()) & collect_runs.c.source.in_(scheduled)
        old = collect_runs.c.key <= limit
        connection.execute(delete(collect_runs).where(mine, ended, old, ~is_needed))
        note_deletion(connection)
