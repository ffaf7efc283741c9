"""One verdict at every door: scheme, host and port of the origin are this server's, or nothing is
answered; Streamlit never asks another host for its own address, and its own figures are closed."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from core.access.browsers import COOKIE, middleware
from core.access.origins import is_foreign
from core.config import Settings
from serve import page_options
from tests.browser.servers import Server, footnote_in

pytestmark = [pytest.mark.E12, pytest.mark.E14]

PUBLIC = "https://docs.example.org/footnote"
TOKEN = "t" * 43
HERE = "127.0.0.1:8501"


@pytest.mark.parametrize(
    ("origin", "scheme", "host", "foreign"),
    [
        (f"http://{HERE}", "http", HERE, False),
        (f"http://{HERE}", "ws", HERE, False),
        (f"https://{HERE}", "http", HERE, True),
        ("http://127.0.0.1:8502", "ws", HERE, True),
        ("http://127.0.0.1", "ws", HERE, True),
        ("http://localhost:8501", "ws", HERE, True),
        ("http://LOCALHOST:8501", "http", "localhost:8501", False),
        ("https://docs.example.org", "wss", "docs.example.org:443", False),
        ("http://docs.example.org", "wss", "docs.example.org", True),
        ("http://docs.example.org:443", "https", "docs.example.org", True),
        ("http://[::1]:8501", "ws", "[::1]:8501", False),
        ("null", "http", HERE, True),
        ("", "http", HERE, True),
        ("http://", "http", "", True),
        (f"ftp://{HERE}", "http", HERE, True),
        (f"http://{HERE}@evil.example", "http", HERE, True),
        (f"http://evil.example/@{HERE}", "http", HERE, True),
        (f"http://{HERE}:x", "http", HERE, True),
    ],
)
def test_an_origin_is_scheme_host_and_port(
    origin: str, scheme: str, host: str, foreign: bool
) -> None:
    assert is_foreign("POST", {"origin": origin, "host": host}, scheme) is foreign


def test_programs_and_followed_links_are_not_foreign() -> None:
    assert not is_foreign("POST", {"host": HERE}, "http")
    link = {"host": HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert not is_foreign("GET", link, "http")
    assert is_foreign("POST", link, "http")


async def _seen(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"{request.url} {request.cookies.get(COOKIE, '')}")


async def _page(request: Request) -> HTMLResponse:
    return HTMLResponse(f"<p>{request.url}</p>")


async def _stream(socket: WebSocket) -> None:
    await socket.accept()
    headers = socket.headers
    allowed = _is_origin_allowed(headers.get("origin"), headers.get("host"))
    await socket.send_text(f"{socket.url} {socket.cookies.get(COOKIE, '')} {allowed}")
    await socket.close()


def client(base_url: str, public_url: str = "") -> TestClient:
    """A browser at `base_url`, as the server itself sees it."""
    prefix = urlsplit(public_url).path
    streamlit = [
        WebSocketRoute(f"{prefix}/_stcore/stream", _stream),
        Route(f"{prefix}/_stcore/upload_file/page/file", _seen, methods=["PUT", "DELETE"]),
        Route(f"{prefix}/_stcore/metrics", _seen),
        Route(f"{prefix}/_stcore/health", _seen),
        Route(f"{prefix}/Documents", _page),
    ]
    api = Mount("/api", routes=[Route("/seen", _seen)])
    app = Starlette(
        routes=[api, *streamlit], middleware=middleware(Settings(public_url=public_url))
    )
    return TestClient(app, base_url=base_url)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that Streamlit puts to others for its own address: none."""
    found: list[str] = []
    monkeypatch.setattr(net_util, "get_external_ip", lambda: found.append("external"))
    monkeypatch.setattr(net_util, "get_internal_ip", lambda: found.append("internal"))
    return found


FOREIGN = ["https://evil.example", "null", "http://localhost:8501", "http://127.0.0.1:3000",
           "https://127.0.0.1:8501", "http://127.0.0.1"]  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_finds_every_door_closed(origin: str, asked: list[str]) -> None:
    browser = client(f"http://{HERE}")
    headers = {"Origin": origin, "Cookie": f"{COOKIE}={TOKEN}"}
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        browser.websocket_connect(f"ws://{HERE}/_stcore/stream", headers=headers),
    ):
        pass
    assert closed.value.code == 1008
    for method, path in (
        ("GET", "/Documents"),
        ("GET", "/_stcore/health"),
        ("PUT", "/_stcore/upload_file/page/file"),
        ("DELETE", "/_stcore/upload_file/page/file"),
    ):
        assert browser.request(method, path, headers=headers).status_code == 403, path
    assert asked == []


def test_the_own_page_is_let_in_everywhere(asked: list[str]) -> None:
    browser = client(f"http://{HERE}")
    headers = {"Origin": f"http://{HERE}", "Cookie": f"footnote_owner_8501={TOKEN}"}
    with browser.websocket_connect(f"ws://{HERE}/_stcore/stream", headers=headers) as socket:
        assert socket.receive_text() == f"ws://{HERE}/_stcore/stream {TOKEN} True"
    for method, path in (("GET", "/Documents"), ("PUT", "/_stcore/upload_file/page/file")):
        assert browser.request(method, path, headers=headers).status_code == 200
    assert asked == []


