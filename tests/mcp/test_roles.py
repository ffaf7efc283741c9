"""The tools of the MCP server in every role: all of them only look and ask."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client

from core.types import Role
from tests.api.server import WHO, Person, World
from tests.mcp.test_client import TOOLS, called, over_http

ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"question": WHO},
    "ask": {"question": WHO},
    "list_documents": {},
    "read_page": {"document_id": "lighthouse.txt"},
}


def arguments(tool: str, person: Person) -> dict[str, Any]:
    """The arguments of a call in the person's session."""
    given = {"session_id": person.session_id, **ARGUMENTS[tool]}
    if "document_id" in given:
        given["document_id"] = person.documents[given["document_id"]]
    return given


def test_every_tool_has_its_row() -> None:
    assert set(ARGUMENTS) == TOOLS


@pytest.mark.parametrize("role", list(Role))
def test_a_key_of_any_role_may_use_every_tool(role: Role, world: World, ida: Person) -> None:
    found = world.service.keys.owner_of(ida.key)
    assert found is not None
    key = world.service.keys.create(found[0], "narrow", ida.session_id, role)

    async def work(client: Client) -> None:
        for tool in sorted(TOOLS):
            assert await called(client, tool, **arguments(tool, ida)), tool

    over_http(world.url, key, work)


def test_a_key_of_somebody_else_may_use_none(world: World, ida: Person, nils: Person) -> None:
    async def work(client: Client) -> None:
        for tool in sorted(TOOLS):
            refused = await client.call_tool(tool, arguments(tool, ida))
            assert refused.is_error, tool
            assert "no such session" in str(refused.content), tool

    over_http(world.url, nils.key, work)
