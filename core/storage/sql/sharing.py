"""Who signed in, with whom a session is shared, and so: which sessions somebody reaches.

Sessions are shared with an e-mail address. It leads to the one owner who signed in with it last
and of whom the provider says that it is theirs; nobody else has it in `owners.email`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Connection,
    ScalarSelect,
    and_,
    delete,
    func,
    insert,
    select,
    union,
    update,
)
from sqlalchemy.sql.selectable import Select

from core.errors import NotAllowed, SessionNotFound
from core.storage.sql.database import Database, note_deletion
from core.storage.sql.schema import (
    conversations,
    documents,
    owners,
    session_members,
    sessions,
    signed_out,
)
from core.types import Member, Person, Role

MOST_MEMBERS = 1_000
"""People with whom one session is shared."""
_REMEMBERED = timedelta(days=60)
"""How long an ended sign-in is refused: longer than any cookie for it lasts (30 days)."""
_ERASED_AT_ONCE = 32 << 20


# ----------------------------------------------------------------- within one transaction


def _email_of(owner_id: str) -> ScalarSelect[Any]:
    email = func.nullif(owners.c.email, "")
    return select(email).where(owners.c.id == owner_id).scalar_subquery()


def reachable(owner_id: str) -> CompoundSelect[Any]:
    """The ids of the sessions that are the owner's or shared with them, to select from."""
    theirs = select(sessions.c.id).where(sessions.c.owner_id == owner_id)
    shared = session_members.c.email == _email_of(owner_id)
    return union(theirs, select(session_members.c.session_id).where(shared))


def reached(owner_id: str) -> Select[Any]:
    """Those sessions with the owner's role in them and whose they are, for `session_of`."""
    mine = and_(
        session_members.c.session_id == sessions.c.id,
        session_members.c.email == _email_of(owner_id),
    )
    whose = owners.alias("whose")
    columns = (
        sessions,
        session_members.c.role,
        whose.c.name.label("owner_name"),
        whose.c.email.label("owner_email"),
    )
    joined = sessions.join(whose, whose.c.id == sessions.c.owner_id)
    joined = joined.outerjoin(session_members, mine)
    return select(*columns).select_from(joined).where(sessions.c.id.in_(reachable(owner_id)))


def role_in(connection: Connection, owner_id: str, session_id: str) -> Role | None:
    """Return what the owner may in a session, None where they do not reach it."""
    owner = connection.scalar(select(sessions.c.owner_id).where(sessions.c.id == session_id))
    if owner == owner_id:
        return Role.ADMIN
    given = select(session_members.c.role).where(_this(session_id, _email_of(owner_id)))
    role = connection.scalar(given)
    return None if role is None else Role(role)


def _sign_in(connection: Connection, owner_id: str, name: str, email: str) -> None:
    if email:  # an address can be given to somebody else: whoever signed in last has it
        others = (owners.c.email == email) & (owners.c.id != owner_id)
        connection.execute(update(owners).where(others).values(email=""))
    this = owners.c.id == owner_id
    connection.execute(update(owners).where(this).values(name=name, email=email))


def _person(connection: Connection, owner_id: str) -> Person | None:
    row = connection.execute(select(owners).where(owners.c.id == owner_id)).one_or_none()
    return None if row is None else Person(row.id, row.name, row.email)


def _end(connection: Connection, sign_in_hash: str) -> None:
    now = datetime.now(UTC)
    connection.execute(delete(signed_out).where(signed_out.c.at < now - _REMEMBERED))
    if not _ended(connection, sign_in_hash):
        connection.execute(insert(signed_out).values(hash=sign_in_hash, at=now))


def _ended(connection: Connection, sign_in_hash: str) -> bool:
    query = select(signed_out.c.hash).where(signed_out.c.hash == sign_in_hash)
    return connection.scalar(query) is not None


def _members(connection: Connection, session_id: str) -> list[Member]:
    known = and_(owners.c.email == session_members.c.email)
    query = (
        select(session_members, owners.c.name)
        .select_from(session_members.outerjoin(owners, known))
        .where(session_members.c.session_id == session_id)
        .order_by(session_members.c.email)
    )
    return [Member(r.email, Role(r.role), r.name or "") for r in connection.execute(query)]


