"""Searches and answers over HTTP."""

from __future__ import annotations

import json

from tests.api.conftest import WHO, Person, World
from tests.conftest import answer_of


def test_an_answer_is_the_one_of_the_page(world: World, ida: Person) -> None:
    service = world.service
    session = service.session(service.owner_for_token("ida"), ida.session_id)
    page = answer_of(service, session, WHO)
    got = ida.client.post("/query", json={"session_id": ida.session_id, "question": WHO})
    assert got.status_code == 200, got.text
    answer = got.json()
    assert answer["answer"] == page.text
    assert answer["answered"]
    print(json.dumps(answer, indent=1)[:3000])
