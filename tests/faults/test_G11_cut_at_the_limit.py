"""G11: the model stopped at its limit of tokens: the answer says that it was cut."""

from __future__ import annotations

import pytest

from tests.faults.asking import ANSWER, GIVEN, ask
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_length(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("length", text=ANSWER))
    assert asked.answer.text == GIVEN
    assert "cut at the limit" in asked.told
    assert "ANSWER_TOKENS" in asked.told
    assert not asked.answer.complete
