"""The rows of documents: added, claimed, moved from state to state, committed, removed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from core.errors import DocumentNotFound, SessionNotFound
from core.storage.sql.database import note_deletion
from core.storage.sql.rows import document_of
from core.storage.sql.schema import documents, sessions
from core.types import Document, DocumentKind, DocumentState


def in_library() -> ColumnElement[bool]:
    """The condition that a document is the person's own, not a page read for an answer."""
    return documents.c.expires_at.is_(None)


def not_expired() -> ColumnElement[bool]:
    """The condition that a document is of the library or was read a short while ago."""
    return or_(in_library(), documents.c.expires_at > datetime.now(UTC))


def _is(session_id: str, document_id: str) -> ColumnElement[bool]:
    return and_(documents.c.session_id == session_id, documents.c.id == document_id)


def add(
    connection: Connection,
    session_id: str,
    document_id: str,
    name: str,
    *,
    size: int,
    url: str,
    kind: DocumentKind | None,
    replaces: str | None,
    source: str = "",
) -> Document:
    """Add a waiting document, or return the one with this id that is already there."""
    if (there := one(connection, session_id, document_id)) is not None:
        return there
    put_in(
        connection,
        session_id,
        document_id,
        name,
        kind=kind,
        state=DocumentState.WAITING,
        size=size,
        url=url,
        replaces=replaces,
        source=source,
    )
    return _required(connection, session_id, document_id)


def put_in(
    connection: Connection, session_id: str, document_id: str, name: str, **values: Any
) -> None:
    """Insert a document under a label that is free. Raises `SessionNotFound`."""
    if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
        raise SessionNotFound("There is no such session any more.")
    label, now = free_label(connection, session_id, name), datetime.now(UTC)
    row = {"session_id": session_id, "id": document_id, "name": name, "label": label}
    connection.execute(insert(documents).values(**row, added_at=now, **values))


def free_label(connection: Connection, session_id: str, name: str) -> str:
    """Return `name`, or `name (2)` and so on: told apart from every label of the session."""

    def taken(label: str) -> bool:
        same = and_(documents.c.session_id == session_id, documents.c.label == label)
        return connection.scalar(select(documents.c.key).where(same)) is not None

    if not taken(name):
        return name
    same_name = and_(documents.c.session_id == session_id, documents.c.name == name)
    number = connection.execute(select(func.count()).where(same_name)).scalar_one() + 1
    while taken(label := f"{name} ({max(number, 2)})"):
        number += 1
    return label


def one(connection: Connection, session_id: str, document_id: str) -> Document | None:
    """Return the document, or None."""
    found = select(documents).where(_is(session_id, document_id))
    row = connection.execute(found).mappings().one_or_none()
    return None if row is None else document_of(row)


def _required(connection: Connection, session_id: str, document_id: str) -> Document:
    document = one(connection, session_id, document_id)
    if document is None:
        raise DocumentNotFound("The document was removed.")
    return document


def listed(connection: Connection, session_id: str, *where: ColumnElement[bool]) -> list[Document]:
    """Return the session's documents in the order of adding."""
    query = select(documents).where(documents.c.session_id == session_id, *where)
    rows = connection.execute(query.order_by(documents.c.key)).mappings()
    return [document_of(row) for row in rows]


def of_library(connection: Connection, session_id: str) -> list[Document]:
    """Return the documents that people see as theirs."""
    return listed(connection, session_id, in_library())


def named(connection: Connection, session_id: str, name: str) -> list[Document]:
    """Return the documents of this name in the session's library."""
    return listed(connection, session_id, documents.c.name == name, in_library())


def at_url(connection: Connection, session_id: str, url: str) -> list[Document]:
    """Return the session's documents from this address."""
    return listed(connection, session_id, documents.c.url == url)


def of_source(connection: Connection, session_id: str, source: str) -> list[Document]:
    """Return the session's documents that came from this collecting."""
    return listed(connection, session_id, documents.c.source == source)


def count(connection: Connection, session_id: str) -> int:
    """Return how many documents the session's library has, whatever their state."""
    own = and_(documents.c.session_id == session_id, in_library())
    query = select(func.count()).select_from(documents).where(own)
    return connection.scalar(query) or 0


