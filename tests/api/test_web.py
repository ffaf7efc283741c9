"""The live web through the API: searched, cited, kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.server import Person, World, person, running
from tests.standins.searxng import SearxngStandin, index
from tests.standins.small_web import SmallWeb

WHO = "Who built the lantern house of Velmark?"
ENGLISH = ("/velmark", "/whales", "/guilds", "/nets")


@pytest.fixture(scope="module")
def online(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server that reads a small web."""
    with SmallWeb() as web, SearxngStandin(index(web, ENGLISH)) as searxng:
        folder = tmp_path_factory.mktemp("online")
        settings = {"searxng_url": searxng.url, "allowed_private_hosts": web.host}
        with running(folder, searxng_pause=0.0, **settings) as world:
            yield world


def test_a_question_to_the_web_and_a_page_kept(online: World) -> None:
    with person(online, "wanda") as wanda:
        got = wanda.query(WHO, web=True)
        cited = got["citations"][0]
        assert "guild of net makers" in got["answer"]
        assert cited["url"].endswith("/velmark")
        assert cited["published"] == "2025-03-04"
        assert len(cited["read_at"]) == 10
        assert "web indexed" in [step["name"] for step in got["steps"]]
        root = f"/sessions/{wanda.session_id}"
        read = wanda.client.get(f"{root}/web-pages").json()
        assert cited["document_id"] in [page["id"] for page in read["documents"]]
        mine = [d["id"] for d in wanda.client.get(f"{root}/documents").json()["documents"]]
        assert cited["document_id"] not in mine
        page = f"{root}/documents/{cited['document_id']}"
        kept = wanda.client.post(f"{page}/keep")
        assert kept.json()["expires_at"] is None
        assert wanda.client.post(f"{page}/keep").status_code == 200  # twice is no error
        documents = online.settled(wanda.client, wanda.session_id)
        assert [d["id"] for d in documents if d["state"] == "ready" and d["url"]] == [
            cited["document_id"]
        ]


def test_a_search_with_ones_own_queries(online: World) -> None:
    with person(online, "walt") as walt:
        body = {"session_id": walt.session_id, "question": WHO, "web": True, "queries": ["velmark"]}
        found = walt.client.post("/search", json=body).json()
        assert any(hit["document"].startswith("The lantern house") for hit in found["hits"])
        steps = {step["name"]: step["detail"] for step in found["steps"]}
        assert steps["web queries"] == "velmark (yours)"


@pytest.mark.parametrize("path", ["/search", "/query"])
def test_without_searxng_it_is_refused(ida: Person, path: str) -> None:
    body = {"session_id": ida.session_id, "question": WHO, "web": True}
    refused = ida.client.post(path, json=body)
    assert refused.json()["code"] == "WebSearchOff"
