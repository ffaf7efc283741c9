"""What the gate of the API refuses before any route sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.api import gate
from core.api.gate import Gate

JSON = {"content-type": "application/json"}
FOREIGN = {"origin": "https://evil.example"}


async def size(request: Request) -> JSONResponse:
    """How many bytes came."""
    return JSONResponse(len(await request.body()))


async def kept(request: Request) -> JSONResponse:
    """An answer that says itself how it is kept."""
    return JSONResponse("a page", headers={"Cache-Control": "private, max-age=60"})


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A client of two routes behind the gate."""
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    app = Starlette(routes=[Route("/kept", kept), Route("/{path:path}", size, methods=methods)])
    app.add_middleware(Gate)
    with TestClient(app, base_url="http://127.0.0.1:8501") as client:
        yield client


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_body_is_json_or_refused(client: TestClient, method: str) -> None:
    assert client.request(method, "/sessions", content=b"{}", headers=JSON).json() == 2
    spelled = {"content-type": "Application/JSON; charset=utf-8"}
    assert client.request(method, "/sessions", content=b"{}", headers=spelled).json() == 2
    for kind in ("text/plain", "multipart/form-data; boundary=b", "application/jsonp", ""):
        refused = client.request(method, "/sessions", content=b"{}", headers={"content-type": kind})
        assert refused.status_code == 415
        assert refused.headers["content-type"] == "application/problem+json"
    assert client.request(method, "/sessions").json() == 0, "no body needs no type"


def test_a_body_without_a_length_is_no_way_around(client: TestClient) -> None:
    chunks = (b"form" for _ in range(1))
    assert client.post("/sessions", content=chunks).status_code == 415


def test_json_is_so_large_and_no_larger(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_LARGEST_JSON", 1000)
    assert client.post("/sessions", content=b" " * 1000, headers=JSON).json() == 1000
    assert client.post("/sessions", content=b" " * 1001, headers=JSON).status_code == 413
    pieces = (b" " * 100 for _ in range(11))  # without a length: counted as it comes
    assert client.post("/sessions", content=pieces, headers=JSON).status_code == 413
    form = {"content-type": "multipart/form-data; boundary=b"}  # counted where it is stored
    assert client.post("/ingest-files/", content=b" " * 2000, headers=form).json() == 2000


def test_a_foreign_page_reaches_the_two_open_routes_alone(client: TestClient) -> None:
    for path in ("/sessions", "/ingest-files/", "/healthy", "/health/x"):
        refused = client.post(path, headers=FOREIGN)
        assert refused.status_code == 403
        assert refused.json()["code"] == "ForeignSite"
        assert client.get(path, headers=FOREIGN).status_code == 403
    for path in ("/health", "/ready"):
        assert client.get(path, headers=FOREIGN).status_code == 200


def test_what_is_somebodys_own_stays_in_no_cache(client: TestClient) -> None:
    assert client.get("/sessions").headers["cache-control"] == "no-store"
    assert client.get("/kept").headers["cache-control"] == "private, max-age=60"
