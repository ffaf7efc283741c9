"""Rows of tables: what names their columns, which rows a sentence leads to, what a row is about."""

from __future__ import annotations

import pytest

from core.answering.extractive.marking.writing import highlighted, marked, written
from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.structures.quotes import Quote, whole
from core.answering.extractive.structures.tables import (
    MOST_ROWS,
    header_of,
    label,
    mark_cell,
    rows_below,
    rows_led_to,
    told_beside,
)
from core.text.sentences import split_sentences
from core.text.terms import content_keys
from tests.support.hits import hit

PRINTED = (
    "The following table details the ferries of each harbour (amounts in hundreds):\n\n"
    "For the Years Ended December 31,\n2019 2018\n"
    "Amber 19 25 (24)%\nLinz 17 21 (21)\nBasel (1) 22 21 1\n\nMost of them carry cars."
)
BARS = "Staff of the harbour\n\nYear | Ships | Crew\n2010 | 12 | 34\n2011 | 13 | 35\n"


def header(text: str, row: str) -> list[str]:
    pieces = split_sentences(text)
    at = next(n for n, piece in enumerate(pieces) if piece.text.startswith(row))
    return [piece.text for piece in header_of(pieces, at)]


def quoted(text: str, words: str) -> Quote:
    piece = hit(text)
    found = next(c for c in find_candidates([piece]) if words in c.sentence.text)
    return whole("show me the ferries", found, piece)


def test_the_header_of_a_row_with_bars_is_the_first_row_with_as_many_cells() -> None:
    assert header(BARS, "2011") == ["Year | Ships | Crew"]
    assert header(BARS, "Year") == ["Staff of the harbour"]
    assert header("Net income | 73\n" + BARS.partition("\n\n")[2], "Net") == []
    long = "Wares | " + "; ".join(["oil lamps"] * 8)
    assert header(f"{long}\nNet income | 73", "Net") == []
    assert header("Price | € 68.490,00\nPrice with extras | € 69.290,00", "Price with") == []
    assert header("Order: | 12-56 | Town:\nPaid: | yes | Graz", "Paid") == []
    assert header("One. | Two\n" + BARS.partition("\n\n")[2], "2011") == ["Year | Ships | Crew"]


def test_a_line_above_rows_with_bullets_tells_of_these_alone() -> None:
    box = (
        "Population (2021)\n• Total | 38,412\n• Density | 797/km2\nMayor | Ina Brook\nCode | 4410\n"
    )
    assert header(box, "Density") == ["Population (2021)"]
    assert header(box, "Mayor") == []


def test_the_header_of_printed_numbers_are_the_lines_above_up_to_a_sentence() -> None:
    lines = [
        "The following table details the ferries of each harbour (amounts in hundreds):",
        "For the Years Ended December 31,",
    ]
    assert header(PRINTED, "Linz") == [*lines, "2019 2018"]
    assert header("It is large.\n\nHarbour Ferries Cars\nAmber 19 25\nLinz 17 21", "Linz") == [
        "Harbour Ferries Cars"
    ]
    assert header("x" * 300 + "\n\nAmber 19 25\nLinz 17 21", "Linz") == []


@pytest.mark.parametrize(
    ("row", "about"),
    [
        ("2010 62,484 18,760 —", "2010"),
        ("West Virginia 164 1 165 5.1 %", "West Virginia"),
        ("New Jersey $ 753 $ 43", "New Jersey"),
        ("Net loss (53) (12)", "Net loss"),
        ("| 2010 | 62,484 |", "2010"),
        ("2019 2018", ""),
    ],
)
def test_what_a_row_is_about(row: str, about: str) -> None:
    assert label(row) == about


def test_what_leads_to_a_table_takes_its_rows() -> None:
    quote = quoted(PRINTED, "The following")
    assert quote.form == "lines"
    assert [part.text for part in quote.parts] == [
        "The following table details the ferries of each harbour (amounts in hundreds):",
        "For the Years Ended December 31,",
        "2019 2018",
        "Amber 19 25 (24)%",
        "Linz 17 21 (21)",
        "Basel (1) 22 21 1",
    ]
    rows = BARS.partition("\n\n")[2]
    assert quoted(f"The staff:\n\n{rows}", "The staff").form == "table"
    assert quoted("The staff:\n\nIt is large.", "The staff").form == "lines"


