"""Golden sets, runs, results, marks and thumbs: what is done within one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Select, Table, delete, insert, select, update

from core.errors import NotFound
from core.storage.sql.database import note_deletion
from core.storage.sql.evaluation_tables import (
    evaluation_results,
    evaluation_runs,
    golden_items,
    golden_sets,
    human_marks,
)
from core.storage.sql.evaluation_tables import (
    thumbs as thumbs_table,
)
from core.storage.sql.schema import conversations, messages
from core.storage.sql.sessions import owner_in

Row = Mapping[str, Any]
_AT_ONCE = 500
"""Rows in one statement."""


def of_session(connection: Connection, table: Table, session_id: str) -> list[Row]:
    """The rows of a session, newest first."""
    query = select(table).where(table.c.session_id == session_id).order_by(table.c.key.desc())
    return [dict(row) for row in connection.execute(query).mappings()]


def one(connection: Connection, table: Table, session_id: str, row_id: str) -> Row:
    """One row of a session. Raises `NotFound`."""
    query = select(table).where(table.c.session_id == session_id, table.c.id == row_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound("There is no such golden set or run in this session.")
    return dict(row)


def _key(connection: Connection, run_id: str) -> int:
    key = connection.scalar(select(evaluation_runs.c.key).where(evaluation_runs.c.id == run_id))
    if key is None:
        raise NotFound("There is no such run any more.")
    return int(key)


def delete_row(connection: Connection, table: Table, session_id: str, row_id: str) -> None:
    """Delete one row of a session with what belongs to it."""
    key = one(connection, table, session_id, row_id)["key"]
    connection.execute(delete(table).where(table.c.key == key))
    note_deletion(connection)


def save_set(
    connection: Connection, session_id: str, set_id: str | None, name: str, digest: str,
    items: Sequence[str],
) -> str:  # fmt: skip
    """Add a set, or put other items into one."""
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "name": name, "digest": digest, "questions": len(items), "updated_at": now
    }  # fmt: skip
    if set_id is None:
        set_id = str(uuid4())
        made = insert(golden_sets).values(
            id=set_id, session_id=session_id, created_at=now, **values
        )
        (key,) = connection.execute(made).inserted_primary_key or (None,)
    else:
        key = one(connection, golden_sets, session_id, set_id)["key"]
        connection.execute(update(golden_sets).where(golden_sets.c.key == key).values(**values))
        connection.execute(delete(golden_items).where(golden_items.c.set_key == key))
        note_deletion(connection)
    add_rows(connection, golden_items, [{"set_key": key, **row} for row in numbered(items)])
    return set_id


def numbered(items: Sequence[str]) -> list[dict[str, Any]]:
    return [{"position": at, "item": item} for at, item in enumerate(items)]


def add_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), _AT_ONCE):
        connection.execute(insert(table), list(rows[start : start + _AT_ONCE]))


def items(connection: Connection, session_id: str, set_id: str) -> list[str]:
    """The items of a set in order."""
    key = one(connection, golden_sets, session_id, set_id)["key"]
    query = select(golden_items.c.item).where(golden_items.c.set_key == key)
    return list(connection.scalars(query.order_by(golden_items.c.position)))


def add_run(connection: Connection, session_id: str, values: Row, items: Sequence[str]) -> str:
    """Add a run with a row for each question."""
    run_id = str(uuid4())
    made = insert(evaluation_runs).values(
        id=run_id, session_id=session_id, total=len(items), created_at=datetime.now(UTC), **values
    )
    (key,) = connection.execute(made).inserted_primary_key or (None,)
    add_rows(connection, evaluation_results, [{"run_key": key, **row} for row in numbered(items)])
    return run_id


def next_waiting(connection: Connection) -> tuple[str, str] | None:
    """Session and id of the oldest run that waits."""
    query = select(evaluation_runs.c.session_id, evaluation_runs.c.id).where(
        evaluation_runs.c.state == "waiting"
    )
    row = connection.execute(query.order_by(evaluation_runs.c.key).limit(1)).one_or_none()
    return None if row is None else (row.session_id, row.id)


def change_run(
    connection: Connection, run_id: str, old: tuple[str, ...], values: dict[str, Any]
) -> bool:
    """Set columns of a run that is in one of the old states."""
    where = [evaluation_runs.c.id == run_id]
    if old:
        where.append(evaluation_runs.c.state.in_(old))
    return bool(connection.execute(update(evaluation_runs).where(*where).values(**values)).rowcount)


def change_states(connection: Connection, old: tuple[str, ...], new: str) -> int:
    """Set the state of all runs that are in one of the old states."""
    these = update(evaluation_runs).where(evaluation_runs.c.state.in_(old))
    return int(connection.execute(these.values(state=new)).rowcount)


def pending(connection: Connection, run_id: str, count: int) -> list[Row]:
    """The first questions that were not asked."""
    key = _key(connection, run_id)
    columns = (evaluation_results.c.position, evaluation_results.c.item)
    query = select(*columns).where(
        evaluation_results.c.run_key == key, evaluation_results.c.measures.is_(None)
    )
    rows = connection.execute(query.order_by(evaluation_results.c.position).limit(count))
    return [dict(row) for row in rows.mappings()]


def save_result(
    connection: Connection, run_id: str, position: int, measures: str, detail: str
) -> None:
    """Keep what came of one question; it is counted once."""
    key = _key(connection, run_id)
    this = (evaluation_results.c.run_key == key) & (evaluation_results.c.position == position)
    new = this & evaluation_results.c.measures.is_(None)
    values = {"measures": measures, "detail": detail}
    if connection.execute(update(evaluation_results).where(new).values(**values)).rowcount:
        counted = {"done": evaluation_runs.c.done + 1}
        connection.execute(
            update(evaluation_runs).where(evaluation_runs.c.key == key).values(**counted)
        )
    else:
        connection.execute(update(evaluation_results).where(this).values(**values))


def results(connection: Connection, run_id: str, position: int | None, details: bool) -> list[Row]:
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


def set_mark(
    connection: Connection, run_id: str, position: int, rater: str, marks: str, comment: str
) -> None:
    """Put one person's mark in the place of their earlier one."""
    key = {"run_key": _key(connection, run_id), "position": position, "rater": rater}
    this = [human_marks.c[name] == value for name, value in key.items()]
    connection.execute(delete(human_marks).where(*this))
    connection.execute(insert(human_marks).values(**key, marks=marks, comment=comment))


