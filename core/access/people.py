"""Who signs in, and with whom they share their sessions.

Somebody is known by what a provider of OpenID Connect says: issuer and subject make the owner,
the e-mail address the name that others share with. Only an address that the provider says is
theirs counts, and letters of either case are the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.access.roles import guarded
from core.config import Settings
from core.errors import InvalidRequest, MemberNotFound, NotAllowed, SessionNotFound
from core.ids import checked_uuid, digest
from core.storage.catalogue import Catalogue
from core.types import Invitation, Member, Person, Role, Session

LONGEST_EMAIL = 320
EMAIL = r"[^@/\s\x00-\x1f]+@[^@/\s\x00-\x1f]+"
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class SignIn:
    """One sign-in of somebody: `nonce` tells it from their others, `email` is theirs or ""."""

    issuer: str
    subject: str
    nonce: str
    name: str
    email: str


def sign_in_of(claims: Mapping[str, Any]) -> SignIn | None:
    """Read the claims of an ID token that was checked; None where it does not say who it is.

    >>> sign_in_of({"iss": "https://id.example", "sub": "7", "email": "Ida@Example.org"}).email
    ''
    """
    issuer, subject = claims.get("iss"), claims.get("sub")
    if not (isinstance(issuer, str) and issuer and isinstance(subject, str) and subject):
        return None
    given = str(claims.get("email") or "")
    verified = claims.get("email_verified") in (True, "true")  # some providers send words
    email = plain_email(given) if verified and re.fullmatch(EMAIL, given.strip()) else ""
    name = str(claims.get("name") or claims.get("preferred_username") or given or subject)
    nonce = str(claims.get("nonce") or claims.get("iat") or "")
    return SignIn(issuer, subject, nonce, name[:_LONGEST_NAME], email[:LONGEST_EMAIL])


def plain_email(email: str) -> str:
    """The address as it is compared: small letters, in ASCII alone (others could become one).

    >>> plain_email(" Ida.Holm@Example.ORG ")
    'ida.holm@example.org'
    """
    storable = email.strip().encode("utf-8", "replace").decode()
    return "".join(c.lower() if c.isascii() else c for c in storable)


@guarded("people")
class People:
    """The people of this installation and the members of its sessions. Thread-safe."""

    def __init__(self, settings: Settings, catalogue: Catalogue) -> None:
        self.settings, self.catalogue = settings, catalogue

    def sign_in(self, who: SignIn) -> Person | None:
        """The person of a sign-in, new or there already; None where they have signed out of it."""
        if self.catalogue.owners.sign_in_ended(_hash(who)):
            return None
        identity = digest("openid", who.issuer, who.subject)
        owner_id = self.catalogue.owners.find(identity) or self.catalogue.owners.create(identity)
        self.catalogue.owners.sign_in(owner_id, who.name, who.email)
        return Person(owner_id, who.name, who.email)

    def sign_out(self, who: SignIn) -> None:
        """End a sign-in for good, whatever cookies there still are of it."""
        self.catalogue.owners.end_sign_in(_hash(who))

    def of_browser(self, owner_id: str, token: str) -> int:
        """How many sessions with documents this browser made before its person signed in."""
        before = self._browser(owner_id, token)
        return self.catalogue.owners.filled_sessions(before) if before else 0

    def take_over(self, owner_id: str, token: str) -> int:
        """Make those sessions the person's, with what was asked in them; returns how many.

        The browser's token could open them as well. Keys of the browser stay
        behind: they would open what else the person has.
        """
        before = self._browser(owner_id, token)
        return self.catalogue.owners.take_over(owner_id, before) if before else 0

    def _browser(self, owner_id: str, token: str) -> str | None:
        """The owner that a browser's token leads to, if that is another one."""
        found = self.catalogue.owners.find(hashlib.sha256(token.encode()).hexdigest())
        return found if found != owner_id else None

    def members(self, session: Session) -> list[Member]:
        """With whom a session is shared, by address; its owner is not among them."""
        return self.catalogue.sharing.members(session.id)

    def share(self, session: Session, email: str, role: Role) -> Member:
        """Invite the person who signs in with this address, or change their role.

        The answer is the same whether anybody has the address: who it is, is told by accepting.
        Raises `NotAllowed` where nobody signs in here and for the address of the owner,
        `InvalidRequest` for what is no address.
        """
        if self.settings.login == "off":
            raise NotAllowed(
                "Nobody signs in here, so there is nobody to share with by name.",
                "The operator can set LOGIN=required: docs/operations.md says how.",
            )
        email = plain_email(email)
        if len(email) > LONGEST_EMAIL or not re.fullmatch(EMAIL, email):
            raise InvalidRequest("This is no e-mail address.", "Write it as name@example.org.")
        owner = self.catalogue.owners.person(session.owner_id)
        if owner is not None and owner.email == email:
            raise NotAllowed(
                "This is the owner of the session, who may everything in it.", "Name others."
            )
        self.catalogue.sharing.set_member(session.id, email, role)
        return next(m for m in self.members(session) if m.email == email)

    def unshare(self, session: Session, email: str) -> None:
        """Share a session no longer with this address. Raises `MemberNotFound`.

        What they asked in it stays, for them alone, should it be shared with them again.
        """
        if not self.catalogue.sharing.remove_member(session.id, plain_email(email)):
            raise MemberNotFound("The session is not shared with this address.")

    def invitations(self, owner_id: str) -> list[Invitation]:
        """The sessions that others would share with this person, the oldest first."""
        return self.catalogue.sharing.invitations(owner_id)

    def accept(self, owner_id: str, session_id: str) -> None:
        """Take an invitation: the session is listed from now on. Raises `SessionNotFound`."""
        if not self.catalogue.sharing.accept(owner_id, checked_uuid(session_id)):
            raise SessionNotFound("There is no such invitation.")

    def decline(self, owner_id: str, session_id: str) -> None:
        """Refuse an invitation: it is gone on both sides. Raises `SessionNotFound`."""
        if not self.catalogue.sharing.decline(owner_id, checked_uuid(session_id)):
            raise SessionNotFound("There is no such invitation.")

    def leave(self, session: Session) -> None:
        """Give up a session that somebody else shared. Raises `NotAllowed` for its owner."""
        me = self.catalogue.owners.person(session.viewer_id)
        if session.viewer_id == session.owner_id or me is None:
            raise NotAllowed("Nobody can leave a session of their own.", "Delete it instead.")
        self.catalogue.sharing.remove_member(session.id, me.email)


def _hash(who: SignIn) -> str:
    return digest("sign-in", who.issuer, who.subject, who.nonce)
