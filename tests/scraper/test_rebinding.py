"""A name that changes its answer between check and connection gains nothing."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed, FetchFailed
from scraper.fetch import fetch
from tests.scraper.fetching import Dialled, answers

pytestmark = pytest.mark.A07


def test_one_resolution_and_the_checked_address_is_dialled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Dialled(monkeypatch, [answers("93.184.216.34"), answers("127.0.0.1")])
    with pytest.raises(FetchFailed):
        fetch("http://rebind.example/", Settings())
    assert network.resolved == ["rebind.example"]
    assert network.dialled == [("93.184.216.34", 80)]


@pytest.mark.parametrize("private", ["127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_one_private_answer_among_public_ones_blocks_all(
    private: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Dialled(monkeypatch, [answers("93.184.216.34", private)])
    with pytest.raises(AddressNotAllowed):
        fetch("http://mixed.example/", Settings())
    assert network.dialled == []


def test_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Dialled(monkeypatch, [[]])
    with pytest.raises(FetchFailed, match="not known"):
        fetch("http://empty.example/", Settings())
    assert network.dialled == []
