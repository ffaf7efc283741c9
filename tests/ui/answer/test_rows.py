"""Rows in the text of a source are drawn as tables."""

from __future__ import annotations

from core.types import Answer, DocumentKind, Evidence
from core.ui.answer.evidence import evidence_view
from core.ui.answer.rows import blocks, quoted_rows
from core.ui.answer.views import answer_view
from tests.ui.app.fake_service import a_citation

RATES = "Rates in 2024:\n\n| Land | Day |\n|---|---:|\n| Graz | 28 |\n| Linz | 31 |\n\nAll in EUR."
TOURS = "Tour | Guide\nTour: Cliff path | Guide: Mara Lind\nTour: Mill tour | Guide: Ida Holm"


def cells(block: dict[str, list[list[list[list[str]]]]]) -> list[list[str]]:
    return [["".join(text for text, _ in cell) for cell in row] for row in block["rows"]]


def test_rows_between_bars_are_a_table_and_the_rest_stays_text() -> None:
    before, table, after = blocks([[RATES, ""]])
    assert before["pieces"][0] == ["Rates in 2024:", ""]
    assert cells(table) == [["Land", "Day"], ["Graz", "28"], ["Linz", "31"]]
    assert table["head"]
    assert ["All in EUR.", ""] in after["pieces"]


def test_the_rows_of_a_csv_file_have_their_names_once() -> None:
    (table,) = blocks([[TOURS, ""]])
    assert cells(table) == [
        ["Tour", "Guide"],
        ["Cliff path", "Mara Lind"],
        ["Mill tour", "Ida Holm"],
    ]
    assert table["head"]


def test_a_mark_over_two_cells_is_in_both() -> None:
    start, end = RATES.index("Graz"), RATES.index("28") + 2
    pieces = [[RATES[:start], ""], [RATES[start:end], "mark"], [RATES[end:], ""]]
    table = blocks(pieces)[1]
    assert table["rows"][1] == [[["Graz", "mark"]], [["28", "mark"]]]
    assert table["rows"][2] == [[["Linz", ""]], [["31", ""]]]


def test_a_bar_in_a_sentence_makes_no_table() -> None:
    text = "Home | News\nThe a | b of Python is a union."
    assert all("pieces" in block for block in blocks([[text.splitlines()[1], ""]]))
    assert quoted_rows(text, "The harbour opened.") is None


def test_a_quoted_row_comes_with_the_head_of_its_table() -> None:
    table = quoted_rows(RATES, "| Linz | 31 |")
    assert table is not None
    assert cells(table) == [["Land", "Day"], ["Linz", "31"]]
    assert quoted_rows(RATES.replace("|---|---:|\n", ""), "| Linz | 31 |") == table
    table = quoted_rows("Tour | Guide\n" + TOURS.splitlines()[2], TOURS.splitlines()[2])
    assert table is not None
    assert cells(table) == [["Tour", "Guide"], ["Mill tour", "Ida Holm"]]


def test_the_card_and_the_evidence_of_a_row_are_tables() -> None:
    row = "| Linz | 31 |"
    citation = a_citation(1, DocumentKind.DOCX, "rates.docx", row, passage=RATES)
    view = answer_view(Answer("q", "t [1]", citations=(citation,)))
    assert cells(view["cited"][0]["table"])[1] == ["Linz", "31"]
    assert cells(view["uses"][0]["table"])[1] == ["Linz", "31"]
    shown = evidence_view(Evidence(citation, RATES))["blocks"]
    assert [list(block) for block in shown] == [["pieces"], ["rows", "head"], ["pieces"]]
    assert evidence_view(Evidence(citation, "No table."))["blocks"] == []
    code = a_citation(1, DocumentKind.TEXT, "a.py", "a | b", passage=RATES)
    assert evidence_view(Evidence(code, RATES))["blocks"] == []
