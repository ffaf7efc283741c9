"""The words that answer, and nothing where they are not clear."""

from __future__ import annotations

import pytest

from core.answering.extractive.highlights import mark_cell, mark_words


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("When did Tesla die?", "Tesla died on 7 January 1943 in New York.", "7 January 1943"),
        ("how much was Figma", "We bought Figma for approximately $20 billion in cash.",
         "approximately $20 billion"),
        ("how many MSPs are there", "Of the 129 MSPs, 73 are elected directly.", "129 MSPs"),
        ("How long does it last?", "It lasts from a few days up to several months.",
         "from a few days up to several months"),
        ("how often do passwords change", "Passwords must change at least every 90 days.",
         "at least every 90 days"),
        ("who founded microsoft", "Microsoft was founded by Bill Gates and Paul Allen in 1975.",
         "Bill Gates and Paul Allen"),
        ("where was Tesla born?", "Tesla was born in Smiljan.", "Smiljan"),
        ("why did allen leave?", "Allen left in 1983 because of his health.",
         "because of his health"),
        ("what is oxygen", "Oxygen is a gas in the air, discovered in 1773.", "a gas in the air"),
        ("is pickle safe", "Be careful, the pickle module is not secure.",
         "the pickle module is not secure"),
        ("Wann starb Tesla?", "Tesla starb am 7. Januar 1943.", "7. Januar 1943"),
    ],
)  # fmt: skip
def test_the_words_that_answer(question: str, sentence: str, words: str) -> None:
    span = mark_words(question, sentence)
    assert span is not None
    assert sentence[span[0] : span[1]] == words


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When did Tesla die?", "Tesla loved pigeons."),
        ("who founded microsoft", "microsoft sells software."),
        ("which engine is better", "Ada Reed praised it, Tom Hale did not."),
        ("what is oxygen", "Uppsala was the home of Scheele."),
    ],
)
def test_nothing_where_it_is_not_clear(question: str, sentence: str) -> None:
    assert mark_words(question, sentence) is None


def test_the_cell_of_the_column_that_is_asked_for() -> None:
    header, row = "Year | Revenue in million | Employees[191]", "2010 | 62,484 | 89,000"
    start, end = mark_cell("How many employees in 2010?", header, row) or (0, 0)
    assert row[start:end] == "89,000"
    assert mark_cell("Who is the king?", header, row) is None
    assert mark_cell("How many employees in 2010?", header, "2010 | 62,484") is None
