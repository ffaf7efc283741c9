"""Every route with somebody else's ids answers as if there were nothing.

The routes come from the OpenAPI document: a new one fails here until it is listed below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute

from core.api import PARTS, create_api
from core.ids import new_id
from core.types import Answer, CollectKind, CollectRequest
from tests.api.server import Person, World

pytestmark = [pytest.mark.E03, pytest.mark.E04]

S = "/sessions/{session_id}"
D = f"{S}/documents/{{document_id}}"
C = f"{S}/conversations/{{conversation_id}}"
A = f"{S}/shared-answers/{{shared_id}}"
R = f"{S}/collecting-runs/{{run_id}}"
QUESTION = {"session_id": "{session_id}", "question": "Who built the lighthouse?"}
CHAT = {
    "model": "session:{session_id}",
    "messages": [{"role": "user", "content": "Who built the lighthouse?"}],
}

OPEN = {"GET /health", "GET /ready"}
"""Routes that tell everybody the same."""
NAMING_NOBODY = {
    "GET /status", "GET /metrics", "GET /sessions", "POST /sessions", "GET /v1/models",
    "GET /invitations",
}  # fmt: skip
"""Routes of a caller that take no id; what they give is looked at below."""
WITH_IDS: dict[str, Any] = {
    f"GET {S}": None,
    f"PATCH {S}": {"name": "Mine now"},
    f"DELETE {S}": None,
    f"GET {S}/members": None,
    f"PUT {S}/members/{{email}}": {"role": "admin"},
    f"DELETE {S}/members/{{email}}": None,
    f"POST {S}/leave": None,
    "POST /invitations/{session_id}/accept": None,
    "DELETE /invitations/{session_id}": None,
    f"GET {S}/preset": None,
    f"PUT {S}/preset": {"preset": "balanced"},
    f"POST {S}/stop": None,
    f"POST {S}/resume": None,
    f"POST {S}/samples": None,
    f"GET {S}/conversations": None,
    f"POST {S}/conversations": {"title": "Mine now"},
    f"GET {C}": None,
    f"PATCH {C}": {"title": "Mine now"},
    f"DELETE {C}": None,
    f"GET {C}/export": None,
    f"GET {S}/shared-answers": None,
    f"POST {S}/shared-answers": {"conversation_id": "{conversation_id}", "message_id": 1},
    f"GET {A}": None,
    f"DELETE {A}": None,
    f"GET {S}/documents": None,
    f"PATCH {S}/documents": {"documents": ["{document_id}"], "searched": False},
    f"POST {S}/documents/retry": {"documents": ["{document_id}"]},
    f"POST {S}/documents/remove": {"documents": ["{document_id}"]},
    f"GET {D}": None,
    f"PATCH {D}": {"searched": False},
    f"DELETE {D}": None,
    f"POST {D}/retry": None,
    f"POST {D}/keep": None,
    f"GET {S}/web-pages": None,
    f"GET {D}/text": None,
    f"GET {D}/pages": None,
    f"GET {D}/pages/{{page_ordinal}}": None,
    f"GET {D}/pages/{{page_ordinal}}/image": None,
    f"GET {D}/chunks": None,
    f"GET {D}/original": None,
    f"GET {S}/collecting-runs": None,
    f"GET {R}": None,
    f"PATCH {R}": {"refresh_every": "week"},
    "GET /jobs/{job_id}": None,
    "DELETE /jobs/{job_id}": None,
    "POST /ingest-files/": "form",
    "POST /ingest-urls/": {"session_id": "{session_id}", "urls": ["https://example.org/"]},
    "POST /search": QUESTION,
    "POST /query": QUESTION,
    "GET /v1/models/{model}": None,
    "POST /v1/chat/completions": CHAT,
}

MANY = [route for route, body in WITH_IDS.items() if isinstance(body, dict) and "documents" in body]

COLLECTED = CollectRequest(CollectKind.STACK_EXCHANGE, files=("secret.xml",))
"""A run of collecting that fails at once: there is no such dump."""


@dataclass(frozen=True)
class Ids:
    """What somebody has."""

    values: dict[str, str]

    def into(self, template: Any) -> Any:
        """The template with the ids in it."""
        if isinstance(template, str):
            for name, value in self.values.items():
                template = template.replace(f"{{{name}}}", value)
            return template
        if isinstance(template, dict):
            return {key: self.into(value) for key, value in template.items()}
        return [self.into(value) for value in template] if isinstance(template, list) else template


@pytest.fixture(scope="module")
def theirs(ida: Person, world: World) -> Ids:
    """Ida's ids, of every kind, of a document that only she has."""
    form = {"session_id": ida.session_id}
    files = {"files": ("secret.txt", "The treasure of Port Amber lies under the third stair.")}
    job = ida.client.post("/ingest-files/", files=files, data=form).json()
    talk = ida.client.post(f"/sessions/{ida.session_id}/conversations", json={"title": "Secret"})
    run = world.service.catalogue.collect_runs.add(ida.session_id, "site-1", COLLECTED)
    answer = world.service.catalogue.conversations.add_message(
        ida.session_id, talk.json()["id"], "assistant", "No.", Answer("Where?", "No.")
    )
    body = {"conversation_id": talk.json()["id"], "message_id": answer.id}
    shared = ida.client.post(f"/sessions/{ida.session_id}/shared-answers", json=body)
    return Ids(
        {
            "session_id": ida.session_id,
            "document_id": job["results"][0]["document"]["id"],
            "conversation_id": talk.json()["id"],
            "job_id": job["job_id"],
            "run_id": run.id,
            "shared_id": shared.json()["id"],
            "page_ordinal": "0",
            "email": "nils@example.org",
            "model": f"session:{ida.session_id}",
        }
    )


