"""Owners: the browser or program behind a token, and the one local owner."""

from __future__ import annotations

import hashlib

from core.access.rate_limiter import RateLimiter
from core.access.roles import guarded
from core.storage.catalogue import Catalogue

_NEW_TOKENS_PER_MINUTE = 600


@guarded("owners")
class Owners:
    """Finds the owner for a token. Only the SHA-256 of a token is stored."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._new_tokens = RateLimiter()

    def for_token(self, token: str) -> str:
        """Return the id of the owner with this token, added for a token not seen before.

        Raises `TooManyRequests` where very many new tokens come at once: each would leave a row
        behind.
        """
        if (owner_id := self.known(token)) is not None:
            return owner_id
        self._new_tokens.take("everybody", _NEW_TOKENS_PER_MINUTE)
        return self.catalogue.owners.create(_hash(token))

    def known(self, token: str) -> str | None:
        """Return the id of the owner with this token, None for one not seen before."""
        return self.catalogue.owners.find(_hash(token))

    def local(self) -> str:
        """Return the id of the owner of what programs on this machine do without a key.

        No token leads to this owner: "local" is the SHA-256 of nothing.
        """
        return self.catalogue.owners.find("local") or self.catalogue.owners.create("local")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
