"""The words for how sure an answer is."""

from __future__ import annotations

import pytest

from core.answering.certainty import in_words, is_direct
from core.types import Abstention, Answer


@pytest.mark.parametrize(
    ("confidence", "direct", "words"),
    [(0.6, True, "found directly"), (0.99, False, "found nearby"), (None, False, "")],
)
def test_words(confidence: float | None, direct: bool, words: str) -> None:
    assert in_words(Answer("q", "a", confidence=confidence, direct=direct)) == words


def test_a_refusal_found_nothing() -> None:
    refused = Answer("q", "a", confidence=0.99, abstention=Abstention("why", 1, 1))
    assert in_words(refused) == "not found"


def test_a_high_score_and_a_lead_make_an_answer_direct() -> None:
    assert is_direct([5.0, 17.0, 12.0])
    assert not is_direct([5.0, 17.0, 16.9])
    assert not is_direct([8.0, 3.0])
    assert not is_direct([9.0])
