"""When a quoted answer is refused."""

from __future__ import annotations

import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.sentences import abstention
from core.answering.extractive.sentences.abstention import BIAS, SIGNALS, WEIGHTS, confidence
from core.types import Answer
from tests.support.hits import embedder, found, hit

QUESTION = "When was the tower built?"
HITS = [hit("The tower was built in 1889. It is 330 metres high.")]


def answer_with(belief: float, monkeypatch: pytest.MonkeyPatch) -> Answer:
    monkeypatch.setattr(abstention, "confidence", lambda values: belief)
    last = list(ExtractiveAnswerer(embedder()).answer(QUESTION, found(QUESTION, HITS)))[-1]
    assert isinstance(last, Answer)
    return last


@pytest.mark.parametrize("belief", [0.0, 0.26, 0.4, 0.49])
def test_below_one_half_it_is_refused(belief: float, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answer_with(belief, monkeypatch)
    assert answer.abstention is not None
    assert (answer.citations, answer.claims) == ((), ())
    assert answer.confidence == belief


@pytest.mark.parametrize("belief", [0.5, 0.6, 0.99])
def test_from_one_half_it_is_answered(belief: float, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answer_with(belief, monkeypatch)
    assert answer.abstention is None
    assert "1889" in answer.text
    assert answer.confidence == belief


def test_no_signal_at_all_is_no_answer() -> None:
    assert confidence([0.0] * len(SIGNALS)) < 0.05
    assert confidence([1.0] * len(SIGNALS)) > 0.95
    assert BIAS + WEIGHTS["cosine"] > 0, "a sentence that says it in the same words is enough"
