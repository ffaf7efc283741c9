"""A whole server for tests: real HTTP on loopback, a real service behind it, a model's stand-in."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from core.access.browsers import middleware
from core.api import create_api
from core.config import Settings
from core.mcp.server import McpFace
from core.service import Service
from tests.conftest import settings_in
from tests.standins.openai_server import OpenAIStandin
from tests.standins.server import Standin

LIGHTHOUSE = (
    "The lighthouse of Port Amber was built in 1874 by Ida Holm. "
    "Its lamp can be seen from 23 nautical miles away.\n\n"
    "The keeper's house is a museum today. It opens at ten in the morning."
)
BREAD = (
    "# Bread\n\nSourdough bread needs flour, water and salt.\n\n"
    "## Baking\n\nBake the loaf for forty minutes at 230 degrees."
)
WHO = "Who built the lighthouse of Port Amber?"


@dataclass(frozen=True)
class World:
    """A running server, and what is needed to speak to it."""

    service: Service
    url: str
    model: Standin

    def client(self, **more: Any) -> httpx.Client:
        """A program without a key."""
        return httpx.Client(base_url=f"{self.url}/api", timeout=60, trust_env=False, **more)

    def settled(self, client: httpx.Client, session_id: str, seconds: float = 90) -> list[Any]:
        """Wait until nothing of the session is being read."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = client.get(f"/sessions/{session_id}/documents").json()["documents"]
            if all(d["state"] in ("ready", "failed", "stopped") for d in found):
                return list(found)
            time.sleep(0.1)
        raise AssertionError("the documents are not ready")


def api_settings(folder: Path, **more: Any) -> Settings:
    """Settings with folders of their own; the built models are shared."""
    return settings_in(folder, **{"ollama_url": "", "api_requests_per_minute": 0, **more})


def application(service: Service) -> Starlette:
    """What `serve.py` builds, without the pages."""
    api = create_api(lambda: service)
    face = McpFace(api)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with face.running():
            yield

    return Starlette(
        routes=[Mount("/api", app=api), Route("/mcp", face)],
        middleware=middleware(service.settings),
        lifespan=lifespan,
    )


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The address of `app`, served on a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(30)


@contextmanager
def running(folder: Path, **more: Any) -> Iterator[World]:
    """A server with a service of its own, where an OpenAI-compatible server is set up."""
    with OpenAIStandin() as model:
        service = Service(api_settings(folder, **{"openai_url": model.url, **more}))
        try:
            assert service.wait_ready(120)
            with serving(application(service)) as url:
                yield World(service, url, model)
        finally:
            service.close()


@dataclass(frozen=True)
class Person:
    """Somebody with a key, a session and two documents in it."""

    client: httpx.Client
    session_id: str
    documents: dict[str, str]
    key: str

    def query(self, question: str, **more: Any) -> Any:
        """The answer to a question about those documents."""
        body = {"session_id": self.session_id, "question": question, **more}
        response = self.client.post("/query", json=body)
        assert response.status_code == 200, response.text
        return response.json()


@contextmanager
def person(world: World, name: str) -> Iterator[Person]:
    """Somebody new."""
    key = world.service.keys.create(world.service.owners.for_token(name), "tests")
    with world.client(headers={"Authorization": f"Bearer {key}"}) as client:
        files = [("files", ("lighthouse.txt", LIGHTHOUSE)), ("files", ("bread.md", BREAD))]
        came = client.post("/ingest-files/", files=files)
        assert came.status_code == 202, came.text
        session_id = came.json()["session_id"]
        ready = world.settled(client, session_id)
        assert {d["state"] for d in ready} == {"ready"}
        yield Person(client, session_id, {d["label"]: d["id"] for d in ready}, key)
