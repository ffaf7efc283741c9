"""The outline of a document: its table of contents, or its headings, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from core.answering.routes.outline import outline
from core.types import DocumentKind, Heading, Page
from tests.answering.routes.test_overview import document

CONTENTS = """Harbour report

Table of Contents

Part I 4
Item 1. Ferries 4
Item 2. Boats that carry the mail of the islands, and the people who write it, in all of the years 7
Item 3. Lamps ........ 16
Part II 22
Item 4. Fog 22
Item 5. Names 24
"""


def test_bold_lines_that_only_look_like_headings_are_no_outline() -> None:
    lines = [
        "Ida Holm∗ · Per Vik†", "Subtotal 2,730", "Order 10442", "1 Introduction",
        "Report for 2022", "3 Results", "N − v",
    ]  # fmt: skip
    headings = tuple(Heading(at, 1, line) for at, line in enumerate(lines))
    page = Page(0, "Text.", headings=headings)
    assert outline(document("a.pdf"), [page]) == ["1 Introduction", "Report for 2022", "3 Results"]


def test_a_paragraph_that_looks_like_a_heading_is_no_part_of_an_outline() -> None:
    said = "It is so that a driver may not do all of it in the same way"
    titles = ("1 Habits", said, "2 Courses")
    page = Page(0, "Text.", headings=tuple(Heading(at, 1, t) for at, t in enumerate(titles)))
    assert outline(document("a.pdf"), [page]) == ["1 Habits", "2 Courses"]


def test_long_headings_are_cut_and_two_are_an_outline() -> None:
    long = "10.2. Funding for the first part of the training in the trades of the harbour"
    page = Page(0, "Text.", headings=(Heading(0, 2, "10.1. Background"), Heading(1, 2, long)))
    assert outline(document("a.pdf"), [page]) == [
        "10.1. Background",
        "10.2. Funding for the first part of the training in the …",
    ]


def pdf(*texts: str) -> list[str]:
    headed = Heading(0, 1, "A BOLD LINE"), Heading(3, 1, "ANOTHER BOLD LINE")
    pages = [Page(n, text, headings=headed) for n, text in enumerate(texts)]
    return outline(replace(document("a.pdf"), kind=DocumentKind.PDF), pages)


def test_a_pdf_is_outlined_by_its_table_of_contents() -> None:
    assert pdf("A report.", CONTENTS) == [
        "Item 1. Ferries",
        "Item 2. Boats that carry the mail of the islands, and the …",
        "Item 3. Lamps",
        "Item 4. Fog",
        "Item 5. Names",
    ]


def test_parts_of_parts_are_left_out_of_it() -> None:
    numbered = "1 Boats 3\n1.1 Sails 3\n1.2 Masts 5\n2 Lamps 8\n2.1 Oil 9\n3 Fog 12\n"
    assert pdf(f"Contents\n\n{numbered}") == ["1 Boats", "2 Lamps", "3 Fog"]


def test_lines_with_numbers_that_are_no_table_of_contents() -> None:
    headings = ["A BOLD LINE", "ANOTHER BOLD LINE"]
    rows = "Ferries 9\nBoats 3\nLamps 16\nFog 2\nNames 24\n"
    assert pdf(f"Table of Contents\n\n{rows}") == headings  # the numbers fall
    assert pdf(CONTENTS.replace("Table of Contents", "Income")) == headings
    assert pdf(*["A page."] * 15, CONTENTS) == headings  # far from the beginning
