"""Ids and tokens cannot be guessed, guesses cost time, and tell nothing."""

from __future__ import annotations

import re
from http.cookies import Morsel, SimpleCookie
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.access.browsers import COOKIE, middleware
from core.config import Settings
from core.errors import SessionNotFound, TooManyRequests
from core.ids import new_id
from core.service import Service
from core.types import Session
from tests.api.server import api_settings, application, serving

pytestmark = pytest.mark.E02


def page(request: object) -> HTMLResponse:
    """Any page."""
    return HTMLResponse("<p>Hello</p>")


def cookie(scheme: str, given: str = "") -> Morsel[str]:
    """The cookie that a browser is given."""
    app = Starlette(routes=[Route("/", page)], middleware=middleware(Settings()))
    headers = {"cookie": f"{COOKIE}={given}"} if given else {}
    with TestClient(app, base_url=f"{scheme}://127.0.0.1") as client:
        (morsel,) = SimpleCookie(client.get("/", headers=headers).headers["set-cookie"]).values()
    return morsel


def test_the_cookie_is_random_and_closed() -> None:
    tokens = {cookie("http").value for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)  # 256 bits
    morsel = cookie("https")
    assert morsel["httponly"]
    assert morsel["secure"]
    assert morsel["samesite"] == "Lax"
    assert not cookie("http")["secure"]


@pytest.mark.parametrize("forged", ["x", "a" * 42, "a" * 44, "../" * 14, "admin", "local"])
def test_a_token_that_nobody_gave_is_replaced(forged: str) -> None:
    assert cookie("http", forged).value != forged


def test_a_browser_without_the_cookie_finds_nothing(service: Service, session: Session) -> None:
    stranger = service.owners.for_token("a stranger")
    assert service.sessions.list(stranger) == []
    for guess in (session.id, new_id()):
        with pytest.raises(SessionNotFound) as caught:
            service.sessions.get(stranger, guess)
        assert caught.value.message == "There is no such session."


def test_ids_are_random(service: Service, session: Session) -> None:
    made = [service.sessions.create(session.owner_id).id for _ in range(20)]
    for one in made:
        assert re.fullmatch(
            r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", one
        )
    assert len({one[:8] for one in made}) == 20


def test_guessing_sessions_is_slowed_down(tmp_path: Path) -> None:
    """Each unknown id counts, whoever asks: after a while there is no answer but "wait"."""
    service = Service(api_settings(tmp_path, api_requests_per_minute=1200), background=False)
    with serving(application(service)) as url, httpx.Client(trust_env=False, timeout=60) as client:
        own = client.post(f"{url}/api/sessions", json={"name": "Mine"}).json()["id"]
        statuses = [client.get(f"{url}/api/sessions/{new_id()}").status_code for _ in range(75)]
        assert statuses[:60] == [404] * 60
        assert statuses[-1] == 429
        assert client.get(f"{url}/api/sessions/{own}").status_code == 200  # who knows is let in
    service.close()


def test_a_flood_of_unknown_browsers_is_stopped(tmp_path: Path) -> None:
    service = Service(api_settings(tmp_path), background=False)
    known = service.owners.for_token("known")
    with pytest.raises(TooManyRequests):
        [service.owners.for_token(f"stranger {number}") for number in range(1000)]
    assert service.owners.for_token("known") == known
    service.close()
