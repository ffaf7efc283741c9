"""Who asks, and whether they may: for programs that come over HTTP.

A program shows a key (`Authorization: Bearer fn_...`), a browser its cookie. On a server that
listens on this machine alone, and only while neither `REQUIRE_API_KEY` nor `LOGIN` is set, whoever
shows nothing is the one local owner. Knows no framework: the REST API and MCP share it. What
somebody may do in a session is in `core/access/roles.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.cookies import CookieError, SimpleCookie
from typing import Protocol
from urllib.parse import urlsplit

from core.access.browsers import COOKIE, is_loopback
from core.access.roles import narrowed, need
from core.config import Settings
from core.errors import (
    ForeignSite,
    KeyRefused,
    KeyRequired,
    NotAllowed,
    SessionNotFound,
    TooManyRequests,
)
from core.types import Role, Session

_GUESSES_PER_MINUTE = 60
_REMEMBERED = 10_000
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class Owners(Protocol):
    """What is needed of the service."""

    settings: Settings

    def owner_of_api_key(self, token: str) -> tuple[str, str | None, Role] | None: ...
    def known_owner(self, token: str) -> str | None: ...
    def local_owner(self) -> str: ...
    def session(self, owner_id: str, session_id: str) -> Session: ...
    def sessions(self, owner_id: str) -> list[Session]: ...


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request: `only_session` where the key opens one session and no other, `role`
    the most that it may in any.
    """

    owner_id: str
    only_session: str | None = None
    role: Role = Role.ADMIN
    guesses: Buckets | None = field(default=None, compare=False, repr=False)

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


class Door:
    """Lets requests in, one after another: who it is, from where, and not too often."""

    def __init__(self, owners: Callable[[], Owners]) -> None:
        self._owners = owners
        self._asked = Buckets()
        self._refused = Buckets()
        self._guesses = Buckets()

    def admit(self, headers: Mapping[str, str], address: str = "") -> Caller:
        """Give who asks. `headers` are found by lower-case names, `address` is the network's.

        Raises `KeyRequired`, `KeyRefused` and `TooManyRequests`.
        """
        owners = self._owners()
        limit = owners.settings.api_requests_per_minute
        try:
            caller = identify(owners, headers)
        except (KeyRefused, KeyRequired):
            if limit:
                self._refused.take(address, _GUESSES_PER_MINUTE)
            raise
        if not limit:
            return caller
        self._asked.take(caller.owner_id, limit)
        return replace(caller, guesses=self._guesses)


def identify(owners: Owners, headers: Mapping[str, str]) -> Caller:
    """Who sent these headers. Raises `KeyRequired` and `KeyRefused`."""
    if (authorization := headers.get("authorization")) is not None:
        scheme, _, token = authorization.partition(" ")
        found = owners.owner_of_api_key(token.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            raise KeyRefused("The key is unknown or was revoked.")
        return Caller(*found)
    if keys_required(owners.settings) or any(name in headers for name in _FORWARDED):
        raise KeyRequired("This needs a key.")
    browser = _cookie(headers.get("cookie", ""))
    owner_id = owners.known_owner(browser) if browser else None
    return Caller(owner_id or owners.local_owner())


def keys_required(settings: Settings) -> bool:
    """Whether nobody is let in without a key: by a setting, and wherever others can connect."""
    chosen = settings.require_api_key or settings.login != "off"
    return chosen or not is_loopback(settings.bind_address)


def may_maintain(settings: Settings, owner_id: str) -> bool:
    """Whether somebody may work on the stores from the page: where only this machine can connect.

    Elsewhere, and where people sign in, there is the command, for whoever has a shell.
    """
    return bool(owner_id) and settings.login == "off" and is_loopback(settings.bind_address)


def check_site(method: str, headers: Mapping[str, str]) -> None:
    """Raise `ForeignSite` for what a page of another site makes a browser send.

    Such a page can send a cookie, or nothing where that is enough, but never a key: that needs
    our consent (CORS), which is not given. Following a link is no more than looking.
    """
    if "authorization" in headers:
        return
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        raise ForeignSite("A page of another web site cannot use this API.")
    if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        if method in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate":
            return
        raise ForeignSite("A page of another web site cannot use this API.")


def session_for(owners: Owners, caller: Caller, session_id: str | None) -> Session:
    """The session that is asked for; where none is named, that of the key.

    Raises `SessionNotFound`, the same for what is not theirs as for what does not exist, and
    `TooManyRequests` for whoever tries one id after another.
    """
    wanted = session_id or caller.only_session
    if wanted is None:
        raise SessionNotFound("No session is named.", "Send its id as session_id.")
    try:
        session = owners.session(caller.owner_id, wanted)
        if caller.only_session not in (None, session.id):
            raise SessionNotFound("There is no such session.")
    except SessionNotFound:
        caller.guessed()
        raise
    return narrowed(session, caller.role)


def sessions_for(owners: Owners, caller: Caller) -> list[Session]:
    """The sessions that the caller reaches, the one used last first."""
    found = owners.sessions(caller.owner_id)
    return [narrowed(s, caller.role) for s in found if caller.only_session in (None, s.id)]


class Buckets:
    """A token bucket for each name: `per_minute` at once, and as many again in each minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str, per_minute: int) -> None:
        """Take one; raises `TooManyRequests` with the wait when none is left."""
        with self._lock:
            now = self._clock()
            left, at = self._left.pop(name, (float(per_minute), now))
            left = min(per_minute, left + (now - at) * per_minute / 60)
            self._left[name] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > _REMEMBERED:
                del self._left[next(iter(self._left))]
        if left < 1:
            wait = (1 - left) * 60 / per_minute
            raise TooManyRequests("That were too many requests.", retry_after=wait)


def _cookie(header: str) -> str | None:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None
