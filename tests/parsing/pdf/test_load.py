"""PDF: text whose every character has its place, headings, words made whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from reportlab.pdfgen.canvas import Canvas

from core.errors import DamagedFile, PasswordProtected
from core.parsing import load
from core.parsing.boxes import line_boxes, unpack_boxes
from core.parsing.pdf.fallback import load_with_pypdf
from core.parsing.pdf.load import render
from core.parsing.pdf.raw import RawPage
from core.parsing.pdf.text import laid_out, with_ligatures
from core.types import ChunkKind, DocumentKind, Page
from tests.parsing.files import A4, encrypted, lines, pdf, read, written


def ink(path: Path, page: Page, start: int, end: int) -> tuple[float, float]:
    """The share of dark pixels within the marks of a span, and of the whole page outside."""
    with pypdfium2.PdfDocument(path) as document:
        grey = document[page.ordinal].render(scale=2, grayscale=True).to_numpy()
    dark = grey < 128
    marked = np.zeros_like(dark)
    high, wide = dark.shape
    for left, top, right, bottom in line_boxes(page, start, end):
        rows = slice(int(top * high) - 1, int(bottom * high) + 2)
        marked[rows, int(left * wide) - 1 : int(right * wide) + 2] = True
    return float(dark[marked].mean()), float(dark[~marked].sum())


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
def test_marks_fall_on_the_text_as_it_is_shown(tmp_path: Path, turned: int, cropped: bool) -> None:
    source = pdf(tmp_path / "a.pdf", ["Only these words stand here.", "And a second line."])
    writer = PdfWriter(clone_from=PdfReader(source))
    if cropped:
        writer.pages[0].cropbox.lower_left = (40, 500)
        writer.pages[0].cropbox.upper_right = (500, 820)
    writer.pages[0].rotate(turned)
    writer.write(tmp_path / "b.pdf")
    page = read(tmp_path / "b.pdf").pages[0]
    inside, outside = ink(tmp_path / "b.pdf", page, 0, len(page.text))
    assert sorted(page.text.split("\n")) == ["And a second line.", "Only these words stand here."]
    assert len(unpack_boxes(page.boxes)) == len(page.text)
    assert inside > 0.1
    assert outside == 0


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_pages_turned_to_stand_upright_keep_their_lines(tmp_path: Path, turned: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 300)
        canvas.rotate(turned)
        canvas.translate(-300, -300)
        lines(canvas, ["First line here", "Second line here", "Third line here"], top=500)

    writer = PdfWriter(clone_from=PdfReader(pdf(tmp_path / "a.pdf", draw, size=(600, 600))))
    writer.pages[0].rotate(turned)
    writer.write(tmp_path / "b.pdf")
    page = read(tmp_path / "b.pdf").pages[0]
    assert page.text == "First line here\nSecond line here\nThird line here"


def test_a_part_of_a_line_is_marked_alone(tmp_path: Path) -> None:
    page = read(pdf(tmp_path / "a.pdf", ["one two three"])).pages[0]
    ((left, top, right, bottom),) = line_boxes(page, 4, 7)
    ((whole_left, _, whole_right, _),) = line_boxes(page, 0, 13)
    assert whole_left < left < right < whole_right
    assert (page.width, page.height) == A4
    assert top < (842 - 780) / 842 < bottom + 0.002


def test_a_line_with_code_in_it_goes_on_with_the_paragraph(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["The setting chooses a port, and"])
        text = canvas.beginText(72, 780 - 14)
        text.setFont("Courier", 8)
        text.textOut("PORT=8600 make run serve the page")
        text.setFont("Helvetica", 11)
        text.textOut(" alone")
        canvas.drawText(text)
        lines(canvas, ["is what it takes to do so."], top=780 - 28)

    text = read(pdf(tmp_path / "a.pdf", draw)).pages[0].text
    assert text.split("\n")[1:] == [
        "PORT=8600 make run serve the page alone",
        "is what it takes to do so.",
    ]


def test_a_bold_line_that_is_a_little_larger_stands_apart_as_a_heading_does(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["The prose of a page goes on", "until its section ends."], size=10)
        lines(canvas, ["2.1 What a lens is"], font="Helvetica-Bold", size=11, top=780 - 28)
        lines(canvas, ["A lens gathers light, and", "bends it."], size=10, top=780 - 42)

    text = read(pdf(tmp_path / "a.pdf", draw)).pages[0].text
    assert "section ends.\n\n2.1 What a lens is\n\nA lens gathers" in text


def test_a_divided_word_begins_no_paragraph(tmp_path: Path) -> None:
    """The line that holds a word made whole ends a printed line further down than it begins."""
    source = pdf(tmp_path / "a.pdf", [
        "Term matching methods are sensitive to single key-",
        "words, and in contrast the dense model excels",
        "at the meaning of a whole phrase, where words",
        "are few and stand far apart in the text.",
        "Of such words none is found by what it means,",
        "so both kinds of method are used at once.",
    ])  # fmt: skip
    text = read(source).pages[0].text
    assert "keywords, and in contrast" in text
    assert "\n\n" not in text


def test_words_divided_at_line_ends_are_made_whole(tmp_path: Path) -> None:
    text = ["a well-known case of infor-", "mation that is well-", "known to Smith-", "Jones."]
    page = read(pdf(tmp_path / "a.pdf", text)).pages[0]
    assert page.text == "a well-known case of information that is well-known to Smith-Jones."
    boxes = unpack_boxes(page.boxes)
    assert len(boxes) == len(page.text)
    place = page.text.index("mation")
    assert boxes[place][1] > boxes[place - 1][1]  # on the next line, where it is printed


def test_paragraphs_are_set_apart(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["First paragraph begins", "and goes on", "to its end."])
        lines(canvas, ["Second paragraph begins", "and ends."], top=700)

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    assert page.text.split("\n\n") == [
        "First paragraph begins\nand goes on\nto its end.",
        "Second paragraph begins\nand ends.",
    ]


def raw(text: str) -> RawPage:
    nothing = np.zeros(len(text))
    boxes = np.zeros((len(text), 4), dtype=np.uint16)
    return RawPage(text, boxes, nothing.astype(np.float32), nothing.astype(np.bool_))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("关 于 红 军 作 战 的", "关于红军作战的"),  # set apart for looks
        ("关于 红军作战", "关于 红军作战"),
        ("보험 약관상 재해 보험금", "보험 약관상 재해 보험금"),
        (" \n one  \n  two \n \n \n\n three \n", "one\ntwo\n\nthree"),
    ],
)
def test_superfluous_spaces_go(text: str, shown: str) -> None:
    page = laid_out(raw(text))
    assert page.text == shown
    assert len(page.boxes) == len(page.sizes) == len(page.bold) == len(shown)


@pytest.mark.parametrize(
    ("space", "shown"), [(1, "It had effects of all kinds."), (4, "It had ef ects of all kinds.")]
)
def test_a_letter_that_a_font_leaves_out_of_a_ligature_is_put_back(space: int, shown: str) -> None:
    text = "It had ef ects of all kinds."
    page = replace(raw(text), width=600.0, sizes=np.full(len(text), 10, dtype=np.float32))
    left = 0
    for at, char in enumerate(text):
        narrow = text[:at].endswith("ef")
        page.boxes[at, (0, 2)] = left, left + 400
        left += 100 * (space if narrow else 4) if char == " " else 400
        if char == " ":
            page.boxes[at, 2] = left
    assert with_ligatures(page, Counter({"effects": 1, "of": 3})).text == shown
    assert with_ligatures(page, Counter()).text == text


def test_a_fraction_and_a_raised_sign_stay_on_their_line(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        x = 60.0
        for piece, size, rise in (
            ("Nuts of 1", 10, 0), ("/8", 6, -2), (" inch and 100 cm", 10, 0), ("2", 6, 4),
            (" of felt", 10, 0),
        ):  # fmt: skip
            text = canvas.beginText(x, 700)
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(piece)
            canvas.drawText(text)
            x += canvas.stringWidth(piece, "Helvetica", size)

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    assert page.text == "Nuts of 1/8 inch and 100 cm2 of felt"


def test_headings_are_what_is_larger_or_bolder(tmp_path: Path) -> None:
    prose = ["Plain words of running text that fill the line of the page to its end."] * 8

    def draw(canvas: Canvas) -> None:
        lines(canvas, ["The Chapter"], font="Helvetica-Bold", size=20)
        lines(canvas, prose, top=740)
        lines(canvas, ["A section"], font="Helvetica-Bold", top=600)
        lines(canvas, prose, top=580)

    loaded = read(pdf(tmp_path / "a.pdf", draw, draw))
    found = [(h.level, h.title) for h in loaded.pages[0].headings]
    assert found == [(1, "The Chapter"), (2, "A section")]
    offset = loaded.pages[1].headings[1].offset
    assert loaded.pages[1].text[offset:].startswith("A section")


@pytest.mark.parametrize(
    ("title", "size", "top", "found"),
    [
        ("A Study of Old Lamps", 20, 780, "A Study of Old Lamps"),
        ("A Study of Old Lamps", 11, 780, ""),
        ("A Study of Old Lamps", 20, 300, ""),
        ("Old Lamps", 20, 780, ""),
        ("3 Study of Old Lamps", 20, 780, ""),
        ("Lamps 12,500 and 34,100 or 99,000 / 12,880", 20, 780, ""),
    ],
)
def test_the_title_of_a_pdf_that_names_none_is_the_largest_line_at_the_top(
    tmp_path: Path, title: str, size: int, top: int, found: str
) -> None:
    prose = ["Plain words of running text that fill the line of the page to its end."] * 8

    def draw(canvas: Canvas) -> None:
        lines(canvas, [title], size=size, top=top)
        lines(canvas, prose, top=700, size=10)

    assert read(pdf(tmp_path / "a.pdf", draw)).title == found


def test_bookmarks_say_what_the_headings_are(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for level, title in enumerate(["1 Beginning", "1.1 Further"]):
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level=level)
        lines(canvas, ["1 Beginning", "words of it", "1.1 Further", "more words of it"])

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    assert [(h.level, h.title) for h in page.headings] == [(1, "1 Beginning"), (2, "1.1 Further")]
    assert page.text[page.headings[1].offset :].startswith("1.1 Further")


def test_rows_of_cells_are_a_table(tmp_path: Path) -> None:
    prose = ["Plain words of running text that fill the line of the page to its end."] * 3
    names, sums = ["Item", "Tea", "Milk", "Bread"], ["Sum", "1.50", "2.00", "3.10"]

    def draw(canvas: Canvas) -> None:
        lines(canvas, prose)
        for number, (name, value) in enumerate(zip(names, sums, strict=True)):
            lines(canvas, [name], top=700 - 14 * number)
            lines(canvas, [value], top=700 - 14 * number, left=300)
        lines(canvas, prose, top=600)

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    (block,) = page.blocks
    assert block.kind is ChunkKind.TABLE
    rows = page.text[block.start : block.end].splitlines()
    assert rows == ["Item Sum", "Tea 1.50", "Milk 2.00", "Bread 3.10"]


def test_rows_that_stand_apart_are_one_table(tmp_path: Path) -> None:
    prose = ["Plain words of running text that fill the line of the page to its end."] * 9

    def draw(canvas: Canvas) -> None:
        lines(canvas, prose)
        for number, (name, value) in enumerate([("Tea", "1.50"), ("Milk", "2.00"), ("Oil", "3")]):
            lines(canvas, [name], top=600 - 28 * number)
            lines(canvas, [value], top=600 - 28 * number, left=300)

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    assert page.text.split("\n\n")[-1] == "Tea 1.50\nMilk 2.00\nOil 3"


def test_the_bold_line_of_a_sum_is_no_heading(tmp_path: Path) -> None:
    prose = ["Plain words of running text that fill the line of the page to its end."] * 8

    def draw(canvas: Canvas) -> None:
        lines(canvas, ["2.1 Prices"], font="Helvetica-Bold", top=780)
        lines(canvas, prose, top=750)
        for number, (name, value) in enumerate([("Tea", "1.50"), ("Milk", "2.00"), ("Egg", "3")]):
            lines(canvas, [name], top=600 - 14 * number)
            lines(canvas, [value], top=600 - 14 * number, left=300)
        lines(canvas, ["GRAND TOTAL"], font="Helvetica-Bold", top=558)
        lines(canvas, ["6.50"], font="Helvetica-Bold", top=558, left=300)

    page = read(pdf(tmp_path / "a.pdf", draw)).pages[0]
    assert page.text[page.blocks[0].start : page.blocks[0].end].endswith("GRAND TOTAL 6.50")
    assert [heading.title for heading in page.headings] == ["2.1 Prices"]


def test_titles_and_page_numbers(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setTitle("The Handbook")
        lines(canvas, ["one"])

    loaded = read(pdf(tmp_path / "a.pdf", draw, ["two"]))
    assert loaded.kind is DocumentKind.PDF
    assert loaded.title == "The Handbook"
    assert [page.number for page in loaded.pages] == [1, 2]
    assert loaded.notices == ()


@pytest.mark.parametrize("title", ["(anonymous)", "Prices 2% - approved.xlsm", "untitled"])
def test_what_programs_write_is_no_title(tmp_path: Path, title: str) -> None:
    source = pdf(tmp_path / "a.pdf", lambda canvas: canvas.setTitle(title), ["Lamps are lit."])
    assert read(source).title != title


def test_a_page_of_nothing_but_hidden_text_is_empty(tmp_path: Path) -> None:
    off_the_page = pdf(
        tmp_path / "a.pdf", lambda canvas: lines(canvas, ["gone"], top=2_000), ["there"]
    )
    assert [page.text for page in read(off_the_page).pages] == ["", "there"]


def test_what_annotations_show_is_read(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["Name:"])
        canvas.acroForm.textfield(name="n", value="Ada Lovelace", x=150, y=770, width=200)

    source = pdf(tmp_path / "form.pdf", draw)
    assert "Ada Lovelace" in read(source).pages[0].text
    writer = PdfWriter(clone_from=PdfReader(source))
    note = FreeText(text="a remark", rect=(100, 600, 200, 640))
    writer.add_annotation(0, note)
    writer.write(tmp_path / "note.pdf")
    assert read(tmp_path / "note.pdf").pages[0].text.startswith("Name:")


def test_pypdf_reads_what_pdfium_cannot(tmp_path: Path) -> None:
    source = pdf(tmp_path / "a.pdf", ["Still readable."])
    loaded = load_with_pypdf(source, lambda share: None)
    assert loaded.pages[0].text == "Still readable."
    assert [notice.code for notice in loaded.notices] == ["pdf-text-only"]
    headless = written(tmp_path / "b.pdf", source.read_bytes().replace(b"%PDF-1.3", b"%"))
    assert read(headless).pages[0].text == "Still readable."
    careful = load(source, name="a.pdf", progress=lambda share: None, careful=True)
    assert careful.pages[0].boxes == b""


def test_a_file_cut_short_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile):
        read(written(tmp_path / "a.pdf", b"%PDF-1.7\n%cut"))


def test_pages_are_drawn(tmp_path: Path) -> None:
    source = pdf(tmp_path / "a.pdf", ["one"], ["two"])
    assert render(source, 1, 1.0).startswith(b"\x89PNG")
    with pytest.raises(DamagedFile):
        render(source, 2, 1.0)
    locked = encrypted(source, tmp_path / "b.pdf", "user", "owner", "AES-256")
    with pytest.raises(PasswordProtected):
        render(locked, 0, 1.0)