def _this(session_id: str, email: str | ScalarSelect[Any]) -> Any:
    return (session_members.c.session_id == session_id) & (session_members.c.email == email)


def _set_member(connection: Connection, session_id: str, email: str, role: Role) -> None:
    changed = update(session_members).where(_this(session_id, email)).values(role=role)
    if connection.execute(changed).rowcount:
        return
    if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
        raise SessionNotFound("There is no such session any more.")
    count = select(func.count()).where(session_members.c.session_id == session_id)
    if (connection.scalar(count) or 0) >= MOST_MEMBERS:
        raise NotAllowed(f"A session has {MOST_MEMBERS} members at most.", "Remove some first.")
    row = {"session_id": session_id, "email": email, "role": role, "added_at": datetime.now(UTC)}
    connection.execute(insert(session_members).values(**row))


def _remove_member(connection: Connection, session_id: str, email: str) -> bool:
    gone = delete(session_members).where(_this(session_id, email))
    found = bool(connection.execute(gone).rowcount)
    if found:
        note_deletion(connection)
    return found


def _with_documents(owner_id: str) -> Select[Any]:
    filled = select(documents.c.session_id).distinct()
    return select(sessions.c.id).where(sessions.c.owner_id == owner_id, sessions.c.id.in_(filled))


def _take_over(connection: Connection, owner_id: str, from_owner: str) -> int:
    moving = list(connection.scalars(_with_documents(from_owner)))
    asked = conversations.c.session_id.in_(moving) & (conversations.c.owner_id == from_owner)
    connection.execute(update(conversations).where(asked).values(owner_id=owner_id))
    these = update(sessions).where(sessions.c.id.in_(moving)).values(owner_id=owner_id)
    connection.execute(these)
    return len(moving)


def _count_filled(connection: Connection, owner_id: str) -> int:
    return len(list(connection.scalars(_with_documents(owner_id))))


# -------------------------------------------------------------------------------- the door


class SharingRecords:
    """A method is one transaction; raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read, self._write = database.read, database.write

    def sign_in(self, owner_id: str, name: str, email: str) -> None:
        """Note under which name and address (small letters, "" for none) an owner signs in."""
        found = self._read(_person, owner_id)
        if found is not None and (found.name, found.email) != (name, email):
            self._write(_sign_in, owner_id, name, email)

    def person(self, owner_id: str) -> Person | None:
        """Return who an owner is; name and address are "" for who never signed in."""
        return self._read(_person, owner_id)

    def filled_sessions(self, owner_id: str) -> int:
        """Return how many sessions with documents are an owner's own."""
        return self._read(_count_filled, owner_id)

    def take_over(self, owner_id: str, from_owner: str) -> int:
        """Give those sessions of `from_owner` with what was asked in them to an owner."""
        return self._write(_take_over, owner_id, from_owner)

    def end_sign_in(self, sign_in_hash: str) -> None:
        """Remember that a sign-in was ended."""
        self._write(_end, sign_in_hash)

    def sign_in_ended(self, sign_in_hash: str) -> bool:
        """Return whether a sign-in was ended."""
        return self._read(_ended, sign_in_hash)

    def role(self, owner_id: str, session_id: str) -> Role | None:
        """Return what an owner may in a session now, None where they do not reach it."""
        return self._read(role_in, owner_id, session_id)

    def members(self, session_id: str) -> list[Member]:
        """Return with whom a session is shared, by address."""
        return self._read(_members, session_id)

    def set_member(self, session_id: str, email: str, role: Role) -> None:
        """Share a session, or change a role. Raises `SessionNotFound`, `NotAllowed`."""
        self._write(_set_member, session_id, email, role)

    def remove_member(self, session_id: str, email: str) -> bool:
        """Share a session no longer; returns whether it was shared with this address."""
        removed = self._write(_remove_member, session_id, email)
        self._database.erase(_ERASED_AT_ONCE)
        return removed
