"""Tables: every row can be read alone."""

from __future__ import annotations

import pytest

from core.parsing.builder import PART_SIZE
from core.parsing.csv import load_csv, sniff_delimiter
from core.types import ChunkKind


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_rows_name_their_columns(delimiter: str) -> None:
    rows = [["Name", "Price", "Note"], ["Tea", "1.50", ""], ["Milk", "2", "fresh"]]
    page = load_csv("\n".join(delimiter.join(row) for row in rows).encode()).pages[0]
    assert (
        page.text
        == "Name | Price | Note\nName: Tea | Price: 1.50\nName: Milk | Price: 2 | Note: fresh"
    )
    assert page.blocks[0].kind is ChunkKind.TABLE


def test_numbers_as_first_row_are_no_header() -> None:
    assert load_csv(b"1,2,3\na,b,c\n").pages[0].text == "1 | 2 | 3\na | b | c"


def test_quoted_fields_keep_delimiters_and_lose_line_ends() -> None:
    page = load_csv(b'Name,Text\n"Doe, J.","two\nlines"\n').pages[0]
    assert page.text.splitlines()[1] == "Name: Doe, J. | Text: two lines"


def test_rows_of_another_length_are_said() -> None:
    loaded = load_csv(b"A,B\n1,2\n1,2,3\n4,5\n")
    assert loaded.pages[0].text.splitlines()[2] == "A: 1 | B: 2 | 3"
    assert [notice.code for notice in loaded.notices] == ["uneven-rows"]


def test_a_decimal_comma_does_not_win_over_semicolons() -> None:
    assert sniff_delimiter("a;b\n1,5;2,5\n3,5;4,5\n") == ";"


def test_a_big_table_is_cut_between_rows() -> None:
    rows = "".join(f"{number},{'x' * 90}\n" for number in range(2_000))
    pages = load_csv(f"Id,Text\n{rows}".encode()).pages
    assert len(pages) > 3
    assert all(len(page.text) <= PART_SIZE for page in pages)
    assert all(page.text.startswith("Id") for page in pages)
    assert sum(page.text.count("\n") + 1 for page in pages) == 2_001


def test_formulas_are_only_text() -> None:
    assert "=cmd|'/c calc'!A1" in load_csv(b"A,B\n=cmd|'/c calc'!A1,2\n").pages[0].text
