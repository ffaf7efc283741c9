"""Rows of tables that are what is asked for."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.opening.rows import cell_asked_for, is_all_asked_for
from tests.support.choosing import chosen
from tests.support.hits import hit

SCHOOLS = (
    "Table 2. Actual numbers for enrollment in elementary and secondary schools, by control of "
    "school: Fall 2010 through fall 2011\n[In thousands]\n\nYear\nTotal Public Private\n"
    "2010 45 40 5\n2011 46 41 5\n"
)
ILLS = (
    "Table 3.1: Ills and their treatment\n\nTreatment/Therapy Suffered from\n"
    "Followed treatment\nA cold Count 93 77\nShare 18.8% 15.6%\nBad dreams Count 20 4\n"
    "Share 2.0% .4%\n"
)
SALES = "Net sales by lamp:\nOak 12 14\nPine 13 9\nTotal consolidated net sales 25 23\n"
LIMITS = (
    "Table ES-3\nLimits of lamp oil\n\nAnimal Criterion (g/l)\nMink 57\nRiver otter 42\n"
    "Bald eagle 100\nGrey eagle 80\n"
)
TOWNS = "No. | Town | Pop.\n2 | Lower Graz | 1,200\n1 | Graz | 291,000\n3 | Linz | 205,000\n"


def opened(question: str, text: str) -> str:
    piece = hit(text)
    order = [(one, 1.0) for one in find_candidates([piece])]
    found = cell_asked_for(question, order, 1.0, [piece])
    return found[0].sentence.text if found else ""


@pytest.mark.parametrize(
    ("question", "text", "row"),
    [
        ("how many kids were in private schools in 2011", SCHOOLS, "2011 46 41 5"),
        ("how many pupils in schools in 2010 in total", SCHOOLS, "2010 45 40 5"),
        ("how many teachers were in private schools in 2011", SCHOOLS, ""),
        ("how many kids were in private schools in 2012", SCHOOLS, ""),
        ("how many schools were there in 2011", SCHOOLS, ""),
        ("how many got treated for bad dreams", ILLS, "Bad dreams Count 20 4"),
        ("what is the limit for otters", LIMITS, "River otter 42"),
        ("what is the limit for a bald eagle", LIMITS, "Bald eagle 100"),
        ("what is the limit for eagles", LIMITS, ""),
        ("what is the price of otters", LIMITS, ""),
        ("show me the sales by lamp", SALES, ""),
        ("how many people live in graz", TOWNS, "1 | Graz | 291,000"),
        ("how many people live in Styria", TOWNS, ""),
        ("how many people smoke in graz", TOWNS, ""),
        ("how many got beaten for bad dreams", ILLS, ""),
    ],
)
def test_the_row_of_a_year_or_a_label_opens_where_its_table_tells_the_rest(
    question: str, text: str, row: str
) -> None:
    assert opened(question, text) == row


def test_what_most_passages_of_a_document_speak_of_need_not_stand_in_a_table() -> None:
    hits = [hit(ILLS, document="a"), *(hit(f"Of the pupils {n}.", document="a") for n in range(4))]
    order = [(one, 1.0) for one in find_candidates(hits)]
    found = cell_asked_for("how many pupils got treated for bad dreams", order, 1.0, hits)
    assert found is not None
    assert found[0].sentence.text == "Bad dreams Count 20 4"


@pytest.mark.parametrize(
    ("question", "row", "is_all"),
    [
        ("revenue of lamp works", "Total revenue $ 12 $ 14", True),
        ("what was lamp works' revenue in 2010?", "Revenue 12 14", True),
        ("what is revenue?", "Revenue 12 14", False),
        ("how much is the revenue", "Revenue 12 14", True),
        ("how many patents does lamp works have", "Patents 542 561", False),
        ("revenue of lamp works", "Deferred revenue 12 14", False),
        ("revenue of lamp works", "Revenue 12", False),
        ("deferred revenue of lamp works", "Revenue 12 14", False),
    ],
)
def test_a_row_is_called_all_that_is_asked_of_its_document(
    question: str, row: str, is_all: bool
) -> None:
    assert is_all_asked_for(question, row, hit(row, label="lampworks_2010.pdf")) is is_all


def test_rows_of_names_and_figures_give_no_reason() -> None:
    text = (
        "Town | Rain | Why\nGraz | 12 | It lies behind the high range\n\nTown | Rain\nLinz | 3\n\n"
        "Linz is dry because winds blow."
    )
    scores = [0.0, 9.0, 0.0, 8.0, 1.0]
    assert chosen("why is linz dry", scores, text)[0] == "Graz | 12 | It lies behind the high range"
    assert chosen("why linz", [0.0, 0.0, 0.0, 8.0, 5.0], text)[0].startswith("Linz is dry")
    assert chosen("how dry is linz", [0.0, 0.0, 0.0, 8.0, 1.0], text)[0] == "Linz | 3"
