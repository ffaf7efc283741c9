"""XLSX: a section for each sheet, whose rows can be read alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.types import ChunkKind, DocumentKind, LoadedDocument
from tests.parsing.files import read

Grid = Sequence[Sequence[Any]]
DUCKS: Grid = [["Year", "Freshwater", "Saltwater"], [2021, 150, 100], [2022, 170, 110]]


def workbook(path: Path, build: Callable[[Any], None]) -> Path:
    """A workbook that `build` fills."""
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    build(book)
    book.close()
    return path


def put(sheet: Any, grid: Grid, row: int = 0, column: int = 0) -> None:
    for at, cells in enumerate(grid):
        sheet.write_row(row + at, column, cells)


def sheet(tmp_path: Path, fill: Callable[[Any, Any], None]) -> LoadedDocument:
    """What is read of a workbook with one sheet."""
    return read(workbook(tmp_path / "a.xlsx", lambda book: fill(book.add_worksheet("Sheet"), book)))


def lines(tmp_path: Path, *grids: tuple[Grid, int, int]) -> list[str]:
    """The lines of a sheet with these grids at a row and a column, without its name."""

    def fill(at: Any, _: Any) -> None:
        for grid, row, column in grids:
            put(at, grid, row, column)

    return sheet(tmp_path, fill).pages[0].text.replace("\n\n", "\n").splitlines()[1:]


def test_each_sheet_is_a_section_and_each_row_names_its_columns(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        put(book.add_worksheet("Lakes"), DUCKS)
        put(book.add_worksheet("Towns"), [["Town", "People"], ["Graz", 300_000]])
        book.set_properties({"title": "Wild ducks"})

    loaded = read(workbook(tmp_path / "a.xlsx", build))
    assert (loaded.kind, loaded.title, loaded.notices) == (DocumentKind.XLSX, "Wild ducks", ())
    (page,) = loaded.pages
    assert page.text == (
        "Lakes\n\nYear | Freshwater | Saltwater\n"
        "Year: 2021 | Freshwater: 150 | Saltwater: 100\n"
        "Year: 2022 | Freshwater: 170 | Saltwater: 110\n\n"
        "Towns\n\nTown | People\nTown: Graz | People: 300000"
    )
    assert [(heading.level, heading.title) for heading in page.headings] == [
        (1, "Lakes"), (1, "Towns"),
    ]  # fmt: skip
    assert [block.kind for block in page.blocks] == [ChunkKind.TABLE] * 2


def test_a_workbook_with_macros_is_read_without_them(tmp_path: Path) -> None:
    source = workbook(tmp_path / "a.xlsm", lambda book: put(book.add_worksheet(), DUCKS))
    assert [notice.code for notice in read(source).notices] == []


def test_numbers_and_dates_are_read_as_they_are_shown(tmp_path: Path) -> None:
    def fill(at: Any, book: Any) -> None:
        put(at, [["Day", "Sum", "Share", "Paid", "Code"]])
        for column, (value, code) in enumerate(
            [(date(2022, 3, 1), "d. mmm yyyy"), (1234.5, "#,##0.00 [$€-407]"), (0.256, "0.0%")]
        ):
            at.write(1, column, value, book.add_format({"num_format": code}))
        at.write(1, 3, True)
        at.write(1, 4, 7, book.add_format({"num_format": "0000"}))

    assert sheet(tmp_path, fill).pages[0].text.splitlines()[-1] == (
        "Day: 2022-03-01 | Sum: 1,234.50 € | Share: 25.6% | Paid: TRUE | Code: 0007"
    )


def test_days_are_counted_from_1904_where_the_workbook_says_so(tmp_path: Path) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"), {"date_1904": True})
    form = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    book.add_worksheet().write(0, 0, date(2022, 3, 1), form)
    book.close()
    assert read(tmp_path / "a.xlsx").pages[0].text.endswith("2022-03-01 00:00")


def test_a_formula_is_read_by_its_result(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, [["Item", "Price"], ["Tea", 2]])
        at.write_row(2, 0, ["Sum"])
        at.write_formula(2, 1, "=SUM(B2:B2)", None, 2)
        at.write_row(3, 0, ["Mean"])
        at.write_formula(3, 1, "=B3/0", None, "#DIV/0!")

    loaded = sheet(tmp_path, fill)
    assert loaded.pages[0].text.splitlines()[-2:] == [
        "Item: Sum | Price: 2", "Item: Mean | Price: #DIV/0!",
    ]  # fmt: skip
    (notice,) = loaded.notices
    assert (notice.code, notice.text[:28]) == ("error-cells", "1 cell holds an error, such ")


def test_hidden_sheets_are_left_out_and_named(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        put(book.add_worksheet("Seen"), DUCKS)
        for name, way in (("Prices", "hide"), ("Lists", "very_hidden")):
            hidden = book.add_worksheet(name)
            put(hidden, [["secret", 1]])
            getattr(hidden, way)()

    loaded = read(workbook(tmp_path / "a.xlsx", build))
    assert "secret" not in loaded.pages[0].text
    (notice,) = loaded.notices
    assert notice.text == "2 hidden sheets were left out: “Prices”, “Lists”."
    assert "Unhide" in notice.cure


def test_hidden_rows_and_columns_are_read_and_counted(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, DUCKS)
        at.set_row(1, None, None, {"hidden": True})
        at.set_row(9, None, None, {"hidden": True})  # it is empty
        at.set_column(2, 16_383, None, None, {"hidden": True})

    loaded = sheet(tmp_path, fill)
    assert "Year: 2021 | Freshwater: 150 | Saltwater: 100" in loaded.pages[0].text
    assert [notice.text for notice in loaded.notices] == [
        "1 hidden row and 1 hidden column were read too."
    ]


def test_text_in_several_fonts_is_one_text(tmp_path: Path) -> None:
    def fill(at: Any, book: Any) -> None:
        put(at, [["Item", "Note"], ["Tea"]])
        at.write_rich_string(1, 1, "very ", book.add_format({"bold": True}), "hot", "\nindeed")

    assert sheet(tmp_path, fill).pages[0].text.endswith("Item: Tea | Note: very hot indeed")


# ------------------------------------------------------------------------- titles and tables


def test_a_text_above_a_table_is_its_title_and_one_below_a_note(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, [["Ducks by year"], [], *DUCKS, ["Source: the lake office."]], 1, 1)

    page = sheet(tmp_path, fill).pages[0]
    assert [(h.level, h.title) for h in page.headings] == [(1, "Sheet"), (2, "Ducks by year")]
    assert page.text.endswith("Saltwater: 110\n\nSource: the lake office.")
    (block,) = page.blocks
    assert page.text[block.start : block.end].startswith("Year | Freshwater")


def test_a_merged_cell_stands_in_each_of_its_rows(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, [["Kind", "Item"], ["", "Apple"], ["", "Pear"], ["Root", "Leek"]])
        at.merge_range("A2:A3", "Fruit")

    assert sheet(tmp_path, fill).pages[0].text.splitlines()[-3:] == [
        "Kind: Fruit | Item: Apple", "Kind: Fruit | Item: Pear", "Kind: Root | Item: Leek",
    ]  # fmt: skip


def test_names_in_two_rows_are_put_together(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, [["", 2021, "", 2022], ["", "Sold", "Paid", "Sold", "Paid"], ["North", 1, 2, 3, 4]])
        at.merge_range("A1:A2", "Region")
        at.merge_range("B1:C1", 2021)
        at.merge_range("D1:E1", 2022)

    assert sheet(tmp_path, fill).pages[0].text.splitlines()[-1] == (
        "Region: North | 2021 Sold: 1 | 2021 Paid: 2 | 2022 Sold: 3 | 2022 Paid: 4"
    )


def test_groups_that_are_not_merged_reach_to_the_next(tmp_path: Path) -> None:
    grid = [["", "Inn", "", "Ill"], ["Day", "Low", "High", "Low", "High"], ["Mon", 1, 2, 3, 4]]
    found = lines(tmp_path, ([[cell or None for cell in row] for row in grid], 0, 0))
    assert found[-1] == "Day: Mon | Inn Low: 1 | Inn High: 2 | Ill Low: 3 | Ill High: 4"


def test_years_in_a_row_name_columns_and_other_numbers_do_not(tmp_path: Path) -> None:
    rent = [["Item", 2020, 2021], ["Rent", 5, 6]]
    assert lines(tmp_path, (rent, 0, 0))[-1] == "Item: Rent | 2020: 5 | 2021: 6"
    bare = [["Tea", 1, 2], ["Milk", 3, 4]]
    assert lines(tmp_path, (bare, 0, 0)) == ["Tea | 1 | 2", "Milk | 3 | 4"]


def test_rows_behind_an_empty_one_go_on_with_the_table(tmp_path: Path) -> None:
    found = lines(tmp_path, (DUCKS, 0, 0), ([[2023, 160]], 4, 0))
    assert found[-1] == "Year: 2023 | Freshwater: 160"
    assert found.count("Year | Freshwater | Saltwater") == 1


def test_the_same_names_once_more_go_on_with_the_table(tmp_path: Path) -> None:
    found = lines(tmp_path, (DUCKS, 0, 0), ([DUCKS[0], [2023, 1, 2]], 4, 0))
    assert found.count("Year | Freshwater | Saltwater") == 1
    assert len(found) == 4


def test_another_table_below_has_names_of_its_own(tmp_path: Path) -> None:
    towns = [["Town", "Mayor"], ["Graz", "Kahr"]]
    assert lines(tmp_path, (DUCKS, 0, 0), (towns, 4, 0))[-2:] == [
        "Town | Mayor", "Town: Graz | Mayor: Kahr",
    ]  # fmt: skip


def test_rows_below_a_title_keep_the_names_above_it(tmp_path: Path) -> None:
    found = lines(tmp_path, (DUCKS, 0, 0), ([["The north"], [2021, 5, 6]], 4, 0))
    assert found[-3:] == [
        "The north", "Year | Freshwater | Saltwater", "Year: 2021 | Freshwater: 5 | Saltwater: 6",
    ]  # fmt: skip


def test_tables_beside_each_other_are_read_one_by_one(tmp_path: Path) -> None:
    towns = [["Town", "Mayor"], ["Graz", "Kahr"]]
    found = lines(tmp_path, (DUCKS, 0, 0), (towns, 1, 4))
    assert found[-2:] == ["Town | Mayor", "Town: Graz | Mayor: Kahr"]
    assert found[0] == "Year | Freshwater | Saltwater"


def test_an_empty_column_does_not_part_a_table(tmp_path: Path) -> None:
    grid = [
        ["Item", "Kind", None, "Price", "Stock"],
        ["Tea", "green", None, 2, 5],
        ["Milk", "cow", None, 1],
    ]
    found = lines(tmp_path, (grid, 0, 0))
    assert found[-1] == "Item: Milk | Kind: cow | Price: 1"


@pytest.mark.parametrize(
    "labels", [["Client:", "Town:", "Sum:"], ["Client", "Town", "Sum"]], ids=["colons", "bold"]
)
def test_a_form_is_read_line_by_line(tmp_path: Path, labels: list[str]) -> None:
    def fill(at: Any, book: Any) -> None:
        bold = book.add_format({"bold": labels[0] == "Client"})
        for row, (label, value) in enumerate(zip(labels, ["Jo Reed", "Graz", 12], strict=True)):
            at.write(row, 0, label, bold)
            at.write(row, 1, value)

    page = sheet(tmp_path, fill).pages[0]
    assert page.text == "Sheet\n\nClient: Jo Reed\nTown: Graz\nSum: 12"
    assert page.blocks == ()


def test_a_table_of_two_columns_is_no_form(tmp_path: Path) -> None:
    grid = [["Item", "Price"], ["Tea", 2], ["Milk", 1], ["Rye", "sold out"], ["Oat", 3]]
    assert lines(tmp_path, (grid, 0, 0))[-1] == "Item: Oat | Price: 3"
    words = [["Town", "Mayor"], ["Graz", "Kahr"], ["Linz", "Luger"]]
    assert lines(tmp_path, (words, 0, 0))[-1] == "Town: Linz | Mayor: Luger"


def test_a_column_of_texts_is_text(tmp_path: Path) -> None:
    def fill(at: Any, _: Any) -> None:
        put(at, [["Shut the hatch."], ["Light the lamp."]])

    page = sheet(tmp_path, fill).pages[0]
    assert page.text == "Sheet\n\nShut the hatch.\nLight the lamp."
    assert page.blocks == ()


def test_a_big_sheet_is_cut_between_rows(tmp_path: Path) -> None:
    grid = [["Id", "Text"], *[[number, "x" * 90] for number in range(2_000)]]
    pages = sheet(tmp_path, lambda at, _: put(at, grid)).pages
    assert len(pages) > 3
    assert all(page.text.startswith("Id: ") for page in pages[1:])
    rows = [line for page in pages for line in page.text.splitlines() if " | " in line]
    assert len(rows) == 2_001
