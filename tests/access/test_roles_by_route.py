"""Each role may the same through every door, and a route that nobody placed fails here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from core.access.people import SignIn
from core.api import create_api
from core.types import Answer, Role, Session
from tests.api.server import World, running
from tests.api.test_foreign_ids import COLLECTED, NAMING_NOBODY, OPEN, WITH_IDS, A, C, D, Ids, R, S

pytestmark = pytest.mark.E08

LEAST: dict[str, Role] = {
    f"GET {S}": Role.READER,
    f"PATCH {S}": Role.ADMIN,
    f"DELETE {S}": Role.ADMIN,
    f"GET {S}/members": Role.ADMIN,
    f"PUT {S}/members/{{email}}": Role.ADMIN,
    f"DELETE {S}/members/{{email}}": Role.ADMIN,
    f"POST {S}/leave": Role.READER,
    f"GET {S}/preset": Role.READER,
    f"PUT {S}/preset": Role.EDITOR,
    f"POST {S}/stop": Role.EDITOR,
    f"POST {S}/resume": Role.EDITOR,
    f"POST {S}/samples": Role.EDITOR,
    f"GET {S}/conversations": Role.READER,
    f"POST {S}/conversations": Role.READER,
    f"GET {C}": Role.READER,
    f"PATCH {C}": Role.READER,
    f"DELETE {C}": Role.READER,
    f"GET {C}/export": Role.READER,
    f"GET {S}/shared-answers": Role.READER,
    f"POST {S}/shared-answers": Role.READER,
    f"GET {A}": Role.READER,
    f"DELETE {A}": Role.READER,
    f"GET {S}/documents": Role.READER,
    f"PATCH {S}/documents": Role.EDITOR,
    f"POST {S}/documents/retry": Role.EDITOR,
    f"POST {S}/documents/remove": Role.EDITOR,
    f"GET {D}": Role.READER,
    f"PATCH {D}": Role.EDITOR,
    f"DELETE {D}": Role.EDITOR,
    f"POST {D}/retry": Role.EDITOR,
    f"POST {D}/keep": Role.EDITOR,
    f"GET {S}/web-pages": Role.READER,
    f"GET {D}/text": Role.READER,
    f"GET {D}/pages": Role.READER,
    f"GET {D}/pages/{{page_ordinal}}": Role.READER,
    f"GET {D}/pages/{{page_ordinal}}/image": Role.READER,
    f"GET {D}/chunks": Role.READER,
    f"GET {D}/original": Role.READER,
    f"GET {S}/collecting-runs": Role.READER,
    f"GET {R}": Role.READER,
    f"PATCH {R}": Role.EDITOR,
    "GET /jobs/{job_id}": Role.READER,
    "DELETE /jobs/{job_id}": Role.EDITOR,
    "POST /ingest-files/": Role.EDITOR,
    "POST /ingest-urls/": Role.EDITOR,
    "POST /search": Role.READER,
    "POST /query": Role.READER,
    "GET /v1/models/{model}": Role.READER,
    "POST /v1/chat/completions": Role.READER,
}
"""The least role for each route with the id of a session in it."""

CHANGING = ("/leave", "/samples", "/documents/remove")
"""How routes end that would change what the others here look at."""

INVITED = {"POST /invitations/{session_id}/accept", "DELETE /invitations/{session_id}"}
"""Routes for who has no role in the session yet."""


@dataclass(frozen=True)
class Shared:
    """A session of Ida's that people of each role share, with ids of everything in it."""

    world: World
    session: Session
    owners: dict[str, str]
    ids: dict[str, str]

    def client(self, who: str, most: Role = Role.ADMIN, only: str | None = None) -> httpx.Client:
        """A program with a key of somebody."""
        key = self.world.service.keys.create(self.owners[who], "tests", only, most)
        return self.world.client(headers={"Authorization": f"Bearer {key}"})

    def ask(self, client: httpx.Client, route: str, **more: str) -> httpx.Response:
        """Send the request of a route."""
        ids = Ids({**self.ids, **more})
        method, path = route.split(" ")
        body: Any = ids.into(WITH_IDS[route])
        if body == "form":
            files = {"files": ("new.txt", "New words.")}
            form = {"session_id": ids.values["session_id"]}
            return client.request(method, path, files=files, data=form)
        return client.request(method, ids.into(path), json=body)


