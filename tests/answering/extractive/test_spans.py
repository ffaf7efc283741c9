"""Forms of dates, amounts and durations in long rows of figures."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from core.answering.extractive.question.measures import measure
from core.answering.extractive.spans import (
    COUNT,
    DURATION,
    HOURS,
    MONEY,
    names_in,
    spans_of,
    whole_range,
)

_AGE = measure("how old is it")
assert _AGE is not None


@pytest.mark.parametrize("pattern", [MONEY, DURATION, COUNT, _AGE])
@pytest.mark.parametrize("unit", ["1.", "1,"])
def test_a_long_row_of_figures_is_looked_at_once(pattern: re.Pattern[str], unit: str) -> None:
    """A form that begins anew at each digit finds its unit behind every one of them."""
    behind = {MONEY: " euros", DURATION: " days", COUNT: " lamps", _AGE: " years old"}[pattern]
    row = unit * 20 + "1" + behind
    starts = [at for at in range(1, len(row)) if (found := pattern.match(row, at)) and found]
    assert [at for at in starts if row[at].isdigit()] == []
    assert [row[slice(*span)] for span in spans_of(pattern, row)][:1] != []


def test_amounts_are_found_where_figures_begin() -> None:
    text = "It was Rs.500, then 1.250,50 euros, then £3 and 4 873 or 12.5 cents."
    found = [text[slice(*span)] for span in spans_of(MONEY, text)]
    assert found == ["Rs.500", "1.250,50 euros", "£3", "12.5 cents"]
    assert all(before[1] <= after[0] for before, after in pairwise(spans_of(MONEY, text)))


def test_amounts_are_written_in_words_too() -> None:
    text = (
        "They got thirteen dollars a month, about two hundred and fifty euros a year and a few "
        "cents, for a pound of flour or twenty pounds; the dollar fell, and one of the cents rose."
    )
    assert [text[slice(*span)] for span in spans_of(MONEY, text)] == [
        "thirteen dollars", "about two hundred and fifty euros", "a few cents", "twenty pounds",
    ]  # fmt: skip


def test_the_words_of_a_title_before_its_names() -> None:
    for text, wanted in (
        ("His book, All I Want for Christmas, was read by all.", ["All I Want for Christmas"]),
        ("It stood in The New York Times.", ["The New York Times"]),
        ("In Graz, Los Angeles, or Del Mar it is warm.", ["Graz", "Los Angeles", "Del Mar"]),
        ("The Velmark Post came. I read it.", ["Velmark Post"]),
    ):
        assert [text[slice(*span)] for span in names_in(text, ())] == wanted


def test_days_of_a_kind_are_a_duration() -> None:
    text = "It is possible for at most 20 working days a year."
    assert text[slice(*spans_of(DURATION, text)[0])] == "at most 20 working days"


def test_a_company_ends_with_what_it_is() -> None:
    text = "Coin Global, Inc. owns it, and Graz, Linz and Hale Metal GmbH."
    found = [text[slice(*span)] for span in names_in(text, ())]
    assert found == ["Coin Global, Inc", "Graz", "Linz and Hale Metal GmbH"]


def test_hours_may_be_words() -> None:
    text = "Von sieben Uhr morgens bis acht Uhr ist offen, at two o'clock it is shut."
    found = [text[slice(*span)] for span in spans_of(HOURS, text)]
    assert found == ["Von sieben Uhr morgens bis acht Uhr", "at two o'clock"]


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("It blooms between 3 and 5 weeks.", "5 weeks", "between 3 and 5 weeks"),
        ("Es sind 35 bis 50 Prozent der Kosten.", "35", "35 bis 50 Prozent"),
        ("It costs $10 to $20 a day.", "$20", "$10 to $20"),
        ("On 20–21 July 2024 it is on.", "21 July 2024", "20–21 July 2024"),
        ("It rose from 4 to 6 %.", "6 %", "6 %"),
        ("Open from 10:00 to 13:00.", "13:00", "13:00"),
        ("Call 0800-555-210.", "555", "555"),
    ],
)
def test_a_range_is_set_off_whole(text: str, words: str, whole: str) -> None:
    start = text.index(words)
    assert text[slice(*whole_range(text, (start, start + len(words))))] == whole


def test_no_less_is_not_less() -> None:
    text = "They need no less than 60 days and bis zu 5.000 Euro."
    assert text[slice(*spans_of(DURATION, text)[0])] == "no less than 60 days"
    assert text[slice(*spans_of(MONEY, text)[0])] == "bis zu 5.000 Euro"
