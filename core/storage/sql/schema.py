"""The catalogue's tables, in column types that SQLite and PostgreSQL both have.

Every order that people see follows a sequence number, never the clock: `documents.key` and
`messages.id` rise with each row and are not used again, `used` and `served` are counters.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

SCHEMA_VERSION = 18
OLDEST_PROGRAM = 17
"""The version of the release before: its processes go on working on these tables, beside ours.

So what was added since has NULL or a default in the database, and nothing is gone; held by
tests/storage/sql/test_released.py.
"""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


class Words(TypeDecorator[str]):
    """Text that people read. NUL and lone surrogates, which no database takes, become U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value and _UNSTORABLE.sub("\ufffd", value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return value


class ExactText(TypeDecorator[str]):
    """Text that offsets count in: any Python string, given back character for character."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else value.decode("utf-8", "surrogatepass")


class Choice(TypeDecorator[str]):
    """A member of one of our enumerations, stored by its value."""

    impl = String(20)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return value


metadata = MetaData()


def _text(name: str) -> Column[str]:
    return Column(name, Words, nullable=False, default="", server_default="")


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, default=0, server_default="0")


def _json(name: str, empty: str = "[]") -> Column[str]:
    return Column(name, Text, nullable=False, default=empty, server_default=empty)


schema_info = Table(
    "schema_info",
    metadata,
    Column("version", Integer, nullable=False),
    # Where `deletions` is ahead, copies of deleted rows may stand in the gaps of the file.
    _count("deletions"),
    _count("erased"),
    # Since version 18: the oldest version whose program may work on the tables.
    _count("oldest_program"),
)

owners = Table(
    "owners",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    _text("name"),  # this and the next since version 5, of who signs in
    _text("email"),  # small letters; "" unless the provider says that it is theirs
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("owner_id", ForeignKey("owners.id", ondelete="CASCADE"), nullable=False, index=True),
    _text("name"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    _count("used"),  # rises with each use: newest use first
    _count("served"),  # rises with each claim: round-robin between sessions
    _json("preferences", "{}"),
    _count("cut"),  # this and the next since version 14: the number of the cut that is searched
    _count("wanted_cut"),  # and of the one that should be
)

cuts = Table(  # since version 14
    "cuts",
    metadata,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _json("cutting", "{}"),
    Column("ready", Boolean, nullable=False, default=False),
    Column("wanted", Boolean, nullable=False, default=True),
    _text("made_with"),  # this and the next two since version 16: the model of its vectors
    _text("made_digest"),
    _count("made_dimension"),  # 0: no vectors yet
)

session_members = Table(  # since version 5
    "session_members",
    metadata,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("email", String(320), primary_key=True),
    Column("role", Choice, nullable=False),
    Column("added_at", Moment, nullable=False),
    Column("accepted_by", String(36)),  # since version 8: the owner who did; NULL is an invitation
    Index("members_by_email", "email"),
)

signed_out = Table(  # since version 5: sign-ins that ended, though a cookie may still name them
    "signed_out",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("at", Moment, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("id", String(80), nullable=False),
    _text("name"),
    _text("label"),
    Column("kind", Choice),
    Column("state", Choice, nullable=False),
    _text("title"),
    _text("url"),
    _count("size"),
    _count("pages"),
    _count("pages_without_text"),
    _count("pages_ocr"),
    _count("chunks"),
    Column("language", String(20), nullable=False, default=""),
    Column("progress", Float, nullable=False, default=0.0),
    Column("seconds", Float, nullable=False, default=0.0),
    _text("reason"),
    _text("cure"),
    _json("notices"),
    Column("searched", Boolean, nullable=False, default=True),
    Column("added_at", Moment, nullable=False),
    Column("ready_at", Moment),
    Column("replaces", String(80)),
    _text("attribution"),  # this and the next since version 2
    Column("source", String(80), nullable=False, default="", server_default=""),
    _text("published"),  # since version 3: the date of a web page, YYYY-MM-DD
    Column("expires_at", Moment),  # since version 3: read for answers only; NULL: in the library
    _count("deaths"),  # since version 6: how often the process ended while it was in work
    _json("tags"),  # since version 9
    _count("claimant"),  # since version 15: the number of the process that has it in work
    UniqueConstraint("session_id", "id"),
    UniqueConstraint("session_id", "label"),
    Index("documents_by_name", "session_id", "name"),
    Index("documents_by_state", "state", "session_id", "key"),
    sqlite_autoincrement=True,
)

pages = Table(
    "pages",
    metadata,
    Column("document_key", ForeignKey("documents.key", ondelete="CASCADE"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer),
    Column("width", Float, nullable=False),
    Column("height", Float, nullable=False),
    Column("ocr", Boolean, nullable=False),
    _json("headings"),
    _json("blocks"),
    Column("text", ExactText, nullable=False),
    # Last, so that reading the text never walks over the boxes, which are larger.
    Column("boxes", LargeBinary, nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("document_key", ForeignKey("documents.key", ondelete="CASCADE"), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("page_ordinal", Integer, nullable=False),
    Column("page_number", Integer),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("kind", Choice, nullable=False),
    _json("headings"),
    Column("anchor", Words),
    sqlite_with_rowid=False,
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True),
    _text("title"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    _count("used"),
    # Since version 5: who asks in it.
    Column("owner_id", String(36), nullable=False, default="", server_default=""),
    # Since version 11.
    Column("pinned", Boolean, nullable=False, default=False, server_default=false()),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column(
        "conversation_id",
        ForeignKey("conversations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("role", Choice, nullable=False),
    _text("text"),
    Column("answer", Text),
    Column("created_at", Moment, nullable=False),
    _text("checks"),
    Column("asked", Text),  # since version 17: how, of a question that is being answered
    _count("deaths"),  # since version 17: how often that ended with its process
    sqlite_autoincrement=True,
)

shared_answers = Table(  # since version 13: answers that everybody in their session may read
    "shared_answers",
    metadata,
    Column("id", String(36), primary_key=True),
    Column(
        "message_id", ForeignKey("messages.id", ondelete="CASCADE"), nullable=False, unique=True
    ),
    _text("question"),
    Column("shared_at", Moment, nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("owner_id", ForeignKey("owners.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), index=True),
    _text("name"),
    Column("created_at", Moment, nullable=False),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Column("role", Choice),  # since version 5: NULL is all that its owner may
)

jobs = Table(
    "jobs",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
    _json("items"),
    sqlite_autoincrement=True,
)

collect_runs = Table(  # since version 2
    "collect_runs",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("source", String(80), nullable=False),
    Column("state", Choice, nullable=False),
    _json("request", "{}"),
    _json("progress", "{}"),
    _json("outcome", "{}"),
    Column("refresh", Boolean, nullable=False, default=False),
    _count("legs"),
    _text("reason"),
    _text("cure"),
    Column("created_at", Moment, nullable=False),
    Column("began_at", Moment),
    Column("ended_at", Moment),
    _count("deaths"),  # since version 6: how often the process ended in the middle of it
    _count("claimant"),  # since version 15, as of documents
    sqlite_autoincrement=True,
)

collect_schedules = Table(  # since version 12: of a source, whichever run of it is the newest
    "collect_schedules",
    metadata,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("source", String(80), primary_key=True),
    Column("refresh_every", Choice, nullable=False),
    Column("next_refresh_at", Moment, nullable=False),
)

watched_files = Table(  # since version 10
    "watched_files",
    metadata,
    Column("path", Words, primary_key=True),
    _text("folder"),
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("document_id", String(80), nullable=False),
    _count("size"),
    _count("modified"),
)
