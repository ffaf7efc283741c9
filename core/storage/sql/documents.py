"""The rows of documents: added, claimed, moved from state to state, committed, removed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from core.errors import DocumentNotFound, SessionNotFound
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.ready import ReadyDocuments
from core.storage.sql.room import Room
from core.storage.sql.rows import document_of, dump_tags, load_tags
from core.storage.sql.schema import documents, sessions, watched_files
from core.types import CLOCK_SLACK, Document, DocumentKind, DocumentState

IN_WORK = (DocumentState.READING, DocumentState.INDEXING)
SMALL = 1_000_000
"""Bytes of a document that goes before larger ones of its session."""


@dataclass(frozen=True, slots=True)
class ClaimLimits:
    """What may be claimed beside what is in work.

    `full` are sessions that have enough in work, `full_of_long` those with enough long documents.
    `troubled`: whether the document was in work when a process ended; None takes both, such
    documents last.
    """

    full: Collection[str] = ()
    full_of_long: Collection[str] = ()
    only_small: bool = False
    troubled: bool | None = None


class Documents(Room):
    """The documents of all sessions. Each method is one transaction; raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._ready = ReadyDocuments(database, _read_ready)
        self._library = ReadyDocuments(database, _read_library)

    def add(
        self,
        session_id: str,
        document_id: str,
        name: str,
        *,
        size: int,
        url: str = "",
        kind: DocumentKind | None = None,
        replaces: str | None = None,
        source: str = "",
        tags: Sequence[str] = (),
    ) -> Document:
        """Add a waiting document, or return the one of this id that is there.

        `replaces` is the id of a document that goes when this one is ready. Raises
        `SessionNotFound`.
        """
        with self.database.writing() as connection:
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
                tags=dump_tags(tags),
                claimant=self.database.claimant,  # until another one claims it
            )
            return _required(connection, session_id, document_id)

    def get(self, session_id: str, document_id: str) -> Document | None:
        """Return the document, or None."""
        with self.database.reading() as connection:
            return one(connection, session_id, document_id)

    def library(self, session_id: str) -> list[Document]:
        """Return the documents that people see as theirs, in the order of adding."""
        return list(self._library.of(session_id, False).values())

    def named(self, session_id: str, name: str) -> list[Document]:
        """Return the session's documents of this name in the order of adding."""
        with self.database.reading() as connection:
            return listed(connection, session_id, documents.c.name == name, _in_library())

    def at_url(self, session_id: str, url: str) -> list[Document]:
        """Return the session's documents from this address in the order of adding."""
        with self.database.reading() as connection:
            return listed(connection, session_id, documents.c.url == url)

    def of_source(self, session_id: str, source: str) -> list[Document]:
        """Return the session's documents that came from this collecting, in order of adding."""
        with self.database.reading() as connection:
            return listed(connection, session_id, documents.c.source == source)

    def count(self, session_id: str) -> int:
        """Return how many documents the session's library has, whatever their state."""
        with self.database.reading() as connection:
            own = and_(documents.c.session_id == session_id, _in_library())
            query = select(func.count()).select_from(documents).where(own)
            return connection.scalar(query) or 0

    def languages(self, session_id: str) -> dict[str, int]:
        """Return how many documents of the library are ready in each language, "" for unclear."""
        with self.database.reading() as connection:
            mine = and_(documents.c.session_id == session_id, _in_library())
            query = (
                select(documents.c.language, func.count())
                .where(mine, documents.c.state == DocumentState.READY)
                .group_by(documents.c.language)
            )
            return {str(language or ""): count for language, count in connection.execute(query)}

    def ready(self, session_id: str, searched_only: bool = True) -> dict[str, Document]:
        """Return the documents that can be searched, by id."""
        return self._ready.of(session_id, searched_only)

    def set_state(
        self,
        session_id: str,
        document_id: str,
        state: DocumentState,
        *,
        progress: float | None = None,
        reason: str = "",
        cure: str = "",
        seconds: float | None = None,
    ) -> None:
        """Move the document to a state; nothing happens if it was removed meanwhile."""
        given = {"progress": progress, "seconds": seconds}
        values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        with self.database.writing() as connection:
            values |= {"state": state, "reason": reason, "cure": cure, "deaths": 0}
            change(connection, session_id, document_id, **values)

    def set_progress(self, session_id: str, document_id: str, progress: float) -> None:
        """Note how far the work is, 0 to 1; nothing happens where another process has it."""
        with self.database.writing() as connection:
            mine = documents.c.claimant == self.database.claimant
            this = update(documents).where(_is(session_id, document_id), mine)
            connection.execute(this.values(progress=progress))

    def is_in_work(self, session_id: str, document_id: str) -> bool:
        """Return whether this process has the document in work."""
        this = select(documents.c.state, documents.c.claimant)
        with self.database.reading() as connection:
            row = connection.execute(this.where(_is(session_id, document_id))).one_or_none()
        return row is not None and row.state in IN_WORK and row.claimant == self.database.claimant

    def set_searched(self, session_id: str, document_ids: Collection[str], searched: bool) -> int:
        """Take documents into the search or out of it; returns how many changed."""
        wanted = set(document_ids)
        with self.database.writing() as connection:
            query = select(documents.c.key, documents.c.id).where(
                documents.c.session_id == session_id, documents.c.searched.is_not(searched)
            )
            keys = [row.key for row in connection.execute(query) if row.id in wanted]
            _change_each(connection, "searched", {key: searched for key in keys})
            return len(keys)

    def set_tags(
        self,
        session_id: str,
        document_ids: Collection[str],
        add: Sequence[str] = (),
        remove: Collection[str] = (),
    ) -> int:
        """Give documents tags and take others from them; returns how many documents changed."""
        wanted = set(document_ids)
        with self.database.writing() as connection:
            query = select(documents.c.key, documents.c.id, documents.c.tags)
            changed = {}
            for row in connection.execute(query.where(documents.c.session_id == session_id)):
                if row.id in wanted:
                    old = load_tags(row.tags)
                    kept = [tag for tag in old if tag not in remove]
                    new = list(dict.fromkeys((*kept, *add)))
                    if new != list(old):
                        changed[row.key] = dump_tags(new)
            _change_each(connection, "tags", changed)
            return len(changed)

    def change_states(
        self,
        old: Collection[DocumentState],
        new: DocumentState,
        session_id: str | None = None,
        document_ids: Collection[str] | None = None,
    ) -> int:
        """Move all documents in one of the old states; returns how many moved.

        With `document_ids`, only those of the session.
        """
        with self.database.writing() as connection:
            where: list[ColumnElement[bool]] = [documents.c.state.in_(old)]
            if session_id is not None:
                where.append(documents.c.session_id == session_id)
            if document_ids is not None:
                where.append(documents.c.id.in_(list(document_ids)))
            values: dict[str, Any] = {"state": new}
            if new is DocumentState.WAITING:
                values |= {"progress": 0.0, "reason": "", "cure": ""}
            if DocumentState.FAILED in old:
                values["deaths"] = 0
            return connection.execute(update(documents).where(*where).values(**values)).rowcount

    def resume(self, patience: float = 0.0) -> None:
        """Put back what the end of a process interrupted (`Database.gone`).

        A document gets one more try, then it has failed: it may be what ended the process.
        With SQLite, call it before any is claimed.
        """
        in_work = documents.c.state.in_(IN_WORK)
        with self.database.writing() as connection:
            held = list(connection.scalars(select(documents.c.claimant).where(in_work).distinct()))
            if not held:
                return
            gone = self.database.gone(connection, held, patience)
            change = update(documents).where(in_work, documents.c.claimant.in_(gone))
            connection.execute(
                change.where(documents.c.deaths >= 1).values(
                    state=DocumentState.FAILED,
                    deaths=documents.c.deaths + 1,
                    progress=0.0,
                    reason="The program ended twice while it was working on this document.",
                    cure="It may need more memory than there is. Press Retry to try it once more.",
                )
            )
            connection.execute(
                change.values(
                    state=DocumentState.WAITING,
                    deaths=documents.c.deaths + 1,
                    progress=0.0,
                    claimant=0,
                )
            )

    def put_back(self, session_id: str, document_id: str) -> None:
        """Give up a document that is in work here, for the next to take; no fault of its."""
        mine = and_(documents.c.state.in_(IN_WORK), documents.c.claimant == self.database.claimant)
        with self.database.writing() as connection:
            connection.execute(
                update(documents)
                .where(_is(session_id, document_id), mine)
                .values(state=DocumentState.WAITING, progress=0.0, claimant=0)
            )

    def claim_next(self, limits: ClaimLimits = ClaimLimits()) -> Document | None:
        """Set the next waiting document to reading, in work in this process, and return it.

        Sessions take turns; of one session, small documents go first.
        """
        with self.database.writing() as connection:
            query = (
                select(documents.c.key, documents.c.session_id, documents.c.id)
                .join(sessions, sessions.c.id == documents.c.session_id)
                .where(documents.c.state == DocumentState.WAITING, *_within(limits))
                .order_by(
                    documents.c.deaths,
                    sessions.c.served,
                    documents.c.size > SMALL,
                    documents.c.key,
                )
                .limit(1)
                # For PostgreSQL; SQLite has one writer.
                .with_for_update(of=documents, skip_locked=True)
            )
            found = connection.execute(query).one_or_none()
            if found is None:
                return None
            this = documents.c.key == found.key
            turn = select(func.max(sessions.c.served) + 1).scalar_subquery()
            connection.execute(
                update(documents)
                .where(this)
                .values(state=DocumentState.READING, progress=0.0, claimant=self.database.claimant)
            )
            connection.execute(
                update(sessions).where(sessions.c.id == found.session_id).values(served=turn)
            )
            return _required(connection, found.session_id, found.id)

    def in_queue(self) -> tuple[int, int]:
        """Return how many documents of all sessions wait, and how many are being read."""
        unfinished = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
        query = (
            select(documents.c.state, func.count())
            .where(documents.c.state.in_(unfinished))
            .group_by(documents.c.state)
        )
        with self.database.reading() as connection:
            found = {state: count for state, count in connection.execute(query)}
        waiting = found.pop(DocumentState.WAITING, 0)
        return waiting, sum(found.values())

    def troubled_waits(self) -> bool:
        """Whether a document waits that was in work when a process ended."""
        waits = and_(documents.c.state == DocumentState.WAITING, documents.c.deaths > 0)
        with self.database.reading() as connection:
            return connection.scalar(select(documents.c.key).where(waits).limit(1)) is not None

    def mark_ready(
        self, session_id: str, document_id: str, *, seconds: float, replaces: str | None = None
    ) -> None:
        """Commit the document: from here on it is searched, and what it replaces is gone.

        `replaces` defaults to what was given to `add`. Raises `DocumentNotFound`, and
        `Interrupted` where another process has it in work by now.
        """
        with self.database.writing() as connection:
            # Its own row first, then those that go.
            claimant = connection.scalar(
                select(documents.c.claimant).where(_is(session_id, document_id)).with_for_update()
            )
            self.database.check_claim(claimant)
            tags = list(_required(connection, session_id, document_id).tags)
            gone = {document_id}
            label = None
            following = replaces or _replaces_of(connection, session_id, document_id)
            while following is not None and following not in gone:
                gone.add(following)
                query = select(documents.c.label, documents.c.replaces, documents.c.tags)
                row = connection.execute(query.where(_is(session_id, following))).one_or_none()
                if row is None:
                    break
                _remove(connection, session_id, following)
                label, following = row.label, row.replaces
                tags += load_tags(row.tags)
            values: dict[str, Any] = {} if label is None else {"label": label}
            values |= {"state": DocumentState.READY, "progress": 1.0, "seconds": seconds}
            values |= {"reason": "", "cure": "", "replaces": None, "ready_at": datetime.now(UTC)}
            values |= {"deaths": 0, "tags": dump_tags(dict.fromkeys(tags))}
            change(connection, session_id, document_id, **values)

    def replaces(self, session_id: str, document_id: str) -> str | None:
        """Return the id of the document that this one shall replace when it is ready."""
        with self.database.reading() as connection:
            return _replaces_of(connection, session_id, document_id)

    def replaced(self, session_id: str, document_id: str) -> list[str]:
        """Return the ids of all that goes when this one is ready: what it replaces, and so on."""
        found: list[str] = []
        with self.database.reading() as connection:
            following = _replaces_of(connection, session_id, document_id)
            while following is not None and following not in (document_id, *found):
                found.append(following)
                following = _replaces_of(connection, session_id, following)
        return found

    def remove(self, session_id: str, document_id: str) -> None:
        """Delete the document with its pages and chunks.

        What would have replaced it replaces what it would have replaced.
        """
        with self.database.writing() as connection:
            before = _replaces_of(connection, session_id, document_id)
            waiting = and_(
                documents.c.session_id == session_id, documents.c.replaces == document_id
            )
            connection.execute(update(documents).where(waiting).values(replaces=before))
            _remove(connection, session_id, document_id)
        self.database.erase_soon(ERASED_AT_ONCE)

    def list(self, session_id: str) -> list[Document]:
        """Return the session's documents, pages read for answers too, in the order of adding."""
        with self.database.reading() as connection:
            return listed(connection, session_id)


