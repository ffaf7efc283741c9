"""Owners, their sessions, and the conversations in a session."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, and_, delete, func, insert, select, update
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.selectable import Select

from core.errors import ConversationNotFound, SessionNotFound
from core.storage.sql.database import note_deletion
from core.storage.sql.rows import conversation_of, dump_answer, message_of, session_of
from core.storage.sql.schema import conversations, messages, owners, sessions
from core.storage.sql.sharing import reached
from core.types import Answer, Conversation, Message, Session


def _now() -> datetime:
    return datetime.now(UTC)


def _next(table: Table) -> Any:
    """The next value of the counter `used`: later uses sort first, whatever the clock says."""
    return select(func.coalesce(func.max(table.c.used), 0) + 1).scalar_subquery()


# ------------------------------------------------------------------------ owners and sessions


def create_owner(connection: Connection, token_hash: str) -> str:
    """Return the id of the owner of this token, new or there already."""
    if (there := owner_of(connection, token_hash)) is not None:
        return there
    owner_id = str(uuid4())
    connection.execute(insert(owners).values(id=owner_id, token_hash=token_hash, created_at=_now()))
    return owner_id


def owner_of(connection: Connection, token_hash: str) -> str | None:
    """Return the id of the owner, or None."""
    return connection.scalar(select(owners.c.id).where(owners.c.token_hash == token_hash))


def create_session(connection: Connection, owner_id: str, name: str) -> Session:
    """Add a session and return it."""
    session_id, now = str(uuid4()), _now()
    connection.execute(
        insert(sessions).values(
            id=session_id,
            owner_id=owner_id,
            name=name,
            created_at=now,
            updated_at=now,
            used=_next(sessions),
        )
    )
    created = session(connection, owner_id, session_id)
    assert created is not None
    return created


def session(connection: Connection, owner_id: str, session_id: str) -> Session | None:
    """Return a session that the owner reaches, or None."""
    query = reached(owner_id).where(sessions.c.id == session_id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else session_of(row, owner_id)


def sessions_of(connection: Connection, owner_id: str) -> list[Session]:
    """Return the sessions that the owner reaches, the one used last first."""
    query = reached(owner_id).order_by(sessions.c.used.desc())
    return [session_of(row, owner_id) for row in connection.execute(query).mappings()]


def session_ids(connection: Connection) -> list[str]:
    """Return the ids of everybody's sessions."""
    return list(connection.scalars(select(sessions.c.id).order_by(sessions.c.id)))


def change_session(connection: Connection, /, session_id: str, **values: Any) -> None:
    """Set columns of a session; nothing happens if it is gone."""
    connection.execute(update(sessions).where(sessions.c.id == session_id).values(**values))


def touch_session(connection: Connection, session_id: str) -> None:
    """Note that the session is used now."""
    change_session(connection, session_id, updated_at=_now(), used=_next(sessions))


def delete_session(connection: Connection, session_id: str) -> None:
    """Delete the session's row; everything in it goes by foreign keys."""
    if connection.execute(delete(sessions).where(sessions.c.id == session_id)).rowcount:
        note_deletion(connection)


def preferences(connection: Connection, session_id: str) -> dict[str, Any]:
    """Return the session's own settings; {} where there are none."""
    query = select(sessions.c.preferences).where(sessions.c.id == session_id)
    found: dict[str, Any] = json.loads(connection.scalar(query) or "{}")
    return found


def collection(connection: Connection, session_id: str) -> tuple[str, str, int] | None:
    """Return model, digest and dimension of the session's vectors, or None before the first."""
    columns = sessions.c.collection_model, sessions.c.collection_digest
    query = select(*columns, sessions.c.collection_dimension).where(sessions.c.id == session_id)
    row = connection.execute(query).one_or_none()
    return None if row is None or not row[2] else (row[0], row[1], row[2])


# ------------------------------------------------------------------------------ conversations


