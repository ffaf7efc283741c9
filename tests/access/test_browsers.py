"""The cookie by which a browser is recognised, and the headers of every answer."""

from __future__ import annotations

from http.cookies import Morsel, SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.access.browsers import COOKIE, middleware
from core.config import Settings


def _page(_: Request) -> HTMLResponse:
    return HTMLResponse("<p>page</p>")


def _data(_: Request) -> JSONResponse:
    return JSONResponse({})


ROUTES = [Route("/", _page), Route("/Documents", _page), Route("/api/health", _data)]


def _client(base_url: str = "http://127.0.0.1:8501", bind: str = "127.0.0.1") -> TestClient:
    app = Starlette(routes=ROUTES, middleware=middleware(Settings(bind_address=bind)))
    return TestClient(app, base_url=base_url)


def _cookie(header: str) -> Morsel[str]:
    (morsel,) = SimpleCookie(header).values()
    return morsel


def test_a_new_browser_gets_a_cookie_that_scripts_cannot_read() -> None:
    morsel = _cookie(_client().get("/").headers["set-cookie"])
    assert morsel["httponly"]
    assert morsel["samesite"] == "Lax"
    assert len(morsel.value) >= 43  # 256 bits in base64
    assert not morsel["secure"]


def test_over_https_the_cookie_is_secure() -> None:
    headers = _client("https://127.0.0.1").get("/").headers
    assert _cookie(headers["set-cookie"])["secure"]


def test_a_known_browser_keeps_its_token_for_a_year_more() -> None:
    with _client() as client:
        first = _cookie(client.get("/").headers["set-cookie"])
        again = _cookie(client.get("/Documents").headers["set-cookie"])
    assert again.value == first.value
    assert int(again["max-age"]) > 300 * 24 * 3600


@pytest.mark.parametrize("weak", ["1", "admin", "a b", "x" * 44])
def test_a_token_that_we_never_gave_is_replaced(weak: str) -> None:
    header = _client().get("/", headers={"cookie": f"{COOKIE}={weak}"}).headers["set-cookie"]
    assert len(_cookie(header).value) == 43


def test_two_browsers_get_different_tokens() -> None:
    first, second = (list(_client().get("/").cookies.values()) for _ in range(2))
    assert first != second


def test_the_api_sets_no_cookie() -> None:
    assert "set-cookie" not in _client().get("/api/health").headers


def test_every_answer_forbids_other_hosts() -> None:
    headers = _client().get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["http://evil.example", "http://169.254.169.254"])
def test_a_foreign_name_bound_to_loopback_gets_nothing(host: str) -> None:
    assert _client(host).get("/").status_code == 400


def test_bound_elsewhere_any_name_is_answered() -> None:
    assert _client("http://library.example", bind="0.0.0.0").get("/").status_code == 200
