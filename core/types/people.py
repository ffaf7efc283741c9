"""People, their sessions, and the keys of programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do in a session, from least to most (`core/access/roles.py` says what)."""

    READER = "reader"
    EDITOR = "editor"
    ADMIN = "admin"

    def covers(self, least: Role) -> bool:
        """Whether this role may what `least` may."""
        order = list(Role)
        return order.index(self) >= order.index(least)


@dataclass(frozen=True, slots=True)
class Session:
    """A collection of documents and conversations, isolated by its UUIDv4.

    A `Session` proves that access was checked: only `service.sessions.get()` and
    `service.sessions.create()` return one. It is for `viewer_id` (the owner where none is given),
    who has `role` in it; `shared_by` is the owner's name where that is somebody else.
    """

    id: str
    owner_id: str
    name: str
    created_at: datetime
    updated_at: datetime
    viewer_id: str = ""
    role: Role = Role.ADMIN
    shared_by: str = ""

    def __post_init__(self) -> None:
        if not self.viewer_id:
            object.__setattr__(self, "viewer_id", self.owner_id)


@dataclass(frozen=True, slots=True)
class Person:
    """A person who signed in. `email` is "" unless the provider says that it is theirs."""

    id: str
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with whom a session is shared; `name` is "" until they have `accepted`."""

    email: str
    role: Role
    name: str = ""
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """A session that somebody would share: it opens once the invited person accepts."""

    session_id: str
    name: str
    role: Role
    shared_by: str


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key for programs, without its secret: only the SHA-256 of that is kept.

    It opens all sessions of its owner, or `session_id` alone, and may there what its owner may,
    but no more than `role`.
    """

    id: str
    owner_id: str
    name: str
    created_at: datetime
    session_id: str | None = None
    last_used_at: datetime | None = None
    role: Role = Role.ADMIN
