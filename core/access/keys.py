"""API keys: made, listed, revoked, and the owner behind one."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from core.access import roles
from core.access.roles import guarded
from core.ids import checked_uuid
from core.storage.catalogue import Catalogue
from core.text.names import clean_title
from core.types import ApiKey, Role

_PREFIX = "fn_"


@guarded("keys")
@dataclass(frozen=True)
class Keys:
    """The keys of owners. Only the SHA-256 of a key is stored."""

    catalogue: Catalogue

    def create(
        self, owner_id: str, name: str, session_id: str | None = None, role: Role = Role.ADMIN
    ) -> str:
        """Return a new key to all sessions of the owner or to one; it is shown this once only.

        It allows what its owner may do at the time, and no more than `role`. Raises
        `SessionNotFound` for a session out of the owner's reach, `NotAllowed` where they are no
        admin of it or have too many keys.
        """
        if session_id is not None:
            given = self.catalogue.sharing.role(owner_id, checked_uuid(session_id))
            if given is not None:
                roles.need(given, roles.KEYS)
        token = _PREFIX + secrets.token_urlsafe(32)
        name = clean_title(name or "Key")
        self.catalogue.keys.create(owner_id, _hash(token), name, session_id, role)
        return token

    def revoke(self, owner_id: str, key_id: str) -> None:
        """End a key for good. Raises `KeyNotFound`."""
        self.catalogue.keys.revoke(owner_id, checked_uuid(key_id))

    def owner_of(self, token: str) -> tuple[str, str | None, Role] | None:
        """Return owner, the one session that the key opens (None: all) and its highest role."""
        if not token.startswith(_PREFIX):
            return None
        found = self.catalogue.keys.use(_hash(token))
        return None if found is None else (found.owner_id, found.session_id, found.role)

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, owner_id: str) -> list[ApiKey]:
        """Return the owner's keys, newest first, without secrets and without revoked ones."""
        return self.catalogue.keys.list(owner_id)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
