"""What only stands around what a page says is told from it, and a list of prices is not."""

from __future__ import annotations

import pytest

from core.text.page_furniture import without_furniture

CONTENTS = "1 Safety . . . . . . . 3\n2 Delivery ........ 9\n3 Warranty ....... 12"
SAID = "The warranty lasts two years."


@pytest.mark.parametrize(
    "around",
    [CONTENTS, "Page 3 of 10", "Seite 3", "© 2024 Acme, Inc.", "Copyright 2024 Acme", "(c) 2024 A"],
)
@pytest.mark.parametrize("text", ["{0}\n{1}", "{1}\n{0}", "Before.\n{0}\n{1}"])
def test_what_only_stands_around_is_left_out(around: str, text: str) -> None:
    left = text.format("", SAID).strip("\n").replace("\n\n", "\n")
    assert without_furniture(text.format(around, SAID), page=7) == left


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID}\nEspresso ....... 3\nAmericano ...... 2\nFlat white ..... 4",  # prices
        f"{SAID}\nEmployees ....... 450",
        f"{SAID}\nNet sales ........ $ 32,765\nCosts ....... $ 44,021\nTax ..... $ 54,900",
        "(a) the price\n(b) the day of delivery\n(c) the place of delivery",
        "Price\n45\nWeight\n3",  # cells of a table, each on its line
        CONTENTS,  # nothing else is there
        "Page 7",
        "",
    ],
)
def test_what_may_be_asked_for_stays(text: str) -> None:
    assert without_furniture(text, page=7) == text


def test_the_number_of_the_page_is_told_from_a_number_on_it() -> None:
    assert without_furniture(f"12\n{SAID}\n45", page=12) == f"{SAID}\n45"
    assert without_furniture(f"{SAID}\n12\n", page=12) == SAID
    assert without_furniture(f"{SAID}\n12\nIt ends then.", page=12).count("12") == 1
    assert without_furniture(f"{SAID}\n3") == f"{SAID}\n3"


def test_who_holds_the_rights_stays_where_a_document_says_who_made_it() -> None:
    text = f"{SAID}\n© 2024 Acme, Inc."
    assert without_furniture(text, page=1) == text
    assert without_furniture(text) == text  # a licence, a page of the web
    assert without_furniture(text, page=3) == SAID


def test_a_line_that_shares_a_word_with_the_question_stays() -> None:
    text = f"{CONTENTS}\n{SAID}\n© 2024 Acme, Inc."
    kept = without_furniture(text, 7, "On which page does the chapter on delivery begin?")
    assert kept == f"2 Delivery ........ 9\n{SAID}"
    assert "© 2024 Acme" in without_furniture(text, 7, "Who is Acme?")
