"""Numbers under years, as a PDF has them, are read as a table."""

from __future__ import annotations

import pytest

from core.verification.comparison import compare, read_passage
from core.verification.numbers.year_tables import other_year, year_tables, years_above

REPORT = (
    "(in millions, except percentages) 2022 2021 2020 2022 vs. 2021\n"
    "Total revenue $ 13,569 $ 10,911 $ 9,234 24 %\n"
    "Provisions (1) 565 (420) 1,291 #\n"
    "Purchases of property, plant and equipment (1,675 ) (2,262 ) (2,553 ) (26)%"
)
LIST = (
    "Staff costs, net of revisions, were $142 million, $(10) million and $125 million for the "
    "years ended December 31, 2022, 2021 and 2020, respectively."
)


def test_rows_and_columns() -> None:
    (table,) = year_tables(REPORT)
    assert table.header == ("", "2022", "2021", "2020")
    assert [cells[:4] for cells in table.rows] == [
        ("Total revenue", "$ 13,569", "$ 10,911", "$ 9,234"),
        ("Provisions", "565", "(420)", "1,291"),
        ("Purchases of property, plant and equipment", "(1,675 )", "(2,262 )", "(2,553 )"),
    ]


def test_the_first_row_may_stand_in_the_line_of_the_years() -> None:
    (table,) = year_tables("2019 2018 (1) Operating income $ 1,900 $ 1,843\nCharges (2) 46 10")
    assert table.rows == (("Operating income", "$ 1,900", "$ 1,843"), ("Charges", "46", "10"))


def test_a_sentence_that_lists_numbers_respectively_is_a_table() -> None:
    (table,) = year_tables(LIST)
    assert table.header == ("", "2022", "2021", "2020")
    assert [cell.strip() for cell in table.rows[0]] == [
        "Staff costs", "$142 million", "$(10) million", "$125 million",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "It was founded in 2019 2018 times.\nOutput 41 39",
        "The years 2021 and 2022 were good.\nOutput 41 39",
        "Output 41 39",
        "It grew in 2020, 2021 and 2022, respectively.",
        "2022 2021",
    ],
)
def test_no_table(text: str) -> None:
    assert year_tables(text) == ()


@pytest.mark.parametrize(
    ("words", "source", "says"),
    [
        ("Total revenue was $10,911 million in 2022.", REPORT, "$ 13,569"),
        ("Total revenue was $13,569 million in 2022.", REPORT, None),
        ("Total revenue fell from 13,569 to 10,911.", REPORT, "$ 10,911"),
        ("Total revenue rose from 10,911 to 13,569.", REPORT, None),
        ("Total revenue rose 24% in 2022.", REPORT, None),
        ("Revenue was 10,911 in 2022.", REPORT, "$ 13,569"),  # 10,911 stands in one row alone
        ("Revenue was 10,911 in 2022.", REPORT + "\nNet revenue 9 10,911 8", None),
        ("In 2022 total revenue was $10,911 million.", REPORT, "$ 13,569"),
        ("In 2022 total revenue rose from $10,911 million to $13,569 million.", REPORT, None),
        ("In 2022 total revenue was up from $10,911 million.", REPORT, None),
        ("Purchases of property, plant and equipment rose to 1,675 in 2022.", REPORT, None),
        ("Total revenue fell to $13,569 million in 2022.", REPORT, "$ 10,911"),
        ("Total revenue rose to $13,569 million in 2022.", REPORT, None),
        ("Purchases of property, plant and equipment fell to 1,675 in 2022.", REPORT, None),
        ("Staff costs were $125 million in 2022.", LIST, "$142 million"),
        ("Staff costs were $142 million in 2022.", LIST, None),
        ("The costs were $125 million in 2022.", LIST, "$142 million"),
        ("The costs were $125 million in 2020.", LIST, None),
        ("The costs were $125 million in 2022.", LIST + " It paid 125 in 2022.", None),
        ("The fees were $125 million in 2022.", LIST, None),
    ],
)
def test_a_number_of_another_year(words: str, source: str, says: str | None) -> None:
    found = other_year(words, [source])
    assert (found.source.strip() if found else None) == says


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("In 2022 total revenue was $13,569 million.", True),
        ("In 2022 total revenue was $10,911 million.", False),
        ("Total revenue rose 24% in 2022.", True),
        ("In 2022 it spent 1.7 billion on property, plant and equipment.", True),
        ("In 2021 it spent 1.7 billion on property, plant and equipment.", False),
        ("In 2022 the staff ate 565 cakes.", False),
    ],
)
def test_figures_hold(words: str, holds: bool) -> None:
    assert compare(words, [read_passage(1, REPORT)]).figures_hold is holds


def test_a_row_has_the_names_of_its_columns() -> None:
    assert years_above(REPORT.split("\n")) == ["", *["2022 2021 2020"] * 3]
    found = compare("It was 565 in 2022.", [read_passage(1, REPORT)])
    assert found.signals["number_connection"] == 0
    table = "| Steel | Carbon |\n|---|---|\n| SNB22 | 0.46 |"
    found = compare("The carbon of SNB22 is 0.46.", [read_passage(1, table)])
    assert found.signals["coverage_best"] == 1


def test_a_statement_without_a_row_is_about_the_row_of_the_one_before() -> None:
    before = "Total revenue was $13,569 million in 2022."
    found = other_year("In 2021 it was $9,234 million.", [REPORT], before)
    assert found is not None
    assert (found.column, found.source) == ("2021", "$ 10,911")
    assert other_year("In 2021 it was $10,911 million.", [REPORT], before) is None
