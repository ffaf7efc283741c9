"""With whom a session is shared, and so: which sessions an owner reaches, in which role.

Sessions are shared with an e-mail address. It leads to the one owner who signed in with it last
and of whom the provider says that it is theirs; nobody else has it in `owners.email`. Until that
owner accepts, a row is an invitation: it opens nothing, and tells nobody whether anyone has the
address.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Connection,
    ScalarSelect,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.sql.selectable import Select

from core.errors import NotAllowed, SessionNotFound
from core.storage.sql.database import ERASED_AT_ONCE, Database, note_deletion
from core.storage.sql.room import Room
from core.storage.sql.schema import owners, session_members, sessions
from core.types import Invitation, Member, Role

MOST_MEMBERS = 1_000
"""People with whom one session is shared."""


@dataclass(frozen=True)
class Sharing(Room):
    """The members of sessions. Each method is one transaction; raises `StorageError`."""

    database: Database

    def role(self, owner_id: str, session_id: str) -> Role | None:
        """Return what an owner may in a session now, None where they do not reach it."""
        with self.database.reading() as connection:
            return role_in(connection, owner_id, session_id)

    def members(self, session_id: str) -> list[Member]:
        """Return with whom a session is shared, by address."""
        with self.database.reading() as connection:
            known = _accepted()
            query = (
                select(session_members, owners.c.name)
                .select_from(session_members.outerjoin(owners, known))
                .where(session_members.c.session_id == session_id)
                .order_by(session_members.c.email)
            )
            return [
                Member(r.email, Role(r.role), r.name or "", accepted=r.name is not None)
                for r in connection.execute(query)
            ]

    def invitations(self, owner_id: str) -> list[Invitation]:
        """Return the sessions that an owner is invited to, the oldest invitation first."""
        with self.database.reading() as connection:
            whose = owners.alias("whose")
            query = (
                select(session_members, sessions.c.name, whose.c.name.label("by"), whose.c.email)
                .join(sessions, sessions.c.id == session_members.c.session_id)
                .join(whose, whose.c.id == sessions.c.owner_id)
                .where(_invites(owner_id), sessions.c.owner_id != owner_id)
                .order_by(session_members.c.added_at, session_members.c.session_id)
            )
            return [
                Invitation(r.session_id, r.name, Role(r.role), r.by or r[-1])
                for r in connection.execute(query)
            ]

    def accept(self, owner_id: str, session_id: str) -> bool:
        """Take an invitation of this owner; returns whether there was one."""
        with self.database.writing() as connection:
            this = and_(session_members.c.session_id == session_id, _invites(owner_id))
            taken = update(session_members).where(this).values(accepted_by=owner_id)
            return bool(connection.execute(taken).rowcount)

    def decline(self, owner_id: str, session_id: str) -> bool:
        """Remove an invitation of this owner; returns whether there was one."""
        with self.database.writing() as connection:
            this = and_(session_members.c.session_id == session_id, _invites(owner_id))
            found = bool(connection.execute(delete(session_members).where(this)).rowcount)
            if found:
                note_deletion(connection)
        self.database.erase_soon(ERASED_AT_ONCE)
        return found

    def set_member(self, session_id: str, email: str, role: Role) -> None:
        """Invite somebody, or change a role. Raises `SessionNotFound`, `NotAllowed`."""
        with self.database.writing() as connection:
            changed = update(session_members).where(_this(session_id, email)).values(role=role)
            if connection.execute(changed).rowcount:
                return
            if connection.scalar(select(sessions.c.id).where(sessions.c.id == session_id)) is None:
                raise SessionNotFound("There is no such session any more.")
            count = select(func.count()).where(session_members.c.session_id == session_id)
            if (connection.scalar(count) or 0) >= MOST_MEMBERS:
                raise NotAllowed(
                    f"A session has {MOST_MEMBERS} members at most.", "Remove some first."
                )
            row = {
                "session_id": session_id,
                "email": email,
                "role": role,
                "added_at": datetime.now(UTC),
            }
            connection.execute(insert(session_members).values(**row))

    def remove_member(self, session_id: str, email: str) -> bool:
        """Share a session no longer; returns whether it was shared with this address."""
        with self.database.writing() as connection:
            gone = delete(session_members).where(_this(session_id, email))
            found = bool(connection.execute(gone).rowcount)
            if found:
                note_deletion(connection)
        self.database.erase_soon(ERASED_AT_ONCE)
        return found


def _email_of(owner_id: str) -> ScalarSelect[Any]:
    email = func.nullif(owners.c.email, "")
    return select(email).where(owners.c.id == owner_id).scalar_subquery()


def _accepted() -> Any:
    """The condition that the owner who has the address has accepted."""
    same = owners.c.email == session_members.c.email
    return and_(same, owners.c.id == session_members.c.accepted_by)


def _member(owner_id: str) -> Any:
    """The condition that a row is this owner's, who has accepted."""
    accepted = session_members.c.accepted_by == owner_id
    return and_(session_members.c.email == _email_of(owner_id), accepted)


def _invites(owner_id: str) -> Any:
    """The condition that a row invites this owner: another one had the address, or nobody."""
    given = session_members.c.accepted_by
    theirs = session_members.c.email == _email_of(owner_id)
    return and_(theirs, or_(given.is_(None), given != owner_id))


def reachable(owner_id: str) -> CompoundSelect[Any]:
    """The ids of the sessions that are the owner's or shared with them, to select from."""
    theirs = select(sessions.c.id).where(sessions.c.owner_id == owner_id)
    shared = select(session_members.c.session_id).where(_member(owner_id))
    return union(theirs, shared)


def reached(owner_id: str) -> Select[Any]:
    """Those sessions with the owner's role in them and whose they are, for `session_of`."""
    mine = and_(session_members.c.session_id == sessions.c.id, _member(owner_id))
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
    given = select(session_members.c.role).where(
        session_members.c.session_id == session_id, _member(owner_id)
    )
    role = connection.scalar(given)
    return None if role is None else Role(role)


def _this(session_id: str, email: str) -> Any:
    return (session_members.c.session_id == session_id) & (session_members.c.email == email)
