"""The same line for ever, and one piece of 10 MB."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ask

pytestmark = pytest.mark.G10


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_the_same_line(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("repeat"))
        assert standin.wait_gone() is not None
    assert "repeat itself" in asked.told
    assert not asked.answer.complete
    assert len(asked.answer.text) < 2_000


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_one_piece_of_ten_megabytes(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("giant"))
    assert "past its limit" in asked.told
    assert not asked.answer.complete
    assert len(asked.answer.text) < 10_000
