"""What each signal of the support check weighs, and when it is set."""

from __future__ import annotations

import pytest

from core.verification.comparison import SIGNALS, compare, probability, read_passage
from core.verification.numbers.quantities import read_terms

FITTING = dict.fromkeys(SIGNALS, 0.0) | {
    "coverage": 1.0, "coverage_best": 1.0, "coverage_near": 1.0, "cosine": 0.8,
    "copied": 0.8, "pairs_copied": 0.5, "longest_copied": 0.4, "together": 0.8,
}  # fmt: skip
PASSAGE = (
    "Anna Meyer led the plant in Graz until 2018. Karl Huber led the plant in Linz until 2020. "
    "The plant in Graz made 5 million tons."
)


@pytest.mark.parametrize(
    "signal",
    [
        "number_replaced", "name_replaced", "not_replaced", "number_swapped", "name_swapped",
        "negation", "negation_alone", "count_missing",
    ],
)  # fmt: skip
def test_one_contradiction_is_enough(signal: str) -> None:
    assert probability(FITTING) > 0.9
    assert probability(FITTING | {signal: 1.0}) < 0.75


@pytest.mark.parametrize("kind", ["number", "name"])
def test_what_was_replaced_is_never_supported(kind: str) -> None:
    assert probability(FITTING | {f"{kind}_replaced": 1.0}) < 0.2
    assert probability(FITTING | {f"{kind}_replaced": 0.6}) < 0.5


def signals(words: str) -> dict[str, float]:
    return compare(words, (read_passage(1, PASSAGE),)).signals


@pytest.mark.parametrize(
    ("words", "lowest", "highest"),
    [
        ("Anna Meyer led the plant in Graz until 2018.", 0.9, 1.0),
        ("Anna Meyer led the plant in Graz until 2020.", 0.0, 0.25),
        ("Karl Huber led the plant in Linz until 2018.", 0.0, 0.25),
        ("Anna Meyer led the plant in Linz until 2018.", 0.0, 0.25),
        ("The plant in Linz made 5 million tons.", 0.0, 0.25),
    ],
)
def test_what_was_swapped_is_never_supported(words: str, lowest: float, highest: float) -> None:
    """By words alone and by their order, which tell it together."""
    assert lowest <= probability(signals(words) | {"cosine": 0.95}) <= highest


def test_a_swapped_number() -> None:
    assert signals("Anna Meyer led the plant in Graz until 2020.")["number_swapped"] > 0.3
    assert signals("Anna Meyer led the plant in Graz until 2018.")["number_swapped"] <= 0


def test_a_swapped_name() -> None:
    assert signals("Karl Huber led the plant in Graz until 2018.")["name_swapped"] > 0.1
    assert signals("Karl Huber led the plant in Linz until 2020.")["name_swapped"] <= 0


def test_missing_and_far() -> None:
    missing = compare("The plant made 7 million tons.", (read_passage(1, PASSAGE),))
    assert missing.missing_numbers == ("7",)
    names = compare("In Graz, Peter Gruber led the plant.", (read_passage(1, PASSAGE),))
    assert set(names.missing_names) == {"Peter", "Gruber"}


@pytest.mark.parametrize(
    ("said", "source", "same"),
    [
        ("It made 1.6 billion.", "It made 1,577 million.", True),
        ("It made 1.4 billion.", "It made 1,577 million.", False),
        ("It made five tons.", "It made 5 tons.", True),
        ("It made 1.577 tons.", "It made 1,577 tons.", True),
        ("It made 79.3 million.", "It made 79,250 thousand.", True),
        ("It made 5.05 million.", "It made 5,050,000.", True),
        ("It made 5.06 million.", "It made 5,050,000.", False),
    ],
)
def test_numbers_in_another_form(said: str, source: str, same: bool) -> None:
    assert (compare(said, (read_passage(1, source),)).missing_numbers == ()) is same


def test_a_name_in_anothers_place() -> None:
    passage = read_passage(1, "The Graz plant was led by Anna Meyer. Its rival was Karl Huber.")
    said = "The Graz plant was led by Karl Huber."
    assert compare(said, (passage,)).signals["name_replaced"] > 0.8
    asked = {term.key for term in read_terms("Did Karl Huber lead it?")}
    assert compare(said, (passage,), asked).signals["name_replaced"] == 0