def _within(limits: ClaimLimits) -> Iterator[ColumnElement[bool]]:
    small = documents.c.size <= SMALL
    if limits.full:
        yield documents.c.session_id.not_in(limits.full)
    if limits.only_small:
        yield small
    elif limits.full_of_long:
        yield or_(small, documents.c.session_id.not_in(limits.full_of_long))
    if limits.troubled is not None:
        yield (documents.c.deaths > 0) == limits.troubled


def _in_library() -> ColumnElement[bool]:
    """The condition that a document is the person's own, not a page read for an answer."""
    return documents.c.expires_at.is_(None)


def _not_expired() -> ColumnElement[bool]:
    """The condition that a document is of the library or was read a short while ago."""
    now = datetime.now(UTC)
    fresh = and_(documents.c.expires_at > now, documents.c.added_at <= now + CLOCK_SLACK)
    return or_(_in_library(), fresh)


def _is(session_id: str, document_id: str) -> ColumnElement[bool]:
    return and_(documents.c.session_id == session_id, documents.c.id == document_id)


def put_in(
    connection: Connection, session_id: str, document_id: str, name: str, **values: Any
) -> None:
    """Insert a document under a label that is free. Raises `SessionNotFound`."""
    if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
        raise SessionNotFound("There is no such session any more.")
    label, now = _free_label(connection, session_id, name), datetime.now(UTC)
    row = {"session_id": session_id, "id": document_id, "name": name, "label": label}
    connection.execute(insert(documents).values(**row, added_at=now, **values))


