"""Ports on which other services listen are refused, whatever the host."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed
from scraper.fetch import fetch
from tests.scraper.fetching import Dialled, answers

pytestmark = pytest.mark.A06


@pytest.mark.parametrize("port", [22, 25, 6379, 8000, 8501, 11434])
def test_refused(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Dialled(monkeypatch, [answers("93.184.216.34")])
    with pytest.raises(AddressNotAllowed, match=f"port {port}"):
        fetch(f"http://example.com:{port}/", Settings())
    assert network.resolved == network.dialled == []


def test_a_host_listed_without_a_port_gets_the_usual_ones_alone() -> None:
    with pytest.raises(AddressNotAllowed, match="port 11434"):
        fetch("http://127.0.0.1:11434/", Settings(allowed_private_hosts="127.0.0.1"))
