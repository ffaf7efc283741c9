"""A row of an answer's table is held against the row of the source's, column by column."""

from __future__ import annotations

import pytest

from core.text.terms import content_keys
from core.verification.numbers.tables import (
    is_borne_out,
    other_cell,
    other_cell_said,
    row_at,
    tables,
)

SOURCE = "| Plant | Price | Days |\n|---|---|---|\n| Graz | 5 | 3 |\n| Linz | 7 | 2 |"
HEADER = ("Plant", "Price", "Days")


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        (HEADER, ("Graz", "5", "3"), None),
        (("Plant", "Days", "Price"), ("Graz", "3", "5"), None),
        (HEADER, ("Graz", "7", "3"), "7"),
        (HEADER, ("Graz", "3", "5"), "3"),
        ((), ("Graz", "3", "5"), None),
        ((), ("Graz", "9", "5"), "9"),
        (HEADER, ("Wien", "1", "1"), None),
        (HEADER, ("Graz", "cheap", "fast"), None),
    ],
)
def test_cells(header: tuple[str, ...], row: tuple[str, ...], said: str | None) -> None:
    found = other_cell(header, row, ["No table here.", SOURCE])
    assert (found.said if found else None) == said


def test_tabs_and_wide_gaps_part_cells() -> None:
    for text in ("Plant\tPrice\nGraz\t5\nLinz\t7", "Plant  Price\nGraz  5\nLinz  7"):
        (table,) = tables(text)
        assert table.header == ("Plant", "Price")
        assert table.rows == (("Graz", "5"), ("Linz", "7"))


def test_the_row_of_an_answer_has_its_header() -> None:
    assert row_at(SOURCE, SOURCE.index("| Linz")) == (HEADER, ("Linz", "7", "2"))
    assert row_at("No row | here.", 3) is None


def test_a_row_of_units_is_none_that_a_sentence_names() -> None:
    source = "Steel | Strength | Stretch\nN/mm 2 | N/mm 2 | %\nBars | 1000 | 7\nRods | 890 | 8"
    found = other_cell_said("The strength of bars is 890 N/mm 2.", [source])
    assert found is not None
    assert (found.row, found.source) == ("Bars", "1000")


@pytest.mark.parametrize(
    ("said", "numbers", "holds"),
    [
        ("graz price", "5", True),
        ("graz day price", "5 3", True),
        ("graz day", "5", False),
        ("graz price day", "5", False),
        ("linz price", "5", False),
        ("graz", "5", False),
        ("graz price", "", False),
        ("price", "5", False),
    ],
)
def test_a_row_and_a_column_that_are_named_bear_a_number_out(
    said: str, numbers: str, holds: bool
) -> None:
    keys = {*content_keys(said), *numbers.split()}
    found = is_borne_out(keys, {*numbers.split()}, tables(SOURCE))
    assert found is holds
