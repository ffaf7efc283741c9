"""Claims made by rule differ from their sentence where they should, and nowhere else."""

from __future__ import annotations

import random

import pytest

from training.claims import changed, shortened

SENTENCE = "The bridge was opened by Anna Berg on 4 May 1931 and is 210 metres long."
PASSAGE = f"{SENTENCE} In 1940 the engineer Karl Holm closed it for 3 years."


def test_every_kind_of_change_is_made() -> None:
    made = {changed(SENTENCE, PASSAGE, random.Random(seed)) for seed in range(60)}
    assert SENTENCE not in made
    said = [text for text in made if text]
    assert any("not opened" in text or "was not" in text for text in said)
    assert any("Karl Holm" in text for text in said)
    assert any("feet" in text for text in said)
    assert any("May" not in text for text in said)
    assert any("1931" not in text or "210" not in text for text in said)


def test_a_negation_is_taken_away_and_no_second_is_put_in() -> None:
    assert changed("It is not old.", "", random.Random(1)) == "It is old."
    assert changed("It was without hope.", "", random.Random(1)) is None


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("Tesla (born 1856) died.", "Tesla died."),
        ("However, the bridge held.", "The bridge held."),
        ("The bridge held.", "The bridge held."),
    ],
)
def test_a_shortened_sentence_says_nothing_new(sentence: str, short: str) -> None:
    assert shortened(sentence) == short
