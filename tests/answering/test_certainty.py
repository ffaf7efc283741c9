"""The words for how sure an answer is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.answering.certainty import in_words, is_direct, meaning
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


def test_the_figures_of_a_word_are_those_that_were_measured() -> None:
    text = Path("docs/evaluation.md").read_text("utf-8")
    table = text.partition("right: directly; nearby |")[2].partition("\n\n")[0]
    rows = re.findall(r"\| ([\d.]+); ([\d.]+) \|$", table, re.M)
    assert len(rows) == 3
    for direct, column in ((True, 0), (False, 1)):
        rates = [float(row[column]) for row in rows]
        said = f"{100 * min(rates):.0f} to {100 * max(rates):.0f} %"
        assert said in meaning(Answer("q", "a", confidence=0.7, direct=direct))
    wrongly = re.search(r"where one does \| [^|]+ \| [\d.]+; ([\d.]+) \|", text)
    assert wrongly
    refused = Answer("q", "a", confidence=0.1, abstention=Abstention("why", 1, 1))
    assert f"{100 * float(wrongly[1]):.0f} %" in meaning(refused)


def test_nothing_is_claimed_of_what_a_model_writes() -> None:
    assert meaning(Answer("q", "a", abstention=Abstention("why", 1, 1))) == ""
    assert meaning(Answer("q", "a")) == ""
