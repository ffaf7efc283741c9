"""Running heads, running feet and page numbers are no part of a PDF's text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.parsing.boxes import unpack_boxes
from core.parsing.pdf.load import load_pdf
from core.types import LoadedDocument

WIDTH, HEIGHT = 595, 842
Draw = Callable[[Canvas, int], None]


def read(path: Path, pages: int, draw: Draw) -> LoadedDocument:
    canvas = Canvas(str(path), (WIDTH, HEIGHT))
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica", 10)
        for line in range(12):
            text = f"Sentence {line} of part {number} tells what the lanterns of Velmark cost."
            canvas.drawString(72, 640 - 14 * line, text)
        draw(canvas, number)
        canvas.showPage()
    canvas.save()
    return load_pdf(path, lambda done: None)


def at_the_foot(text: str) -> Draw:
    return lambda canvas, number: canvas.drawString(72, 40, text.format(number))


@pytest.mark.parametrize("foot", ["{}", "Page {} of 6", "{} Chapter 2. Lanterns", "Lanterns {}"])
def test_a_line_with_the_number_of_its_page_is_no_text(tmp_path: Path, foot: str) -> None:
    document = read(tmp_path / "a.pdf", 6, at_the_foot(foot))
    assert all(page.text.endswith("lanterns of Velmark cost.") for page in document.pages)
    assert all(len(unpack_boxes(page.boxes)) == len(page.text) for page in document.pages)


def test_a_foot_of_four_lines_with_a_large_page_number_is_no_text(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        for line, text in enumerate(["Bank of Velmark", "Working papers No 1299", "May 2011"]):
            canvas.drawString(72, 48 - 12 * line, text)
        canvas.setFont("Helvetica", 18)
        canvas.drawString(72, 30, str(number + 12))

    document = read(tmp_path / "a.pdf", 6, draw)
    assert all(page.text.endswith("lanterns of Velmark cost.") for page in document.pages[1:])
    assert document.pages[0].text.count("Working papers") == 1  # said once, it stays


def test_numbers_of_pages_may_begin_late(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(300, 40, str(number - 2) if number > 2 else "ii")

    document = read(tmp_path / "a.pdf", 6, draw)
    assert all("cost." in page.text[-6:] for page in document.pages[2:])


def test_a_running_head_is_kept_once(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 800, "Price list of the guild, release 12.18")

    document = read(tmp_path / "a.pdf", 5, draw)
    assert [page.text.count("Price list of the guild") for page in document.pages] == [
        1,
        0,
        0,
        0,
        0,
    ]


def test_a_line_behind_a_running_one_counts_too_and_one_that_differs_does_not(
    tmp_path: Path,
) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 810, f"Guild of lantern makers {number}")
        canvas.drawString(72, 795, "(continued from previous page)" if number > 1 else "Prices")
        canvas.drawString(72, 780, f"Invoice for house {number * 7 + 40}")

    document = read(tmp_path / "a.pdf", 5, draw)
    for page in document.pages:
        assert "Guild of lantern makers" not in page.text
        assert "continued" not in page.text
        assert f"Invoice for house {page.ordinal * 7 + 47}" in page.text


@pytest.mark.parametrize("number", ["{}", "Lamp {}"])
def test_numbers_that_do_not_go_with_the_pages_stay(tmp_path: Path, number: str) -> None:
    def draw(canvas: Canvas, page: int) -> None:
        canvas.drawString(72, 40, number.format(page * page + 3))

    document = read(tmp_path / "a.pdf", 5, draw)
    for page in document.pages:
        assert page.text.endswith(number.format((page.ordinal + 1) ** 2 + 3))


def test_a_number_in_the_text_stays(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 400, f"Lamp {number}")

    document = read(tmp_path / "a.pdf", 6, draw)
    assert all(page.text.endswith(f"Lamp {page.ordinal + 1}") for page in document.pages)


def test_titles_of_slides_stay(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.setFont("Helvetica", 24)
        canvas.drawString(72, 790, f"Lesson {number}")

    document = read(tmp_path / "a.pdf", 5, draw)
    assert all(f"Lesson {page.ordinal + 1}" in page.text for page in document.pages)


def test_pages_of_one_line_are_no_feet(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), (WIDTH, HEIGHT))
    for number in range(1, 6):
        canvas.drawString(72, 800, f"Ticket for seat {number}")
        canvas.showPage()
    canvas.save()
    document = load_pdf(tmp_path / "a.pdf", lambda done: None)
    assert [page.text for page in document.pages] == [f"Ticket for seat {n}" for n in range(1, 6)]


def test_two_pages_tell_nothing(tmp_path: Path) -> None:
    document = read(tmp_path / "a.pdf", 2, at_the_foot("Page {}"))
    assert [page.text[-6:] for page in document.pages] == ["Page 1", "Page 2"]


def test_a_page_with_nothing_else_is_no_scan(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), (WIDTH, HEIGHT))
    for number in range(1, 6):
        for line in range(0 if number == 3 else 5):
            canvas.drawString(72, 400 - 14 * line, f"Line {line} tells of lanterns in Velmark.")
        canvas.drawString(300, 40, str(number))
        canvas.showPage()
    canvas.save()
    document = load_pdf(tmp_path / "a.pdf", lambda done: None)
    assert document.pages[2].text == ""
    assert document.pages_without_text == 0


def test_bookmarks_without_the_numbers_of_their_headings_are_found(tmp_path: Path) -> None:
    titles = ["Scope", "Getting started", "Nets"]

    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(72, 700, f"{number}.1 {titles[number - 1]}")
        canvas.bookmarkPage(str(number))
        canvas.addOutlineEntry(titles[number - 1], str(number), 0)

    document = read(tmp_path / "a.pdf", 3, draw)
    assert [[h.title for h in page.headings] for page in document.pages] == [[t] for t in titles]
