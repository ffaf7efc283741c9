"""Which rows of a table a question is about, and what their numbers are."""

from __future__ import annotations

import json

import pytest

from core.answering.routes.table_rows import Fit, Table, fit, people_column, read_tables
from core.parsing.builder import TextBuilder, split_parts
from core.parsing.csv import load_csv
from core.parsing.data import load_data
from core.planning.table_questions import Computed, table_question
from core.text.numbers import number
from core.types import ChunkKind, Document, DocumentKind, DocumentState

GOODS = (
    "sku,name,category,price_eur,stock\n"
    "A1,Desk lamp,lighting,39.90,120\n"
    "A2,Floor lamp,lighting,89.00,14\n"
    "B1,Office chair,furniture,249.00,0\n"
    "B2,Desk Alto | oak,furniture,,3\n"
)


def table(text: str = GOODS, name: str = "goods.csv") -> Table:
    document = Document("d", "s", name, name, DocumentKind.CSV, DocumentState.READY)
    (found,) = read_tables(document, load_csv(text.encode()).pages)
    return found


def fitted(question: str, text: str = GOODS, *, alone: bool = False) -> Fit | None:
    asked = table_question(question)
    assert asked is not None
    return fit(table(text), asked, alone=alone)


def names(found: Fit | None) -> list[str]:
    assert found is not None
    return [row.cells["name"] for row in found.rows]


def test_rows_are_read_with_their_places() -> None:
    found = table()
    text = load_csv(GOODS.encode()).pages[0].text
    assert found.columns == ("sku", "name", "category", "price_eur", "stock")
    assert found.rows[3].cells["name"] == "Desk Alto | oak"
    assert "price_eur" not in found.rows[3].cells
    assert text[found.rows[1].start : found.rows[1].end].startswith("sku: A2")


@pytest.mark.parametrize("text", ["", "a,b\n", "just words\nof two lines\n", "1,2\n3,4\n"])
def test_what_names_no_columns_is_no_table(text: str) -> None:
    document = Document("d", "s", "x.csv", "x.csv", DocumentKind.CSV, DocumentState.READY)
    assert read_tables(document, load_csv(text.encode()).pages) == []


def test_a_column_is_found_by_what_it_is_called() -> None:
    cheapest = fitted("the cheapest lamp")
    assert cheapest is not None
    assert (cheapest.column, cheapest.conditions) == ("price_eur", ("lamp",))
    assert dict(cheapest.values) == {0: 39.9, 1: 89.0}
    assert names(cheapest) == ["Desk lamp", "Floor lamp"]


def test_rows_have_all_the_words_that_a_cell_has() -> None:
    assert names(fitted("list lighting")) == ["Desk lamp", "Floor lamp"]
    assert names(fitted("how many desk lamps")) == ["Desk lamp"]
    assert fitted("how many desk chairs") is None  # no row has both


def test_a_word_that_the_table_does_not_have_is_not_answered_from_it() -> None:
    assert fitted("how many people live in Graz") is None
    assert fitted("the cheapest hotel") is None
    assert fitted("the cheapest hotel", alone=True) is not None
    assert fitted("the cheapest hotel in Graz", alone=True) is None
    assert fitted("the cheapest of the goods") is not None  # the name of the file


def test_what_needs_a_column_of_numbers() -> None:
    assert fitted("the oldest lamp") is None
    assert fitted("total category") is None
    assert fitted("total size", "name,size\nA,3\nB,large\nC,small\n") is None
    total = fitted("total stock")
    assert total is not None
    assert sum(total.values.values()) == 137
    assert names(fitted("what is out of stock")) == ["Office chair"]
    assert names(fitted("which cost more than 50 euros")) == ["Floor lamp", "Office chair"]


def test_the_oldest_is_by_age_or_by_date() -> None:
    by_age = fitted("the oldest", "name,age\nAda,30\nBo,41\n")
    by_date = fitted("the oldest", "name,born\nAda,1990-02-01\nBo,1979-05-06\n")
    assert by_age is not None
    assert by_date is not None
    assert (by_age.computed, by_date.computed) == (Computed.HIGHEST, Computed.LOWEST)
    assert min(by_date.values, key=by_date.values.__getitem__) == 1


FLEET = "name,day_rate,built,home\nAmsel,185,1998,Krk\nBora,410,2016,Split\nFalke,295,2018,Split\n"
STAFF = "name,age,joined\nAda,30,2009-12-31\nBo,41,2010-01-01\nCy,52,2011-03-04\n"


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("which boats are older than 2010", FLEET, ["Amsel"]),
        ("which boats were built after 2016", FLEET, ["Falke"]),
        ("how many boats were built since 2016", FLEET, ["Bora", "Falke"]),
        ("which boats cost more than 300 euros", FLEET, ["Bora"]),
        ("who is older than 40", STAFF, ["Bo", "Cy"]),
        ("who is younger than 41", STAFF, ["Ada"]),
        ("who joined before 2010", STAFF, ["Ada"]),
        ("who joined after 2010", STAFF, ["Cy"]),
        ("who joined since 2010", STAFF, ["Bo", "Cy"]),
    ],
)
def test_years_and_ages_are_bounds(question: str, text: str, wanted: list[str]) -> None:
    assert names(fitted(question, text, alone=True)) == wanted


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1.234,50", "7"), (1234.5, 7.0)),
        (("7,25", "1.234"), (7.25, 1234.0)),
        (("1,234.50", "7"), (1234.5, 7.0)),
        (("1,234", "7"), (1234.0, 7.0)),
        (("0.125", "1.5"), (0.125, 1.5)),
        (("$12", "-3 USD"), (12.0, -3.0)),
        (("12 %", "7%"), (12.0, 7.0)),
    ],
)
def test_numbers_as_people_write_them(cells: tuple[str, ...], values: tuple[float, ...]) -> None:
    text = "name;size\n" + "".join(f"n{at};{cell}\n" for at, cell in enumerate(cells))
    found = fitted("total size", text)
    assert found is not None
    assert tuple(found.values.values()) == values


