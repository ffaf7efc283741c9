"""A row of an answer's table is held against the row of the source's, column by column."""

from __future__ import annotations

import pytest

from core.verification.tables import other_cell, row_at, tables

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
