"""Who may do what in a session: the table, and that nothing is missing from it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from core.access import roles
from core.access.keys import Keys
from core.access.owners import Owners
from core.access.people import People
from core.access.roles import LEAST, NO_SESSION, check, guarded, lesser, narrowed
from core.collecting.collector import Collector
from core.errors import NotAllowed, SessionNotFound
from core.evaluation.golden.thumbs import Thumbs
from core.evaluation.service import Evaluations
from core.library.conversations import Conversations
from core.library.documents import Documents
from core.library.models import Models
from core.library.sessions import Sessions
from core.library.shared_answers import SharedAnswers
from core.service import Service
from core.types import Role, Session

ROOMS = {
    "": Service,
    "owners": Owners,
    "keys": Keys,
    "sessions": Sessions,
    "documents": Documents,
    "conversations": Conversations,
    "shared_answers": SharedAnswers,
    "models": Models,
    "collecting": Collector,
    "evaluations": Evaluations,
    "evaluations.thumbs": Thumbs,
    "people": People,
}
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OWN = Session("s", "ida", "Own", NOW, NOW)
SHARED = replace(OWN, viewer_id="nils", role=Role.EDITOR, shared_by="Ida")


@dataclass
class Sharing:
    """What everybody may at this moment."""

    now: dict[str, Role] = field(default_factory=dict)

    def role(self, owner_id: str, session_id: str) -> Role | None:
        return self.now.get(owner_id)


def public() -> set[str]:
    """Every public method of the service and its rooms."""
    return {
        f"{room}.{name}".lstrip(".")
        for room, kind in ROOMS.items()
        for name, _ in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_every_method_has_its_entry_and_every_entry_its_method() -> None:
    assert public() == set(LEAST) | NO_SESSION
    assert not set(LEAST) & NO_SESSION


def test_every_method_with_a_session_is_checked() -> None:
    for name in LEAST:
        room, _, short = name.rpartition(".")
        method = getattr(ROOMS[room], short)
        assert hasattr(method, "__wrapped__"), name
        first = list(inspect.signature(method).parameters.values())[1]
        assert first.name == "session" or first.annotation == "AskRequest", name


def test_a_method_without_an_entry_cannot_even_be_made() -> None:
    with pytest.raises(LookupError, match=r"who may collecting\.burn"):

        @guarded("collecting")
        class _Careless:
            def burn(self, session: Session) -> None:
                """Nobody said who may."""


def test_each_role_covers_those_before_it() -> None:
    order = [Role.READER, Role.EDITOR, Role.ADMIN]
    for place, role in enumerate(order):
        assert [role.covers(other) for other in order] == [at <= place for at in range(3)]
    assert lesser(Role.ADMIN, Role.READER) is lesser(Role.READER, Role.EDITOR) is Role.READER
    assert narrowed(OWN, Role.EDITOR).role is Role.EDITOR
    assert narrowed(SHARED, Role.ADMIN).role is Role.EDITOR


def test_the_owner_may_everything_without_being_looked_up() -> None:
    check(OWN, Role.ADMIN, Sharing())


def test_what_counts_is_the_role_of_now() -> None:
    sharing = Sharing({"nils": Role.EDITOR})
    check(SHARED, Role.EDITOR, sharing)
    sharing.now["nils"] = Role.READER
    with pytest.raises(NotAllowed, match="takes the role editor in the session, and yours is read"):
        check(SHARED, Role.EDITOR, sharing)
    del sharing.now["nils"]
    with pytest.raises(SessionNotFound) as gone:
        check(SHARED, Role.READER, sharing)
    assert gone.value.message == "There is no such session."


def test_a_narrowed_key_of_the_owner_may_less() -> None:
    with pytest.raises(NotAllowed):
        check(narrowed(OWN, Role.READER), Role.EDITOR, Sharing())
    assert roles.KEYS is Role.ADMIN
    assert roles.LIVE_WEB is Role.EDITOR
