"""Pages without text are counted and said, never passed over in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.errors import NoReadableText
from core.parsing.sandbox import load_in_child
from tests.parsing.files import pdf, picture_of

pytestmark = pytest.mark.C08

SMALL = (200.0, 100.0)


def test_three_pages_of_text_and_seven_pictures(tmp_path: Path) -> None:
    blank = pdf(tmp_path / "typed.pdf", ["x"], size=SMALL)
    picture = picture_of(blank, SMALL)
    texts = [[f"This is text page {n}."] for n in range(3)]
    source = pdf(tmp_path / "a.pdf", *texts, *[picture] * 7)
    loaded = load_in_child(source, name="a.pdf", settings=Settings(ocr=False))
    assert loaded.pages_without_text == 7
    assert "7 of 10 pages have no text (scanned?)." in [notice.text for notice in loaded.notices]


def test_nothing_but_pictures_fails_with_a_cure(tmp_path: Path) -> None:
    picture = picture_of(pdf(tmp_path / "typed.pdf", ["x"], size=SMALL), SMALL)
    source = pdf(tmp_path / "a.pdf", picture, picture)
    with pytest.raises(NoReadableText, match="2 pages") as caught:
        load_in_child(source, name="a.pdf", settings=Settings(ocr=False))
    assert "OCR" in caught.value.cure


def test_with_ocr_the_pictures_are_read_in_the_child(tmp_path: Path) -> None:
    from tests.parsing.files import lines

    typed = pdf(
        tmp_path / "typed.pdf",
        lambda canvas: lines(canvas, ["Scanned words"], left=20, top=50, size=20),
        size=SMALL,
    )
    source = pdf(tmp_path / "a.pdf", picture_of(typed, SMALL), size=SMALL)
    loaded = load_in_child(source, name="a.pdf", settings=Settings(ocr_languages="en"))
    assert loaded.pages[0].text == "Scanned words"
    assert loaded.pages[0].ocr
    assert loaded.pages_without_text == 0