@pytest.mark.parametrize("cell", ["n/a", "12 to 14", "room 7", "2024-13-01", "1.2.3"])
def test_what_is_no_number(cell: str) -> None:
    assert number(cell) is None


DOORS = "name,locked,size\nFront,yes,4\nBack,no,9\nSide,Yes,2\nTop,,3\n"


def test_a_column_of_yes_and_no_is_what_the_rows_are() -> None:
    assert names(fitted("which are locked", DOORS)) == ["Front", "Side"]
    assert names(fitted("how many are not locked", DOORS)) == ["Back"]
    found = fitted("list the ones that are not locked", DOORS)
    assert found is not None
    assert found.conditions == ("not locked",)


def test_the_biggest_is_by_size_where_the_question_names_no_column() -> None:
    biggest = fitted("the biggest door", DOORS, alone=True)
    assert biggest is not None
    assert (biggest.column, biggest.computed) == ("size", Computed.HIGHEST)
    assert fitted("the biggest lock", "name,weight\nA,3\nB,4\n", alone=True) is None


def test_a_word_that_all_rows_have_is_not_said() -> None:
    found = fitted(
        "the highest price of what is in store", "name,store,price\nA,store,3\nB,store,4\n"
    )
    assert found is not None
    assert found.conditions == ()


def test_people_are_told_by_their_names_behind_a_number_too() -> None:
    assert people_column(table("id,name,town\n7,Jo,Linz\n8,Al,Graz\n")) == "name"


def test_the_one_table_of_data_is_read_behind_what_else_the_file_says() -> None:
    lamps = [{"name": "A", "watts": 4}, {"name": "B", "watts": 6}]
    loaded = load_data(json.dumps({"shop": "Lamps", "lamps": lamps}).encode())
    document = table().document
    (found,) = read_tables(document, loaded.pages)
    assert [row.cells for row in found.rows] == [
        {"name": "A", "watts": "4"}, {"name": "B", "watts": "6"},
    ]  # fmt: skip
    row = found.rows[0]
    assert loaded.pages[0].text[row.start : row.end] == "name: A | watts: 4"
    two = load_data(json.dumps({"lamps": lamps, "oils": lamps}).encode())
    assert read_tables(document, two.pages) == []


def workbook(*sheets: tuple[str, str, str]) -> list[Table]:
    """The tables of a workbook: name of the sheet, title above the table, rows as of CSV."""
    builder = TextBuilder()
    for name, title, rows in sheets:
        builder.heading(1, name)
        if title:
            builder.heading(2, title)
        builder.block(load_csv(rows.encode()).pages[0].text, ChunkKind.TABLE)
    document = Document("d", "s", "b.xlsx", "b.xlsx", DocumentKind.XLSX, DocumentState.READY)
    pages = split_parts(builder.draft(), 200)
    found = read_tables(document, pages)
    for table in found:
        for row in table.rows:
            line = pages[row.page].text[row.start : row.end]
            assert line == " | ".join(f"{name}: {value}" for name, value in row.cells.items())
    return found


def test_each_table_of_a_workbook_is_read_over_its_parts() -> None:
    many = "id,note\n" + "".join(f"{at},{'x' * 40}\n" for at in range(20))
    lakes, notes = workbook(("Lakes", "Ducks by year", "year,ducks\n2021,5\n"), ("Notes", "", many))
    assert (lakes.heading, lakes.columns, len(lakes.rows)) == (
        "Lakes › Ducks by year", ("year", "ducks"), 1,
    )  # fmt: skip
    assert (notes.heading, len(notes.rows)) == ("Notes", 20)
    assert len({row.page for row in notes.rows}) > 1


def test_the_sheet_that_a_question_names_is_no_word_of_its_rows() -> None:
    (lakes,) = workbook(("Lakes", "", "year,ducks\n2021,5\n2022,7\n"))
    asked = table_question("how many rows are in the lakes sheet")
    assert asked is not None
    found = fit(lakes, asked, alone=False)
    assert found is not None
    assert len(found.rows) == 2


@pytest.mark.parametrize("last", ["Total", "Grand total:", "Summe"])
def test_a_last_row_that_adds_up_the_others_is_not_one_of_them(last: str) -> None:
    rows = table(f"town,paid\nGraz,5\nLinz,7\n{last},12\n").rows
    assert [row.cells["town"] for row in rows] == ["Graz", "Linz"]
