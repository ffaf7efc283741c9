"""Runs of the evaluation, their results, and the marks that people give to answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from core.errors import NotFound
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.evaluation_tables import evaluation_results, evaluation_runs, human_marks
from core.storage.sql.golden_sets import Row, add_rows, delete_row, numbered, of_session, one
from core.storage.sql.room import Room


@dataclass(frozen=True)
class EvaluationRuns(Room):
    """Each method is one transaction; raises `StorageError`, and `NotFound` for a missing run."""

    database: Database

    def add(self, session_id: str, values: Row, items: Sequence[str]) -> str:
        """Add a run with a row for each question, none of them asked; returns its id."""
        with self.database.writing() as connection:
            run_id = str(uuid4())
            made = insert(evaluation_runs).values(
                id=run_id,
                session_id=session_id,
                total=len(items),
                created_at=datetime.now(UTC),
                claimant=self.database.claimant,
                **values,
            )
            (key,) = connection.execute(made).inserted_primary_key or (None,)
            add_rows(
                connection, evaluation_results, [{"run_key": key, **row} for row in numbered(items)]
            )
            return run_id

    def get(self, session_id: str, run_id: str) -> Row:
        """One run. Raises `NotFound`."""
        with self.database.reading() as connection:
            return one(connection, evaluation_runs, session_id, run_id)

    def next_waiting(self) -> tuple[str, str] | None:
        """Session and id of the oldest run that waits in this process, of whatever session."""
        with self.database.reading() as connection:
            query = select(evaluation_runs.c.session_id, evaluation_runs.c.id).where(
                evaluation_runs.c.state == "waiting", self._mine()
            )
            row = connection.execute(query.order_by(evaluation_runs.c.key).limit(1)).one_or_none()
            return None if row is None else (row.session_id, row.id)

    def change(
        self, run_id: str, old: Collection[str] = (), *, mine: bool = False, **values: Any
    ) -> bool:
        """Set columns of a run whose state is one of `old` (of any state without `old`).

        `mine`: only while this process has it. One that is set to wait is this process's.
        """
        with self.database.writing() as connection:
            where = [evaluation_runs.c.id == run_id]
            if states := tuple(old):
                where.append(evaluation_runs.c.state.in_(states))
            if mine:
                where.append(self._mine())
            if values.get("state") == "waiting":
                values["claimant"] = self.database.claimant
            changed = update(evaluation_runs).where(*where).values(**values)
            return connection.execute(changed).rowcount > 0

    def is_in_work(self, run_id: str) -> bool:
        """Return whether this process has the run, and it runs."""
        running = evaluation_runs.c.state == "running"
        this = select(evaluation_runs.c.key).where(evaluation_runs.c.id == run_id, running)
        with self.database.reading() as connection:
            return connection.scalar(this.where(self._mine())) is not None

    def leave(self, old: Collection[str], new: str, patience: float = 0.0) -> int:
        """Set the state of runs in one of `old` whose process has ended; returns how many.

        What that is says `Database.gone`.
        """
        active = evaluation_runs.c.state.in_(tuple(old))
        with self.database.writing() as connection:
            held = list(
                connection.scalars(select(evaluation_runs.c.claimant).where(active).distinct())
            )
            if not held:
                return 0
            gone = self.database.gone(connection, held, patience)
            these = update(evaluation_runs).where(active, evaluation_runs.c.claimant.in_(gone))
            return int(connection.execute(these.values(state=new)).rowcount)

    def _mine(self) -> ColumnElement[bool]:
        """The condition that this process has a run."""
        return evaluation_runs.c.claimant == self.database.claimant

    def delete(self, session_id: str, run_id: str) -> None:
        """Delete a run with its answers and marks."""
        with self.database.writing() as connection:
            delete_row(connection, evaluation_runs, session_id, run_id)
        self.database.erase_soon(ERASED_AT_ONCE)

    def pending(self, run_id: str, count: int) -> list[Row]:
        """The first questions that were not asked: position and item."""
        with self.database.reading() as connection:
            key = _key(connection, run_id)
            columns = (evaluation_results.c.position, evaluation_results.c.item)
            query = select(*columns).where(
                evaluation_results.c.run_key == key, evaluation_results.c.measures.is_(None)
            )
            rows = connection.execute(query.order_by(evaluation_results.c.position).limit(count))
            return [dict(row) for row in rows.mappings()]

    def save_result(self, run_id: str, position: int, measures: str, detail: str) -> None:
        """Keep what came of one question, and count it."""
        with self.database.writing() as connection:
            key = _key(connection, run_id)
            this = (evaluation_results.c.run_key == key) & (
                evaluation_results.c.position == position
            )
            new = this & evaluation_results.c.measures.is_(None)
            values = {"measures": measures, "detail": detail}
            if connection.execute(update(evaluation_results).where(new).values(**values)).rowcount:
                counted = {"done": evaluation_runs.c.done + 1}
                connection.execute(
                    update(evaluation_runs).where(evaluation_runs.c.key == key).values(**counted)
                )
            else:
                connection.execute(update(evaluation_results).where(this).values(**values))

    def erase_result(
        self, run_id: str, position: int, item: str, measures: str, detail: str
    ) -> None:
        """Put a result without words in the place of one."""
        values = {"item": item, "measures": measures, "detail": detail}
        self._erase(run_id, position, values)

    def erase_question(self, run_id: str, position: int, item: str) -> None:
        """Put a question without words in the place of one that was not asked yet."""
        self._erase(run_id, position, {"item": item})

    def _erase(self, run_id: str, position: int, values: dict[str, str]) -> None:
        with self.database.writing() as connection:
            this = (evaluation_results.c.run_key == _key(connection, run_id)) & (
                evaluation_results.c.position == position
            )
            connection.execute(update(evaluation_results).where(this).values(**values))
            note_deletion(connection)

    def results(self, run_id: str, *, details: bool = False) -> list[Row]:
        """The questions that were asked: position, item, measures, on request the answers."""
        with self.database.reading() as connection:
            return _results(connection, run_id, None, details)

    def result(self, run_id: str, position: int) -> Row | None:
        """One question with its answer."""
        with self.database.reading() as connection:
            found = _results(connection, run_id, position, True)
        return found[0] if found else None

    def set_mark(self, run_id: str, position: int, rater: str, marks: str, comment: str) -> None:
        """Keep what one person thinks of one answer; their earlier mark goes."""
        with self.database.writing() as connection:
            key = {"run_key": _key(connection, run_id), "position": position, "rater": rater}
            this = [human_marks.c[name] == value for name, value in key.items()]
            connection.execute(delete(human_marks).where(*this))
            connection.execute(insert(human_marks).values(**key, marks=marks, comment=comment))

    def marks(self, run_id: str) -> list[Row]:
        """Everybody's marks of a run."""
        with self.database.reading() as connection:
            key = _key(connection, run_id)
            query = select(human_marks).where(human_marks.c.run_key == key)
            ordered = query.order_by(human_marks.c.position, human_marks.c.rater)
            return [dict(row) for row in connection.execute(ordered).mappings()]

    def list(self, session_id: str) -> list[Row]:
        """The runs of a session, newest first."""
        with self.database.reading() as connection:
            return of_session(connection, evaluation_runs, session_id)


def _key(connection: Connection, run_id: str) -> int:
    key = connection.scalar(select(evaluation_runs.c.key).where(evaluation_runs.c.id == run_id))
    if key is None:
        raise NotFound("There is no such run any more.")
    return int(key)


def _results(connection: Connection, run_id: str, position: int | None, details: bool) -> list[Row]:
    """The questions that were asked, or one of them."""
    table = evaluation_results
    columns = [table.c.position, table.c.item, table.c.measures]
    if details:
        columns.append(table.c.detail)
    query = select(*columns).where(
        table.c.run_key == _key(connection, run_id), table.c.measures.is_not(None)
    )
    if position is not None:
        query = query.where(table.c.position == position)
    rows = connection.execute(query.order_by(table.c.position)).mappings()
    return [dict(row) for row in rows]
