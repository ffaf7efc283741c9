"""Searches and answers over HTTP: the same as on the page, whole or as they are made."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from core.answering.exports.registry import FORMS
from core.types import Answer, AskRequest
from core.ui.chat.language_model import current_choice
from tests.api.server import WHO, Person, World
from tests.conftest import answer_of, eventually
from tests.standins.scripts import Reply


def events_of(person: Person, **more: Any) -> list[tuple[str, Any]]:
    """The server-sent events of a question."""
    body = {"session_id": person.session_id, "question": WHO, "stream": True, **more}
    with person.client.stream("POST", "/query", json=body) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        text = response.read().decode()
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    pairs = [block.split("\n", 1) for block in blocks]
    return [(n.removeprefix("event: "), json.loads(d.removeprefix("data: "))) for n, d in pairs]


def page_answer(world: World, person: Person, name: str) -> Answer:
    """What the page shows for the same question."""
    session = world.service.sessions.get(world.service.owners.for_token(name), person.session_id)
    return answer_of(world.service, session, WHO)


def test_an_answer_is_the_one_of_the_page(world: World, ida: Person) -> None:
    page = page_answer(world, ida, "ida")
    got = ida.query(WHO)
    assert got["answer"] == page.text
    assert got["answer_without_citations"].startswith("The lighthouse of Port Amber was built in")
    assert "[1]" not in got["answer_without_citations"]
    assert got["answer_with_links"] == got["answer"], "no source of it has an address"
    first, shown = got["citations"][0], page.citations[0]
    assert (first["number"], first["document"], first["quote"]) == (1, shown.label, shown.quote)
    assert (first["start"], first["end"]) == (shown.start, shown.end)
    assert first["support"] == "verbatim"
    assert [h["chunk_id"] for h in got["hits"]] == [h.chunk.id for h in page.search.hits]
    assert got["plan"]["queries"] == [WHO]
    assert got["answered"]
    assert got["usage"] is None
    assert got["seconds"] > 0


def test_a_quote_stands_in_the_page_that_it_names(ida: Person) -> None:
    first = ida.query(WHO)["citations"][0]
    path = f"/sessions/{ida.session_id}/documents/{first['document_id']}"
    page = ida.client.get(f"{path}/pages/{first['page_ordinal']}").json()
    assert page["text"][first["start"] : first["end"]] == first["quote"]


def test_where_something_is_mentioned(ida: Person) -> None:
    got = ida.query("Which documents mention Ida Holm?")
    assert got["answered"]
    assert got["answer"].startswith("“Ida Holm” is mentioned 1 time, in 1 passage of 1 of ")
    (cited,) = (c for c in got["citations"] if "Ida Holm" in c["quote"])
    assert (cited["document"], cited["support"]) == ("lighthouse.txt", "verbatim")
    assert [step["name"] for step in got["steps"]] == ["reading"]
    assert got["steps"][0]["detail"].endswith("passages, 1 match")


def test_a_refusal_is_no_error(ida: Person) -> None:
    got = ida.query("Which enzyme unwinds the DNA double helix?")
    assert not got["answered"]
    documents = ida.client.get(f"/sessions/{ida.session_id}/documents").json()["documents"]
    assert got["abstention"]["searched_documents"] == len(documents) >= 2
    assert got["citations"] == []


def test_a_stream_is_steps_text_and_one_answer(ida: Person) -> None:
    events = events_of(ida)
    names = [name for name, _ in events]
    assert names[0] == "step"
    assert names[-1] == "answer"
    assert names.count("answer") == 1
    written = "".join(data["text"] for name, data in events if name == "text")
    assert written == events[-1][1]["answer"] == ida.query(WHO)["answer"]


def test_a_search_gives_every_score(ida: Person) -> None:
    body = {"session_id": ida.session_id, "question": "lighthouse lamp"}
    hits = ida.client.post("/search", json=body).json()["hits"]
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    first = hits[0]
    assert first["document"] == "lighthouse.txt"
    assert all(first[name] is not None for name in ("dense", "lexical", "fused", "dense_rank"))


@pytest.mark.parametrize("path", ["/search", "/query"])
def test_settings_and_presets_of_one_question(ida: Person, path: str) -> None:
    body = {"session_id": ida.session_id, "question": "lighthouse lamp"}
    only = body | {"options": {"mode": "lexical", "top_k": 1, "join_neighbours": False}}
    hits = ida.client.post(path, json=only).json()["hits"]
    assert len(hits) == 1
    assert hits[0]["dense"] is None
    for preset in ("balanced", "documents", "python-docs", "stack-overflow", "live-web"):
        found = ida.client.post(path, json=body | {"preset": preset})
        assert found.status_code == 200, found.text
        assert found.json()["hits"]


def test_a_conversation_keeps_what_was_asked(ida: Person) -> None:
    root = f"/sessions/{ida.session_id}/conversations"
    talk = ida.client.post(root, json={"title": "Lamps"}).json()["id"]
    assert ida.query(WHO, conversation_id=talk)["conversation_id"] == talk
    assert ida.query("And how far can its lamp be seen?", conversation_id=talk)["answered"]
    whole = ida.client.get(f"{root}/{talk}").json()
    assert [m["role"] for m in whole["messages"]] == ["user", "assistant"] * 2
    exported = ida.client.get(f"{root}/{talk}/export")
    assert "lighthouse.txt" in exported.text
    as_json = ida.client.get(f"{root}/{talk}/export", params={"format": "json"}).json()
    assert as_json["messages"][1]["citations"][0]["document"] == "lighthouse.txt"
    for form in FORMS:
        last = {"format": form, "message": whole["messages"][-1]["id"]}
        reply = ida.client.get(f"{root}/{talk}/export", params=last)
        assert reply.headers["content-type"] == FORMS[form].media_type
        assert reply.content.startswith(b"PK") or b"lighthouse" in reply.content
        assert WHO.encode() not in reply.content, "the other answer is not in it"
    missing = ida.client.get(f"{root}/{talk}/export", params={"message": 10**12})
    assert missing.status_code == 404
    renamed = ida.client.patch(f"{root}/{talk}", json={"title": "Lights"}).json()
    assert (renamed["title"], renamed["pinned"]) == ("Lights", False)
    pinned = ida.client.patch(f"{root}/{talk}", json={"pinned": True}).json()
    assert (pinned["title"], pinned["pinned"]) == ("Lights", True)
    for words, found in (("LAMP lights", 1), ("lamp submarine", 0)):
        reply = ida.client.get(root, params={"words": words}).json()
        assert len(reply["conversations"]) == found
    assert ida.client.get(root).json()["conversations"][0]["title"] == "Lights"
    assert ida.client.delete(f"{root}/{talk}").status_code == 204
    assert ida.client.get(f"{root}/{talk}").status_code == 404


def test_a_model_that_the_server_lists_may_be_named(world: World, ida: Person) -> None:
    world.model.queue(Reply("quote", times=None))
    got = ida.query(WHO, provider="openai", model="standin")
    assert got["usage"]["model"] == "standin"
    assert got["usage"]["passages_given"] > 0
    assert got["citations"]


@pytest.mark.G17
def test_its_name_may_be_a_path(world: World, ida: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "/models/mistral-7b"
    monkeypatch.setattr(world.model, "models", [name])
    world.model.queue(Reply("quote", times=None))
    assert ida.query(WHO, provider="openai", model=name)["usage"]["model"] == name


def test_the_preset_of_a_session(ida: Person) -> None:
    client = ida.client
    session = client.post("/sessions", json={"preset": "documents"}).json()["id"]
    place = f"/sessions/{session}/preset"
    assert client.get(place).json()["preset"] == "documents"
    assert eventually(lambda: client.get(place).json()["whole"])
    chosen = client.put(place, json={"preset": "balanced", "beside": ["live-web", "balanced"]})
    assert (chosen.json()["preset"], chosen.json()["beside"]) == ("balanced", ["live-web"])
    assert client.put(place, json={"preset": "none"}).status_code == 422
    refused = client.put("/sessions/none/preset", json={"preset": "balanced"})
    assert refused.status_code == 400
    body = {"session_id": ida.session_id, "question": "lighthouse lamp"}
    strict = body | {"options": {"mode": "dense", "min_similarity": 0.99}}
    assert client.post("/search", json=strict).json()["hits"] == []
    by_model = body | {"options": {"mode": "dense", "min_similarity": "by-model"}}
    found = client.post("/search", json=by_model).json()
    assert all(hit["dense"] >= 0.35 for hit in found["hits"])
    assert "from a likeness of 0.35 on" in str(found["steps"])
    unknown = body | {"options": {"min_similarity": "by-hand"}}
    assert client.post("/search", json=unknown).status_code == 422


def test_a_preset_is_the_search_and_the_prompt(world: World, ida: Person) -> None:
    def system(**more: Any) -> str:
        world.model.requests.clear()
        ida.query(WHO, provider="openai", model="standin", **more)
        return str(world.model.chats()[0].body["messages"][0]["content"])

    world.model.queue(Reply("quote", times=None))
    assert "You help programmers" in system(preset="stack-overflow")
    assert "strictly from the numbered sources" in system()
    session = world.service.sessions.get(world.service.owners.for_token("ida"), ida.session_id)
    world.service.sessions.set_preferences(session, {"preset": "stack-overflow"})
    try:
        assert "You help programmers" in system(), "as on the page of this session"
        assert "You help programmers" not in system(preset="balanced")
    finally:
        world.service.sessions.set_preferences(session, {"preset": "balanced"})


def test_a_models_answer_is_the_one_of_the_page(world: World, ida: Person) -> None:
    world.model.queue(Reply("quote", times=None))
    session = world.service.sessions.get(world.service.owners.for_token("ida"), ida.session_id)
    chosen = {"provider": "openai", "model": "standin"}
    world.service.sessions.set_preferences(session, {"model": chosen})  # as the page does
    try:
        page = next(
            event
            for event in world.service.ask(
                AskRequest(session, WHO, model=current_choice(world.service, session))
            )
            if isinstance(event, Answer)
        )
        got = ida.query(WHO)
    finally:
        world.service.sessions.set_preferences(session, {"model": {}})
    assert page.usage is not None
    assert got["usage"]["model"] == page.usage.model == "standin"
    assert got["answer"] == page.text
    assert [c["quote"] for c in got["citations"]] == [c.quote for c in page.citations]
    assert [c["support"] for c in got["claims"]] == [c.support.value for c in page.claims]


@pytest.mark.parametrize("provider", ["gemini", "ollama"])
def test_a_provider_that_is_not_set_up_is_refused(ida: Person, provider: str) -> None:
    body = {"session_id": ida.session_id, "question": WHO, "provider": provider, "model": "x"}
    refused = ida.client.post("/query", json=body)
    assert refused.status_code == 400
    assert "not set up" in refused.json()["detail"]
    assert refused.json()["cure"]


def test_the_live_web_says_that_it_is_off(ida: Person) -> None:
    refused = ida.client.post(
        "/query", json={"session_id": ida.session_id, "question": WHO, "web": True}
    )
    assert refused.status_code == 400
    assert refused.json()["code"] == "WebSearchOff"


@pytest.mark.parametrize("stream", [True, False])
def test_whoever_hangs_up_ends_the_work(world: World, ida: Person, stream: bool) -> None:
    ida.query(WHO, provider="openai", model="standin")  # what is loaded at the first use is loaded
    world.model.queue(Reply("hang-middle", text="The lighthouse was", times=None))
    world.model.requests.clear()
    body = {"session_id": ida.session_id, "question": WHO, "provider": "openai"}
    body |= {"model": "standin", "stream": stream}
    if stream:
        with ida.client.stream("POST", "/query", json=body) as response:
            lines = response.iter_lines()
            assert any(line == "event: text" for line in lines)
    else:
        with pytest.raises(httpx.ReadTimeout):
            ida.client.post("/query", json=body, timeout=3.0)
    left = time.monotonic()
    gone = world.model.wait_gone(10)
    world.model.queue(Reply("quote", times=None))
    assert gone is not None, "the model is still writing"
    assert gone - left < 8


@pytest.mark.parametrize(
    "question", ["\ud800", "a\x00b", "\u202e\u200b?", "🦭" * 2000, "\\", "`[1]`"]
)
def test_odd_questions_are_answered_or_refused_in_words(ida: Person, question: str) -> None:
    body = json.dumps({"session_id": ida.session_id, "question": question})
    headers = {"Content-Type": "application/json"}
    for path in ("/query", "/search"):
        answer = ida.client.post(path, content=body, headers=headers)
        assert answer.status_code in (200, 422), answer.text


def test_the_level_and_own_queries_are_in_the_plan(ida: Person) -> None:
    body = {"session_id": ida.session_id, "question": WHO, "level": "several"}
    found = ida.client.post("/search", json=body).json()
    assert found["plan"]["level"] == "several"
    assert found["plan"]["goal"]
    assert [query["where"] for query in found["sent"]] == ["documents"] * len(found["sent"])
    assert sum(query["kept"] for query in found["sent"]) >= len(found["hits"]) > 0
    assert "no-model-for-queries" in {notice["code"] for notice in found["notices"]}
    own = ida.query(WHO, queries=["Ida Holm", "lamp"])
    assert own["plan"]["queries"] == ["Ida Holm", "lamp"]
    assert [query["text"] for query in own["sent"]] == [WHO, "Ida Holm", "lamp"]
    assert {"tokens", "seconds"} <= own["steps"][0].keys()
    assert ida.client.post("/search", json={**body, "level": "deep"}).status_code == 422


def test_a_scope_keeps_everything_else_out(world: World, ida: Person) -> None:
    """In an answer, in a search, and in what a model is shown."""
    bread = {"documents": [ida.documents["bread.md"]]}
    refused = ida.query(WHO, **bread)
    assert not refused["answered"]
    assert refused["abstention"]["searched_documents"] == 1
    assert {hit["document"] for hit in (*refused["hits"], *refused["dropped"])} == {"bread.md"}
    of = len(ida.client.get(f"/sessions/{ida.session_id}/documents").json()["documents"])
    assert refused["scope"] == bread | {
        "origin": [], "kind": [], "tags": [], "added_after": None, "published_after": None,
        "asked": 1, "of": of,
    }  # fmt: skip
    assert ida.query(WHO)["scope"] is None

    body = {"session_id": ida.session_id, "question": WHO}
    for scope, found in (
        ({"origin": ["upload"], "added_after": "2020-01-01"}, True),
        ({"origin": ["collection", "web"]}, False),
        ({"kind": ["pdf"]}, False),
        ({"tags": ["no such tag"]}, False),
        ({"added_after": "2020-01-01T00:00:00+14:00"}, True),
        ({"added_after": "2999-01-01"}, False),
        ({"added_after": "2999-01-01T00:00:00Z"}, False),
        ({"published_after": "2001-01-01"}, False),
    ):
        assert bool(ida.client.post("/search", json=body | scope).json()["hits"]) is found, scope

    day = ida.query(WHO, added_after="2020-01-01")["scope"]["added_after"]
    assert day == "2020-01-01T00:00:00Z"
    soon = ida.client.post("/search", json=body | {"added_after": "soon"})
    assert soon.status_code == 422

    world.model.queue(Reply("quote", times=None))
    world.model.requests.clear()
    ida.query(WHO, provider="openai", model="standin", **bread)
    shown = str([chat.body for chat in world.model.chats()])
    assert "Bread" in shown
    assert "built in 1874" not in shown


def test_a_scope_of_documents_that_are_not_there_is_refused(ida: Person) -> None:
    body = {"session_id": ida.session_id, "question": WHO}
    for path in ("/search", "/query"):
        for documents in (["0" * 64], [ida.documents["bread.md"], "0" * 64]):
            refused = ida.client.post(path, json=body | {"documents": documents})
            assert refused.status_code == 404
        for wrong in ({"documents": []}, {"documents": ["x"]}, {"origin": ["post"]}):
            assert ida.client.post(path, json=body | wrong).status_code == 422


@pytest.mark.parametrize("path", ["/query", "/search"])
def test_where_too_many_wait_it_says_when_to_come_back(
    world: World, ida: Person, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(world.service.queue.busy, "_most_waiting", 0)
    body = {"session_id": ida.session_id, "question": WHO, "level": "as typed"}
    refused = ida.client.post(path, json=body)
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "10"
    assert refused.json()["code"] == "Busy"
    monkeypatch.undo()
    assert ida.client.post(path, json=body).status_code == 200
