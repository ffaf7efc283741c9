"""Numbers in words, ordinals, dates, units and signs are read as one thing in all spellings."""

from __future__ import annotations

import pytest

from core.verification.comparison import compare, read_passage
from core.verification.numbers.quantities import other_quantity, read_keys, read_terms


def keys(text: str) -> list[str]:
    return [term.key for term in read_terms(text) if term.kind == "number"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("twenty-five plants", ["25"]),
        ("two hundred and five men", ["205"]),
        ("five thousand", ["5000"]),
        ("fünfundzwanzig Tage", ["25"]),
        ("the third of five", ["3", "5"]),
        ("the 3rd of 5", ["3", "5"]),
        ("the second largest", ["2"]),
        ("ten seconds", ["10"]),
        ("third-party tools", []),
        ("in the nineteenth century", []),
        ("one of them", []),
        ("IC3", []),
        ("shown as zeros", ["0"]),
        ("about a third of them", []),
        ("for a third time", ["3"]),
        ("the third of them", ["3"]),
        ("Once the filter is changed, rinse it", []),
        ("los once jugadores de la liga", ["11"]),
        ("It is closed due to snow", []),
        ("nella squadra ci sono due portieri", ["2"]),
        ("a cent of the price", []),
        ("number seventy - seven", ["77"]),
        ("available 24/7", ["24"]),
        ("24 / 7 and 8/24/7", ["24", "8", "24", "7"]),
    ],
)
def test_numbers_in_words(text: str, numbers: list[str]) -> None:
    assert keys(text) == numbers


@pytest.mark.parametrize(
    "text",
    ["on 3 March 2020", "on March 3, 2020", "2020-03-03", "3.3.2020", "am 3. März 2020",
     "5/3/2020", "le 3 mars 2020", "el 3 de marzo de 2020"],
)  # fmt: skip
def test_a_date_has_the_same_parts_in_every_form(text: str) -> None:
    found = read_terms(text)
    assert {"3", "2020"} <= read_keys(found, text)
    assert "month 3" in read_keys(found, text)


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("Impfen ist bis Ende Dezember möglich.", ("Dezember",)),
        ("Impfen ist bis Ende Februar möglich.", ()),
    ],
)
def test_a_month_alone_is_a_number(words: str, missing: tuple[str, ...]) -> None:
    source = read_passage(1, "Impfen und Boostern ist bis Ende Februar noch möglich.")
    assert compare(words, [source]).missing_numbers == missing


def test_a_month_that_is_another_word_is_a_month_in_dates_only() -> None:
    assert keys("He may come 5 times") == ["5"]
    assert keys("5 May") == ["5", "month 5"]


@pytest.mark.parametrize(
    ("said", "source", "differs"),
    [
        ("It weighs 5 kg.", "It weighs 5 g.", True),
        ("It weighs 5 kilograms.", "It weighs 5 kg.", False),
        ("It costs $5 million.", "It costs 5 billion dollars.", True),
        ("It costs 5 euros.", "It costs $5.", True),
        ("It grew by 5 %.", "Growth: -5 %", True),
        ("It fell by 5 %.", "Growth: -5 %", False),
        ("It takes 5 days.", "Days: 5", False),
        ("It is 5 percent.", "It is 5 %.", False),
        ("It is 20-30%.", "It is 20 - 30 % .", False),
        ("It is 20%-30%.", "It is 20 % - 30 % .", False),
        ("Growth was 5 %.", "Growth | 4 % | -5 %", True),
        ("Growth was 5 %.", "Growth | - 5 %", True),
    ],
)
def test_units_scales_and_signs(said: str, source: str, differs: bool) -> None:
    assert (other_quantity(said, [source]) is not None) is differs


def test_a_sign_is_said() -> None:
    assert other_quantity("The variance is 24.", ["The variance is -24."]) == ("24", "\u221224")
