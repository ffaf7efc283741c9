"""The end of a sign-in that somebody else began, or nobody, or that was there before, is refused.

Against the real server and a provider on loopback: the address with which the provider sends the
browser back is changed, taken by another browser, left out or used twice, and so is the nonce in
the token that says who it is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from tests.browser.servers import Server, footnote_in, free_port
from tests.standins.openid import Account, OpenIdStandin

IDA = Account("7", "Ida Holm", "ida@example.org")
SIGNED_IN = "_streamlit_user"

pytestmark = [pytest.mark.E18, pytest.mark.timeout(420)]


@dataclass(frozen=True)
class Place:
    """A server where people sign in, their provider, and the button's address."""

    server: Server
    provider: OpenIdStandin
    button: str

    def browser(self) -> httpx.Client:
        """Somebody's browser, which follows no redirect by itself."""
        return httpx.Client(base_url=self.server.url, trust_env=False, timeout=60)

    def begin(self, browser: httpx.Client) -> str:
        """Press the button, be let in by the provider: the address to come back to."""
        to_provider = browser.get(self.button).headers["location"]
        assert to_provider.startswith(self.provider.url)
        with httpx.Client(trust_env=False) as at_provider:
            return at_provider.get(to_provider).headers["location"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("login")
    port = free_port()
    with OpenIdStandin(IDA) as provider:
        home = folder / "home"
        (home / ".streamlit").mkdir(parents=True)
        secrets = provider.secrets(f"http://127.0.0.1:{port}")
        (home / ".streamlit" / "secrets.toml").write_text(secrets)
        found = re.search(r'cookie_secret = "(\w+)"', secrets)
        assert found
        claims = {"provider": "default", "exp": int(time.time()) + 3600}
        token = jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(found[1]))
        with footnote_in(folder, port, HOME=str(home), LOGIN="required") as server:
            yield Place(server, provider, f"/auth/login?provider={token}")


def lets_in(browser: httpx.Client, address: str) -> bool:
    """Whether coming back with this address signs the browser in."""
    response = browser.get(address)
    assert response.status_code in (302, 400)
    return SIGNED_IN in browser.cookies and bool(browser.cookies[SIGNED_IN].strip('"'))


def test_who_began_it_is_let_in_once(place: Place) -> None:
    with place.browser() as ida:
        address = place.begin(ida)
        assert lets_in(ida, address)
        ida.cookies.delete(SIGNED_IN)
        assert not lets_in(ida, address), "used twice"


def test_another_browser_is_not(place: Place) -> None:
    """A lure: somebody opens the end of a sign-in that an attacker began."""
    with place.browser() as attacker, place.browser() as victim:
        address = place.begin(attacker)
        assert not lets_in(victim, address)
        place.begin(victim)
        assert not lets_in(victim, address), "not with a sign-in of their own under way either"


CHANGES: dict[str, Callable[[str], str]] = {
    "another state": lambda address: re.sub(r"state=[^&]+", "state=AAAAAAAAAAAAAAAAAAAA", address),
    "an empty state": lambda address: re.sub(r"state=[^&]+", "state=", address),
    "no state": lambda address: re.sub(r"&?state=[^&]+", "", address),
    "another code": lambda address: re.sub(r"code=[^&]+", "code=guessed", address),
    "no code": lambda address: re.sub(r"code=[^&]+&?", "", address),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_address_that_was_changed_is_not_taken(place: Place, change: str) -> None:
    with place.browser() as ida:
        assert not lets_in(ida, CHANGES[change](place.begin(ida)))


@pytest.mark.parametrize("nonce", ["of-another-sign-in", "", None])
def test_a_token_of_another_sign_in_is_not_taken(place: Place, nonce: str | None) -> None:
    with place.browser() as ida:
        address = place.begin(ida)
        (code,) = parse_qs(urlsplit(address).query)["code"]
        asked = place.provider.codes[code]["asked"]
        assert asked["nonce"], "the program asks for one"
        asked["nonce"] = nonce
        assert not lets_in(ida, address)