def test_of_a_long_table_it_is_said_how_many_rows_are_left_out() -> None:
    rows = "\n".join(f"Harbour {chr(65 + n)} 19 25" for n in range(MOST_ROWS + 3))
    quote = quoted(f"The ferries:\n\n{rows}", "The ferries")
    assert (len(quote.parts), quote.more) == (1 + MOST_ROWS, 3)
    assert "and 3 more" in marked(written(quote)[0], quote, 1)


def test_of_a_table_that_is_hardly_longer_no_row_is_left_out() -> None:
    rows = "".join(f"Harbour {n} {n} 20\n" for n in range(MOST_ROWS + 2))
    quote = quoted(f"The ferries:\n\n{rows}", "The ferries")
    assert (len(quote.parts), quote.more) == (1 + MOST_ROWS + 2, 0)


def test_only_a_header_has_rows_below() -> None:
    pieces = split_sentences(BARS)
    assert [piece.text for piece in rows_below(pieces, 1)] == ["2010 | 12 | 34", "2011 | 13 | 35"]
    assert rows_below(pieces, 2) == ()
    assert rows_led_to(split_sentences("The harbour.\n\nIt is large."), 0)[1] == ()


def test_a_row_is_compared_with_what_names_its_columns() -> None:
    found = {c.sentence.text: c for c in find_candidates([hit(BARS)])}
    row = found["2011 | 13 | 35"]
    assert (row.before, row.after) == ("Year | Ships | Crew", "")


def test_a_first_row_like_the_others_is_no_header() -> None:
    text = "mean() | Arithmetic mean\nmedian() | Middle value\n"
    found = {c.sentence.text: c for c in find_candidates([hit(text)])}
    assert found["median() | Middle value"].before == ""


@pytest.mark.parametrize(
    ("row", "marked"),
    [("Fox | 189 € | yes | 5,5", "189 €"), ("Fox | 189 € | 20 € | 5,5", None)],
)
def test_the_one_amount_of_a_row_is_set_off_where_a_price_is_asked_for(
    row: str, marked: str | None
) -> None:
    found = mark_cell("was kostet der Fox?", ["Modell | Preis | Fest | Note"], row)
    assert (found and row[slice(*found)]) == marked


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("how much does norsea want", "£184,000"),
        ("how long will the dredging take", "5 weeks"),
        ("when can norsea begin", "2 September 2024"),
        ("how old is norsea", None),
    ],
)
def test_the_one_cell_of_the_form_that_is_asked_for_is_set_off(
    question: str, marked: str | None
) -> None:
    row = "| Norsea | £184,000 | 2 September 2024 | 5 weeks |"
    found = mark_cell(question, ["| Contractor | Offer | First day | Work |"], row)
    assert (found and row[slice(*found)]) == marked


def test_who_somebody_is_may_stand_first_in_a_row() -> None:
    row = "| Ida Holm | Harbour (chair) |"
    start, end = mark_cell("who chaired the harbour", ["| Present | For |"], row) or (0, 0)
    assert row[start:end] == "Ida Holm"


CORNER = "Kosten\n\n | Leasing | Kredit\nRate | 138 € | 287 €\nLaufzeit | 36 | 48\n"


def test_an_empty_corner_is_a_cell() -> None:
    assert header(CORNER, "Rate") == ["| Leasing | Kredit"]
    quote = quoted(CORNER, "Rate")
    assert (
        written(quote)[0]
        == "|  | Leasing | Kredit |\n| --- | --- | --- |\n| Rate | 138 € | 287 € |"
    )
    text, spans = written(quote)
    ((start, end),) = highlighted("wie hoch ist die rate beim kredit", quote, text, spans)
    assert text[start:end] == "287 €"


def test_a_first_row_of_figures_with_one_word_names_no_columns() -> None:
    facts = "Fett | 19 g | 29 % | mehr\nZucker | 2 g | 2 % | mehr\nSalz | 1 g | 9 % | mehr\n"
    assert header(facts, "Zucker") == []


def test_who_holds_an_office_is_set_off_in_its_row() -> None:
    row = "Kassenwart | Olaf Brenner | 45 | 0"
    start, end = mark_cell("wer ist kassenwart", ["Amt | Gewählt | Ja | Nein"], row) or (0, 0)
    assert row[start:end] == "Olaf Brenner"
    assert mark_cell("wie viele ja", ["Amt | Gewählt | Ja | Nein"], row) is not None


def test_per_alone_is_no_column() -> None:
    above, row = ["Country | Full day | Hotel limit per night"], "France | 53 EUR | 160 EUR"
    assert mark_cell("what is the per diem for France", above, row) is None
    found = mark_cell("what is the limit per night in France", above, row)
    assert found is not None
    assert row[slice(*found)] == "160 EUR"


