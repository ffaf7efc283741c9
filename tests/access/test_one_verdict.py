"""Who is let in does not depend on the door, nor can a key be guessed in a hurry."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from core.access.browsers import COOKIE
from core.access.callers import Authenticator, Caller, identify
from core.access.rate_limiter import RateLimiter
from core.config import Settings
from core.errors import KeyRefused, KeyRequired, TooManyRequests
from core.service import Service
from tests.api.server import Person, World, api_settings, application, serving

pytestmark = [pytest.mark.E08, pytest.mark.E02]

GOOD = "fn_good"


class Keys:
    """One key."""

    def owner_of(self, token: str) -> tuple[str, str | None] | None:
        return ("keeper", None) if token == GOOD else None


class Owners:
    """One browser, one local owner."""

    def known(self, token: str) -> str | None:
        return "browser" if token == "known" else None

    def local(self) -> str:
        return "local"


def rooms(settings: Settings) -> Any:
    """The rooms that say who asks."""
    return SimpleNamespace(settings=settings, keys=Keys(), owners=Owners())


def who(headers: dict[str, str], **settings: Any) -> str:
    """The owner that is let in, or the name of the error."""
    try:
        return identify(rooms(Settings(**settings)), headers).owner_id
    except (KeyRefused, KeyRequired) as error:
        return error.code


@pytest.mark.parametrize(
    ("headers", "here", "elsewhere"),
    [
        ({}, "local", "KeyRequired"),
        ({"authorization": f"Bearer {GOOD}"}, "keeper", "keeper"),
        ({"authorization": f"bearer {GOOD}"}, "keeper", "keeper"),
        ({"authorization": "Bearer fn_other"}, "KeyRefused", "KeyRefused"),
        ({"authorization": "Bearer "}, "KeyRefused", "KeyRefused"),
        ({"authorization": ""}, "KeyRefused", "KeyRefused"),
        ({"authorization": f"Basic {GOOD}"}, "KeyRefused", "KeyRefused"),
        ({"authorization": "Bearer x", "cookie": f"{COOKIE}=known"}, "KeyRefused", "KeyRefused"),
        ({"cookie": f"{COOKIE}=known"}, "browser", "KeyRequired"),
        ({"cookie": f"{COOKIE}=unknown"}, "local", "KeyRequired"),
        ({"cookie": f"{COOKIE}=local"}, "local", "KeyRequired"),
        ({"cookie": "a=b; ;;; =="}, "local", "KeyRequired"),
        ({"x-api-key": GOOD}, "local", "KeyRequired"),
        ({"x-forwarded-for": "203.0.113.9"}, "KeyRequired", "KeyRequired"),
        ({"forwarded": "for=203.0.113.9"}, "KeyRequired", "KeyRequired"),
    ],
)
def test_who_is_let_in(headers: dict[str, str], here: str, elsewhere: str) -> None:
    assert who(headers) == here
    assert who(headers, bind_address="0.0.0.0") == elsewhere
    assert who(headers, bind_address="192.168.1.5") == elsewhere
    assert who(headers, require_api_key=True) == elsewhere
    assert who(headers, public_url="https://docs.example.org") == elsewhere
    assert who(headers, bind_address="::1") == here


def test_every_face_says_the_same(world: World, ida: Person) -> None:
    good = {"Authorization": f"Bearer {ida.key}"}
    bad = {"Authorization": f"Bearer {ida.key[:-1]}"}
    with world.client() as client:
        for path in ("sessions", "status", "v1/models"):
            assert client.get(f"{world.url}/api/{path}", headers=good).status_code == 200
            for headers in (bad, {}, {"Cookie": f"{COOKIE}=x"}, {"X-Api-Key": ida.key}):
                refused = client.get(f"{world.url}/api/{path}", headers=headers)
                assert refused.status_code == 401
                assert refused.headers["www-authenticate"] == "Bearer"
            in_address = client.get(f"{world.url}/api/{path}?key={ida.key}&token={ida.key}")
            assert in_address.status_code == 401
        for headers in (bad, {}, {"Cookie": f"{COOKIE}=x"}):
            assert client.post(f"{world.url}/mcp", json={}, headers=headers).status_code == 401


def test_a_revoked_key_is_good_for_nothing(world: World) -> None:
    service = world.service
    owner = service.owners.for_token("revoker")
    key = service.keys.create(owner, "short-lived")
    with world.client(headers={"Authorization": f"Bearer {key}"}) as client:
        assert client.get("/sessions").status_code == 200
        (kept,) = service.keys.list(owner)
        assert kept.name == "short-lived"
        assert kept.last_used_at is not None
        service.keys.revoke(owner, kept.id)
        assert client.get("/sessions").status_code == 401
    assert service.keys.list(owner) == []


def test_a_key_is_kept_as_its_hash_alone(world: World) -> None:
    key = world.service.keys.create(world.service.owners.for_token("hashed"), "hashed")
    assert len(key) >= 46  # 256 bits in base64, and what says that it is a key
    for file in world.service.settings.data_dir.glob("library.db*"):
        assert key.encode() not in file.read_bytes()


def test_a_bucket_empties_and_fills_again() -> None:
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    for _ in range(60):
        limiter.take("ida", 60)
    with pytest.raises(TooManyRequests) as refused:
        limiter.take("ida", 60)
    assert 0 < refused.value.retry_after <= 1
    limiter.take("nils", 60)
    now[0] = 1.0
    limiter.take("ida", 60)


def test_guessing_keys_is_slowed_down() -> None:
    authenticator = Authenticator(lambda: rooms(Settings()))
    for _ in range(60):
        with pytest.raises(KeyRefused):
            authenticator.admit({"authorization": "Bearer fn_guess"}, "192.0.2.7")
    with pytest.raises(TooManyRequests):
        authenticator.admit({"authorization": "Bearer fn_guess"}, "192.0.2.7")
    assert authenticator.admit({"authorization": f"Bearer {GOOD}"}, "192.0.2.7") == Caller("keeper")


def test_too_many_requests_say_when_to_come_again(tmp_path: Path) -> None:
    settings = api_settings(tmp_path, api_requests_per_minute=3)
    service = Service(settings, background=False)
    with serving(application(service)) as url, httpx.Client(trust_env=False, timeout=60) as client:
        answers = [client.get(f"{url}/api/sessions") for _ in range(5)]
        assert [answer.status_code for answer in answers][:3] == [200] * 3
        refused = answers[-1]
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["code"] == "TooManyRequests"
        assert client.get(f"{url}/api/health").status_code == 200
    service.close()