def sign_in(world: World, name: str) -> str:
    """The owner id of somebody who has signed in."""
    email = f"{name}@example.org"
    person = world.service.people.sign_in(SignIn("https://id.example", name, name, name, email))
    assert person is not None
    return person.id


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """A server where people sign in, and the session."""
    with running(tmp_path_factory.mktemp("shared"), login="required") as world:
        names = ("ida", "stranger", *Role)
        owners = {str(name): sign_in(world, str(name)) for name in names}
        service = world.service
        session = service.sessions.create(owners["ida"], "Reports")
        added = service.documents.add_file(
            session, "fact.txt", b"The lighthouse was built by Ida Holm."
        )
        assert added.document
        for role in Role:
            service.people.share(session, f"{role}@example.org", role)
            service.people.accept(owners[str(role)], session.id)
        talk = service.conversations.create(session, "Ida's own")
        message = service.catalogue.conversations.add_message(
            session.id, talk.id, "assistant", "No.", Answer("Where?", "No.")
        )
        ids = {
            "session_id": session.id,
            "document_id": added.document.id,
            "job_id": service.documents.create_job(session, [added]).id,
            "conversation_id": talk.id,
            "shared_id": service.shared_answers.share(session, talk.id, message.id).id,
            "run_id": service.catalogue.collect_runs.add(session.id, "site-1", COLLECTED).id,
            "page_ordinal": "0",
            "email": "somebody@example.org",
            "model": f"session:{session.id}",
        }
        found = Shared(world, session, owners, ids)
        with found.client("ida") as client:
            world.settled(client, session.id)
        yield found


def test_every_route_has_its_role() -> None:
    document = create_api().openapi()
    routes = {f"{m.upper()} {path}" for path, of in document["paths"].items() for m in of}
    assert routes == OPEN | NAMING_NOBODY | INVITED | set(LEAST)


@pytest.mark.parametrize("route", LEAST)
def test_a_role_that_is_not_enough_is_refused_and_a_stranger_finds_nothing(
    route: str, shared: Shared
) -> None:
    with shared.client("stranger") as client:
        assert shared.ask(client, route).status_code == 404
    for role in Role:
        with shared.client(role) as client:
            if not role.covers(LEAST[route]):
                refused = shared.ask(client, route)
                assert refused.status_code == 403, refused.text
                assert refused.json()["code"] == "NotAllowed"
                assert f"takes the role {LEAST[route]}" in refused.json()["detail"]
                assert refused.json()["cure"]


@pytest.mark.parametrize(
    "route",
    [r for r in LEAST if not r.startswith("DELETE") and not r.endswith(CHANGING)],
)
def test_a_role_that_is_enough_is_let_in(route: str, shared: Shared) -> None:
    """Whatever then comes of it: it is no page of a PDF, no web page, nothing to retry."""
    role = LEAST[route]
    with shared.client(role) as client:
        talk = client.post(f"/sessions/{shared.session.id}/conversations", json={"title": "Mine"})
        answer = shared.ask(client, route, conversation_id=talk.json()["id"])
        assert answer.status_code not in (401, 403), answer.text
        assert answer.json().get("code") != "SessionNotFound" if answer.status_code == 404 else True


@pytest.mark.parametrize("route", [route for route in LEAST if C in route])
@pytest.mark.parametrize("role", list(Role))
def test_nobody_reads_the_conversations_of_others(route: str, role: Role, shared: Shared) -> None:
    with shared.client(role) as client:
        assert shared.ask(client, route).json()["code"] == "ConversationNotFound"
    with shared.client("ida") as client:
        title = client.get(Ids(shared.ids).into(C)).json()["conversation"]["title"]
    assert title == "Ida's own"


