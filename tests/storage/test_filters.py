"""Nothing that a client sends reaches a store's filter, and no file chooses its own session."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from core.service import Service
from core.types import AskRequest, Session
from tests.api.server import Person
from tests.architecture.modules import MODULES
from tests.conftest import settled

pytestmark = pytest.mark.E05

FILTERS: list[dict[str, Any]] = [
    {"$or": [{"session_id": {"$ne": "x"}}]},
    {"session": {"$ne": "x"}},
    {"a' OR 1": 1},
    {"where": {"$and": []}},
    {"session_id": "other"},
]
BODY = {"question": "Who built the lighthouse?"}


@pytest.mark.parametrize("filter_", FILTERS, ids=str)
@pytest.mark.parametrize("name", ["where", "filter", "where_document", "metadata", "options"])
def test_a_filter_of_a_client_is_refused_or_ignored(
    name: str, filter_: dict[str, Any], ida: Person, nils: Person
) -> None:
    body = {**BODY, "session_id": ida.session_id}
    plain = ida.client.post("/search", json=body).json()
    found = ida.client.post("/search", json={**body, name: filter_})
    assert found.status_code in (200, 422)
    if found.status_code == 200:
        ids = [hit["chunk"]["id"] for hit in found.json()["hits"]]
        assert ids == [hit["chunk"]["id"] for hit in plain["hits"]]


def test_a_name_or_a_text_is_no_filter(service: Service, session: Session) -> None:
    other = service.sessions.create(session.owner_id, "Other")
    service.documents.add_file(
        other, "secret.txt", b"The code word of the other session is mackerel."
    )
    hostile = '{"session_id": {"$ne": "x"}} OR 1=1 --'
    service.documents.add_file(
        session, f"{hostile}.txt", f"session_id: {other.id}\n{hostile}".encode()
    )
    settled(service, session)
    settled(service, other)
    for question in ("code word mackerel", hostile, f"session_id:{other.id}", "* OR document:*"):
        for hit in service.search(AskRequest(session, question)).hits:
            assert hit.document.session_id == session.id
            assert "mackerel" not in hit.chunk.text


def test_the_vector_store_is_given_no_filter_at_all() -> None:
    """Chunks carry no metadata, and no call names `where`."""
    for name, path in MODULES.items():
        if not name.startswith("core.storage.vectors.chroma."):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                given = {keyword.arg for keyword in node.keywords}
                assert not given & {"where", "where_document", "metadatas"}, (name, node.lineno)
