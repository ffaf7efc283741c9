"""What every page works with: the service, the open session, and who looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.access import roles
from core.types import Person, Session

if TYPE_CHECKING:
    from core.service import Service


@dataclass(frozen=True, slots=True)
class PageContext:
    """What every page works with: the service, and the session that is open.

    `person` is who has signed in, None where nobody has to.
    """

    service: Service
    session: Session
    sessions: tuple[Session, ...]
    person: Person | None = None

    def may(self, method: str) -> bool:
        """Whether to offer what this method of the service does; the service checks it itself."""
        return roles.may(self.session, method)