def owner_in(session_id: str, person: str | None) -> Any:
    """Whose conversations are meant: the session's owner's where nobody is named."""
    owner = select(sessions.c.owner_id).where(sessions.c.id == session_id)
    return person or owner.scalar_subquery()


def _is(session_id: str, conversation_id: str) -> ColumnElement[bool]:
    return and_(conversations.c.session_id == session_id, conversations.c.id == conversation_id)


def _with_counts() -> Select[Any]:
    count = select(func.count()).where(messages.c.conversation_id == conversations.c.id)
    return select(conversations, count.scalar_subquery().label("messages"))


def create_conversation(
    connection: Connection, session_id: str, title: str, person: str | None
) -> Conversation:
    """Add a conversation. Raises `SessionNotFound`."""
    if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
        raise SessionNotFound("There is no such session any more.")
    conversation_id, now = str(uuid4()), _now()
    connection.execute(
        insert(conversations).values(
            id=conversation_id,
            session_id=session_id,
            title=title,
            created_at=now,
            updated_at=now,
            used=_next(conversations),
            owner_id=owner_in(session_id, person),
        )
    )
    created = conversation(connection, session_id, conversation_id, person)
    assert created is not None
    return created


def conversation(
    connection: Connection, session_id: str, conversation_id: str, person: str | None
) -> Conversation | None:
    """Return the person's conversation in the session, or None."""
    theirs = conversations.c.owner_id == owner_in(session_id, person)
    query = _with_counts().where(_is(session_id, conversation_id), theirs)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else conversation_of(row)


def conversations_of(
    connection: Connection, session_id: str, person: str | None
) -> list[Conversation]:
    """Return the person's conversations in the session, the one used last first."""
    theirs = conversations.c.owner_id == owner_in(session_id, person)
    query = _with_counts().where(conversations.c.session_id == session_id, theirs)
    rows = connection.execute(query.order_by(conversations.c.used.desc())).mappings()
    return [conversation_of(row) for row in rows]


def rename_conversation(
    connection: Connection, session_id: str, conversation_id: str, title: str
) -> None:
    """Set the title; nothing happens if it is gone."""
    this = _is(session_id, conversation_id)
    connection.execute(update(conversations).where(this).values(title=title))


def delete_conversation(connection: Connection, session_id: str, conversation_id: str) -> None:
    """Delete the conversation with its messages."""
    this = _is(session_id, conversation_id)
    if connection.execute(delete(conversations).where(this)).rowcount:
        note_deletion(connection)


def add_message(
    connection: Connection,
    session_id: str,
    conversation_id: str,
    role: str,
    text: str,
    answer: Answer | None,
) -> Message:
    """Add a message at the end. Raises `ConversationNotFound`."""
    this, now = _is(session_id, conversation_id), _now()
    moved = update(conversations).where(this).values(updated_at=now, used=_next(conversations))
    if connection.execute(moved).rowcount == 0:
        raise ConversationNotFound("The conversation was deleted.")
    row = insert(messages).values(
        conversation_id=conversation_id,
        role=role,
        text=text,
        answer=dump_answer(answer),
        created_at=now,
    )
    (message_id,) = connection.execute(row).inserted_primary_key or (None,)
    query = select(messages).where(messages.c.id == message_id)
    return message_of(connection.execute(query).mappings().one())


def messages_of(connection: Connection, session_id: str, conversation_id: str) -> list[Message]:
    """Return the messages of the session's conversation in order."""
    query = (
        select(messages)
        .join(conversations, conversations.c.id == messages.c.conversation_id)
        .where(_is(session_id, conversation_id))
        .order_by(messages.c.id)
    )
    return [message_of(row) for row in connection.execute(query).mappings()]


def delete_message(
    connection: Connection, session_id: str, conversation_id: str, message_id: int
) -> None:
    """Delete one message of the session's conversation."""
    theirs = select(conversations.c.id).where(_is(session_id, conversation_id))
    this = and_(messages.c.id == message_id, messages.c.conversation_id.in_(theirs))
    if connection.execute(delete(messages).where(this)).rowcount:
        note_deletion(connection)
