"""Texts read with other words for the same."""

from __future__ import annotations

import pytest

from core.text.other_words import LESS, reading, share
from core.text.terms import content_keys


def keys(text: str) -> list[str]:
    return content_keys(text)


def test_another_word_counts_less_than_the_one_that_was_typed() -> None:
    read = reading([("cost", ("fee",))])
    weights = dict.fromkeys(keys("cost boat"), 1.0)
    assert share(weights, read(keys("The cost of a boat"))) == 1.0
    assert share(weights, read(keys("The fee of a boat"))) == pytest.approx((1 + LESS) / 2)
    assert share(weights, read(keys("A boat"))) == 0.5
    assert share({}, read(keys("A boat"))) == 0.0


def test_a_phrase_counts_where_it_is_whole() -> None:
    read = reading([("resign", ("step down",)), ("boss", ("of the",))])
    assert "~resign" in read(keys("He will step down in May."))
    assert "~resign" not in read(keys("He took a step."))
    assert "~bos" not in read([])
