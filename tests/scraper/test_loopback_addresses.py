"""Every way to write the machine itself is refused, and nothing arrives there."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed
from scraper.fetch import fetch
from tests.scraper.fetching import must_be_private
from tests.scraper.site import serving

pytestmark = pytest.mark.A01

LITERALS = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "127.0.0.1.",
    "localhost",
]


@pytest.mark.parametrize("host", LITERALS)
def test_refused_on_the_usual_port(host: str) -> None:
    must_be_private(f"http://{host}/")


def test_a_server_that_listens_there_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(rest="secret") as decoy:
        monkeypatch.setattr("core.urls.USUAL_PORTS", frozenset({decoy.port}))
        for host in LITERALS:
            with pytest.raises(AddressNotAllowed, match="private network"):
                fetch(f"http://{host}:{decoy.port}/", Settings())
        assert decoy.hits == []


def test_a_listed_host_is_reached_and_only_on_its_port() -> None:
    with serving(rest="the wiki") as wiki, serving(rest="secret") as decoy:
        assert fetch(f"{wiki.url}/", wiki.settings()).body == b"the wiki"
        with pytest.raises(AddressNotAllowed):
            fetch(f"{decoy.url}/", wiki.settings())
        assert decoy.hits == []