def marks(connection: Connection, run_id: str) -> list[Row]:
    """Everybody's marks of a run."""
    key = _key(connection, run_id)
    query = select(human_marks).where(human_marks.c.run_key == key)
    ordered = query.order_by(human_marks.c.position, human_marks.c.rater)
    return [dict(row) for row in connection.execute(ordered).mappings()]


def set_thumb(
    connection: Connection,
    session_id: str,
    message_id: int,
    up: bool,
    reason: str,
    item: str,
    person: str | None,
) -> None:
    """Put a thumb in the place of an earlier one. Raises `NotFound` for somebody else's answer."""
    answer = _answers(session_id, person).where(messages.c.id == message_id)
    if connection.scalar(answer) is None:
        raise NotFound("There is no such answer any more.")
    mine = (thumbs_table.c.session_id == session_id) & (thumbs_table.c.message_id == message_id)
    connection.execute(delete(thumbs_table).where(mine))
    values = {"session_id": session_id, "message_id": message_id, "up": up, "reason": reason}
    connection.execute(insert(thumbs_table).values(**values, item=item))


def _answers(session_id: str, person: str | None) -> Select[tuple[int]]:
    """The ids of what was said in the person's conversations of a session."""
    theirs = conversations.c.owner_id == owner_in(session_id, person)
    joined = messages.join(conversations, conversations.c.id == messages.c.conversation_id)
    said = select(messages.c.id).select_from(joined)
    return said.where(conversations.c.session_id == session_id, theirs)


def thumbs(connection: Connection, session_id: str, person: str | None) -> list[Row]:
    """The thumbs in the person's conversations of a session, oldest first."""
    query = (
        select(thumbs_table)
        .where(thumbs_table.c.session_id == session_id)
        .where(thumbs_table.c.message_id.in_(_answers(session_id, person)))
        .order_by(thumbs_table.c.key)
    )
    return [dict(row) for row in connection.execute(query).mappings()]
