"""Conversations in a session and their messages; each belongs to one person of the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update
from sqlalchemy.sql.selectable import Select

from core.errors import ConversationNotFound, Interrupted, NotFound, SessionNotFound
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.evaluation_tables import thumbs
from core.storage.sql.room import Room
from core.storage.sql.rows import (
    conversation_of,
    dump_answer,
    dump_asked,
    dump_checks,
    load_answer,
    message_of,
)
from core.storage.sql.schema import conversations, messages, sessions, shared_answers
from core.storage.sql.sessions import next_use
from core.types import Answer, Asked, Check, Conversation, Message


@dataclass(frozen=True, slots=True)
class LeftQuestion:
    """A question that an ended process left; `person` is the id of the owner who asked it."""

    session_id: str
    person: str
    conversation_id: str
    message: Message


@dataclass(frozen=True)
class Conversations(Room):
    """Each method is one transaction; raises `StorageError`.

    `person` is the id of the owner whose conversation it is; None is the owner of the session.
    """

    database: Database

    def create(self, session_id: str, title: str, person: str | None = None) -> Conversation:
        """Add a conversation. Raises `SessionNotFound`."""
        with self.database.writing() as connection:
            if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
                raise SessionNotFound("There is no such session any more.")
            conversation_id, now = str(uuid4()), datetime.now(UTC)
            connection.execute(
                insert(conversations).values(
                    id=conversation_id,
                    session_id=session_id,
                    title=title,
                    created_at=now,
                    updated_at=now,
                    used=next_use(conversations),
                    owner_id=owner_in(session_id, person),
                )
            )
            created = _one(connection, session_id, conversation_id, person)
            assert created is not None
            return created

    def get(
        self, session_id: str, conversation_id: str, person: str | None = None
    ) -> Conversation | None:
        """Return the person's conversation in the session, or None."""
        with self.database.reading() as connection:
            return _one(connection, session_id, conversation_id, person)

    def rename(self, session_id: str, conversation_id: str, title: str) -> None:
        """Set the title."""
        with self.database.writing() as connection:
            this = _is(session_id, conversation_id)
            connection.execute(update(conversations).where(this).values(title=title))

    def pin(self, session_id: str, conversation_id: str, pinned: bool) -> None:
        """Keep the conversation at the top of the list, or no more."""
        with self.database.writing() as connection:
            this = _is(session_id, conversation_id)
            connection.execute(update(conversations).where(this).values(pinned=pinned))

    def delete(self, session_id: str, conversation_id: str) -> None:
        """Delete the conversation with its messages."""
        with self.database.writing() as connection:
            this = _is(session_id, conversation_id)
            if connection.execute(delete(conversations).where(this)).rowcount:
                note_deletion(connection)
        self.database.erase_soon(ERASED_AT_ONCE)

    def add_message(
        self,
        session_id: str,
        conversation_id: str,
        role: Literal["user", "assistant"],
        text: str,
        answer: Answer | None = None,
        *,
        asked: Asked | None = None,
        to: Message | None = None,
    ) -> Message:
        """Add a message at the end of the conversation. Raises `ConversationNotFound`.

        With `asked` it is a question that may be taken over. An answer is the one `to` a question;
        raises `Interrupted` where another process has taken that over.
        """
        with self.database.writing() as connection:
            this, now = _is(session_id, conversation_id), datetime.now(UTC)
            moved = (
                update(conversations)
                .where(this)
                .values(updated_at=now, used=next_use(conversations))
            )
            if connection.execute(moved).rowcount == 0:
                raise ConversationNotFound("The conversation was deleted.")
            if to is not None:
                settled = update(messages).where(_as_it_was(to)).values(asked=None)
                if connection.execute(settled).rowcount == 0:
                    raise Interrupted(
                        "Another process answers this question by now.",
                        "Its answer will stand in the conversation.",
                    )
            row = insert(messages).values(
                conversation_id=conversation_id,
                role=role,
                text=text,
                answer=dump_answer(answer),
                created_at=now,
                asked=dump_asked(asked),
            )
            (message_id,) = connection.execute(row).inserted_primary_key or (None,)
            query = select(messages).where(messages.c.id == message_id)
            return message_of(connection.execute(query).mappings().one())

    def release(self, question: Message) -> None:
        """Note that the work on a question has ended without an answer."""
        with self.database.writing() as connection:
            connection.execute(update(messages).where(_as_it_was(question)).values(asked=None))

    def is_left(self, question: Message, patience: float) -> bool:
        """Return whether the process that was to answer a question has ended.

        `patience`: for how many seconds of looking that must have been so.
        """
        with self.database.reading() as connection:
            return self.database.is_left(connection, question.id, patience)

    def left(self, patience: float) -> Sequence[LeftQuestion]:
        """Return the questions among the latest messages whose processes have ended.

        `patience` as of `is_left`.
        """
        latest = select(func.max(messages.c.id) - _LOOKED_AT).scalar_subquery()
        query = (
            select(messages, conversations.c.session_id, conversations.c.owner_id)
            .join(conversations, conversations.c.id == messages.c.conversation_id)
            .where(messages.c.id > latest, messages.c.asked.is_not(None))
        )
        with self.database.reading() as connection:
            return [
                LeftQuestion(
                    row["session_id"], row["owner_id"], row["conversation_id"], message_of(row)
                )
                for row in connection.execute(query).mappings().all()
                if self.database.is_left(connection, row["id"], patience)
            ]

    def take_over(self, question: Message) -> Message | None:
        """Return a question that was left, to be answered here; None where it is not to be.

        Another one may have come first, or it is no longer the last message. One with which two
        processes ended waits for a person.
        """
        with self.database.writing() as connection:
            row = connection.execute(
                select(messages).where(_as_it_was(question), messages.c.asked.is_not(None))
            ).mappings().one_or_none()  # fmt: skip
            if row is None:
                return None
            theirs = messages.c.conversation_id == row["conversation_id"]
            last = connection.scalar(select(func.max(messages.c.id)).where(theirs)) == question.id
            taken = replace(message_of(row), deaths=question.deaths + 1)
            again = last and taken.deaths < _MOST_DEATHS
            values = {"deaths": taken.deaths} if again else {"asked": None}
            connection.execute(update(messages).where(_as_it_was(question)).values(values))
            return taken if again else None

    def messages(self, session_id: str, conversation_id: str) -> list[Message]:
        """Return the conversation's messages in order."""
        with self.database.reading() as connection:
            query = (
                select(messages, shared_answers.c.id.label("shared"))
                .join(conversations, conversations.c.id == messages.c.conversation_id)
                .outerjoin(shared_answers, shared_answers.c.message_id == messages.c.id)
                .where(_is(session_id, conversation_id))
                .order_by(messages.c.id)
            )
            return [message_of(row) for row in connection.execute(query).mappings()]

    def texts(self, session_id: str, person: str | None = None) -> dict[str, tuple[str, ...]]:
        """Return what was said in each of the person's conversations, oldest first."""
        theirs = conversations.c.owner_id == owner_in(session_id, person)
        query = (
            select(messages.c.conversation_id, messages.c.text)
            .join(conversations, conversations.c.id == messages.c.conversation_id)
            .where(conversations.c.session_id == session_id, theirs)
            .order_by(messages.c.id)
        )
        found: dict[str, list[str]] = {}
        with self.database.reading() as connection:
            for conversation_id, text in connection.execute(query):
                found.setdefault(conversation_id, []).append(text)
        return {conversation_id: tuple(texts) for conversation_id, texts in found.items()}

    def check(self, session_id: str, conversation_id: str, message_id: int, check: Check) -> None:
        """Keep a check of an answer; an earlier one of the same mark goes. Raises `NotFound`."""
        with self.database.writing() as connection:
            theirs = select(conversations.c.id).where(_is(session_id, conversation_id))
            this = and_(messages.c.id == message_id, messages.c.conversation_id.in_(theirs))
            row = connection.execute(select(messages).where(this)).mappings().one_or_none()
            if row is None or row["answer"] is None:
                raise NotFound("There is no such answer any more.")
            others = [other for other in message_of(row).checks if other.mark != check.mark]
            kept = [*others, check] if check.note or check.agrees is not None else others
            checks = tuple(sorted(kept, key=lambda one: one.mark))
            connection.execute(update(messages).where(this).values(checks=dump_checks(checks)))

    def delete_message(self, session_id: str, conversation_id: str, message_id: int) -> None:
        """Delete one message."""
        with self.database.writing() as connection:
            theirs = select(conversations.c.id).where(_is(session_id, conversation_id))
            this = and_(messages.c.id == message_id, messages.c.conversation_id.in_(theirs))
            if connection.execute(delete(messages).where(this)).rowcount:
                note_deletion(connection)
        self.database.erase_soon(ERASED_AT_ONCE)

    def erase_quotes(self, session_id: str, document_id: str) -> int:
        """Erase the answers that quote a document, or were given its text; returns how many.

        They are everybody's in the session. What a model wrote later in the same conversation goes
        as well, as it had read them; questions stay. One that is asked of the document by its id
        is not taken over any more.
        """
        with self.database.writing() as connection:
            theirs = conversations.c.session_id == session_id
            asked_of_it = and_(
                messages.c.asked.contains(document_id, autoescape=True),
                messages.c.conversation_id.in_(select(conversations.c.id).where(theirs)),
            )
            connection.execute(update(messages).where(asked_of_it).values(asked=None))
            names = messages.c.answer.contains(document_id, autoescape=True)
            query = (
                select(messages.c.conversation_id, func.min(messages.c.id))
                .join(conversations, conversations.c.id == messages.c.conversation_id)
                .where(theirs, names)
                .group_by(messages.c.conversation_id)
            )
            erased = 0
            for conversation_id, first in connection.execute(query).all():
                erased += _erase_from(connection, conversation_id, first, document_id)
            if erased:
                note_deletion(connection)
        self.database.erase_soon(ERASED_AT_ONCE)
        return erased

    def list(self, session_id: str, person: str | None = None) -> list[Conversation]:
        """Return the person's conversations in the session, the one used last first."""
        with self.database.reading() as connection:
            theirs = conversations.c.owner_id == owner_in(session_id, person)
            query = _with_counts().where(conversations.c.session_id == session_id, theirs)
            rows = connection.execute(query.order_by(conversations.c.used.desc())).mappings()
            return [conversation_of(row) for row in rows]


