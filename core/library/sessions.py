"""The room of sessions: made, found, renamed, deleted, and what is preferred in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.access import roles
from core.access.roles import guarded
from core.errors import SessionNotFound
from core.ids import checked_uuid
from core.maintenance.removal import Remover
from core.retrieval.presets import PRESETS
from core.storage.catalogue import Catalogue
from core.text.names import clean_title
from core.types import SearchOptions, Session


@guarded("sessions")
@dataclass(frozen=True)
class Sessions:
    """Sessions of owners. `get` and `create` are the only ways to a `Session`.

    `leave` waits for work in a session that is being deleted, given its id.
    """

    catalogue: Catalogue
    remover: Remover
    leave: Callable[[str], None]

    def create(self, owner_id: str, name: str = "") -> Session:
        """Add an empty session."""
        return self.catalogue.sessions.create(owner_id, clean_title(name or "My library"))

    def get(self, owner_id: str, session_id: str) -> Session:
        """Return a session of this owner, or one that is shared with them.

        Raises `SessionNotFound` for anybody else's as for an id that does not exist.
        """
        session = self.catalogue.sessions.get(owner_id, checked_uuid(session_id))
        if session is None:
            raise SessionNotFound("There is no such session.")
        return session

    def rename(self, session: Session, name: str) -> Session:
        """Change the name and return the session as it then is."""
        self.catalogue.sessions.rename(session.id, clean_title(name))
        return roles.narrowed(self.get(session.viewer_id, session.id), session.role)

    def delete(self, session: Session) -> None:
        """Delete the session with all its bytes: rows, vectors, index, originals."""
        self.remover.session(session.id, lambda: self.leave(session.id))

    def preferences(self, session: Session) -> dict[str, Any]:
        """Return what was chosen for this session (search settings, model); never a key."""
        return self.catalogue.sessions.preferences(session.id)

    def set_preferences(self, session: Session, values: dict[str, Any]) -> None:
        """Store choices for this session; those not in `values` stay."""
        kept = self.catalogue.sessions.preferences(session.id)
        self.catalogue.sessions.set_preferences(session.id, {**kept, **values})

    def search_options(self, session: Session) -> SearchOptions:
        """Return the search settings of this session, for requests that bring none."""
        chosen = self.catalogue.sessions.preferences(session.id).get("search", {})
        fields = SearchOptions.__dataclass_fields__
        return SearchOptions(**{key: value for key, value in chosen.items() if key in fields})

    def preset(self, session: Session) -> str:
        """Return the name of the preset of this session, for requests that bring none."""
        chosen = self.catalogue.sessions.preferences(session.id).get("preset")
        return chosen if chosen in PRESETS else "balanced"

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, owner_id: str) -> list[Session]:
        """Return the sessions of this owner and those shared with them, last used first."""
        return self.catalogue.sessions.list(owner_id)