@pytest.mark.parametrize("most", list(Role))
def test_a_narrowed_key_of_the_owner_may_what_its_role_may(most: Role, shared: Shared) -> None:
    path = f"/sessions/{shared.session.id}"
    with shared.client("ida", most) as client:
        assert client.get(path).json()["role"] == most
        listed = client.get("/sessions").json()["sessions"]
        assert {one["role"] for one in listed} == {str(most)}
        assert client.get(f"{path}/documents").status_code == 200
        for least, answer in (
            (Role.EDITOR, client.post(f"{path}/resume")),
            (Role.ADMIN, client.get(f"{path}/members")),
            (Role.ADMIN, client.post("/sessions", json={"name": "New"})),
        ):
            assert (answer.status_code == 403) is not most.covers(least)
        files = {"files": ("x.txt", "Without a session.")}
        made = client.post("/ingest-files/", files=files)
        assert (made.status_code == 403) is not most.covers(Role.ADMIN)


def test_members_come_and_go(shared: Shared) -> None:
    path = f"/sessions/{shared.session.id}"
    with shared.client("ida") as ida, shared.client("stranger") as stranger:
        put = ida.put(f"{path}/members/Stranger@Example.org", json={"role": "reader"})
        invited = {"email": "stranger@example.org", "role": "reader", "name": "", "accepted": False}
        assert put.json() == invited
        assert stranger.get(path).status_code == 404, "an invitation opens nothing"
        (given,) = stranger.get("/invitations").json()["invitations"]
        assert (given["session_id"], given["shared_by"]) == (shared.session.id, "ida")
        assert ida.get("/invitations").json()["invitations"] == []
        with shared.client("stranger", Role.READER) as narrow:
            assert narrow.post(f"/invitations/{shared.session.id}/accept").status_code == 403
        assert stranger.post(f"/invitations/{shared.session.id}/accept").status_code == 204
        assert stranger.delete(f"/invitations/{shared.session.id}").status_code == 404
        seen = stranger.get(path).json()
        assert (seen["role"], seen["shared_by"]) == ("reader", "ida")
        assert ida.get(path).json()["shared_by"] == ""
        listed = ida.get(f"{path}/members").json()["members"]
        assert "stranger@example.org" in [one["email"] for one in listed]
        found = stranger.post("/search", json={"session_id": shared.session.id, "question": "who"})
        assert found.status_code == 200
        assert stranger.post(f"{path}/leave").status_code == 204
        assert stranger.get(path).status_code == 404
        assert ida.delete(f"{path}/members/stranger@example.org").status_code == 404
        assert ida.post(f"{path}/leave").status_code == 403
        mine = ida.put(f"{path}/members/ida@example.org", json={"role": "reader"})
        assert mine.status_code == 403
        assert ida.put(f"{path}/members/x@y.org", json={"role": "owner"}).status_code == 422
        assert ida.put(f"{path}/members/nobody", json={"role": "reader"}).status_code == 400


def test_a_key_for_one_session_goes_with_the_role_of_its_maker(shared: Shared) -> None:
    path = f"/sessions/{shared.session.id}"
    service = shared.world.service
    with shared.client("admin", only=shared.session.id) as client:
        assert client.get(f"{path}/members").status_code == 200
        service.people.share(shared.session, "admin@example.org", Role.READER)
        assert client.get(f"{path}/members").status_code == 403
        assert client.get(path).status_code == 200
        service.people.share(shared.session, "admin@example.org", Role.ADMIN)


def test_where_people_sign_in_nothing_is_given_without_a_key(shared: Shared) -> None:
    with shared.world.client() as client:
        assert client.get("/sessions").status_code == 401
        cookie = {"Cookie": "footnote_owner=known; _streamlit_user=x"}
        assert client.get("/sessions", headers=cookie).status_code == 401