_MOST_DEATHS = 2
_LOOKED_AT = 1000  # messages: the primary key finds them, whatever the size of the table
ERASED = "This answer was erased with a document that it quoted."
"""What stands in its place."""


def _erase_from(connection: Connection, conversation_id: str, first: int, document_id: str) -> int:
    """Erase answers of a conversation from a message on that hold something of a document."""
    query = select(messages).where(
        messages.c.conversation_id == conversation_id,
        messages.c.id >= first,
        messages.c.answer.is_not(None),
    )
    erased, read = 0, False  # whether its text was read before
    for row in connection.execute(query.order_by(messages.c.id)).mappings().all():
        answer = load_answer(row["answer"])
        assert answer is not None
        unscoped = replace(answer, scope=answer.scope.without(document_id))
        written = row["answer"] if unscoped == answer else str(dump_answer(unscoped))
        quotes = document_id in written
        read = read or quotes
        if quotes or (read and answer.answerer != "extractive"):
            left, text = Answer(answer.question, ERASED, answerer=answer.answerer), ERASED
            connection.execute(
                update(messages).where(messages.c.id == row["id"]).values(checks="")
            )  # a note may quote it
            for about in (thumbs, shared_answers):
                connection.execute(delete(about).where(about.c.message_id == row["id"]))
            erased += 1
        else:  # what follows had its search planned with what was said before
            left = replace(unscoped, search=None, prompt="") if read else unscoped
            text = row["text"]
        values = {"text": text, "answer": dump_answer(left)}
        connection.execute(update(messages).where(messages.c.id == row["id"]).values(**values))
    return erased


def owner_in(session_id: str, person: str | None) -> Any:
    """Return the owner's id to compare with: the session's owner's where no person is named."""
    owner = select(sessions.c.owner_id).where(sessions.c.id == session_id)
    return person or owner.scalar_subquery()


def _is(session_id: str, conversation_id: str) -> ColumnElement[bool]:
    return and_(conversations.c.session_id == session_id, conversations.c.id == conversation_id)


def _as_it_was(question: Message) -> ColumnElement[bool]:
    """The row of a question that no other process has taken over since it was read."""
    return and_(messages.c.id == question.id, messages.c.deaths == question.deaths)


def _with_counts() -> Select[Any]:
    count = select(func.count()).where(messages.c.conversation_id == conversations.c.id)
    return select(conversations, count.scalar_subquery().label("messages"))


def _one(
    connection: Connection, session_id: str, conversation_id: str, person: str | None
) -> Conversation | None:
    theirs = conversations.c.owner_id == owner_in(session_id, person)
    query = _with_counts().where(_is(session_id, conversation_id), theirs)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else conversation_of(row)
