"""Pages that are pictures are read, word by word, and marked where the words stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from core.config import OCR_LANGUAGES
from core.parsing.boxes import line_boxes
from core.parsing.pdf.load import load_pdf
from core.parsing.pdf.ocr import limited
from tests.parsing.files import lines, pdf, picture_of, read

SMALL = (420.0, 160.0)
TEXT = ["The harvest of 1998 was small", "and the winter that followed was long."]


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scan")
    typed = pdf(folder / "typed.pdf", _typed, size=SMALL)
    return pdf(folder / "scan.pdf", picture_of(typed, SMALL), _typed, size=SMALL)


def _typed(canvas: Canvas) -> None:
    lines(canvas, TEXT, left=30, top=100, size=16, step=30)


def test_scanned_pages_are_read_and_marked(scan: Path) -> None:
    progress: list[float] = []
    loaded = load_pdf(scan, progress.append, lambda: 60.0)
    page = loaded.pages[0]
    assert page.text.split() == " ".join(TEXT).split()
    assert [page.ocr for page in loaded.pages] == [True, False]
    assert loaded.pages_without_text == 0
    assert loaded.notices == ()
    assert progress == sorted(progress)
    start = page.text.index("winter")
    ((left, top, right, bottom),) = line_boxes(page, start, start + 6)
    ((typed_left, _, typed_right, _),) = line_boxes(loaded.pages[1], start, start + 6)
    assert (left, right) == pytest.approx((typed_left, typed_right), abs=0.03)
    assert top < (160 - 70 - 5) / 160 < bottom


def test_without_ocr_the_pages_are_counted(scan: Path) -> None:
    loaded = read(scan)
    assert loaded.pages_without_text == 1
    assert [notice.text for notice in loaded.notices] == ["1 of 2 pages has no text (scanned?)."]


def test_pages_for_which_no_time_is_left_are_said(scan: Path) -> None:
    loaded = load_pdf(scan, lambda share: None, lambda: -1.0)
    codes = [notice.code for notice in loaded.notices]
    assert codes == ["pages-without-text", "ocr-out-of-time"]
    assert loaded.pages_without_text == 1


def test_the_invisible_text_of_a_scan_is_its_ocr_layer(tmp_path: Path) -> None:
    picture = picture_of(pdf(tmp_path / "typed.pdf", _typed, size=SMALL), SMALL)

    def draw(canvas: Canvas) -> None:
        picture(canvas)
        text = canvas.beginText(30, 100)
        text.setTextRenderMode(3)
        text.setFont("Helvetica", 16)
        text.textLine("A layer of recognised text under a picture")
        canvas.drawText(text)

    loaded = read(pdf(tmp_path / "a.pdf", draw, size=SMALL))
    assert loaded.pages[0].text == "A layer of recognised text under a picture"
    assert loaded.pages[0].ocr
    assert loaded.notices == ()


def test_an_empty_page_needs_no_ocr(tmp_path: Path) -> None:
    loaded = read(pdf(tmp_path / "a.pdf", ["text"], lambda canvas: None), ocr=True)
    assert loaded.pages_without_text == 0
    assert loaded.pages[1].text == ""


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for left, side in ((10, "left"), (225, "right")):
            texts = [f"This {side} line has number {n}" for n in range(1, 6)]
            lines(canvas, texts, left=left, top=130, size=13, step=24)

    typed = pdf(tmp_path / "typed.pdf", draw, size=SMALL)
    scan = pdf(tmp_path / "scan.pdf", picture_of(typed, SMALL), size=SMALL)
    text = read(scan, ocr=True).pages[0].text
    assert text.rindex("left") < text.index("right")


def test_signs_of_scripts_that_are_not_in_use_are_not_read() -> None:
    signs = ["blank", "a", "\u4e2d", "\u30ab", "\u03b1", "7", " "]
    chances = np.array([[[0.0, 0.2, 0.9, 0.5, 0.1, 0.3, 0.0]]])

    def best(languages: tuple[str, ...]) -> str:
        decode = limited(lambda found: signs[int(found[0, 0].argmax())], signs, languages)
        return str(decode(chances.copy()))

    assert [best(codes) for codes in (("zh",), ("ja",))] == ["\u4e2d", "\u4e2d"]
    assert best(("en", "de")) == "7"


def test_the_languages_on_offer_are_those_that_the_models_read() -> None:
    from rapidocr import RapidOCR

    names = RapidOCR.list_supported_langs("rec", "PP-OCRv6", "small")
    other_names = {"ch": "zh", "chinese_cht": "zh", "japan": "ja", "french": "fr", "german": "de"}
    known = {other_names.get(code, code) for code in names} - {"rs_latin"}
    assert known == OCR_LANGUAGES


def test_the_models_lie_in_the_wheel() -> None:
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    assert {path.name for path in models.glob("PP-OCRv6*.onnx")} == {
        "PP-OCRv6_det_small.onnx",
        "PP-OCRv6_rec_small.onnx",
    }
