"""Windows hold what they are made around, and are of whole sentences."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from training.windows import LONGEST, around, sentences_of

SENTENCES = [f"Sentence number {at} says that the river number {at} is long." for at in range(40)]
TEXT = " ".join(SENTENCES)


@given(st.integers(0, 39), st.integers(0, 10_000))
def test_a_window_holds_the_place_at_the_offset_it_names(at: int, seed: int) -> None:
    start = TEXT.index(SENTENCES[at]) + 9
    cut, (first, last) = around(TEXT, (start, start + 10), random.Random(seed))
    assert cut[first:last] == TEXT[start : start + 10]
    assert SENTENCES[at] in cut
    assert cut in TEXT
    assert len(cut) <= LONGEST


def test_without_chance_a_window_is_as_long_as_it_may_be() -> None:
    cut, _ = around(TEXT, (0, 5))
    assert LONGEST - 70 < len(cut) <= LONGEST


def test_windows_of_one_place_differ() -> None:
    start = TEXT.index(SENTENCES[20])
    cuts = {around(TEXT, (start, start + 5), random.Random(seed)) for seed in range(20)}
    assert len(cuts) > 5


def test_a_text_without_sentences_is_cut_around_the_place() -> None:
    text = "word " * 1_000
    cut, (first, last) = around(text, (2_000, 2_004))
    assert cut[first:last] == text[2_000:2_004]
    assert len(cut) <= 2 * LONGEST
    assert sentences_of("   ") == ((0, 3),)
