"""Two processes of the real program on one PostgreSQL: killed, started together, cut off."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from core.access.keys import Keys
from core.access.people import People, SignIn
from core.storage.catalogue import Catalogue
from tests.conftest import eventually
from tests.grown.replicas import (
    Client,
    Replica,
    disagreements,
    key_of_somebody,
    replicas,
    settings_beside,
    wait_ready,
)
from tests.grown.server import Server, running
from tests.standins.openid import Account, OpenIdStandin

pytestmark = [pytest.mark.grown, pytest.mark.F01, pytest.mark.F28, pytest.mark.timeout(600)]

FILES = {
    f"pier-{number}.txt": f"The code of pier {number} is K{number:03}.\n\n"
    + "\n\n".join(f"Line {line} of pier {number} says little." for line in range(60))
    for number in range(24)
}


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that only this test uses."""
    with running() as server:
        yield server


@contextmanager
def clients(folder: Path, of: Sequence[Replica]) -> Iterator[list[Client]]:
    """A program of one person at each of these processes."""
    key = key_of_somebody(folder, of[0].database_url)
    with ExitStack() as closed:
        yield [closed.enter_context(Client(replica.url, key)) for replica in of]


def test_started_together_on_an_empty_database_one_adds_the_other_answers(
    tmp_path: Path, database: str
) -> None:
    with (
        replicas(tmp_path, database) as (first, second),
        clients(tmp_path, [first, second]) as (one, other),
    ):
        session = one.session()
        assert one.add(session, FILES) == set(FILES)
        assert set(other.settled(session).values()) == {"ready"}
        assert "K007" in other.answer(session, "What is the code of pier 7?")
        more = {"ferry.txt": "The ferry leaves at nine."}
        other.add(session, more)
        one.settled(session)
        assert "nine" in one.answer(session, "When does the ferry leave?")
        (document,) = [
            found["id"]
            for found in one.http.get(f"/sessions/{session}/documents").json()["documents"]
            if found["label"] == "ferry.txt"
        ]
        place = f"/sessions/{session}/documents/{document}"
        assert one.http.get(f"{place}/original").text == "The ferry leaves at nine."
        assert other.http.delete(place).status_code == 204
        assert "ferry.txt" not in one.states(session)
        assert "nine" not in one.answer(session, "When does the ferry leave?")
        for replica in (first, second):
            replica.end(signal.SIGTERM)
    assert disagreements(tmp_path, database) == []


def test_one_is_killed_while_it_reads(tmp_path: Path, database: str) -> None:
    with (
        replicas(tmp_path, database) as (first, second),
        clients(tmp_path, [first, second]) as (one, other),
    ):
        session = one.session()
        acknowledged = one.add(session, FILES)
        assert eventually(lambda: "indexing" in one.states(session).values())
        first.end(signal.SIGKILL)
        assert other.states(session).keys() == acknowledged
        states = other.settled(session)
        assert states == dict.fromkeys(FILES, "ready")
        assert "K011" in other.answer(session, "What is the code of pier 11?")
        assert disagreements(tmp_path, database) == []
        first.start()
        wait_ready([first])
        assert one.states(session) == states
        assert "K011" in one.answer(session, "What is the code of pier 11?")


def test_the_database_is_killed_and_comes_back(tmp_path: Path, own: Server) -> None:
    url = own.database("library")
    with replicas(tmp_path, url) as both, clients(tmp_path, both) as (one, other):
        session = one.session()
        assert one.add(session, FILES) == set(FILES)
        own.stop(signal.SIGQUIT)
        assert eventually(lambda: not any(replica.is_ready() for replica in both))
        own.start()
        wait_ready(both)
        assert other.settled(session) == dict.fromkeys(FILES, "ready")
        assert "K005" in one.answer(session, "What is the code of pier 5?")
        assert disagreements(tmp_path, url) == []


def test_a_session_is_shared_with_somebody_at_another_process(
    tmp_path: Path, database: str
) -> None:
    with OpenIdStandin(Account("7", "Ida Holm", "ida@example.org")) as provider:
        secrets = tmp_path / "home" / ".streamlit" / "secrets.toml"
        secrets.parent.mkdir(parents=True)
        secrets.write_text(provider.secrets("http://127.0.0.1:8501"))
        values = {"HOME": str(tmp_path / "home"), "LOGIN": "required"}
        with (
            replicas(tmp_path, database, **values) as (first, second),
            Client(first.url, key_of(tmp_path, database, "ida")) as ida,
            Client(second.url, key_of(tmp_path, database, "nils")) as nils,
        ):
            session = ida.session()
            ida.add(session, {"ferry.txt": "The ferry leaves at nine."})
            assert ida.settled(session) == {"ferry.txt": "ready"}
            members = f"/sessions/{session}/members/nils@example.org"
            assert nils.http.get(f"/sessions/{session}").status_code == 404
            assert ida.http.put(members, json={"role": "reader"}).status_code == 200
            assert nils.http.post(f"/invitations/{session}/accept").status_code == 204
            assert "nine" in nils.answer(session, "When does the ferry leave?")
            assert ida.http.delete(members).status_code == 204
            assert nils.http.get(f"/sessions/{session}").status_code == 404


def key_of(folder: Path, url: str, name: str) -> str:
    """A key to the API, of somebody who signed in."""
    settings = settings_beside(folder, url)
    with closing(Catalogue(settings)) as catalogue:
        who = SignIn("https://id.example", name, "1", name, f"{name}@example.org")
        person = People(settings, catalogue).sign_in(who)
        assert person is not None
        return Keys(catalogue).create(person.id, "Test")