THROUGH_PROXIES = [
    {"Host": "docs.example.org"},
    {"Host": "docs.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"},
    {"Host": HERE, "X-Forwarded-For": "203.0.113.5"},  # as nginx does where it is not told better
    {"Host": HERE},
]


@pytest.mark.parametrize("prefix", ["/footnote", ""])
@pytest.mark.parametrize("headers", THROUGH_PROXIES)
def test_the_public_address_is_the_origin_however_the_proxy_names_it(
    headers: dict[str, str], prefix: str, asked: list[str]
) -> None:
    browser = client(f"http://{HERE}", PUBLIC)  # with the prefix, or taken off by the proxy
    cookie = {"Cookie": f"__Host-footnote_owner_443={TOKEN}"}
    own = {**headers, **cookie, "Origin": "https://docs.example.org"}
    with browser.websocket_connect(f"ws://{HERE}{prefix}/_stcore/stream", headers=own) as socket:
        told = socket.receive_text()
    assert told == f"wss://docs.example.org/footnote/_stcore/stream {TOKEN} True"
    put = browser.put(f"{prefix}/_stcore/upload_file/page/file", headers=own)
    assert put.text.startswith("https://docs.example.org/footnote/_stcore/")
    seen = browser.get(f"{prefix}/api/seen", headers=own)
    assert seen.text == f"https://docs.example.org/footnote/api/seen {TOKEN}"
    for origin in ("https://evil.example", "http://docs.example.org", "https://127.0.0.1:8501"):
        foreign = {**headers, "Origin": origin}
        with (
            pytest.raises(WebSocketDisconnect),
            browser.websocket_connect(f"ws://{HERE}{prefix}/_stcore/stream", headers=foreign),
        ):
            pass
    assert asked == []


def test_behind_a_proxy_the_own_machine_is_no_origin_of_strangers() -> None:
    browser = client(f"http://{HERE}", PUBLIC)
    local = {"Origin": f"http://{HERE}"}
    path = "/footnote/_stcore/upload_file/page/file"
    assert browser.put(path, headers=local).status_code == 200  # opened directly
    assert browser.put(path, headers={**local, "X-Forwarded-For": "1.2.3.4"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"Host": "docs.example.org"}, "__Host-footnote_owner_443"),
        ({"Host": HERE, "X-Forwarded-For": "203.0.113.5"}, "__Host-footnote_owner_443"),
        ({"Host": HERE}, "footnote_owner_8501"),
    ],
)
def test_the_cookie_is_named_after_the_port_and_bound_to_the_host(
    headers: dict[str, str], name: str
) -> None:
    told = client(f"http://{HERE}", PUBLIC).get("/footnote/Documents", headers=headers)
    cookie = told.headers["set-cookie"]
    assert cookie.startswith(f"{name}=")
    assert ("Secure" in cookie) is name.startswith("__Host-")
    assert "Path=/;" in cookie
    assert "Domain" not in cookie


def test_the_old_cookie_opens_its_library_and_becomes_the_new_one() -> None:
    browser = client(f"http://{HERE}")
    old = {"Cookie": f"{COOKIE}={TOKEN}"}
    assert browser.get("/api/seen", headers=old).text.endswith(TOKEN)
    page = browser.get("/Documents", headers=old)
    assert page.headers["set-cookie"].startswith(f"footnote_owner_8501={TOKEN}")
    both = {"Cookie": f"{COOKIE}={'o' * 43}; footnote_owner_8501={TOKEN}"}
    assert browser.get("/api/seen", headers=both).text.endswith(TOKEN)
    other = {"Cookie": f"footnote_owner_8601={TOKEN}; __Host-footnote_owner_443={TOKEN}"}
    assert not browser.get("/api/seen", headers=other).text.endswith(TOKEN)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real program."""
    with footnote_in(tmp_path_factory.mktemp("doors")) as found:
        yield found


@pytest.mark.parametrize("origin", FOREIGN)
def test_the_real_server_refuses_a_foreign_handshake_at_once(server: Server, origin: str) -> None:
    address = server.url.replace("http", "ws", 1) + "/_stcore/stream"
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(address, subprotocols=["streamlit"], origin=origin, proxy=None),
    ):
        pass
    assert refused.value.response.status_code == 403
    # Streamlit's own refusal says so in the log; before it, nothing of Streamlit was asked.
    assert "Rejecting WebSocket" not in server.said()


@pytest.mark.parametrize(
    "path", ["metrics", "metrics/", "script-health-check", "agent/mcp", "agent/openapi.json"]
)
def test_figures_and_agents_of_streamlit_are_closed(server: Server, path: str) -> None:
    answer = httpx.get(f"{server.url}/_stcore/{path}", trust_env=False)
    assert answer.status_code == 404
    assert "session" not in answer.text


def test_an_unknown_name_is_told_what_to_set(server: Server) -> None:
    told = httpx.get(server.url, headers={"Host": "docs.example.org"}, trust_env=False)
    assert told.status_code == 400
    assert "PUBLIC_URL" in told.text


def test_streamlit_asks_no_host_for_its_address() -> None:

    assert page_options(Settings())["browser.serverAddress"] == "127.0.0.1"
    options = page_options(Settings(public_url=PUBLIC))
    assert options["browser.serverAddress"] == "docs.example.org"
    assert options["server.baseUrlPath"] == "footnote"
