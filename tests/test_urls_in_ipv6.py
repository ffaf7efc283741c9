"""IPv4 and private addresses in the clothes of IPv6 are refused."""

from __future__ import annotations

import ipaddress

import pytest

from core.urls import is_public
from tests.scraper.fetching import must_be_private

pytestmark = pytest.mark.A02


@pytest.mark.parametrize(
    "host",
    [
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[::7f00:1]",
        "[fec0::1]",
        "[fe80::1]",
        "[fc00::1]",
        "[2001:0:7f00:1::]",
        "[64:ff9b:1::7f00:1]",
        "[ff02::1]",
    ],
)
def test_refused(host: str) -> None:
    must_be_private(f"http://{host}/")


def test_nat64_is_judged_by_the_address_inside() -> None:
    assert is_public(ipaddress.ip_address("64:ff9b::808:808"))
    assert not is_public(ipaddress.ip_address("64:ff9b::a00:1"))
    assert is_public(ipaddress.ip_address("2606:4700:4700::1111"))