@pytest.fixture(scope="module")
def nobodys() -> Ids:
    """Ids of the same form that lead nowhere."""
    session_id = new_id()
    return Ids(
        {
            "session_id": session_id,
            "document_id": "0" * 64,
            "conversation_id": new_id(),
            "job_id": new_id(),
            "run_id": new_id(),
            "shared_id": new_id(),
            "page_ordinal": "0",
            "email": "nils@example.org",
            "model": f"session:{session_id}",
        }
    )


def ask(person: Person, route: str, ids: Ids) -> Any:
    """Send the request of a route with these ids."""
    method, path = route.split(" ")
    body = ids.into(WITH_IDS[route])
    if body == "form":
        files = {"files": ("mine.txt", "Mine now.")}
        form = {"session_id": ids.values["session_id"]}
        return person.client.request(method, path, files=files, data=form)
    return person.client.request(method, ids.into(path), json=body)


def test_every_route_is_listed() -> None:
    document = create_api().openapi()
    of_parts = [route for part in PARTS for route in part.router.routes]
    hidden = {r.path for r in of_parts if isinstance(r, APIRoute) and not r.include_in_schema}
    assert hidden == {"/ingest-files", "/ingest-urls"}  # without the slash at the end
    routes = {f"{m.upper()} {path}" for path, of in document["paths"].items() for m in of}
    assert routes == OPEN | NAMING_NOBODY | set(WITH_IDS)


@pytest.mark.parametrize("route", WITH_IDS)
def test_what_is_theirs_looks_like_nothing(
    route: str, nils: Person, theirs: Ids, nobodys: Ids
) -> None:
    foreign, missing = ask(nils, route, theirs), ask(nils, route, nobodys)
    assert foreign.status_code == missing.status_code == 404
    assert foreign.json() == missing.json()


@pytest.mark.parametrize("route", [route for route in WITH_IDS if S in route and "{d" in route])
def test_a_foreign_document_in_an_own_session_is_none(
    route: str, nils: Person, theirs: Ids
) -> None:
    mixed = Ids({**theirs.values, "session_id": nils.session_id})
    assert ask(nils, route, mixed).status_code == 404


