"""The model stopped at its limit of tokens: the answer says that it was cut."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, ask

pytestmark = pytest.mark.G11


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_length(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("length", text=ANSWER))
    assert asked.answer.text == GIVEN
    assert "cut at the limit" in asked.told
    assert "ANSWER_TOKENS" in asked.told
    assert not asked.answer.complete
