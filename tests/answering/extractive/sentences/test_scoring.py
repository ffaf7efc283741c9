"""Which sentence is a definition of what is asked for."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.scoring import says_what_it_is
from core.text.terms import content_keys


@pytest.mark.parametrize(
    ("asked", "text", "defines"),
    [
        ("abomination", "The result is an unholy union known as an abomination.", True),
        ("lemon", "The result is a fruit known as a lemon tree of old.", False),
        ("dpr", "The Dense Passage Retriever (DPR) is an index.", True),
        (
            "dpr",
            "Single and Multi denote that our Dense Passage Retriever (DPR) was bought.",
            False,
        ),
        ("lens", "After you lit the lens, you are responsible for it.", False),
        ("Leasing", "Leasing ist eine Miete.", True),
        ("Leasing", "Beim Leasing ist Vorsicht geboten.", False),
    ],
)
def test_what_is_a_definition(asked: str, text: str, defines: bool) -> None:
    assert says_what_it_is(text, content_keys(asked)) is defines
