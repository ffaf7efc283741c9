"""What the evaluation keeps: golden sets, runs, their results, human marks, thumbs.

Values cross this border as rows: mappings of columns to texts, numbers and moments. Whatever is
asked for is found together with the session's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Table

from core.storage.sql import evaluation_rows as rows
from core.storage.sql.database import Database
from core.storage.sql.evaluation_tables import evaluation_runs, golden_sets

Row = Mapping[str, Any]
_ERASED_AT_ONCE = 32 << 20


class EvaluationRecords:
    """A method is one transaction; raises `StorageError`, and `NotFound` for what is not there."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read, self._write = database.read, database.write

    # ------------------------------------------------------------------------- golden sets

    def save_set(
        self, session_id: str, set_id: str | None, name: str, digest: str, items: Sequence[str]
    ) -> str:
        """Add a golden set, or put other items into one; gives its id."""
        return self._write(rows.save_set, session_id, set_id, name, digest, items)

    def sets(self, session_id: str) -> list[Row]:
        """The sets of a session, newest first."""
        return self._read(rows.of_session, golden_sets, session_id)

    def set_row(self, session_id: str, set_id: str) -> Row:
        """One set. Raises `NotFound`."""
        return self._read(rows.one, golden_sets, session_id, set_id)

    def items(self, session_id: str, set_id: str) -> list[str]:
        """The items of a set in order, as JSON."""
        return self._read(rows.items, session_id, set_id)

    def delete_set(self, session_id: str, set_id: str) -> None:
        """Delete a set; runs keep the questions that they asked."""
        self._delete(golden_sets, session_id, set_id)

    # -------------------------------------------------------------------------------- runs

    def add_run(self, session_id: str, values: Row, items: Sequence[str]) -> str:
        """Add a run with a row for each question, none of them asked; gives its id."""
        return self._write(rows.add_run, session_id, values, items)

    def runs(self, session_id: str) -> list[Row]:
        """The runs of a session, newest first."""
        return self._read(rows.of_session, evaluation_runs, session_id)

    def run(self, session_id: str, run_id: str) -> Row:
        """One run. Raises `NotFound`."""
        return self._read(rows.one, evaluation_runs, session_id, run_id)

    def next_waiting(self) -> tuple[str, str] | None:
        """Session and id of the oldest run that waits, of whatever session."""
        return self._read(rows.next_waiting)

    def change_run(self, run_id: str, old: Iterable[str] = (), **values: Any) -> bool:
        """Set columns of a run, if its state is one of `old` (none: whatever it is)."""
        return self._write(rows.change_run, run_id, tuple(old), values)

    def change_states(self, old: Iterable[str], new: str) -> int:
        """Set the state of all runs that are in one of `old`; gives how many."""
        return self._write(rows.change_states, tuple(old), new)

    def delete_run(self, session_id: str, run_id: str) -> None:
        """Delete a run with its answers and marks."""
        self._delete(evaluation_runs, session_id, run_id)

    # ----------------------------------------------------------------------------- results

    def pending(self, run_id: str, count: int) -> list[Row]:
        """The first questions that were not asked: position and item."""
        return self._read(rows.pending, run_id, count)

    def save_result(self, run_id: str, position: int, measures: str, detail: str) -> None:
        """Keep what came of one question, and count it."""
        self._write(rows.save_result, run_id, position, measures, detail)

    def results(self, run_id: str, *, details: bool = False) -> list[Row]:
        """The questions that were asked: position, item, measures, on request the answers."""
        return self._read(rows.results, run_id, None, details)

    def result(self, run_id: str, position: int) -> Row | None:
        """One question with its answer."""
        found = self._read(rows.results, run_id, position, True)
        return found[0] if found else None

    # ------------------------------------------------------------------- what people think

    def set_mark(self, run_id: str, position: int, rater: str, marks: str, comment: str) -> None:
        """Keep what one person thinks of one answer; their earlier mark goes."""
        self._write(rows.set_mark, run_id, position, rater, marks, comment)

    def marks(self, run_id: str) -> list[Row]:
        """Everybody's marks of a run."""
        return self._read(rows.marks, run_id)

    def set_thumb(
        self,
        session_id: str,
        message_id: int,
        up: bool,
        reason: str,
        item: str,
        person: str | None = None,
    ) -> None:
        """Keep the thumb under an answer in the chat; an earlier one goes. Raises `NotFound`."""
        self._write(rows.set_thumb, session_id, message_id, up, reason, item, person)

    def thumbs(self, session_id: str, person: str | None = None) -> list[Row]:
        """The thumbs in the conversations of one person (the owner) in a session, oldest first."""
        return self._read(rows.thumbs, session_id, person)

    def thumb(self, session_id: str, message_id: int, person: str | None = None) -> Row | None:
        """The thumb under one answer."""
        given = self.thumbs(session_id, person)
        return next((t for t in given if t["message_id"] == message_id), None)

    def _delete(self, table: Table, session_id: str, row_id: str) -> None:
        self._write(rows.delete_row, table, session_id, row_id)
        self._database.erase(_ERASED_AT_ONCE)
