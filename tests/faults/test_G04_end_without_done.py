"""G4: the stream ends without its end: EOF, reset, a cut chunk. It is never taken for complete."""

from __future__ import annotations

import pytest

from tests.faults.asking import ANSWER, GIVEN, ask
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply


@pytest.mark.parametrize("mode", ["eof", "rst", "cut-chunk"])
@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_cut(provider: str, mode: str) -> None:
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(mode, text=ANSWER))
    assert asked.answer.text == GIVEN
    assert not asked.answer.complete
    assert "interrupted" in asked.told
    assert asked.answer.citations