def _free_label(connection: Connection, session_id: str, name: str) -> str:
    """Return `name`, or `name (2)` and so on: a label that the session does not have yet."""

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
    if row is None:
        return None
    return document_of(row, document_id in _watched(connection, session_id, document_id))


def _required(connection: Connection, session_id: str, document_id: str) -> Document:
    document = one(connection, session_id, document_id)
    if document is None:
        raise DocumentNotFound("The document was removed.")
    return document


def listed(connection: Connection, session_id: str, *where: ColumnElement[bool]) -> list[Document]:
    """Return the session's documents in the order of adding."""
    query = select(documents).where(documents.c.session_id == session_id, *where)
    watched = _watched(connection, session_id)
    rows = connection.execute(query.order_by(documents.c.key)).mappings()
    return [document_of(row, row["id"] in watched) for row in rows]


def _watched(connection: Connection, session_id: str, document_id: str = "") -> set[str]:
    """Return the ids of the documents that are files of the watched folder."""
    query = select(watched_files.c.document_id).where(watched_files.c.session_id == session_id)
    if document_id:
        query = query.where(watched_files.c.document_id == document_id)
    return set(connection.scalars(query))


def _read_ready(connection: Connection, session_id: str, searched_only: bool) -> list[Document]:
    """Return the documents that can be searched."""
    where = [documents.c.state == DocumentState.READY]
    if searched_only:
        where += [documents.c.searched.is_(True), _not_expired()]
    return listed(connection, session_id, *where)


def _read_library(connection: Connection, session_id: str, _: bool) -> list[Document]:
    """Return the documents that people see as theirs."""
    return listed(connection, session_id, _in_library())


def change(connection: Connection, /, session_id: str, document_id: str, **values: Any) -> None:
    """Set columns of one document; nothing happens if it was removed meanwhile."""
    connection.execute(update(documents).where(_is(session_id, document_id)).values(**values))


def _change_each(connection: Connection, column: str, values: Mapping[int, object]) -> None:
    """Set a column of the documents with these keys, each to its value."""
    if values:
        one_row = update(documents).where(documents.c.key == bindparam("its_key"))
        given = [{"its_key": key, "value": value} for key, value in values.items()]
        connection.execute(one_row.values({column: bindparam("value")}), given)


def _replaces_of(connection: Connection, session_id: str, document_id: str) -> str | None:
    """Return the id of the document that this one shall replace when it is ready."""
    query = select(documents.c.replaces).where(_is(session_id, document_id))
    return connection.execute(query).scalar_one_or_none()


def _remove(connection: Connection, session_id: str, document_id: str) -> None:
    """Delete the document with its pages and chunks."""
    if connection.execute(delete(documents).where(_is(session_id, document_id))).rowcount:
        note_deletion(connection)
