"""The tables of the evaluation: golden sets, runs with a row a question, marks, thumbs."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from core.storage.sql.schema import Choice, Moment, Words, metadata


def _session() -> Column[str]:
    return Column(
        "session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True
    )


golden_sets = Table(  # since version 4, as all tables here
    "golden_sets",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False, unique=True),
    _session(),
    Column("name", Words, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("questions", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    sqlite_autoincrement=True,
)

golden_items = Table(
    "golden_items",
    metadata,
    Column("set_key", ForeignKey("golden_sets.key", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("item", Text, nullable=False),
)

evaluation_runs = Table(
    "evaluation_runs",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False, unique=True),
    _session(),
    Column("name", Words, nullable=False),
    Column("set_name", Words, nullable=False),
    Column("set_digest", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Column("made_with", Text, nullable=False, default="{}"),
    Column("state", Choice, nullable=False, index=True),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False, default=0),
    Column("summary", Text, nullable=False, default="{}"),
    Column("notes", Text, nullable=False, default="[]"),
    Column("reason", Words, nullable=False, default=""),
    Column("created_at", Moment, nullable=False),
    Column("finished_at", Moment),
    # Since version 15: the number of the process that has it in its queue, with its keys.
    Column("claimant", BigInteger, nullable=False, default=0, server_default="0"),
    sqlite_autoincrement=True,
)

evaluation_results = Table(
    "evaluation_results",
    metadata,
    Column("run_key", ForeignKey("evaluation_runs.key", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("item", Text, nullable=False),
    Column("measures", Text),  # NULL: not asked yet
    # Last, so that the tables of a run never walk over the answers, which are larger.
    Column("detail", Text),
)

human_marks = Table(
    "human_marks",
    metadata,
    Column("run_key", Integer, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("rater", String(80), primary_key=True),
    Column("marks", Text, nullable=False),
    Column("comment", Words, nullable=False, default=""),
    ForeignKeyConstraint(
        ["run_key", "position"],
        ["evaluation_results.run_key", "evaluation_results.position"],
        ondelete="CASCADE",
    ),
)

thumbs = Table(
    "thumbs",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    _session(),
    Column("message_id", ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    Column("up", Boolean, nullable=False),
    Column("reason", Words, nullable=False, default=""),
    Column("item", Text, nullable=False),
    UniqueConstraint("session_id", "message_id"),
    sqlite_autoincrement=True,
)
