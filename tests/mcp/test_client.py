"""The package `mcp` as a client, over HTTP and over stdin and stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.api.server import WHO, Person, World
from tests.conftest import MODELS, ROOT

TOOLS = {"search", "ask", "list_documents", "read_page"}
Work = Callable[[Client], Awaitable[None]]


def over_http(url: str, key: str, work: Work, mode: str = "auto") -> None:
    """Do something with a client of a running server."""

    async def run() -> None:
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                await work(client)

    anyio.run(run)


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured result of a tool."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_over_http(world: World, ida: Person, mode: str) -> None:
    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        assert all(tool.description for tool in tools)

        listed = await called(client, "list_documents", session_id=ida.session_id)
        assert {"lighthouse.txt", "bread.md"} <= {d["document"] for d in listed["documents"]}
        assert listed["sessions"][ida.session_id]

        found = await called(client, "search", question="lamp", session_id=ida.session_id, top_k=1)
        assert len(found["passages"]) == 1

        asked = {"question": WHO, "session_id": ida.session_id}
        deep = await called(client, "ask", **asked, level="in depth")
        assert any("No language model is chosen" in notice for notice in deep["notices"])
        answer = await called(client, "ask", **asked)
        assert answer["answer"] == ida.query(WHO)["answer"]
        cited = answer["citations"][0]
        assert cited["document"] == "lighthouse.txt"

        bread = {"documents": [ida.documents["bread.md"]], "session_id": ida.session_id}
        assert not (await called(client, "ask", question=WHO, **bread))["answered"]
        only = await called(client, "search", question=WHO, origin=["upload"], **bread)
        assert {passage["document"] for passage in only["passages"]} == {"bread.md"}
        for none in (
            {"added_after": "2999-01-01"},
            {"added_after": "2999-01-01T00:00+02:00"},
            {"published_after": "2001-01-01"},
        ):
            assert not (await called(client, "search", question=WHO, **bread, **none))["passages"]

        where = "Where is Ida Holm mentioned?"
        ledger = await called(client, "ask", question=where, session_id=ida.session_id)
        assert ledger["answer"] == ida.query(where)["answer"]
        assert "passages read" in ledger["answer"]

        page = await called(
            client,
            "read_page",
            document_id=cited["document_id"],
            page_ordinal=cited["page_ordinal"],
            session_id=ida.session_id,
        )
        assert cited["quote"] in page["text"]

    over_http(world.url, ida.key, work, mode)


def test_what_fails_is_told_to_the_assistant(world: World, ida: Person, nils: Person) -> None:
    async def work(client: Client) -> None:
        missing = await client.call_tool("read_page", {"document_id": "0" * 64})
        assert missing.is_error
        assert "no such document" in str(missing.content)
        foreign = await client.call_tool("ask", {"question": WHO, "session_id": ida.session_id})
        assert foreign.is_error
        assert "no such session" in str(foreign.content)
        assert (await client.call_tool("search", {"question": ""})).is_error

    over_http(world.url, nils.key, work)


@pytest.mark.parametrize("way", ["../../keys", "x/pages/0", "x?limit=1", "x%2F..", "", "x\n"])
def test_an_argument_is_no_path(world: World, ida: Person, way: str) -> None:
    """What is put into the path of a request of REST is an id and nothing that leads elsewhere."""
    asked: list[str] = []

    async def work(client: Client) -> None:
        for arguments in ({"document_id": way}, {"document_id": "0" * 64, "session_id": way}):
            told = await client.call_tool("read_page", arguments)
            assert told.is_error
            asked.append(str(told.content))

    over_http(world.url, ida.key, work)
    assert all("validation error" in text.lower() for text in asked), asked


def test_a_session_used_last_is_the_usual_one(world: World) -> None:
    service = world.service
    owner = service.owners.for_token("fresh")
    key = service.keys.create(owner, "fresh")

    async def before(client: Client) -> None:
        nothing = await client.call_tool("ask", {"question": WHO})
        assert nothing.is_error
        assert "no session yet" in str(nothing.content)

    async def after(client: Client) -> None:
        answer = await called(client, "ask", question=WHO)
        assert not answer["answered"]

    over_http(world.url, key, before)
    service.sessions.create(owner, "First")
    over_http(world.url, key, after)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What a server of its own is started with."""
    return {
        "PATH": os.environ["PATH"],
        "HF_HUB_OFFLINE": "1",
        "DATA_DIR": str(folder / "data"),
        "CHROMA_DIR": str(folder / "chroma"),
        "MODELS_DIR": str(MODELS),
        "MIN_FREE_MB": "1",
        "RERANKER_MODEL": "",
        **more,
    }


def over_stdio(environ: dict[str, str], work: Work) -> None:
    """Do something with a server that is started for it."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "core.mcp.server"], env=environ, cwd=ROOT
    )

    async def run() -> None:
        async with Client(command) as client:
            await work(client)

    anyio.run(run)


def test_stdio_asks_the_running_footnote(world: World, ida: Person) -> None:
    folder = world.service.settings.data_dir.parent
    port = world.url.rpartition(":")[2]

    async def work(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        answer = await called(client, "ask", question=WHO, session_id=ida.session_id)
        assert answer["answer"] == ida.query(WHO)["answer"]

    over_stdio(environment(folder, PORT=port, MCP_API_KEY=ida.key), work)


def test_stdio_works_without_a_running_footnote(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        empty = await client.call_tool("list_documents", {})
        assert "no session yet" in str(empty.content)

    over_stdio(environment(tmp_path), work)
