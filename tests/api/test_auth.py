"""The dependencies of routes: who asks, and the session and job that a path names."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from core.access.callers import Caller
from core.api.auth import job_in_path, session_in_path, the_caller
from core.errors import JobNotFound, SessionNotFound
from core.ids import new_id
from core.types import Job, Role, Session

pytestmark = pytest.mark.E08

MINE, OTHER = (Session(new_id(), "ida", name, None, None) for name in ("Mine", "Other"))
JOBS = {new_id(): session for session in (MINE, OTHER)}


class Rooms:
    """Two sessions of Ida's with a job each."""

    def __init__(self) -> None:
        self.sessions = self.documents = self

    def get(self, owner_id: str, session_id: str) -> Session:
        for session in (MINE, OTHER):
            if (owner_id, session_id) == ("ida", session.id):
                return session
        raise SessionNotFound("There is no such session.")

    def job(self, owner_id: str, job_id: str) -> Job:
        if owner_id != "ida" or job_id not in JOBS:
            raise JobNotFound("There is no such job.")
        return Job(job_id, JOBS[job_id].id, None, ())


def test_the_session_of_a_path_is_in_the_hands_of_its_key() -> None:
    rooms: Any = Rooms()
    assert session_in_path(MINE.id, Caller("ida"), rooms) == MINE
    narrow = session_in_path(MINE.id, Caller("ida", role=Role.READER), rooms)
    assert narrow == replace(MINE, role=Role.READER)
    one = Caller("ida", only_session=MINE.id)
    assert session_in_path(MINE.id, one, rooms) == MINE
    for caller, wanted in ((one, OTHER.id), (Caller("nils"), MINE.id), (Caller("ida"), new_id())):
        with pytest.raises(SessionNotFound) as caught:
            session_in_path(wanted, caller, rooms)
        assert caught.value.message == "There is no such session."


def test_a_job_of_another_session_is_none_to_a_key_of_one() -> None:
    rooms: Any = Rooms()
    mine, other = JOBS
    one = Caller("ida", only_session=MINE.id, role=Role.EDITOR)
    session, job = job_in_path(mine, one, rooms)
    assert (session.id, session.role, job.id) == (MINE.id, Role.EDITOR, mine)
    for caller, wanted in ((one, other), (Caller("nils"), mine), (Caller("ida"), new_id())):
        with pytest.raises(JobNotFound) as caught:
            job_in_path(wanted, caller, rooms)
        assert caught.value.message == "There is no such job."


@pytest.mark.parametrize(("client", "address"), [(("203.0.113.9", 5), "203.0.113.9"), (None, "")])
def test_refusals_are_counted_by_the_address_of_the_network(client: Any, address: str) -> None:
    asked: list[tuple[str, str]] = []

    def admit(headers: Any, address: str) -> Caller:
        asked.append((headers["authorization"], address))
        return Caller("ida")

    state = SimpleNamespace(authenticator=SimpleNamespace(admit=admit))
    sent = [(b"authorization", b"Bearer fn_x"), (b"x-forwarded-for", b"198.51.100.1")]
    scope = {"type": "http", "headers": sent, "client": client}
    request = Request({**scope, "app": SimpleNamespace(state=state)})
    assert the_caller(request, None) == Caller("ida")
    assert asked == [("Bearer fn_x", address)]
