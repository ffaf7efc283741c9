"""A page of another site can neither change nor read anything through a person's browser."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from core.access.browsers import COOKIE
from tests.api.server import application, serving

pytestmark = pytest.mark.E09


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server that asks for no key, as on a person's own machine."""
    from core.service import Service
    from tests.api.server import api_settings

    service = Service(api_settings(tmp_path_factory.mktemp("here")), background=False)
    with (
        serving(application(service)) as url,
        httpx.Client(base_url=url, timeout=60, trust_env=False) as client,
    ):
        yield client
    service.close()


FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:3000"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example", "Cookie": f"{COOKIE}=x"},
]
FORM = ("--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.txt\"\r\n\r\n"
        "planted\r\n--b--\r\n")  # fmt: skip


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_foreign_page_changes_and_reads_nothing(
    here: httpx.Client, headers: dict[str, str]
) -> None:
    form = {"Content-Type": "multipart/form-data; boundary=b", **headers}
    for answer in (
        here.post("/api/sessions", json={"name": "planted"}, headers=headers),
        here.post("/api/ingest-files/", content=FORM, headers=form),
        here.delete("/api/sessions/3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10", headers=headers),
        here.get("/api/sessions", headers=headers),
        here.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers),
    ):
        assert answer.status_code == 403
        assert answer.json()["code"] == "ForeignSite"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", None],
)
def test_only_json_changes_anything(here: httpx.Client, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = here.post("/api/sessions", content=b'{"name": "planted"}', headers=headers)
    assert answer.status_code == 415


def test_cross_origin_sharing_is_closed(here: httpx.Client) -> None:
    asked = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    for path in ("/api/sessions", "/api/query", "/mcp"):
        answer = here.request("OPTIONS", path, headers=asked)
        assert answer.status_code >= 400
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", ["evil.example", "169.254.169.254", "evil.example:8501"])
def test_a_rebound_name_reaches_nothing(here: httpx.Client, host: str) -> None:
    for path in ("/api/health", "/api/sessions", "/mcp"):
        assert here.get(path, headers={"Host": host}).status_code == 400


def test_the_own_page_and_programs_are_let_in(here: httpx.Client) -> None:
    own = {"Origin": str(here.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    for headers in ({}, own, {"Sec-Fetch-Site": "none"}):
        made = here.post("/api/sessions", json={"name": "Mine"}, headers=headers)
        assert made.status_code == 201, made.text
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert here.get("/api/sessions", headers=link).status_code == 200
    names = [session["name"] for session in here.get("/api/sessions").json()["sessions"]]
    assert names == ["Mine"] * 3
