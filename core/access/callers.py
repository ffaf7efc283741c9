"""Authentication of HTTP requests: the caller behind a key, a cookie, or this machine.

A program sends a key (`Authorization: Bearer fn_...`), a browser its cookie. On a server that
listens on this machine alone, and only while neither `REQUIRE_API_KEY` nor `LOGIN` is set, a
request with neither comes from the one local owner. Independent of any framework: the REST API
and MCP share it. What a caller may do in a session is in `core/access/roles.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.cookies import CookieError, SimpleCookie
from typing import Protocol

from core.access.browsers import COOKIE
from core.access.keys import Keys
from core.access.origins import FORWARDED, is_foreign, is_private
from core.access.owners import Owners
from core.access.rate_limiter import RateLimiter
from core.access.roles import narrowed, need
from core.config import Settings
from core.errors import (
    ForeignSite,
    KeyRefused,
    KeyRequired,
    NotAllowed,
    SessionNotFound,
)
from core.types import Role, Session

_GUESSES_PER_MINUTE = 60


class SessionRoom(Protocol):
    """Where sessions are found."""

    def get(self, owner_id: str, session_id: str) -> Session: ...
    def list(self, owner_id: str) -> list[Session]: ...


class Rooms(Protocol):
    """The rooms of the service that say who asks and what they reach."""

    settings: Settings
    keys: Keys
    owners: Owners

    @property
    def sessions(self) -> SessionRoom: ...


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request: `only_session` where the key opens one session and no other, `role`
    the most that it may in any.
    """

    owner_id: str
    only_session: str | None = None
    role: Role = Role.ADMIN
    guesses: RateLimiter | None = field(default=None, compare=False, repr=False)

    def guessed(self) -> None:
        """Count an id that leads nowhere. Raises `TooManyRequests` after too many of them."""
        if self.guesses is not None:
            self.guesses.take(self.owner_id, _GUESSES_PER_MINUTE)

    def check_whole(self) -> None:
        """Raise `NotAllowed` for a key that opens one session: for what is not inside of one."""
        if self.only_session is not None:
            raise NotAllowed("This key opens one session and nothing beyond it.")

    def check_making(self) -> None:
        """Raise `NotAllowed` for a key that may make no sessions: it would not be admin there."""
        self.check_whole()
        need(self.role, Role.ADMIN)


class Authenticator:
    """Authenticates requests, and limits how often each caller and each address may ask."""

    def __init__(self, service: Callable[[], Rooms]) -> None:
        self._service = service
        self._asked = RateLimiter()
        self._refused = RateLimiter()
        self._guesses = RateLimiter()

    def admit(self, headers: Mapping[str, str], address: str = "") -> Caller:
        """Return the caller. `headers` are found by lower-case names, `address` is the network's.

        Raises `KeyRequired`, `KeyRefused` and `TooManyRequests`.
        """
        service = self._service()
        limit = service.settings.api_requests_per_minute
        try:
            caller = identify(service, headers)
        except (KeyRefused, KeyRequired):
            if limit:
                self._refused.take(address, _GUESSES_PER_MINUTE)
            raise
        if not limit:
            return caller
        self._asked.take(caller.owner_id, limit)
        return replace(caller, guesses=self._guesses)


def identify(service: Rooms, headers: Mapping[str, str]) -> Caller:
    """Who sent these headers. Raises `KeyRequired` and `KeyRefused`."""
    if (authorization := headers.get("authorization")) is not None:
        scheme, _, token = authorization.partition(" ")
        found = service.keys.owner_of(token.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            raise KeyRefused("The key is unknown or was revoked.")
        return Caller(*found)
    if keys_required(service.settings) or any(name in headers for name in FORWARDED):
        raise KeyRequired("This needs a key.")
    browser = _cookie(headers.get("cookie", ""))
    owner_id = service.owners.known(browser) if browser else None
    return Caller(owner_id or service.owners.local())


def keys_required(settings: Settings) -> bool:
    """Whether nobody is let in without a key: by a setting, and wherever others can connect."""
    chosen = settings.require_api_key or settings.login != "off"
    return chosen or not is_private(settings)


def may_maintain(settings: Settings, owner_id: str) -> bool:
    """Whether somebody may work on the stores from the page: where only this machine can connect.

    Elsewhere, and where people sign in, the command in a shell does that.
    """
    return bool(owner_id) and settings.login == "off" and is_private(settings)


def check_site(method: str, headers: Mapping[str, str], scheme: str = "http") -> None:
    """Raise `ForeignSite` for what a page of another site makes a browser send.

    Such a page can send a cookie, or nothing where that is enough, but never a key: that needs
    our consent (CORS), which is not given. Following a link is no more than looking.
    """
    if "authorization" in headers:
        return
    if is_foreign(method, headers, scheme):
        raise ForeignSite("A page of another web site cannot use this API.")


def session_for(service: Rooms, caller: Caller, session_id: str | None) -> Session:
    """The session that is asked for; where none is named, that of the key.

    Raises `SessionNotFound`, the same for what is not theirs as for what does not exist, and
    `TooManyRequests` for a caller that tries one id after another.
    """
    wanted = session_id or caller.only_session
    if wanted is None:
        raise SessionNotFound("No session is named.", "Send its id as session_id.")
    try:
        session = service.sessions.get(caller.owner_id, wanted)
        if caller.only_session not in (None, session.id):
            raise SessionNotFound("There is no such session.")
    except SessionNotFound:
        caller.guessed()
        raise
    return narrowed(session, caller.role)


def sessions_for(service: Rooms, caller: Caller) -> list[Session]:
    """The sessions that the caller reaches, the one used last first."""
    found = service.sessions.list(caller.owner_id)
    return [narrowed(s, caller.role) for s in found if caller.only_session in (None, s.id)]


def _cookie(header: str) -> str | None:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None