def ready(connection: Connection, session_id: str, searched_only: bool) -> list[Document]:
    """Return the documents that can be searched."""
    where = [documents.c.state == DocumentState.READY]
    if searched_only:
        where += [documents.c.searched.is_(True), not_expired()]
    return listed(connection, session_id, *where)


def counts(connection: Connection, session_id: str) -> tuple[int, int]:
    """Return how many documents are searched and how many chunks they have."""
    query = select(func.count(), func.coalesce(func.sum(documents.c.chunks), 0)).where(
        documents.c.session_id == session_id,
        documents.c.state == DocumentState.READY,
        documents.c.searched.is_(True),
        not_expired(),
    )
    found, passages = connection.execute(query).one()
    return int(found), int(passages)


def change(connection: Connection, /, session_id: str, document_id: str, **values: Any) -> None:
    """Set columns of one document; nothing happens if it was removed meanwhile."""
    connection.execute(update(documents).where(_is(session_id, document_id)).values(**values))


def change_states(
    connection: Connection,
    old: Iterable[DocumentState],
    new: DocumentState,
    session_id: str | None,
    document_ids: Iterable[str] | None = None,
) -> int:
    """Move documents from any of the old states to the new one; returns how many moved."""
    where: list[ColumnElement[bool]] = [documents.c.state.in_(list(old))]
    if session_id is not None:
        where.append(documents.c.session_id == session_id)
    if document_ids is not None:
        where.append(documents.c.id.in_(list(document_ids)))
    values: dict[str, Any] = {"state": new}
    if new is DocumentState.WAITING:
        values |= {"progress": 0.0, "reason": "", "cure": ""}
    return connection.execute(update(documents).where(*where).values(**values)).rowcount


def claim_next(connection: Connection) -> Document | None:
    """Set the next waiting document to reading and return it.

    The session that was served longest ago comes first, and of its documents the oldest, so
    that one person's five hundred files do not keep another's single file waiting.
    """
    query = (
        select(documents.c.key, documents.c.session_id)
        .join(sessions, sessions.c.id == documents.c.session_id)
        .where(documents.c.state == DocumentState.WAITING)
        .order_by(sessions.c.served, documents.c.key)
        .limit(1)
        .with_for_update(of=documents, skip_locked=True)  # PostgreSQL; SQLite has one writer
    )
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    this = documents.c.key == found.key
    turn = select(func.max(sessions.c.served) + 1).scalar_subquery()
    connection.execute(
        update(documents).where(this).values(state=DocumentState.READING, progress=0.0)
    )
    connection.execute(
        update(sessions).where(sessions.c.id == found.session_id).values(served=turn)
    )
    return document_of(connection.execute(select(documents).where(this)).mappings().one())


def mark_ready(
    connection: Connection,
    session_id: str,
    document_id: str,
    *,
    seconds: float,
    replaces: str | None,
) -> None:
    """Make the document searchable; what it replaces goes in the same transaction.

    A replacement takes over the label, so that citations go on naming the file as before.
    Where the replaced document was itself still waiting to replace another, that one goes too.
    """
    _required(connection, session_id, document_id)
    gone = {document_id}
    label = None
    following = replaces or replaces_of(connection, session_id, document_id)
    while following is not None and following not in gone:
        gone.add(following)
        query = select(documents.c.label, documents.c.replaces)
        row = connection.execute(query.where(_is(session_id, following))).one_or_none()
        if row is None:
            break
        remove(connection, session_id, following)
        label, following = row.label, row.replaces
    values: dict[str, Any] = {} if label is None else {"label": label}
    values |= {"state": DocumentState.READY, "progress": 1.0, "seconds": seconds, "replaces": None}
    values |= {"reason": "", "cure": "", "ready_at": datetime.now(UTC)}
    change(connection, session_id, document_id, **values)


def replaces_of(connection: Connection, session_id: str, document_id: str) -> str | None:
    """Return the id of the document that this one shall replace when it is ready."""
    query = select(documents.c.replaces).where(_is(session_id, document_id))
    return connection.execute(query).scalar_one_or_none()


def remove(connection: Connection, session_id: str, document_id: str) -> None:
    """Delete the document with its pages and chunks."""
    if connection.execute(delete(documents).where(_is(session_id, document_id))).rowcount:
        note_deletion(connection)
