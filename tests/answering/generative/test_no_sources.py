"""The search found nothing or failed: a model's memory never passes for the documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.types import Notice
from tests.standins.providers import STANDINS
from tests.standins.scripts import Reply
from tests.support.asking import QUESTION, ask
from tests.support.hits import found

pytestmark = pytest.mark.G15


@pytest.mark.parametrize("provider", sorted(STANDINS))
def test_no_hits_no_call(provider: str) -> None:
    broken = replace(
        found(QUESTION, ()),
        notices=(Notice("dense-failed", "The vector index could not be searched."),),
    )
    with STANDINS[provider]() as standin:
        asked = ask(standin, Reply(text="From memory: 1889."), result=broken)
        assert standin.chats() == []
    assert asked.answer.abstention
    assert "1889" not in asked.answer.text
    assert asked.answer.citations == ()
    assert "vector index" in asked.told
