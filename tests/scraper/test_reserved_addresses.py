"""Cloud metadata, carrier-grade NAT and reserved ranges are refused."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed
from scraper.fetch import fetch
from tests.scraper.fetching import Dialled, answers, must_be_private

pytestmark = pytest.mark.A03


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "100.64.0.1",
        "198.18.0.1",
        "192.0.0.8",
        "224.0.0.1",
        "10.0.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "255.255.255.255",
        "240.0.0.1",
        "203.0.113.7",
    ],
)
def test_refused(host: str) -> None:
    must_be_private(f"http://{host}/latest/meta-data/")


@pytest.mark.parametrize("ip", ["169.254.169.254", "0.0.0.0", "224.0.0.1"])
def test_a_listed_name_does_not_lead_there_either(ip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Dialled(monkeypatch, [answers(ip)])
    with pytest.raises(AddressNotAllowed):
        fetch("http://wiki.local/", Settings(allowed_private_hosts="wiki.local"))
    assert network.dialled == []
