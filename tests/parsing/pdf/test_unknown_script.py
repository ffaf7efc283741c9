"""Scans in a script that OCR does not know are said to be unread, not read as another one."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.parsing.files import lines, pdf, picture_of, read

pytestmark = pytest.mark.C26

SMALL = (420.0, 160.0)
TEXT = ["The harvest of 1998 was small", "and the winter that followed was long."]


def _typed(canvas: Canvas) -> None:
    lines(canvas, TEXT, left=30, top=100, size=16, step=30)


def test_scans_in_a_script_that_the_models_do_not_know_are_said(tmp_path: Path) -> None:
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    pdfmetrics.registerFont(TTFont("DejaVuSans", font))
    russian = ["\u0421\u0431\u043e\u0440 \u0443\u0440\u043e\u0436\u0430\u044f"] * 3
    typed = pdf(tmp_path / "typed.pdf", _typed, size=SMALL)
    source = pdf(
        tmp_path / "a.pdf",
        lambda canvas: lines(canvas, russian, font="DejaVuSans", top=100, left=30),
        picture_of(typed, SMALL),
        size=SMALL,
    )
    loaded = read(source, ocr=True)
    assert [notice.code for notice in loaded.notices] == ["pages-without-text", "ocr-script"]
    assert "Cyrillic" in loaded.notices[1].text