@pytest.mark.parametrize("route", [route for route in WITH_IDS if route in MANY])
def test_foreign_documents_in_an_own_session_are_unknown(
    route: str, nils: Person, theirs: Ids
) -> None:
    mixed = Ids({**theirs.values, "session_id": nils.session_id})
    done = ask(nils, route, mixed)
    assert done.json() == {"count": 0, "unknown": [theirs.values["document_id"]]}


@pytest.mark.parametrize("route", [route for route in WITH_IDS if R in route])
def test_a_foreign_run_in_an_own_session_is_none(route: str, nils: Person, theirs: Ids) -> None:
    mixed = Ids({**theirs.values, "session_id": nils.session_id})
    assert ask(nils, route, mixed).status_code == 404


@pytest.mark.parametrize(
    "route", [route for route in WITH_IDS if A in route or route == f"POST {S}/shared-answers"]
)
def test_a_foreign_answer_in_an_own_session_is_none(route: str, nils: Person, theirs: Ids) -> None:
    mixed = Ids({**theirs.values, "session_id": nils.session_id})
    assert ask(nils, route, mixed).status_code == 404


@pytest.mark.parametrize("route", [route for route in WITH_IDS if C in route])
def test_a_foreign_conversation_in_an_own_session_is_none(
    route: str, nils: Person, theirs: Ids
) -> None:
    mixed = Ids({**theirs.values, "session_id": nils.session_id})
    assert ask(nils, route, mixed).status_code == 404


def test_a_foreign_conversation_cannot_be_asked_in(nils: Person, theirs: Ids) -> None:
    body = {
        "session_id": nils.session_id,
        "question": "Where is the treasure?",
        "conversation_id": theirs.values["conversation_id"],
    }
    for stream in (False, True):
        assert nils.client.post("/query", json=body | {"stream": stream}).status_code == 404


def test_what_names_nobody_gives_nothing_of_theirs(nils: Person, theirs: Ids) -> None:
    for route in NAMING_NOBODY - {"POST /sessions"}:
        method, path = route.split(" ")
        assert theirs.values["session_id"] not in nils.client.request(method, path).text
    answer = nils.query("Where is the treasure of Port Amber?")
    assert "third stair" not in str(answer)


def test_nothing_of_theirs_was_touched(ida: Person, theirs: Ids) -> None:
    session = ida.client.get(f"/sessions/{ida.session_id}").json()
    assert session["name"] == "My library"
    document = ida.client.get(theirs.into(D)).json()
    assert document["searched"]
    assert document["state"] != "stopped"
    assert ida.client.get(theirs.into(C)).json()["conversation"]["title"] == "Secret"
    assert ida.client.get(theirs.into(A)).json()["question"] == "Where?"


def test_a_key_for_one_session_opens_no_other(world: World, ida: Person) -> None:
    service = world.service
    owner = service.owners.for_token("ida")
    other = service.sessions.create(owner, "Other")
    key = service.keys.create(owner, "one", other.id)
    with world.client(headers={"Authorization": f"Bearer {key}"}) as client:
        assert client.get(f"/sessions/{other.id}").status_code == 200
        assert client.get(f"/sessions/{ida.session_id}").status_code == 404
        assert [s["id"] for s in client.get("/sessions").json()["sessions"]] == [other.id]
        question = {"question": "Who built the lighthouse?"}
        assert client.post("/search", json=question).json()["hits"] == []
        assert client.post("/sessions", json={}).status_code == 403
        assert client.get("/status").status_code == 403
        assert client.delete(f"/sessions/{other.id}").status_code == 403
        files = {"files": ("x.txt", "Whales sing.")}
        came = client.post("/ingest-files", files=files)
        assert came.json()["session_id"] == other.id
        job = f"/jobs/{came.json()['job_id']}"
        assert client.get(job).status_code == 200
    service.sessions.delete(other)
    assert service.keys.owner_of(key) is None
