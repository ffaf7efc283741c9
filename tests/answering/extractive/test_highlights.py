"""The words that answer, and nothing where they are not clear."""

from __future__ import annotations

import pytest

from core.answering.extractive.highlights import mark_cell, mark_record, mark_words


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
        ("are babies born with antibodies", "It passes over, so babies have antibodies at birth.",
         "babies have antibodies at birth"),
        ("who came up with the name", "Davies is credited with that term.", "Davies"),
        ("what does lor stand for", "We light the Lamp Oil Register (LOR) in June.",
         "Lamp Oil Register"),
        ("who founded it", "It was founded by former ARPA IPTO director Larry Roberts.",
         "Larry Roberts"),
        ("who invented it", "Paul Baran developed it, in work funded by the Ministry of Defence.",
         "Paul Baran"),
        ("who founded it", "Telenet was founded by former director Larry Roberts in the USA.",
         "Larry Roberts"),
        ("which franchises earned most", "Our top two, Candy Crush and Call of Duty, led.",
         "Candy Crush and Call of Duty"),
        ("what are the two kinds of cells", "There are two: the killer cell and the helper cell.",
         "the killer cell and the helper cell"),
        ("which protocol version is the default", "Currently the default protocol is 4, as before.",
         "4"),
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
        ("was it a success in the shops", "It was sold in Graz, and later in Linz."),
        ("which colour is best for boats", "The harbour is narrow at its northern end."),
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


@pytest.mark.parametrize(
    ("question", "row", "words"),
    [
        ("how many geese in 2021?", "Geese: 2020 95 | 2021 110 | 2022 130", "2021 110"),
        ("how old is Ida?", "name: Ida | age: 30 | city: Graz", "30"),
        ("who is Ida?", "name: Ida | age: 30 | city: Graz", ""),
        ("how many geese?", "2020 95 | 2021 110", ""),
    ],
)
def test_the_cell_of_a_record(question: str, row: str, words: str) -> None:
    start, end = mark_record(question, row) or (0, 0)
    assert row[start:end] == words
