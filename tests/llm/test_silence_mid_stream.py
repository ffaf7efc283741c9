"""Some words, then silence. The words are kept and marked as interrupted."""

from __future__ import annotations

import pytest

from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import ANSWER, GIVEN, ask, numbers_are_listed

pytestmark = pytest.mark.G03


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_silence(provider: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply("hang-middle", text=ANSWER), between_tokens_seconds=1.5)
        assert standin.wait_gone() is not None
        assert len(standin.chats()) == 1
    assert asked.answer.text == asked.shown == GIVEN
    assert not asked.answer.complete
    assert "interrupted" in asked.told
    assert "Retry" in asked.told
    assert numbers_are_listed(asked.answer)