def test_the_values_of_a_label_above_them_name_no_columns() -> None:
    text = "Ferries Cars\nRed Works\n(Linz)\n14.9 16.5\nBlue Works\n13 12\nBasel 7 6\nBonn 5 4\n"
    assert header(text, "Basel") == header(text, "Bonn") == []
    assert header(text, "13 12") == ["Blue Works"], "its label"
    years = "Ferries\n2010 2011\nBasel 7 6\nBonn 5 4\n"
    assert header(years, "Bonn") == ["Ferries", "2010 2011"]


def test_names_of_columns_that_stand_word_by_word_are_all_of_the_header() -> None:
    lines = "Oak Lamps\nOutlet\nCentres\nPine Lamps\nOld\nStores"
    text = f"Shops of the firm.\n\n{lines}\nUtah 12 — —\nOhio 3 — 4\n"
    assert " ".join(header(text, "Ohio")) == " ".join(lines.split("\n"))


LIT = (
    "Table 2. Oak and pine lamps that were lit in the harbours of the coast, by sort\n"
    "[In hundreds]\n\nYear\nSort of lamp\n\nOak Pine\nBrass/\nCopper\nGlass\n"
    "2010 45 12 7 —\n2011 46 13 8 9\n\nPlanned\n2012 47 14 9 10\n2013 48 15 10 11\n"
)


def test_all_lines_below_a_caption_name_the_columns_and_a_part_its_rows() -> None:
    above = header(LIT, "2011")
    assert above[0].startswith("Oak and pine lamps that were lit")
    assert above[-4:] == ["Oak Pine", "Brass/", "Copper", "Glass"]
    assert header(LIT, "2013") == [*above, "Planned"]


REPORT = (
    "The harbour reports below.\n\nFive years ended June 30, 2015\n(in hundreds)\n\n"
    "2015(1) 2014(1) 2013(1)\n\nFerries $ 39 $ 55 $ 52\nOil from lamps that were lit(2)(3)\n"
    "(66) (40) (83)\nLamps lost at sea — — (4)\nNet oil $ (66) $ (40) $ (87)\nOil per lamp\n"
    "Basic\nLit lamps $ (8) $ (5) $ (9)\n\nHarbour Price Fee\nLinz 12 14\n"
)


def test_the_years_above_a_table_head_the_rows_of_all_its_parts() -> None:
    years = ["Five years ended June 30, 2015\n(in hundreds)", "2015(1) 2014(1) 2013(1)"]
    assert header(REPORT, "Net oil") == header(REPORT, "Lamps lost") == years
    assert header(REPORT, "(66)") == [*years, "Oil from lamps that were lit(2)(3)"]
    assert header(REPORT, "Lit lamps") == [*years, "Oil per lamp", "Basic"]
    assert header(REPORT, "Linz") == ["Harbour Price Fee"]


TOWNS = "No. | Town | Land | Pop. | No. | Town | Land | Pop."


@pytest.mark.parametrize(
    ("asked", "row", "cell"),
    [
        ("population of graz", "1 | Graz | Styria | 291,000 | 3 | Wels | O. | 62,000", "291,000"),
        ("population of wels", "1 | Graz | Styria | 291,000 | 3 | Wels | O. | 62,000", "62,000"),
        ("population of wels", "Graz | 1 | Linz | Linz | 205,000 | 3 | Wels | O. | 62,000 | Lech",
         "62,000"),
        ("population of lech", "1 | Graz | Styria | 291,000 | 3 | Wels | O. | 62,000", ""),
        ("rain in graz", "1 | Graz | Styria | 291,000 | 3 | Wels | O. | 62,000", ""),
    ],
)  # fmt: skip
def test_what_a_row_tells_of_a_thing_stands_in_its_half(asked: str, row: str, cell: str) -> None:
    above = f"| {TOWNS} |" if "Lech" in row else TOWNS
    told = told_beside(content_keys(asked), [above], row)
    assert (row[slice(*told.cell)] if told else "") == cell


def test_the_edges_of_a_header_may_stand_beside_empty_cells() -> None:
    text = "The towns\n | Town | Pop. | \nHere | Graz | 291,000 | there\nLinz | 205,000\n"
    assert header(text, "Here") == ["| Town | Pop. |"]
    assert header(text, "Linz") == ["| Town | Pop. |"]