def test_a_rounded_number_stands_in_no_others_place() -> None:
    passage = read_passage(1, "The plant in Graz made 1,577 million tons of steel.")
    found = compare("The plant in Graz made 1.6 billion tons of steel.", (passage,))
    assert found.signals["number_replaced"] == 0


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("It ends in 2030.", ("2030",)),
        ("It ends around 2030.", ()),
        ("It has 2,030 seats.", ()),
    ],
)
def test_a_year_is_no_rounded_number(words: str, missing: tuple[str, ...]) -> None:
    source = "It ends in 2031." if "ends" in words else "It has 2,031 seats."
    assert compare(words, (read_passage(1, source),)).missing_numbers == missing


def test_the_second_year_of_a_range_may_be_short() -> None:
    passage = read_passage(1, "It was rebuilt in 1022 - 23, and the war of 1914–18 spared it.")
    assert compare("It was rebuilt in 1022 to 1023.", (passage,)).missing_numbers == ()
    assert compare("The war ended in 1918.", (passage,)).missing_numbers == ()
    assert compare("The war ended in 1923.", (passage,)).missing_numbers == ("1923",)


def test_a_word_that_begins_with_non_puts_no_not_anywhere() -> None:
    source = "It led the chart for four non-consecutive weeks."
    found = compare("It topped the chart for four weeks.", (read_passage(1, source),))
    assert found.signals["not_replaced"] == 0


def test_a_month_is_no_rounded_number() -> None:
    passage = read_passage(1, "The order 4711471147 was closed.")
    found = compare("The order was closed in September 2020.", (passage,))
    assert found.missing_numbers == ("September", "2020")


def test_english_talk_about_a_short_passage_is_no_other_language() -> None:
    passage = read_passage(1, "The field was established by the mathematician of Venice.")
    said = "I have, but I would not say that you and they should do it."
    assert not compare(said, (passage,)).other_language
    german = "Das habe ich auch, aber ich würde nicht sagen, dass wir es tun."
    assert compare(german, (passage,)).other_language


def test_a_table_with_a_few_words_is_in_the_language_that_they_tell() -> None:
    table = read_passage(1, "The income for these years:\n\nRate 22.4 % 45.0 %\nIncome 9 8 7")
    assert not compare("It was lowest in 2017, at 22.4%.", (table,)).other_language


def test_two_languages_that_are_surely_told_are_different_whatever_they_share() -> None:
    german = read_passage(1, "Die Ökonomen des IMF fanden es mit dem Team in Graz heraus.")
    assert compare("The team found that it lasts.", (german,)).other_language


def test_a_condition_of_the_source_is_a_denial_beside_ours() -> None:
    passage = read_passage(1, "Raises ValueError if called without calling prepare() before.")
    found = compare("It raises ValueError as prepare() was not called.", (passage,))
    assert found.signals["negation_alone"] == 0


def test_a_german_noun_is_no_name() -> None:
    passage = read_passage(1, "Er hat zehn Jahren lang in Graz gewartet.")
    assert compare("Er hat lange Wochen gewartet.", (passage,)).missing_names == ()
    assert compare("He waited for long Wochen.", (passage,)).missing_names == ("Wochen",)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Sie schloss ihr Studium 1873 ab.", True),
        ("她于1873年毕业。", True),
        ("She left in 1873.", False),
        ("Workers die underground.", False),
        ("1873", False),
    ],
)
def test_a_short_sentence_in_another_language_is_told(said: str, other: bool) -> None:
    text = "She graduated in 1873 with the highest marks. The workers of the mill died of it."
    assert compare(said, (read_passage(1, text),)).other_language is other


@pytest.mark.parametrize(("words", "speaks"), [("In the US it is sold.", 0), ("It suits us.", 1)])
def test_the_country_in_capitals_is_no_us(words: str, speaks: float) -> None:
    assert compare(words, [read_passage(1, "It is sold.")]).signals["first_person"] == speaks
